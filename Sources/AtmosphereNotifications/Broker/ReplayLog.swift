internal import AtmosphereExchange

/// How much of what was published is remembered.
public struct ReplayWindow: Sendable, Hashable {
    /// 100,000 by default.
    public var events: Int
    /// For each user and each room; 1,000 by default.
    public var eventsPerAudience: Int
    /// 10 minutes by default.
    public var age: Duration
    /// About the memory that all of it may take; 64 MiB by default. In Redis it counts the bytes of what is written there.
    /// The last event is always kept.
    public var bytes: Int

    /// Whichever limit is reached first makes the oldest events go.
    public init(
        events: Int = 100_000, eventsPerAudience: Int = 1000, age: Duration = .seconds(600), bytes: Int = 64 << 20
    ) {
        self.events = events
        self.eventsPerAudience = eventsPerAudience
        self.age = age
        self.bytes = bytes
    }
}

/// The last published events in the order of their numbers, found by whom they are addressed to.
///
/// It knows for each audience whether something was forgotten that was addressed to it, so that only those are told of
/// a gap who have one.
struct ReplayLog {
    private struct Entry {
        var delivery: Delivery
        var time: Duration
        var weight: Int
    }

    /// What is known of one audience.
    private struct Trace {
        var numbers = Queue<UInt64>()
        /// The last that was forgotten.
        var forgotten: UInt64?

        /// Adds a number, once; beyond the limit the first one is forgotten for it.
        ///
        /// - Returns: whether something is forgotten that is the first.
        mutating func append(_ number: UInt64, limit: Int) -> Bool {
            if numbers.last != number { numbers.append(number) }
            return numbers.count > limit && forgetFirst()
        }

        mutating func forget(_ number: UInt64) -> Bool { numbers.first == number && forgetFirst() }

        private mutating func forgetFirst() -> Bool {
            let isFirst = forgotten == nil
            forgotten = numbers.popFirst()
            return isFirst
        }
    }

    private let window: ReplayWindow
    /// The numbers that are remembered are `first..<next`.
    private var entries = Queue<Entry>()
    private var first: UInt64
    private(set) var next: UInt64
    private var traces: [Audience: Trace] = [:]
    /// How many of them have forgotten something.
    private var forgetful = 0
    /// The last that was forgotten of an audience whose trace does not say.
    private var forgottenFloor: UInt64
    /// By the identifier of the event.
    private var numbers: [ScalarText: UInt64] = [:]
    /// About the bytes of all entries.
    private(set) var weight = 0

    /// - Parameter start: the number of the first event; whatever was before is forgotten.
    init(_ window: ReplayWindow, start: UInt64 = 1) {
        self.window = window
        first = start
        next = start
        forgottenFloor = start - 1
    }

    /// The number of the event with this id.
    func number(of id: String) -> UInt64? { numbers[ScalarText(id)] }

    /// - Parameter delivery: has the number ``next``.
    mutating func append(_ delivery: Delivery, at time: Duration) {
        let size = delivery.event.weight
        entries.append(Entry(delivery: delivery, time: time, weight: size))
        weight += size
        numbers[ScalarText(delivery.event.id)] = next
        let limit = window.eventsPerAudience
        for audience in delivery.event.audiences where traces[audience, default: Trace()].append(next, limit: limit) {
            forgetful += 1
        }
        next += 1
        while next - first > 1, Int(next - first) > window.events || weight > window.bytes { forgetFirst() }
        forgetOld(at: time)
        // What is known of audiences long gone is folded into one number.
        if forgetful > 100_000 {
            forgottenFloor = traces.values.compactMap(\.forgotten).max() ?? forgottenFloor
            traces = traces.compactMapValues { $0.numbers.isEmpty ? nil : Trace(numbers: $0.numbers) }
            forgetful = 0
        }
    }

    /// - Returns: nil where something after the number is forgotten that was addressed to one of the audiences.
    mutating func events(for audiences: Set<Audience>, after number: UInt64, at time: Duration) -> [Delivery]? {
        forgetOld(at: time)
        guard number < next else { return nil }
        for audience in audiences where number < traces[audience]?.forgotten ?? forgottenFloor { return nil }
        var found: Set<UInt64> = []
        for audience in audiences {
            guard let numbers = traces[audience]?.numbers else { continue }
            for index in (0..<numbers.count).reversed() {
                if numbers[index] <= number { break }
                found.insert(numbers[index])
            }
        }
        return found.sorted().compactMap { entry($0)?.delivery }
    }

    private func entry(_ number: UInt64) -> Entry? {
        guard number >= first, number < next else { return nil }
        return entries[Int(number - first)]
    }

    private mutating func forgetOld(at time: Duration) {
        while first < next, let entry = entry(first), entry.time < time - window.age { forgetFirst() }
    }

    private mutating func forgetFirst() {
        guard let entry = entries.popFirst() else { return }
        weight -= entry.weight
        for audience in entry.delivery.event.audiences where traces[audience]?.forget(first) == true { forgetful += 1 }
        let id = ScalarText(entry.delivery.event.id)
        if numbers[id] == first { numbers[id] = nil }
        first += 1
    }
}
