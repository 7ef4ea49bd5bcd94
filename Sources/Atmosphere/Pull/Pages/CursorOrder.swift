/// The order of cursor texts.
enum CursorOrder {
    /// Whether a text is higher than another one of the same form, which is the rule on one server and needs no decoding; nil
    /// where the forms differ.
    static func isHigher(
        _ new: Slice<UnsafeBufferPointer<UInt8>>, thanSameForm old: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Bool? {
        guard new.count == old.count, new.last == old.last, new.count >= 10,
            new[new.startIndex + 4] == UInt8(ascii: "-"), old[old.startIndex + 4] == UInt8(ascii: "-")
        else { return nil }
        return old.lexicographicallyPrecedes(new)
    }

    /// Whether a text is higher than another one: of a kind that goes before the other's, or later in time, larger as a number,
    /// or behind it byte by byte.
    static func isHigher(_ new: String, than old: String, in since: Since) -> Bool {
        switch (since.reading(of: new), since.reading(of: old)) {
        case (.time(let new), .time(let old)): old < new
        case (.number(let new), .number(let old)): old < new
        case (.text, .text): ScalarText(old) < ScalarText(new)
        case (let new, let old): old.kind < new.kind
        }
    }
}
