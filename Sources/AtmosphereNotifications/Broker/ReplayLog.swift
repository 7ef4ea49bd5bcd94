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

    private let window: ReplayWindow
    /// The numbers that are remembered are `first..<next`, the first at `head`; forgotten ones are nil.
    private var entries: [Entry?] = []
    private var head = 0
    private var first: UInt64
    private(set) var next: UInt64
    private var byAudience: [Audience: [UInt64]] = [:]
    /// The last forgotten event of an audience.
    private var forgotten: [Audience: UInt64] = [:]
    /// The same for audiences that are not in `forgotten`.
    private var forgottenFloor: UInt64
    private var numbers: [String: UInt64] = [:]
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
    func number(of id: String) -> UInt64? { numbers[id] }

    /// - Parameter delivery: has the number ``next``.
    mutating func append(_ delivery: Delivery, at time: Duration) {
        let size = delivery.event.weight
        entries.append(Entry(delivery: delivery, time: time, weight: size))
        weight += size
        numbers[delivery.event.id] = next
        for audience in Set(delivery.event.audiences) {
            byAudience[audience, default: []].append(next)
            if let numbers = byAudience[audience], numbers.count > window.eventsPerAudience, let oldest = numbers.first
            {
                forget(oldest, of: audience)
            }
        }
        next += 1
        while next - first > 1, Int(next - first) > window.events || weight > window.bytes { forgetFirst() }
        forgetOld(at: time)
    }

    /// - Returns: nil where something after the number is forgotten that was addressed to one of the audiences.
    mutating func events(for audiences: Set<Audience>, after number: UInt64, at time: Duration) -> [Delivery]? {
        forgetOld(at: time)
        guard number < next else { return nil }
        for audience in audiences where number < forgotten[audience] ?? forgottenFloor { return nil }
        var found: Set<UInt64> = []
        for audience in audiences {
            for candidate in (byAudience[audience] ?? []).reversed() {
                if candidate <= number { break }
                found.insert(candidate)
            }
        }
        return found.sorted().compactMap { entry($0)?.delivery }
    }

    private func entry(_ number: UInt64) -> Entry? {
        guard number >= first, number < next else { return nil }
        return entries[head + Int(number - first)]
    }

    private mutating func forgetOld(at time: Duration) {
        while first < next, let entry = entry(first), entry.time < time - window.age { forgetFirst() }
    }

    private mutating func forgetFirst() {
        if let entry = entries[head] {
            weight -= entry.weight
            for audience in Set(entry.delivery.event.audiences) where byAudience[audience]?.first == first {
                forget(first, of: audience)
            }
            if numbers[entry.delivery.event.id] == first { numbers[entry.delivery.event.id] = nil }
        }
        entries[head] = nil
        head += 1
        first += 1
        // Moves the rest down now and then, so that one event costs the same however many there were.
        if head > 1024, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }

    private mutating func forget(_ number: UInt64, of audience: Audience) {
        byAudience[audience]?.removeFirst()
        if byAudience[audience]?.isEmpty == true { byAudience[audience] = nil }
        forgotten[audience] = number
        // What is known of audiences long gone is folded into one number.
        if forgotten.count > 100_000 {
            forgottenFloor = forgotten.values.max() ?? forgottenFloor
            forgotten = [:]
        }
    }
}
