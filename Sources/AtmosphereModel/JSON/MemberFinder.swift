/// Runs a ``MemberTrie`` over objects and keeps where the values stand.
package struct MemberFinder {
    private let trie: MemberTrie
    private let found: Findings
    private var object = 0

    package init(_ trie: MemberTrie) {
        self.trie = trie
        found = Findings(trie.count)
    }

    /// Where the value of a node stands in the object that was read last; nil where it is absent.
    @inline(__always)
    package subscript(node: Int) -> Range<Int>? {
        let finding = found.storage[node]
        return finding.object == object ? finding.value : nil
    }

    /// Forgets the object before.
    @inline(__always)
    package mutating func begin() { object &+= 1 }

    /// Reads the object whose brace is at `start`, the first of duplicate names.
    ///
    /// - Parameters:
    ///   - depth: the number of arrays and objects around it.
    ///   - node: what the object is in the trie.
    ///   - special: a node whose value is read by `read` instead of being passed over; -1 for none. It gets where
    ///     the value begins and the depth, and returns its end.
    /// - Returns: the end of the object; nil where `read` returned nil.
    package func readObject(
        _ text: JSONScanner, _ start: Int, depth: Int, at node: Int = 0, special: Int = -1,
        read: (Int, Int) throws -> Int? = { start, _ in start }
    ) throws -> Int? {
        guard depth < text.depthLimit else { throw text.tooDeep(start) }
        let lengths = trie.childLengths(node)
        return try text.readMembers(start) { name, hasEscapes, value in
            if !hasEscapes, !MemberTrie.mayHave(name.count, in: lengths) {
                return try text.valueEnd(value, depth: depth &+ 1)
            }
            let child = hasEscapes ? childOfEscaped(node, text, name) : trie.child(of: node, text, name)
            if child < 0 || found.storage[child].object == object {
                return try text.valueEnd(value, depth: depth &+ 1)
            }
            let end: Int?
            if child == special {
                end = try read(value, depth &+ 1)
            } else if trie.hasChildren(child), text.byte(at: value) == UInt8(ascii: "{") {
                end = try readObject(text, value, depth: depth &+ 1, at: child, special: special, read: read)
            } else {
                end = try text.valueEnd(value, depth: depth &+ 1)
            }
            guard let end else { return nil }
            found.storage[child] = Finding(object: object, value: Range(uncheckedBounds: (value, end)))
            return end
        }
    }

    @inline(never)
    private func childOfEscaped(_ node: Int, _ text: JSONScanner, _ name: Range<Int>) -> Int {
        trie.child(of: node, named: JSONText.unescaped(text.slice(name)))
    }

    private struct Finding {
        /// The object in which the name was seen last, so that nothing needs to be cleared between objects.
        var object: Int
        var value: Range<Int>
    }

    /// One place for each node.
    private final class Findings {
        let storage: UnsafeMutablePointer<Finding>

        init(_ count: Int) {
            storage = .allocate(capacity: count)
            storage.initialize(repeating: Finding(object: 0, value: 0..<0), count: count)
        }

        // A finding has nothing to deinitialize.
        deinit { storage.deallocate() }
    }
}
