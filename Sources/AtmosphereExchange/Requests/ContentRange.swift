/// What a part of a content is of the whole (RFC 9110 §14.4): `bytes 5-9/10`.
package struct ContentRange: Equatable {
    private(set) var first: Int64
    /// Less than the largest number, so that what lies before its end can be counted.
    private(set) var last: Int64
    /// Of the whole, in bytes; nil where it is not known.
    private(set) var total: Int64?

    /// The bytes from the first of the content to the last of the range.
    package var end: Int64 { last + 1 }

    /// nil for anything but a range of bytes.
    package init?(_ header: String) {
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < .max
        else { return nil }
        (self.first, self.last) = (first, last)
        guard sides[1] != "*" else { return }
        guard let total = Self.number(sides[1]), last < total else { return nil }
        self.total = total
    }

    private static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
    }

    /// Whether this is, for certain, all that is behind the first bytes.
    package func isRest(behind count: Int64) -> Bool { first == count && end == total }
}
