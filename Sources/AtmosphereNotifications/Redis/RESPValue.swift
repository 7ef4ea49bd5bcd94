/// What Redis answers (Redis serialization protocol, version 2).
package enum RESPValue: Sendable, Hashable {
    case simple(String)
    /// The server's own words; the first is a code such as `NOAUTH`.
    case error(String)
    case integer(Int64)
    case bulk([UInt8])
    case null
    case array([RESPValue])

    /// The text of a simple answer or of bytes that are UTF-8.
    package var text: String? {
        switch self {
        case .simple(let text): text
        case .bulk(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    package var elements: [RESPValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// A command as clients send it: an array of bytes.
    package static func command(_ words: [[UInt8]]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        bytes.reserveCapacity(words.reduce(16) { $0 + $1.count + 16 })
        for word in words {
            bytes += Array("$\(word.count)\r\n".utf8)
            bytes += word
            bytes += [0x0D, 0x0A]
        }
        return bytes
    }
}

/// How much of one answer is taken. Redis is not trusted: whoever may write to it must not be able to use up memory.
package struct RESPLimits: Sendable {
    /// A line: a status, an error or a number.
    package var line = 64 << 10
    /// One text of bytes.
    package var bulk = 32 << 20
    /// The bytes of all texts of one answer.
    package var bytes = 64 << 20
    /// Values of one answer, arrays included.
    package var values = 1 << 20
    /// Arrays inside each other.
    package var depth = 8

    package init() {}
}

/// An answer that is not what the protocol says, or more than is taken; the connection is of no more use.
package struct RESPError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
}

/// Takes answers apart as their bytes arrive; each byte is looked at once.
package struct RESPDecoder {
    private struct Level {
        var missing: Int
        var elements: [RESPValue] = []
    }

    private let limits: RESPLimits
    private var buffer: [UInt8] = []
    private var position = 0
    /// Up to where a line's end was looked for.
    private var searched = 0
    private var stack: [Level] = []
    /// The length of the text whose bytes are awaited.
    private var bulk: Int?
    private var bytes = 0
    private var values = 0

    package init(limits: RESPLimits = RESPLimits()) { self.limits = limits }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if position > 0 {
            buffer.removeFirst(position)
            searched -= position
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole answer; nil where more bytes are needed.
    ///
    /// - Throws: ``RESPError``; nothing more can be read then.
    package mutating func next() throws(RESPError) -> RESPValue? {
        while let value = try part() {
            guard let whole = fit(value) else { continue }
            bytes = 0
            values = 0
            return whole
        }
        return nil
    }

    /// Puts a value into the innermost open array.
    ///
    /// - Returns: the whole answer, when it is.
    private mutating func fit(_ value: RESPValue) -> RESPValue? {
        var value = value
        while !stack.isEmpty {
            stack[stack.count - 1].elements.append(value)
            stack[stack.count - 1].missing -= 1
            guard stack[stack.count - 1].missing == 0 else { return nil }
            value = .array(stack.removeLast().elements)
        }
        return value
    }

    /// The next value that is no array with elements; those open a level of the stack.
    private mutating func part() throws(RESPError) -> RESPValue? {
        while true {
            if let length = bulk {
                guard buffer.count - position >= length + 2 else { return nil }
                guard buffer[position + length] == 0x0D, buffer[position + length + 1] == 0x0A else {
                    throw RESPError(description: "a text that does not end where its length says")
                }
                let text = Array(buffer[position..<(position + length)])
                advance(to: position + length + 2)
                bulk = nil
                return .bulk(text)
            }
            guard let line = try line(), let kind = line.first else { return nil }
            values += 1
            guard values <= limits.values else { throw RESPError(description: "an answer of too many values") }
            let rest = line.dropFirst()
            switch kind {
            case UInt8(ascii: "+"): return .simple(String(decoding: rest, as: UTF8.self))
            case UInt8(ascii: "-"): return .error(String(decoding: rest, as: UTF8.self))
            case UInt8(ascii: ":"): return .integer(try number(rest))
            case UInt8(ascii: "$"):
                let length = try number(rest)
                if length == -1 { return .null }
                guard length >= 0, length <= limits.bulk, bytes + Int(length) <= limits.bytes else {
                    throw RESPError(description: "a text of a length that is not taken")
                }
                bytes += Int(length)
                bulk = Int(length)
            case UInt8(ascii: "*"):
                let count = try number(rest)
                if count == -1 { return .null }
                if count == 0 { return .array([]) }
                guard count > 0, count <= limits.values - values, stack.count < limits.depth else {
                    throw RESPError(description: "an array of a size or depth that is not taken")
                }
                // Nothing is reserved by what the peer says: elements come first.
                stack.append(Level(missing: Int(count)))
            default: throw RESPError(description: "an answer of a kind that there is not")
            }
        }
    }

    /// A line without its end; nil where it has not arrived.
    private mutating func line() throws(RESPError) -> ArraySlice<UInt8>? {
        var index = max(searched, position)
        while index < buffer.count, buffer[index] != 0x0A { index += 1 }
        searched = index
        guard index - position <= limits.line else { throw RESPError(description: "a line that is too long") }
        guard index < buffer.count else { return nil }
        guard index - position >= 2, buffer[index - 1] == 0x0D else {
            throw RESPError(description: "a line that does not end as lines do")
        }
        let line = buffer[position..<(index - 1)]
        advance(to: index + 1)
        return line
    }

    private mutating func advance(to index: Int) {
        position = index
        searched = index
    }

    private func number(_ digits: ArraySlice<UInt8>) throws(RESPError) -> Int64 {
        guard digits.count <= 20, let number = Int64(String(decoding: digits, as: UTF8.self)) else {
            throw RESPError(description: "a number that is none")
        }
        return number
    }
}
