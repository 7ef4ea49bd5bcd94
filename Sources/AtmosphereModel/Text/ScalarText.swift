/// A text that is equal only to the same Unicode scalars, as JSON and databases compare; `String` also takes `é` and
/// `e` with a combining accent for equal.
package struct ScalarText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.hasSameScalars(as: right.text) }

    package static func < (left: ScalarText, right: ScalarText) -> Bool {
        // UTF-8 sorts as the scalars do.
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    // The hash of a string is the same for all its canonical equivalents, of which a name can have millions.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether both are the same Unicode scalars.
    func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let same = utf8.withContiguousStorageIfAvailable { first in
            other.utf8.withContiguousStorageIfAvailable { second in JSONText.areSame(first, second) }
        }
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
