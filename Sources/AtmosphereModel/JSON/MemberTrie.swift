/// Paths of member names, put together so that one pass over an object finds the values of all of them.
package struct MemberTrie {
    /// Paths with more steps are left to the slower ``JSONPath/ranges(in:_:)``: the pass recurses once for each.
    static let longestPath = 32

    private struct Node {
        let name: [UInt8]
        let length: Int
        /// The name's first eight bytes, the first in the lowest place, zeros behind a shorter name.
        let head: UInt64
        /// -1 for none.
        var firstChild = -1
        var nextSibling: Int
        /// A bit for the length of each child's name; those from 63 on share the last.
        var lengths: UInt64 = 0

        init(_ name: [UInt8], nextSibling: Int = -1) {
            self.name = name
            length = name.count
            head = name.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            self.nextSibling = nextSibling
        }
    }

    /// The first is the object itself.
    private var nodes = [Node([])]

    package init() {}

    package var count: Int { nodes.count }

    /// The node for a path, new where it is not there yet; nil for a path that has other steps than members, or none.
    package mutating func insert(_ path: JSONPath) -> Int? {
        guard 1...Self.longestPath ~= path.steps.count else { return nil }
        var names: [[UInt8]] = []
        for step in path.steps {
            guard case .member(let name) = step else { return nil }
            names.append(Array(name.utf8))
        }
        return names.reduce(0) { parent, name in
            let child = child(of: parent, named: name)
            return child < 0 ? append(name, to: parent) : child
        }
    }

    private mutating func append(_ name: [UInt8], to parent: Int) -> Int {
        nodes.append(Node(name, nextSibling: nodes[parent].firstChild))
        nodes[parent].firstChild = nodes.count - 1
        nodes[parent].lengths |= Self.bit(name.count)
        return nodes.count - 1
    }

    @inline(__always)
    private static func bit(_ length: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: min(length, 63)) }

    /// Whether a name of this length can be a child's; most others need no look at the children then.
    @inline(__always)
    static func mayHave(_ length: Int, in lengths: UInt64) -> Bool { lengths & bit(length) != 0 }

    func childLengths(_ node: Int) -> UInt64 { nodes[node].lengths }

    @inline(__always)
    package func hasChildren(_ node: Int) -> Bool { nodes[node].firstChild >= 0 }

    /// -1 where no path goes on with this name.
    package func child(of parent: Int, named name: [UInt8]) -> Int {
        var child = nodes[parent].firstChild
        while child >= 0, nodes[child].name != name { child = nodes[child].nextSibling }
        return child
    }

    /// The same for a name without escapes that stands in a text.
    @inline(__always)
    package func child(of parent: Int, _ text: JSONScanner, _ name: Range<Int>) -> Int {
        var child = nodes[parent].firstChild
        while child >= 0 {
            if nodes[child].length == name.count, isSame(child, text, name) { return child }
            child = nodes[child].nextSibling
        }
        return -1
    }

    @inline(__always)
    private func isSame(_ node: Int, _ text: JSONScanner, _ name: Range<Int>) -> Bool {
        if name.lowerBound &+ 8 <= text.end {
            let unused = UInt64(64 &- 8 &* min(8, name.count))
            let head = name.count == 0 ? 0 : (text.word(at: name.lowerBound) &<< unused) &>> unused
            guard head == nodes[node].head else { return false }
            if name.count <= 8 { return true }
        }
        let bytes = UnsafeBufferPointer(start: text.base + name.lowerBound, count: name.count)
        return nodes[node].name.withUnsafeBufferPointer { JSONText.areSame($0, bytes) }
    }
}
