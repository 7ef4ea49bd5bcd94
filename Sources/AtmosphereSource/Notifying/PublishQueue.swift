internal import Atmosphere

/// Events that wait to be published, in their order and within limits: a pure state machine.
struct PublishQueue: Sendable {
    /// One event, as the notification server takes it in a batch.
    struct Event: Sendable, Equatable {
        var members: Value.Members
        /// Of its JSON.
        let bytes: Int

        init(_ members: Value.Members) {
            self.members = members
            bytes = Value.object(members).json().count
        }
    }

    /// The most events that wait.
    static let countLimit = 10_000
    /// The most events of one request, and the bytes behind which no other is added.
    static let (batchCount, batchBytes) = (100, 256 << 10)

    /// The most bytes of all that wait.
    private let byteLimit: Int
    private var waiting: [Event] = []
    private var bytes = 0
    /// On its way, or to be sent again: nothing overtakes it.
    private var batch: [Event] = []
    /// So many are sent one by one, to find the one that is refused.
    private var alone = 0
    /// Events that had no room, and that nobody has been told of.
    private(set) var lost = 0

    init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

    /// Takes an event; where there is no room the oldest ones give way.
    mutating func put(_ event: Event) {
        waiting.append(event)
        bytes += event.bytes
        var dropped = 0
        while waiting.count - dropped > Self.countLimit || bytes > byteLimit, waiting.count - dropped > 1 {
            bytes -= waiting[dropped].bytes
            dropped += 1
        }
        waiting.removeFirst(dropped)
        lost += dropped
    }

    /// What to send now; nil where nothing waits.
    mutating func next() -> [Event]? {
        guard batch.isEmpty else { return batch }
        var size = 0
        let most = alone > 0 ? 1 : Self.batchCount
        while let event = waiting.first, batch.count < most, batch.isEmpty || size + event.bytes <= Self.batchBytes {
            waiting.removeFirst()
            size += event.bytes
            batch.append(event)
        }
        bytes -= size
        alone = max(0, alone - batch.count)
        return batch.isEmpty ? nil : batch
    }

    /// The server has what was sent.
    ///
    /// - Returns: how many events were lost before; they count no more.
    mutating func published() -> Int {
        defer { lost = 0 }
        batch = []
        return lost
    }

    /// The server takes what was sent in no case: of several each is sent alone, and of one that showed its object only that it
    /// has changed.
    ///
    /// - Returns: the event that is given up.
    mutating func refused() -> Event? {
        guard let event = batch.first else { return nil }
        guard batch.count == 1 else {
            alone = batch.count
            bytes += batch.reduce(0) { $0 + $1.bytes }
            waiting = batch + waiting
            batch = []
            return nil
        }
        guard event.members["attributes"] != nil else {
            batch = []
            return event
        }
        let rest = event.members.filter { !["attributes", "whole"].contains($0.name) }
        batch = [Event(Value.Members(rest))]
        return nil
    }
}
