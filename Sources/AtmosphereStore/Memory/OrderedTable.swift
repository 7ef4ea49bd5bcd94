/// A sorted map whose copies share what neither side has changed since.
///
/// Entries stand in leaves of bounded size, so a change after a copy costs one leaf and the list of leaves (a
/// reference for each 32 to 64 entries), not the whole table: a snapshot is free, a small write to a large one cheap.
package struct OrderedTable<Key: Comparable & Sendable, Element: Sendable>: Sendable {
    private static var capacity: Int { 64 }

    fileprivate struct Leaf: Sendable {
        var keys: [Key]
        var elements: [Element]
    }

    /// None is empty.
    private var leaves: [Leaf] = []
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package subscript(key: Key) -> Element? {
        get {
            guard let leaf = leafIndex(for: key) else { return nil }
            let slot = Self.slot(for: key, in: leaves[leaf].keys)
            return slot.isFound ? leaves[leaf].elements[slot.index] : nil
        }
        set {
            if let newValue { insert(newValue, at: key) } else { remove(key) }
        }
    }

    private mutating func insert(_ element: Element, at key: Key) {
        guard let leaf = leafIndex(for: key) else {
            leaves.insert(Leaf(keys: [key], elements: [element]), at: 0)
            count += 1
            return
        }
        let slot = Self.slot(for: key, in: leaves[leaf].keys)
        if slot.isFound {
            leaves[leaf].elements[slot.index] = element
            return
        }
        leaves[leaf].keys.insert(key, at: slot.index)
        leaves[leaf].elements.insert(element, at: slot.index)
        count += 1
        if leaves[leaf].keys.count > Self.capacity { split(leaf, at: slot.index) }
    }

    /// Ascending insertion fills leaves; any other halves them.
    private mutating func split(_ leaf: Int, at index: Int) {
        let size = leaves[leaf].keys.count
        let cut = leaf == leaves.count - 1 && index == size - 1 ? size - 1 : size / 2
        let rest = Leaf(keys: Array(leaves[leaf].keys[cut...]), elements: Array(leaves[leaf].elements[cut...]))
        leaves[leaf].keys.removeSubrange(cut...)
        leaves[leaf].elements.removeSubrange(cut...)
        leaves.insert(rest, at: leaf + 1)
    }

    private mutating func remove(_ key: Key) {
        guard let leaf = leafIndex(for: key) else { return }
        let slot = Self.slot(for: key, in: leaves[leaf].keys)
        guard slot.isFound else { return }
        count -= 1
        if leaves[leaf].keys.count == 1 {
            leaves.remove(at: leaf)
        } else {
            leaves[leaf].keys.remove(at: slot.index)
            leaves[leaf].elements.remove(at: slot.index)
        }
    }

    /// The leaf that holds the key or would; nil where the key comes before all.
    private func leafIndex(for key: Key) -> Int? {
        var low = 0
        var high = leaves.count
        while low < high {
            let middle = (low + high) / 2
            if key < leaves[middle].keys[0] { high = middle } else { low = middle + 1 }
        }
        // A key before all belongs into the first leaf while there is room for it.
        if low == 0 { return leaves.first.map { $0.keys.count < Self.capacity } == true ? 0 : nil }
        return low - 1
    }

    private static func slot(for key: Key, in keys: [Key]) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < keys.count && keys[low] == key)
    }
}

extension OrderedTable: Sequence {
    /// Ascending, over the table as it was when the iteration began.
    package struct Iterator: IteratorProtocol {
        fileprivate let leaves: [Leaf]
        fileprivate var leaf: Int
        fileprivate var index: Int

        package mutating func next() -> (key: Key, element: Element)? {
            guard leaf < leaves.count else { return nil }
            if index >= leaves[leaf].keys.count {
                leaf += 1
                index = 0
                guard leaf < leaves.count else { return nil }
            }
            defer { index += 1 }
            return (leaves[leaf].keys[index], leaves[leaf].elements[index])
        }
    }

    package func makeIterator() -> Iterator { Iterator(leaves: leaves, leaf: 0, index: 0) }

    /// The entries behind a key, which need not be in the table; all of them for nil.
    package func entries(after key: Key?) -> IteratorSequence<Iterator> {
        guard let key, let leaf = leafIndex(for: key) else { return IteratorSequence(makeIterator()) }
        let slot = Self.slot(for: key, in: leaves[leaf].keys)
        return IteratorSequence(Iterator(leaves: leaves, leaf: leaf, index: slot.index + (slot.isFound ? 1 : 0)))
    }
}

extension OrderedTable: Equatable where Element: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
    }
}
