#if Notifications
    @testable import AtmosphereNotifications
    import Synchronization
    import Testing

    @Suite("What a server remembers of its clients")
    struct RoomMemoryTests {
        private final class Clock: Sendable {
            private let time = Mutex(Duration.zero)
            var now: Duration { time.withLock { $0 } }
            func advance(_ duration: Duration) { time.withLock { $0 += duration } }
        }

        private func rooms(_ memory: RoomMemory, _ pid: String) -> Set<String>? {
            memory.record(pid).map { Set($0.rooms) }
        }

        @Test("a client is known while it is here and for two minutes after, as often as it asks")
        func returning() {
            let clock = Clock()
            let memory = RoomMemory(time: .seconds(120)) { clock.now }
            _ = memory.arrive("p", "ann", ["a"], owner: "1", nil)
            clock.advance(.seconds(1000))
            #expect(rooms(memory, "p") == ["a"])
            memory.change("p", ["a", "b"], owner: "1")
            for _ in 0..<2 { #expect(rooms(memory, "p") == ["a", "b"]) }
            #expect(memory.record("p")?.user == "ann" && memory.record("q") == nil)
            memory.leave("p", owner: "1")
            clock.advance(.seconds(119))
            #expect(rooms(memory, "p") == ["a", "b"])
            clock.advance(.seconds(1))
            #expect(rooms(memory, "p") == nil)
        }

        @Test("what an old connection says of a client that is back changes nothing")
        func owners() {
            let clock = Clock()
            let memory = RoomMemory(time: .seconds(120)) { clock.now }
            _ = memory.arrive("p", "ann", ["a"], owner: "1", nil)
            _ = memory.arrive("p", "ann", ["a", "b"], owner: "2", nil)
            memory.change("p", [], owner: "1")
            memory.leave("p", owner: "1")
            clock.advance(.seconds(1000))
            #expect(rooms(memory, "p") == ["a", "b"])
            memory.leave("p", owner: "2")
            // Back before it was forgotten: the end that was set for it counts no more.
            _ = memory.arrive("p", "ann", ["c"], owner: "3", nil)
            clock.advance(.seconds(1000))
            #expect(rooms(memory, "p") == ["c"])
        }

        @Test("those who are gone take a bounded number and bounded memory; who left first is forgotten first")
        func bounds() {
            let few = RoomMemory(time: .seconds(120), limit: 2) { .zero }
            let small = RoomMemory(time: .seconds(120), bytes: 9000) { .zero }
            for memory in [few, small] {
                for pid in ["1", "2", "3"] {
                    let rooms = (0..<10).map { "\($0)" + String(repeating: "x", count: 250) }
                    _ = memory.arrive(pid, "ann", rooms, owner: pid, nil)
                    memory.leave(pid, owner: pid)
                }
                #expect(rooms(memory, "1") == nil)
                #expect(rooms(memory, "2")?.count == 10 && rooms(memory, "3")?.count == 10)
            }
        }
    }
#endif
