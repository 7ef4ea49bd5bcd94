public import AtmosphereModel

/// An argument of an event or acknowledgement: JSON with bytes anywhere in it.
///
/// Where there are no bytes inside, an argument is ``json(_:)``; the other cases only stand on the way to some.
public indirect enum SocketArgument: Sendable, Hashable {
    /// JSON without bytes in it.
    case json(Value)
    /// Bytes, which travel as an attachment.
    case binary([UInt8])
    /// Elements, of which at least one has bytes in it.
    case array([SocketArgument])
    /// Members, of which at least one has bytes in it.
    case object([Member])

    /// One name and argument of an object.
    public struct Member: Sendable, Hashable {
        /// Decoded.
        public var name: String
        /// What the name stands for.
        public var argument: SocketArgument

        /// A name with its argument.
        public init(name: String, argument: SocketArgument) {
            self.name = name
            self.argument = argument
        }
    }

    /// The JSON value; nil where there are bytes inside.
    public var json: Value? { if case .json(let value) = self { value } else { nil } }

    /// The bytes, where the argument is nothing else.
    public var binary: [UInt8]? { if case .binary(let bytes) = self { bytes } else { nil } }
}

extension SocketArgument: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A JSON string.
    public init(stringLiteral text: String) { self = .json(.string(text)) }
    /// A JSON number.
    public init(integerLiteral value: Int) { self = .json(.number(JSONNumber(value))) }
}

/// The object that stands for an attachment in a packet's JSON.
enum Placeholder {
    static let mark = "_placeholder"

    static func value(_ number: Int) -> Value { [mark: true, "num": .number(JSONNumber(number))] }

    static func isOne(_ members: Value.Members) -> Bool { members[mark]?.bool == true }
}

extension SocketArgument {
    /// Whether bytes are inside.
    var hasBinary: Bool {
        switch self {
        case .json: false
        case .binary: true
        case .array(let elements): elements.contains(where: \.hasBinary)
        case .object(let members): members.contains { $0.argument.hasBinary }
        }
    }

    /// The JSON with a placeholder for each bytes, which are appended to `attachments`.
    ///
    /// - Throws: ``SocketIOError`` `invalidAttachments` where the argument's own JSON looks like a placeholder: beside
    ///   attachments the receiver could not tell them apart.
    func taken(apart attachments: inout [[UInt8]], isMixed: Bool) throws(SocketIOError) -> Value {
        switch self {
        case .json(let value):
            if isMixed, Self.looksLikePlaceholder(value) {
                throw SocketIOError(.invalidAttachments, "a member “_placeholder”: true cannot be sent beside bytes")
            }
            return value
        case .binary(let bytes):
            attachments.append(bytes)
            return Placeholder.value(attachments.count - 1)
        case .array(let elements):
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try element.taken(apart: &attachments, isMixed: isMixed)) }
            return .array(values)
        case .object(let members):
            if isMixed, members.contains(where: { $0.name == Placeholder.mark && $0.argument.json == true }) {
                throw SocketIOError(.invalidAttachments, "a member “_placeholder”: true cannot be sent beside bytes")
            }
            var values: [Value.Member] = []
            values.reserveCapacity(members.count)
            for member in members {
                values.append(
                    .init(name: member.name, value: try member.argument.taken(apart: &attachments, isMixed: isMixed)))
            }
            return .object(Value.Members(values))
        }
    }

    private static func looksLikePlaceholder(_ value: Value) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: looksLikePlaceholder)
        case .object(let members): Placeholder.isOne(members) || members.contains { looksLikePlaceholder($0.value) }
        default: false
        }
    }
}

/// Puts attachments where their placeholders stand, each exactly once.
package struct Reassembly {
    package let attachments: [[UInt8]]
    private var isUsed: [Bool]

    package init(_ attachments: [[UInt8]]) {
        self.attachments = attachments
        isUsed = Array(repeating: false, count: attachments.count)
    }

    package var hasUsedAll: Bool { isUsed.allSatisfy { $0 } }

    package mutating func argument(_ value: Value) throws(SocketIOError) -> SocketArgument {
        switch value {
        case .array(let elements):
            var arguments: [SocketArgument] = []
            arguments.reserveCapacity(elements.count)
            var isPlain = true
            for element in elements {
                let argument = try argument(element)
                if argument.json == nil { isPlain = false }
                arguments.append(argument)
            }
            return isPlain ? .json(value) : .array(arguments)
        case .object(let members):
            if Placeholder.isOne(members) { return .binary(try take(members)) }
            var arguments: [SocketArgument.Member] = []
            arguments.reserveCapacity(members.count)
            var isPlain = true
            for member in members {
                let argument = try argument(member.value)
                if argument.json == nil { isPlain = false }
                arguments.append(.init(name: member.name, argument: argument))
            }
            return isPlain ? .json(value) : .object(arguments)
        default: return .json(value)
        }
    }

    private mutating func take(_ members: Value.Members) throws(SocketIOError) -> [UInt8] {
        guard let number = members["num"]?.number?.int64, number >= 0, number < attachments.count else {
            throw SocketIOError(.invalidAttachments, "a placeholder's num names no attachment")
        }
        guard !isUsed[Int(number)] else {
            throw SocketIOError(.invalidAttachments, "two placeholders name one attachment")
        }
        isUsed[Int(number)] = true
        return attachments[Int(number)]
    }
}
