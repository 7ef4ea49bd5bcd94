/// A text that is equal only to the same Unicode scalars, as JSON and databases compare; `String` also takes `é` and
/// `e` with a combining accent for equal.
package struct ScalarText: Hashable, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ScalarText, right: ScalarText) -> Bool { left.text.hasSameScalars(as: right.text) }

    package static func < (left: ScalarText, right: ScalarText) -> Bool {
        // UTF-8 sorts as the scalars do.
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    // Equal scalars have equal hashes as strings.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
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
