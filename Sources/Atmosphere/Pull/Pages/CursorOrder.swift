/// The order of cursor texts.
enum CursorOrder {
    /// Instants compare as instants, numbers as numbers, anything else byte by byte.
    static func isHigher(_ new: Slice<UnsafeBufferPointer<UInt8>>, than old: Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    {
        // The same form, which is the rule on one server, needs no decoding.
        if new.count == old.count, new.last == old.last, new.count >= 10, new[new.startIndex + 4] == UInt8(ascii: "-") {
            return old.lexicographicallyPrecedes(new)
        }
        let newText = String(decoding: new, as: UTF8.self)
        let oldText = String(decoding: old, as: UTF8.self)
        if let newInstant = Instant(newText), let oldInstant = Instant(oldText) { return oldInstant < newInstant }
        if let newNumber = JSONNumber(newText), let oldNumber = JSONNumber(oldText) { return oldNumber < newNumber }
        return oldText < newText
    }
}
