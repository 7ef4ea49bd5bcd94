internal import AtmosphereExchange
internal import AtmosphereSocketIO

/// Programs that publish for Socket.IO servers through Redis, and how what they write is understood.
///
/// Rooms whose names begin with `user:` are users of this server, and the `sid` of a client is its own room; all others
/// are rooms of the same name. Only the namespace `/` is served. Their messages are not in the log: they reach who is
/// connected, and clients that come back after one was addressed to them are told to pull.
public struct RedisEmitter: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case reference
        case python
    }

    private let kind: Kind
    private let key: String

    /// `@socket.io/redis-emitter`, `@socket.io/redis-adapter` and their ports to other languages: MessagePack on the
    /// channels `KEY#/#` and `KEY#/#ROOM#`.
    public static func socketIO(key: String = "socket.io") -> RedisEmitter { RedisEmitter(kind: .reference, key: key) }

    /// `RedisManager` and `AsyncRedisManager` of python-socketio 5.14 or later: JSON on one channel. Older ones write
    /// pickles, which are never read.
    public static func pythonSocketIO(channel: String = "socketio") -> RedisEmitter {
        RedisEmitter(kind: .python, key: channel)
    }

    enum Message: Hashable {
        case event(PassingEvent)
        /// For other servers or another namespace.
        case elsewhere
        case unreadable
    }

    var subscription: [String] {
        switch kind {
        case .reference: ["PSUBSCRIBE", "\(Self.escaped(key))#/#*"]
        case .python: ["SUBSCRIBE", key]
        }
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { "*?[]\\".contains($0) ? ["\\", $0] : [$0] })
    }

    /// - Returns: nil for a channel of another emitter.
    func read(channel: String, _ payload: [UInt8]) -> Message? {
        switch kind {
        case .reference: channel.rest(after: "\(key)#/#") != nil ? Self.reference(payload) : nil
        case .python: channel == key ? Self.python(payload) : nil
        }
    }

    // MARK: The reference implementation

    /// `[uid, {type, data: [event, …], nsp}, {rooms, except, flags}]`
    private static func reference(_ payload: [UInt8]) -> Message {
        guard let parts = (try? MessagePack.decode(payload))?.elements, parts.count == 3,
            let data = parts[1]["data"]?.elements, let type = parts[1]["type"]?.json?.number?.int64
        else { return .unreadable }
        // 2 is an event, and 5 one with attachments, as older emitters call it.
        guard type == 2 || type == 5, parts[1]["nsp"]?.json?.string == "/" else { return .elsewhere }
        guard let rooms = names(parts[2]["rooms"]), let exceptions = names(parts[2]["except"]) else {
            return .unreadable
        }
        return message(data, rooms: rooms, exceptions: exceptions)
    }

    /// The texts of an array; empty for none, nil for anything else.
    private static func names(_ argument: SocketArgument?) -> [String]? {
        guard let argument, argument.json != .some(.null) else { return [] }
        guard let elements = argument.json?.array, elements.count <= 10_000 else { return nil }
        let names = elements.compactMap(\.string)
        return names.count == elements.count ? names : nil
    }

    // MARK: python-socketio

    /// `{"method": "emit", "event", "data": […], "binary", "namespace", "room", "skip_sid", …}`; with `binary` the data
    /// is followed by its attachments in Base64.
    private static func python(_ payload: [UInt8]) -> Message {
        let limits = JSONLimits(depth: 48, bytes: 32 << 20)
        guard let members = try? Value(json: payload, limits: limits).members else { return .unreadable }
        guard members["method"] == "emit", members["namespace"] == "/" || members["namespace"]?.isNull != false else {
            return .elsewhere
        }
        guard let name = members["event"]?.string, var values = members["data"]?.array else { return .unreadable }
        var attachments: [[UInt8]] = []
        if members["binary"] == true {
            for value in values.dropFirst() {
                guard let text = value.string, let bytes = Base64.decode(Array(text.utf8)[...]) else {
                    return .unreadable
                }
                attachments.append(bytes)
            }
            values = values.first?.array ?? []
        }
        var reassembly = Reassembly(attachments)
        var arguments: [SocketArgument] = [.json(.string(name))]
        for value in values {
            guard let argument = attachments.isEmpty ? .json(value) : try? reassembly.argument(value) else {
                return .unreadable
            }
            arguments.append(argument)
        }
        let room = members["room"] ?? .null
        guard reassembly.hasUsedAll, let rooms = room.string.map({ [$0] }) ?? names(.json(room)) else {
            return .unreadable
        }
        let skipped = members["skip_sid"] ?? .null
        guard let exceptions = skipped.string.map({ [$0] }) ?? names(.json(skipped)) else { return .unreadable }
        return message(arguments, rooms: rooms, exceptions: exceptions)
    }

    // MARK: Both

    private static func message(_ data: [SocketArgument], rooms: [String], exceptions: [String]) -> Message {
        guard let name = data.first?.json?.string, !SocketEvent.reservedNames.contains(name) else {
            return .unreadable
        }
        let event = SocketEvent(.text(name), Array(data.dropFirst()))
        return .event(
            PassingEvent(
                event: event, audiences: rooms.isEmpty ? nil : rooms.compactMap(audience),
                exceptions: exceptions.compactMap(audience)))
    }

    /// - Returns: nil for a name that is too long for anybody to listen to it.
    private static func audience(_ room: String) -> Audience? {
        let user = room.rest(after: "user:")
        guard room.utf8.count <= ClientIdentity.roomBytes + (user == nil ? 0 : 5) else { return nil }
        if let user { return .user(String(user)) }
        return .room(room)
    }
}

extension SocketArgument {
    /// An array's elements.
    fileprivate var elements: [SocketArgument]? {
        switch self {
        case .json(.array(let values)): values.map { .json($0) }
        case .array(let elements): elements
        default: nil
        }
    }

    /// An object's member.
    fileprivate subscript(name: String) -> SocketArgument? {
        switch self {
        case .json(.object(let members)): members[name].map { .json($0) }
        case .object(let members): members.first { $0.name == name }?.argument
        default: nil
        }
    }
}
