internal import AtmosphereExchange
package import AtmosphereSocketIO

/// Reads MessagePack (github.com/msgpack/msgpack, `spec.md`) as the emitters of Socket.IO write it.
///
/// Numbers that JSON cannot say, and `undefined` (extension 0 of one byte), become null; a date (extension 0 of eight
/// bytes, milliseconds) becomes the text that JSON has for it. Other extensions are refused.
package enum MessagePack {
    /// Bytes that are not one whole value, or more than is taken.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// How much is read.
    package struct Limits: Sendable {
        package var depth = 48
        /// Values, all together; each costs memory beyond its bytes.
        package var values = 200_000
        package init() {}
    }

    /// - Throws: ``Failure``. Nothing is reserved by what a length says: what does not fit into the bytes is refused.
    package static func decode(
        _ bytes: [UInt8], limits: Limits = Limits()
    ) throws(Failure) -> SocketArgument {
        var reader = Reader(bytes: bytes, limits: limits)
        let value = try reader.value(depth: 1)
        guard reader.isAtEnd else { throw Failure(description: "bytes behind the value") }
        return value
    }

    private struct Reader {
        let bytes: [UInt8]
        let limits: Limits
        var index = 0
        var values = 0

        var isAtEnd: Bool { index == bytes.count }

        mutating func value(depth: Int) throws(Failure) -> SocketArgument {
            values += 1
            guard depth <= limits.depth, values <= limits.values else {
                throw Failure(description: "too deep, or too many values")
            }
            let kind = try byte()
            switch kind {
            case 0x00...0x7F: return .json(.number(JSONNumber(Int(kind))))
            case 0x80...0x8F: return try map(Int(kind & 0x0F), depth)
            case 0x90...0x9F: return try array(Int(kind & 0x0F), depth)
            case 0xA0...0xBF: return .json(.string(try text(Int(kind & 0x1F))))
            case 0xC0: return .json(.null)
            case 0xC2: return .json(.bool(false))
            case 0xC3: return .json(.bool(true))
            case 0xC4: return .binary(try take(length(1)))
            case 0xC5: return .binary(try take(length(2)))
            case 0xC6: return .binary(try take(length(4)))
            case 0xC7: return try skipped(kind, length(1))
            case 0xCA: return number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned(4)))))
            case 0xCB: return number(Double(bitPattern: try unsigned(8)))
            case 0xCC: return try whole(1)
            case 0xCD: return try whole(2)
            case 0xCE: return try whole(4)
            case 0xCF: return try whole(8)
            case 0xD0: return .json(.number(JSONNumber(Int64(Int8(truncatingIfNeeded: try unsigned(1))))))
            case 0xD1: return .json(.number(JSONNumber(Int64(Int16(truncatingIfNeeded: try unsigned(2))))))
            case 0xD2: return .json(.number(JSONNumber(Int64(Int32(truncatingIfNeeded: try unsigned(4))))))
            case 0xD3: return .json(.number(JSONNumber(Int64(bitPattern: try unsigned(8)))))
            case 0xD4: return try skipped(kind, 1)
            case 0xD7: return try skipped(kind, 8)
            case 0xD9: return .json(.string(try text(length(1))))
            case 0xDA: return .json(.string(try text(length(2))))
            case 0xDB: return .json(.string(try text(length(4))))
            case 0xDC: return try array(length(2), depth)
            case 0xDD: return try array(length(4), depth)
            case 0xDE: return try map(length(2), depth)
            case 0xDF: return try map(length(4), depth)
            case 0xE0...0xFF: return .json(.number(JSONNumber(Int64(Int8(bitPattern: kind)))))
            default: throw Failure(description: "a kind of value that is not known")
            }
        }

        private mutating func byte() throws(Failure) -> UInt8 {
            guard index < bytes.count else { throw Failure(description: "the bytes end inside a value") }
            defer { index += 1 }
            return bytes[index]
        }

        private mutating func unsigned(_ count: Int) throws(Failure) -> UInt64 {
            var number: UInt64 = 0
            for _ in 0..<count { number = number << 8 | UInt64(try byte()) }
            return number
        }

        private mutating func length(_ count: Int) throws(Failure) -> Int { Int(try unsigned(count)) }

        private mutating func take(_ count: Int) throws(Failure) -> [UInt8] {
            guard count <= bytes.count - index else { throw Failure(description: "the bytes end inside a value") }
            defer { index += count }
            return Array(bytes[index..<(index + count)])
        }

        private mutating func text(_ count: Int) throws(Failure) -> String {
            guard let text = String(validating: try take(count), as: UTF8.self) else {
                throw Failure(description: "a text that is not UTF-8")
            }
            return text
        }

        private mutating func whole(_ count: Int) throws(Failure) -> SocketArgument {
            .json(.number(JSONNumber(String(try unsigned(count))) ?? JSONNumber(0)))
        }

        private func number(_ number: Double) -> SocketArgument {
            .json(number.isFinite ? JSONNumber("\(number)").map { .number($0) } ?? .null : .null)
        }

        private mutating func skipped(_ kind: UInt8, _ count: Int) throws(Failure) -> SocketArgument {
            let type = try byte()
            let content = try take(count)
            guard type == 0, kind != 0xC7 else { throw Failure(description: "an extension that is not known") }
            if kind == 0xD4 { return .json(.null) }
            let milliseconds = Int64(bitPattern: content.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            // JavaScript's dates end here (ECMA-262, “Time Values and Time Range”).
            guard milliseconds.magnitudeClamped <= 8_640_000_000_000_000 else { return .json(.null) }
            let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
            let rest = Int32(milliseconds - seconds * 1000)
            return .json(.string(Instant(seconds: seconds, nanoseconds: rest * 1_000_000).description))
        }

        private mutating func array(_ count: Int, _ depth: Int) throws(Failure) -> SocketArgument {
            guard count <= bytes.count - index else { throw Failure(description: "an array longer than its bytes") }
            var elements: [SocketArgument] = []
            for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
            let plain = elements.compactMap(\.json)
            return plain.count == elements.count ? .json(.array(plain)) : .array(elements)
        }

        private mutating func map(_ count: Int, _ depth: Int) throws(Failure) -> SocketArgument {
            guard count * 2 <= bytes.count - index else { throw Failure(description: "a map longer than its bytes") }
            var members: [SocketArgument.Member] = []
            var names: Set<ScalarText> = []
            for _ in 0..<count {
                guard case .json(.string(let name)) = try value(depth: depth + 1) else {
                    throw Failure(description: "a name that is no text")
                }
                let value = try value(depth: depth + 1)
                if names.insert(ScalarText(name)).inserted { members.append(.init(name: name, argument: value)) }
            }
            let plain = members.compactMap { member in
                member.argument.json.map { Value.Member(name: member.name, value: $0) }
            }
            return plain.count == members.count ? .json(.object(Value.Members(plain))) : .object(members)
        }
    }
}

extension Int64 {
    /// Its distance from zero, as far as this type goes.
    fileprivate var magnitudeClamped: Int64 { self == .min ? .max : Swift.abs(self) }
}
