internal import Atmosphere
internal import Synchronization

/// Hands events to their readers, each at its own pace and none faster than it reads: all of them read from one ring, and one
/// that falls out of it is sent away.
package final class EventHub: Sendable {
    /// How much a reader gets at once.
    private static let chunk = 64 << 10
    /// Beats after which a reader counts as gone that has not come back for more.
    private static let patience = 3

    private struct Reader {
        var caller: Access.Caller
        /// The number of the next event.
        var next: Int
        /// What it is told first, beside what it has missed: where it stands, or to read everything again.
        var greeting: GatewayEvent?
        var isNew = true
        var entities: Set<String>
        var isBeatDue = false
        /// When it was handed something; nil while it waits.
        var handedAt: Int?
        let sign: AsyncStream<Void>.Continuation
        var close: (@Sendable () -> Void)?
    }

    private struct State {
        var ring: EventRing
        var readers: [Int: Reader] = [:]
        var lastReader = 0
        var beat = 0
        var hasEnded = false
    }

    /// Stands in front of each number: another run has another.
    let run: String
    private let most: Int
    private let mostPerCaller: Int
    private let state: Mutex<State>

    init(run: String, most: Int, perCaller: Int, events: Int = 4_096, bytes: Int = 4 << 20) {
        self.run = run
        self.most = most
        mostPerCaller = perCaller
        state = Mutex(State(ring: EventRing(most: events, bytes: bytes)))
    }

    // MARK: Telling

    /// - Parameter entity: whose objects changed; nil for what every reader is told.
    func publish(_ name: String, of entity: String? = nil, _ value: Value) {
        let data = value.json()
        state.withLock { state in
            state.ring.append(name, of: entity, data)
            for reader in state.readers.values { reader.sign.yield() }
        }
    }

    /// Tells readers that the gateway is there, and sends those away that do not read.
    func tick() {
        let overdue = state.withLock { state -> [@Sendable () -> Void] in
            state.beat += 1
            var overdue: [@Sendable () -> Void] = []
            for (number, reader) in state.readers {
                state.readers[number]?.isBeatDue = true
                reader.sign.yield()
                if let handed = reader.handedAt, state.beat - handed >= Self.patience, let close = reader.close {
                    overdue.append(close)
                }
            }
            return overdue
        }
        for close in overdue { close() }
    }

    /// Ends all readers, now and later.
    func finish() {
        state.withLock { state in
            state.hasEnded = true
            for reader in state.readers.values { reader.sign.finish() }
        }
    }

    // MARK: Reading

    /// How many read now.
    package var readers: Int { state.withLock { $0.readers.count } }

    /// A new reader.
    ///
    /// - Parameters:
    ///   - after: the last event that it has seen, as it was told; nil where it begins.
    ///   - entities: only changes of these; empty for all.
    /// - Throws: ``Problem`` 429 where there are too many.
    func subscribe(
        _ caller: Access.Caller, after: String?, entities: Set<String>
    ) throws(Problem) -> EventClient {
        let (signs, sign) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            let own = state.readers.values.count { $0.caller == caller }
            guard state.readers.count < most, own < mostPerCaller else { return nil }
            state.lastReader += 1
            var reader = Reader(caller: caller, next: state.ring.last + 1, entities: entities, sign: sign)
            reader.greeting = greeting(after, &reader.next, state.ring)
            state.readers[state.lastReader] = reader
            if state.hasEnded { sign.finish() }
            return state.lastReader
        }
        guard let number else {
            var problem = Problem(
                .tooManyRequests, "tooManyStreams",
                "too many event streams are open; close some, or start the gateway with a larger --event-streams")
            problem.headers = ["Retry-After": "5"]
            throw problem
        }
        return EventClient(hub: self, number: number, signs: signs)
    }

    /// What a reader is told first: nothing but what it has missed, where that is known.
    private func greeting(_ after: String?, _ next: inout Int, _ ring: EventRing) -> GatewayEvent? {
        let id = "\(run)-\(ring.last)"
        guard let after else { return GatewayEvent(name: "ready", id: id, data: Array("{}".utf8)) }
        if let (run, number) = after.divided(at: "-"), run == self.run, let seen = Int(number), seen >= 0,
            seen <= ring.last, ring.events(from: seen + 1) != nil
        {
            next = seen + 1
            return nil
        }
        let reason: Value = ["reason": "what was missed is not known; read again"]
        return GatewayEvent(name: "reset", id: id, data: reason.json())
    }

    fileprivate enum Step {
        case turn(EventClient.Turn)
        case wait, end
    }

    fileprivate func step(of number: Int) -> Step {
        state.withLock { state in
            guard !state.hasEnded, var reader = state.readers[number] else { return .end }
            defer { state.readers[number] = reader }
            reader.handedAt = nil
            var told = reader.greeting.map { [$0] } ?? []
            reader.greeting = nil
            // Too slow: what comes next is gone.
            guard let events = state.ring.events(from: reader.next) else { return .end }
            var bytes = 0
            for event in events {
                guard bytes < Self.chunk else { break }
                reader.next = event.number + 1
                if let entity = event.entity, !reader.entities.isEmpty, !reader.entities.contains(entity) { continue }
                told.append(GatewayEvent(name: event.name, id: "\(run)-\(event.number)", data: event.data))
                bytes += event.data.count
            }
            guard reader.isNew || reader.isBeatDue || !told.isEmpty else { return .wait }
            let turn = EventClient.Turn(events: told, isFirst: reader.isNew)
            reader.isNew = false
            reader.isBeatDue = false
            reader.handedAt = state.beat
            return .turn(turn)
        }
    }

    fileprivate func onOverdue(_ number: Int, _ close: @escaping @Sendable () -> Void) {
        state.withLock { $0.readers[number]?.close = close }
    }

    fileprivate func remove(_ number: Int) {
        state.withLock { state in
            let reader = state.readers.removeValue(forKey: number)
            reader?.sign.finish()
        }
    }
}

