/// Which element of a list each element of its next version was, as far as that can be told.
///
/// One that is the same stays itself wherever it goes, and so does one with the same `id`. What is left are edited, new and
/// removed elements: with as many elements as before, those at the same place belong together, else those between the same
/// neighbours, first those with most members in common. Where some of them are new or removed, an element of several
/// members needs one in common with what it was; of one with a single member its place is all that is known. Elements
/// whose `id` differs never belong together.
struct ElementSources {
    /// For each new element the index of the old one; nil for one that is new.
    private(set) var sources: [Int?]
    private let old: [Value]
    private let new: [Value]
    private var free: Set<Int>

    init(from old: [Value], to new: [Value]) {
        (self.old, self.new) = (old, new)
        sources = [Int?](repeating: nil, count: new.count)
        free = Set(old.indices)
        pairEqual()
        guard !free.isEmpty else { return }
        pairIdentified()
        if old.count == new.count {
            for index in new.indices where sources[index] == nil && free.contains(index) && canBe(index, index) {
                pair(index, with: index)
            }
        }
        pairNeighbours()
    }

    private mutating func pair(_ index: Int, with source: Int) {
        sources[index] = source
        free.remove(source)
    }

    private mutating func pairEqual() {
        // First those at their place: that another has become equal to one of them moves none.
        for index in new.indices where old.indices.contains(index) && old[index] == new[index] {
            pair(index, with: index)
        }
        pair { $0 }
    }

    private mutating func pairIdentified() { pair(Self.id) }

    /// Pairs what is left by something that both have, each old element once, in their order.
    private mutating func pair(_ mark: (Value) -> Value?) {
        var marked: [Value: [Int]] = [:]
        for source in old.indices.reversed() where free.contains(source) {
            if let found = mark(old[source]) { marked[found, default: []].append(source) }
        }
        for index in new.indices where sources[index] == nil {
            if let found = mark(new[index]), let source = marked[found]?.popLast() { pair(index, with: source) }
        }
    }

    /// The most comparisons for what stands between two elements; beyond them places alone count.
    private static var mostComparisons: Int { 10_000 }

    /// What stands between the same two elements that are known, or between one and an end of the list.
    private mutating func pairNeighbours() {
        let (open, left) = (gapsOfNew(), gapsOfOld())
        for (gap, indices) in open.sorted(by: { $0.value[0] < $1.value[0] }) {
            guard let candidates = left[gap] else { continue }
            // At the beginning of a list places count from the element that follows.
            let fromEnd = gap.before == nil && gap.after != nil
            let isSure = indices.count == candidates.count
            guard indices.count * candidates.count <= Self.mostComparisons else {
                let shift = fromEnd ? candidates.count - indices.count : 0
                for (place, index) in indices.enumerated() where candidates.indices.contains(place + shift) {
                    let source = candidates[place + shift]
                    if canBe(index, source), isSure || resembles(index, source) { pair(index, with: source) }
                }
                continue
            }
            var pairs: [(index: Int, source: Int, alike: Int, distance: Int)] = []
            for (place, index) in indices.enumerated() {
                for (other, source) in candidates.enumerated()
                where canBe(index, source) && (isSure || resembles(index, source)) {
                    let distance = fromEnd ? (indices.count - place) - (candidates.count - other) : place - other
                    pairs.append((index, source, Self.alike(new[index], old[source]), abs(distance)))
                }
            }
            pairs.sort { ($1.alike, $0.distance, $0.index) < ($0.alike, $1.distance, $1.index) }
            for found in pairs where sources[found.index] == nil && free.contains(found.source) {
                pair(found.index, with: found.source)
            }
        }
    }

    private struct Gap: Hashable {
        var before: Int?
        var after: Int?
    }

    private func gapsOfNew() -> [Gap: [Int]] {
        var after = [Int?](repeating: nil, count: new.count)
        var next: Int?
        for index in new.indices.reversed() {
            after[index] = next
            next = sources[index] ?? next
        }
        var gaps: [Gap: [Int]] = [:]
        var before: Int?
        for index in new.indices {
            if let source = sources[index] {
                before = source
            } else {
                gaps[Gap(before: before, after: after[index]), default: []].append(index)
            }
        }
        return gaps
    }

    private func gapsOfOld() -> [Gap: [Int]] {
        var after = [Int?](repeating: nil, count: old.count)
        var next: Int?
        for index in old.indices.reversed() {
            after[index] = next
            if !free.contains(index) { next = index }
        }
        var gaps: [Gap: [Int]] = [:]
        var before: Int?
        for index in old.indices {
            if free.contains(index) {
                gaps[Gap(before: before, after: after[index]), default: []].append(index)
            } else {
                before = index
            }
        }
        return gaps
    }

    /// False where the old element has an `id`, and the new one has not the same.
    private func canBe(_ index: Int, _ source: Int) -> Bool {
        guard let id = Self.id(old[source]) else { return true }
        return Self.id(new[index]) == id
    }

    /// Whether an element that may as well be new has something of the old one.
    private func resembles(_ index: Int, _ source: Int) -> Bool {
        (new[index].members?.count ?? 0) < 2 || Self.alike(new[index], old[source]) > 0
    }

    private static func id(_ value: Value) -> Value? {
        guard let id = value.members?["id"], id != .null else { return nil }
        return id
    }

    /// The number of members that both have alike.
    private static func alike(_ first: Value, _ second: Value) -> Int {
        guard let first = first.members, let second = second.members else { return 0 }
        return first.count { second[$0.name] == $0.value }
    }
}
