// Paths are divided at each byte `/`, as the system divides them: a slash with a combining mark behind it is one
// `Character`, which is not `/`.
extension String {
    /// Whether it begins with a slash.
    package var beginsWithSlash: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether it ends with a slash.
    package var endsWithSlash: Bool { utf8.last == UInt8(ascii: "/") }

    package var hasSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

    /// Its beginning up to the last slash, with the slash: a file's folder. Empty for a text without a slash.
    package var throughLastSlash: Substring { self[..<behindLastSlash] }

    /// What stands behind the last slash; all of a text without one.
    package var afterLastSlash: Substring { self[behindLastSlash...] }

    /// What stands between slashes, without what is empty.
    package var slashedParts: [Substring] { utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) } }

    /// Without the slashes at its end; a text of slashes alone keeps one.
    package var withoutLastSlashes: String {
        var text = self
        while text.utf8.count > 1, text.endsWithSlash { text.unicodeScalars.removeLast() }
        return text
    }

    private var behindLastSlash: Index {
        utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
    }
}
