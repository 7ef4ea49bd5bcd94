// Character classes by byte. Regular expressions would say the same, and take most of the time of reading a file.

extension StringProtocol {
    /// Not empty, and nothing but letters, digits and these.
    package func consists(ofAlphanumericsAnd others: StaticString = "") -> Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                byte.isASCIIAlphanumeric || others.withUTF8Buffer { $0.contains(byte) }
            }
    }

    /// A letter or `_`, then letters, digits, `_` and these.
    package func isIdentifier(with others: StaticString = "") -> Bool {
        guard let first = utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
        return utf8.allSatisfy { byte in
            byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || others.withUTF8Buffer { $0.contains(byte) }
        }
    }

    package var isDigits: Bool { !isEmpty && utf8.allSatisfy(\.isASCIIDigit) }

    /// Divided before the first character that is no digit.
    package var dividedAfterDigits: (digits: SubSequence, rest: SubSequence) {
        let end = utf8.firstIndex { !$0.isASCIIDigit } ?? endIndex
        return (self[..<end], self[end...])
    }
}
