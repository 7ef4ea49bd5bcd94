extension String {
    /// Equal in UTF-8, where `==` takes canonically equivalent texts for equal.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let same = utf8.withContiguousStorageIfAvailable { first in
            other.utf8.withContiguousStorageIfAvailable { second in JSONText.areSame(first, second) }
        }
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    package func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    package func hashBytes(into hasher: inout Hasher) {
        let isDone: Void? = utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in utf8 { hasher.combine(byte) } }
        hasher.combine(UInt8(0xFF))
    }

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

    /// Whether the other text's bytes stand somewhere in this one's.
    package func hasBytes(_ other: String) -> Bool {
        let needle = Array(other.utf8)
        guard let first = needle.first else { return true }
        var rest = Array(utf8)[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: needle) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension String? {
    /// The same for texts that may be missing: both are, or neither is.
    package func hasSameBytes(as other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasSameBytes(as: other)
    }
}
