extension String {
    /// The text as one word of a POSIX shell, for commands that a person copies: the shell gives back the same bytes.
    ///
    /// ASCII letters and digits and `-_./=:@%+,` stay as they are, for they stand for themselves in every shell; only zsh
    /// expands `=` at the beginning. Any other word stands in single quotes (POSIX.1-2024, Shell Command Language, 2.2.2),
    /// with `'\''` for a quote. Where characters are in it that nobody sees, or that steer a terminal, it stands in
    /// dollar-single-quotes (2.2.4; bash, ksh and zsh had them before), with the bytes of those in octal.
    ///
    /// No argument of a program can hold U+0000: `\u0000` is written for it, so that the word names no other object.
    package var shellWord: String {
        if consists(ofAlphanumericsAnd: "-_./=:@%+,"), utf8.first != UInt8(ascii: "=") { return self }
        let isSeen = !unicodeScalars.contains { Self.isHidden($0) }
        var word = isSeen ? "'" : "$'"
        // By scalars: a quote with an accent behind it is one character to Swift, and a quote to a shell.
        for scalar in unicodeScalars {
            switch scalar {
            case "'" where isSeen: word += #"'\''"#
            case _ where isSeen: word.unicodeScalars.append(scalar)
            case "\0": word += #"\\u0000"#
            case "'", "\\": word += Self.octal(scalar)
            case _ where Self.isHidden(scalar): word += Self.octal(scalar)
            default: word.unicodeScalars.append(scalar)
            }
        }
        return word + "'"
    }

    /// The bytes of a character in UTF-8, each as `\ooo`.
    private static func octal(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { "\\\($0 >> 6)\($0 >> 3 & 7)\($0 & 7)" }.joined()
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        UnseenText.hasUnseenCategory(scalar) || UnseenText.contains(scalar.value)
    }
}
