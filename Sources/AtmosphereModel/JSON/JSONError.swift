/// A text that is not the JSON that was asked for.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for code to tell.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }

        /// The grammar of RFC 8259 is broken.
        package static let malformed = Code("malformed")
        /// The text stops before its value does; an empty text is one of these.
        package static let truncated = Code("truncated")
        /// Bytes that are not UTF-8 (RFC 3629), or a byte order mark.
        package static let invalidUTF8 = Code("invalidUTF8")
        /// Arrays and objects are nested deeper than the limit.
        package static let tooDeep = Code("tooDeep")
        /// The text is longer than the limit.
        package static let tooLarge = Code("tooLarge")
        /// A number has more than 4,096 bytes.
        package static let numberTooLong = Code("numberTooLong")
        /// The text is JSON, but another kind of value is needed.
        package static let unexpectedType = Code("unexpectedType")
    }

    /// What went wrong, for code; ``message`` is for people.
    package var code: Code
    /// The reason and the byte offset; quotes nothing of the text.
    public var message: String
    /// Where the reason stands, in bytes from the start of the text.
    package var offset: Int

    /// An error at a byte of the text.
    ///
    /// - Parameter message: the reason with the offset in it; may quote nothing of the text.
    package init(code: Code, message: String, offset: Int) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    public var description: String { message }
}

extension JSONError {
    /// An error whose message ends with the place.
    @inline(never)
    package static func at(_ offset: Int, _ code: Code, _ reason: String) -> JSONError {
        JSONError(code: code, message: "\(reason), at byte \(offset)", offset: offset)
    }
}
