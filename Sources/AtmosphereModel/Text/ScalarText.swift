/// A text that is equal only to the same Unicode scalars, as JSON and databases compare; `String` also takes `é` and
/// `e` with a combining accent for equal. The key for every name that comes from outside.
package struct ScalarText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.hasSameBytes(as: right.text) }

    package static func < (left: ScalarText, right: ScalarText) -> Bool {
        // UTF-8 sorts as the scalars do.
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// What follows a beginning, compared by bytes; nil for a text that begins otherwise. A combining mark behind the
    /// beginning belongs to what follows.
    package func rest(after beginning: String) -> Substring? {
        guard utf8.starts(with: beginning.utf8) else { return nil }
        return self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...]
    }

    /// Divided at the first of these bytes of ASCII, which belongs to neither part; nil for a text without one.
    package func divided(at separator: Unicode.Scalar) -> (before: Substring, after: Substring)? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
        return (self[..<index], self[utf8.index(after: index)...])
    }
}
