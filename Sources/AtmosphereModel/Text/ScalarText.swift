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