/// What a reader is told.
struct GatewayEvent: Sendable {
    var name: String
    /// By which a reader that comes back says what it has seen.
    var id: String
    /// JSON on one line.
    var data: [UInt8]
}

/// One reader of events; for one task.
package final class EventClient: Sendable {
    /// What a reader gets at once; without events it is told only that the gateway is there.
    struct Turn: Sendable {
        var events: [GatewayEvent]
        var isFirst: Bool

        /// As server-sent events are written (HTML standard §9.2).
        var bytes: [UInt8] {
            var bytes = Array((isFirst ? "retry: 1000\n\n" : events.isEmpty ? ":\n\n" : "").utf8)
            for event in events {
                bytes += "event: \(event.name)\nid: \(event.id)\ndata: ".utf8
                bytes += event.data
                bytes += "\n\n".utf8
            }
            return bytes
        }
    }

    private let hub: EventHub
    private let number: Int
    private let signs: AsyncStream<Void>

    fileprivate init(hub: EventHub, number: Int, signs: AsyncStream<Void>) {
        self.hub = hub
        self.number = number
        self.signs = signs
    }

    deinit { hub.remove(number) }

    /// What comes next, as server-sent events are written; nil at the end.
    package func next() async -> [UInt8]? { await turn()?.bytes }

    /// What comes next; nil at the end.
    func turn() async -> Turn? {
        while !Task.isCancelled {
            switch hub.step(of: number) {
            case .turn(let turn): return turn
            case .end: return nil
            case .wait:
                var iterator = signs.makeAsyncIterator()
                if await iterator.next() == nil { return nil }
            }
        }
        return nil
    }

    /// - Parameter close: ends the connection of a reader that does not read.
    package func onOverdue(_ close: @escaping @Sendable () -> Void) { hub.onOverdue(number, close) }

    /// Nothing more is read.
    package func end() { hub.remove(number) }
}
