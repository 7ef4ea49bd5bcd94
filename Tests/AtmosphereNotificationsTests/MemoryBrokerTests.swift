import Atmosphere
import AtmosphereNotifications
import Synchronization
import Testing

@Suite("The broker in memory")
struct MemoryBrokerTests {
    private final class Clock: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private func event(_ id: String, _ audiences: Audience...) -> PublishedEvent {
        PublishedEvent(id: id, kind: .update, audiences: audiences, data: [:])
    }

    private func ids(_ replay: Replay) -> [String]? {
        if case .events(let deliveries) = replay { deliveries.map(\.event.id) } else { nil }
    }

    @Test("everything after an offset comes again, once and in order, and nothing that is addressed to others")
    func replay() async {
        let broker = MemoryBroker(epoch: "e") { .zero }
        let start = await broker.latest()
        _ = await broker.publish([
            event("a", .user("ann")), event("b", .user("bob")), event("c", .room("r"), .user("ann")),
            event("d", .room("r"))
        ])
        #expect(ids(await broker.replay([.user("ann"), .room("r")], after: start)) == ["a", "c", "d"])
        #expect(ids(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 1))) == ["c"])
        #expect(ids(await broker.replay([.user("ann")], after: await broker.latest())) == [])
    }

    @Test("an id that was published before is not delivered again")
    func idempotence() async {
        let broker = MemoryBroker(epoch: "e") { .zero }
        let received = Mutex<[String]>([])
        broker.subscribe { signal in
            if case .event(let delivery) = signal { received.withLock { $0.append(delivery.event.id) } }
        }
        let first = await broker.publish([event("a", .user("ann"))])
        let second = await broker.publish([event("a", .user("ann")), event("b", .user("ann"))])
        #expect(!first[0].isDuplicate && second[0].isDuplicate && second[0].offset == first[0].offset)
        #expect(received.withLock { $0 } == ["a", "b"])
    }

    @Test("an offset of another start, or from the future, is a gap")
    func unknownOffsets() async {
        let broker = MemoryBroker(epoch: "e") { .zero }
        #expect(await broker.replay([.user("ann")], after: Offset(epoch: "old", number: 0)) == .gap)
        #expect(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 5)) == .gap)
        #expect(Offset("e-5") == Offset(epoch: "e", number: 5))
        for text in ["", "e", "-5", "e-", "e-x", "e-5-6", "e--5"] { #expect(Offset(text) == nil) }
    }

    @Test("what is forgotten is a gap for those it was addressed to, and for nobody else")
    func window() async {
        let clock = Clock()
        let broker = MemoryBroker(
            epoch: "e", window: ReplayWindow(events: 10, eventsPerAudience: 3, age: .seconds(60)), clock: { clock.now })
        let start = await broker.latest()
        _ = await broker.publish((1...4).map { event("a\($0)", .user("ann")) })
        _ = await broker.publish([event("b1", .user("bob"))])
        #expect(await broker.replay([.user("ann")], after: start) == .gap)
        #expect(ids(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 1))) == ["a2", "a3", "a4"])
        #expect(ids(await broker.replay([.user("bob")], after: start)) == ["b1"])
        _ = await broker.publish((1...10).map { event("c\($0)", .user("c\($0)")) })
        #expect(await broker.replay([.user("bob")], after: start) == .gap)
        #expect(ids(await broker.replay([.user("dan")], after: start)) == [])
        clock.advance(.seconds(61))
        #expect(await broker.replay([.user("c10")], after: start) == .gap)
        #expect(ids(await broker.replay([.user("c10")], after: await broker.latest())) == [])
    }

    @Test("what is remembered is bounded by its bytes as well, and the last event is kept however long it is")
    func bytes() async {
        let broker = MemoryBroker(epoch: "e", window: ReplayWindow(bytes: 100_000)) { .zero }
        func long(_ id: String, _ count: Int) -> PublishedEvent {
            let text = Value.string(String(repeating: "x", count: count))
            return PublishedEvent(id: id, kind: .update, audiences: [.user("ann")], data: [text])
        }
        _ = await broker.publish((1...20).map { long("\($0)", 10_000) })
        #expect(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 10)) == .gap)
        #expect(ids(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 12)))?.count == 8)
        _ = await broker.publish([long("too long", 1_000_000)])
        #expect(ids(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 20))) == ["too long"])
        // Many small values take more memory than their text says.
        _ = await broker.publish([
            PublishedEvent(
                id: "dense", kind: .update, audiences: [.user("bob")],
                data: .array([Value](repeating: 0, count: 20_000)))
        ])
        #expect(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 20)) == .gap)
    }

    @Test("a long run keeps no more than the window")
    func longRun() async {
        let broker = MemoryBroker(epoch: "e", window: ReplayWindow(events: 100)) { .zero }
        for round in 0..<50 {
            _ = await broker.publish((0..<100).map { event("\(round)-\($0)", .user("ann")) })
        }
        let last = await broker.latest()
        #expect(last.number == 5000)
        #expect(ids(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 4900)))?.count == 100)
        #expect(await broker.replay([.user("ann")], after: Offset(epoch: "e", number: 4899)) == .gap)
        let again = await broker.publish([event("0-0", .user("ann")), event("49-99", .user("ann"))])
        #expect(again.map(\.isDuplicate) == [false, true])
    }
}
