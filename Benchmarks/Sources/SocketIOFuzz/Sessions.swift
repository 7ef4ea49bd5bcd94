import Atmosphere
import AtmosphereSocketIO

/// A server's two sessions, to which anything may happen in any order.
struct ServerUnderFire {
    private var engine: EngineServerSession
    private var socket: SocketServerSession
    private var time = Duration.zero
    private var nextLink: UInt64 = 1
    private var open: Set<UInt64> = []
    private(set) var problem: String?

    init(_ random: inout Generator) {
        let transport: EngineTransport = random.next() & 1 == 0 ? .polling : .webSocket
        engine = EngineServerSession(sid: "s", transport: transport, at: .zero)
        socket = SocketServerSession(at: .zero)
        take(engine.step(transport == .polling ? .poll(link()) : .webSocketOpened(link()), at: time))
    }

    var isClosed: Bool { engine.isClosed }

    private mutating func link() -> UInt64 {
        nextLink += 1
        open.insert(nextLink)
        return nextLink
    }

    /// One event. What has a right answer gets it, so that the sessions come far; the bytes decide the rest.
    mutating func step(_ bytes: [UInt8], binary: Bool, _ random: inout Generator) {
        time += .milliseconds(random.below(200))
        let some = UInt64(2 + random.below(Int(nextLink)))
        let message: EngineMessage = binary ? .binary(bytes) : .text(bytes)
        switch random.below(16) {
        case 0, 1: take(engine.step(.poll(link()), at: time))
        case 2, 3, 4:
            let post = link()
            take(engine.step(.postBegan(post), at: time))
            if random.below(20) > 0 { take(engine.step(.postEnded(post, bytes, isBinary: false), at: time)) }
        case 5: take(engine.step(.webSocketOpened(link()), at: time))
        case 6: take(engine.step(.webSocketMessage(some, "2probe"), at: time))
        case 7: take(engine.step(.webSocketMessage(some, "5"), at: time))
        case 8, 9, 10: take(engine.step(.webSocketMessage(some, message), at: time))
        case 11: take(engine.step(.send([message]), at: time))
        case 12: if random.below(8) == 0 { take(engine.step(.requestLost(some), at: time)) }
        case 13: if random.below(8) == 0 { take(engine.step(.webSocketClosed(some), at: time)) }
        case 14: if random.below(20) == 0 { take(engine.step(random.below(2) == 0 ? .close : .leave, at: time)) }
        default: take(engine.step(.tick, at: time))
        }
        if engine.bufferedBytes < 0 || engine.bufferedBytes > EngineLimits.default.bufferedBytes {
            problem = "the session counts \(engine.bufferedBytes) buffered bytes"
        }
    }

    private mutating func take(_ actions: [EngineServerSession.Action]) {
        for action in actions {
            switch action {
            case .answerPoll(let link, let body):
                answer(link)
                // What the server writes a client must be able to read.
                if (try? EnginePayload.decode(body, limits: EngineLimits(payloadBytes: .max))) == nil, isText(body) {
                    problem = "an answer cannot be read"
                }
            case .answerPost(let link), .refuse(let link, _): answer(link)
            case .deliver(let message): deliver(message)
            case .closed: if actions.last != action { problem = "something follows the end" }
            case .sendFrame, .closeWebSocket, .upgraded: break
            }
        }
    }

    private func isText(_ body: [UInt8]) -> Bool {
        String(validating: body, as: UTF8.self) != nil && !body.contains(0x1E)
    }

    private mutating func answer(_ link: UInt64) {
        if open.remove(link) == nil { problem = "a request was answered twice" }
    }

    private mutating func deliver(_ message: EngineMessage) {
        take((try? socket.step(.message(message), at: time)) ?? [])
    }

    private mutating func take(_ actions: [SocketServerSession.Action]) {
        for action in actions {
            switch action {
            case .authorize(let namespace, _, let recovery):
                let event: SocketServerSession.Event =
                    namespace.utf8.count % 5 == 4
                    ? .refuse(namespace: namespace, message: "no", data: nil)
                    : .accept(namespace: namespace, sid: "x", pid: recovery?.pid)
                take((try? socket.step(event, at: time)) ?? [])
                take(
                    (try? socket.step(.emit(namespace: namespace, SocketEvent("a"), acknowledgement: 1), at: time))
                        ?? [])
            case .event(let namespace, let event, let id?):
                take((try? socket.step(.acknowledge(namespace: namespace, id: id, event.arguments), at: time)) ?? [])
            case .send(let messages): take(engine.step(.send(messages), at: time))
            case .close: take(engine.step(.close, at: time))
            case .leave: take(engine.step(.leave, at: time))
            case .event, .acknowledged, .disconnected: break
            }
        }
    }
}

/// A client's two sessions against a server that sends anything.
struct ClientUnderFire {
    private var engine = EngineClientSession()
    private var socket = SocketClientSession()
    private var time = Duration.zero
    private var pending: [UInt64] = []
    private(set) var problem: String?

    init() {
        _ = try? socket.step(.connect(namespace: "/", auth: [:]), at: .zero)
        take(engine.step(.start, at: .zero))
        let open = #"0{"sid":"s","upgrades":["websocket"],"pingInterval":300,"pingTimeout":200,"maxPayload":100}"#
        take(engine.step(.answered(1, status: 200, body: Array(open.utf8)), at: .zero))
        _ = try? socket.step(.message(#"0{"sid":"x","pid":"p"}"#), at: .zero)
    }

    var isClosed: Bool { engine.isClosed }

    mutating func step(_ bytes: [UInt8], binary: Bool, _ random: inout Generator) {
        time += .milliseconds(random.below(50))
        let link = UInt64(1 + random.below(8))
        switch random.below(10) {
        case 0, 1, 2, 3:
            let link = pending.isEmpty ? link : pending.removeFirst()
            take(engine.step(.answered(link, status: 200, body: bytes), at: time))
        case 4: take(engine.step(.webSocketOpened(link), at: time))
        case 5: take(engine.step(.webSocketMessage(link, "3probe"), at: time))
        case 6, 7: take(engine.step(.webSocketMessage(link, binary ? .binary(bytes) : .text(bytes)), at: time))
        case 8: take(engine.step(.send([binary ? .binary(bytes) : .text(bytes)]), at: time))
        default: take(engine.step(.tick, at: time))
        }
        if engine.bufferedBytes < 0 { problem = "the client counts \(engine.bufferedBytes) buffered bytes" }
    }

    private mutating func take(_ actions: [EngineClientSession.Action]) {
        for action in actions {
            switch action {
            case .get(let link, _), .post(let link, _, _): pending.append(link)
            case .opened: take((try? socket.step(.connectionOpened, at: time)) ?? [])
            case .deliver(let message): take((try? socket.step(.message(message), at: time)) ?? [])
            case .closed: if actions.last != action { problem = "something follows the end" }
            case .openWebSocket, .sendFrame, .closeWebSocket, .upgraded: break
            }
        }
    }

    private mutating func take(_ actions: [SocketClientSession.Action]) {
        for action in actions {
            switch action {
            case .send(let messages): take(engine.step(.send(messages), at: time))
            case .close: take(engine.step(.close, at: time))
            default: break
            }
        }
    }
}
