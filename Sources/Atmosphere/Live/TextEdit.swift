/// One edit of a text: at an offset, some of it goes and something comes.
///
/// Offsets and lengths count Unicode scalars, as in Python's `str`; JavaScript's strings count UTF-16 code units and have
/// to be converted.
package struct TextEdit: Sendable, Hashable {
    /// Where it begins, from the start of the text as it is before the edit.
    package var at: Int
    /// How much goes from there on.
    package var delete: Int
    /// What comes in its place.
    package var insert: String

    /// Removes `delete` scalars at an offset and puts a text there; an insertion by default.
    package init(at: Int, delete: Int = 0, insert: String = "") {
        self.at = at
        self.delete = delete
        self.insert = insert
    }

    /// Reads `{at, delete, insert}`; the last two may be missing.
    ///
    /// - Throws: ``LiveMessageError``.
    init(_ value: Value) throws(LiveMessageError) {
        guard let members = value.members, let at = Self.count(members["at"]),
            let delete = Self.count(members["delete"] ?? 0), let insert = (members["insert"] ?? "").string
        else { throw LiveMessageError("an edit has at, delete (numbers) and insert (text)") }
        self.init(at: at, delete: delete, insert: insert)
    }

    private static func count(_ value: Value?) -> Int? {
        guard let number = value?.number?.int64, (0...Int64(Int32.max)).contains(number) else { return nil }
        return Int(number)
    }

    /// A text after edits, each of which counts in what the one before left.
    ///
    /// - Returns: nil where an edit reaches behind the end, for it was made from another text, and where so many edits
    ///   of so long a text would take longer than asking for it.
    static func apply(_ edits: [TextEdit], to text: String) -> String? {
        var scalars = Array(text.unicodeScalars)
        guard scalars.count * edits.count <= 1 << 28 else { return nil }
        for edit in edits {
            guard edit.at >= 0, edit.delete >= 0, edit.at <= scalars.count, edit.delete <= scalars.count - edit.at
            else { return nil }
            scalars.replaceSubrange(edit.at..<(edit.at + edit.delete), with: edit.insert.unicodeScalars)
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
