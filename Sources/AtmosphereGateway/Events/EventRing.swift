/// The last events, so that a reader which comes back gets what it has missed. Holds so many, and so many bytes, and no more.
struct EventRing: Sendable {
    struct Event: Sendable {
        /// Counts from 1.
        var number: Int
        /// Whose objects changed; nil for what every reader is told.
        var entity: String?
        var name: String
        /// JSON on one line.
        var data: [UInt8]
    }

    private let most: Int
    private let mostBytes: Int
    private var events: [Event] = []
    /// Where in the array the oldest event stands that is still held.
    private var head = 0
    private var bytes = 0
    /// The number of the newest event; 0 before the first.
    private(set) var last = 0

    init(most: Int, bytes: Int) {
        self.most = most
        mostBytes = bytes
    }

    /// The number of the oldest event that is held; of the next one where none is.
    var first: Int { last + 1 - (events.count - head) }

    mutating func append(_ name: String, of entity: String?, _ data: [UInt8]) {
        last += 1
        events.append(Event(number: last, entity: entity, name: name, data: data))
        bytes += data.count
        while events.count - head > most || bytes > mostBytes && events.count - head > 1 {
            bytes -= events[head].data.count
            events[head].data = []
            head += 1
        }
        if head > 64, head * 2 > events.count {
            events.removeFirst(head)
            head = 0
        }
    }

    /// The events from a number on.
    ///
    /// - Returns: nil where some of them are not held any more.
    func events(from number: Int) -> ArraySlice<Event>? {
        guard number >= first else { return nil }
        return events[(head + min(number, last + 1) - first)...]
    }
}
