import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// Hears what it was made to hear.
private struct FixedMessages: MessageClient {
    let room: String

    func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws {
        receive(.connected)
        receive(.roomsJoined([room]))
    }
}

@Suite("Rooms that are joined at run time")
struct LiveRoomsTests {
    @Test("a client that knows nothing of rooms is followed, and so is what it says of those it was made for")
    func fixed() async throws {
        let world = try await TinyWorld.ordered()
        let synchronizer = world.synchronizer
        try synchronizer.join("tasks/1")
        try synchronizer.join("tasks/2")
        var rooms = synchronizer.rooms().makeAsyncIterator()
        var told = await next(&rooms)
        try await synchronizer.follow(FixedMessages(room: "tasks/1"), catchUp: { true })
        told = await next(&rooms)
        #expect(told == ["tasks/1 joined", "tasks/2 waiting"])
    }

    private func next(_ rooms: inout AsyncStream<[LiveRoom]>.Iterator) async -> [String] {
        await rooms.next()?.map { "\($0.name) \($0.state)" } ?? []
    }

    @Test("what is joined without a connection is asked for with the next one, and what the server says is told")
    func connection() async throws {
        let world = try await TinyWorld.ordered()
        let synchronizer = world.synchronizer
        try synchronizer.join("tasks/1")
        try synchronizer.join("tasks/1")
        try synchronizer.join("tasks/2")
        var rooms = synchronizer.rooms().makeAsyncIterator()
        var told = await next(&rooms)
        #expect(told == ["tasks/1 waiting", "tasks/2 waiting"])
        let asked = Mutex<[[String]]>([])
        for _ in 0..<2 {
            var messages = ScriptedMessages { receive in
                receive(.connected(.new))
                receive(.joined(["tasks/1", "another"]))
                receive(.refused(.rooms(["tasks/2"])))
                await synchronizer.allTaken(receive)
            }
            messages.rooms = { names in asked.withLock { $0.append(names) } }
            try await synchronizer.follow(messages, catchUp: { true })
            told = await next(&rooms)
            #expect(told == ["tasks/1 joined", "tasks/2 waiting"])
            told = await next(&rooms)
            #expect(told == ["tasks/1 joined", "tasks/2 refused"])
            told = await next(&rooms)
            #expect(told == ["tasks/1 waiting", "tasks/2 waiting"])
        }
        #expect(asked.withLock { $0 } == [["tasks/1", "tasks/2"], ["tasks/1", "tasks/2"]])
    }

    @Test("joining and leaving are told while it follows, and a lost connection makes all of them wait")
    func following() async throws {
        let world = try await TinyWorld.ordered()
        let synchronizer = world.synchronizer
        let asked = Mutex<[[String]]>([])
        var messages = ScriptedMessages { receive in
            receive(.connected(.new))
            try synchronizer.join("a")
            try synchronizer.join("b")
            receive(.joined(["a", "b"]))
            await synchronizer.allTaken(receive)
            synchronizer.leave("a")
            synchronizer.leave("never joined")
            receive(.disconnected(reason: "away"))
            await synchronizer.allTaken(receive)
        }
        messages.rooms = { names in asked.withLock { $0.append(names) } }
        var rooms = synchronizer.rooms().makeAsyncIterator()
        try await synchronizer.follow(messages, catchUp: { true })
        #expect(asked.withLock { $0 } == [[], ["a"], ["a", "b"], ["b"]])
        var seen: [[String]] = []
        for _ in 0..<6 { seen.append(await next(&rooms)) }
        #expect(
            seen == [
                [], ["a waiting"], ["a waiting", "b waiting"], ["a joined", "b joined"], ["b joined"], ["b waiting"]
            ])
    }

    @Test("the rooms of the route file stand first, and stay")
    func declared() async throws {
        let rooms = LiveRooms(declared: ["lists/1", "lists/1"])
        try rooms.join("tasks/1")
        rooms.leave("lists/1")
        rooms.leave("tasks/1")
        var changes = rooms.subscribe().makeAsyncIterator()
        let told = await next(&changes)
        #expect(told == ["lists/1 waiting"])
    }

    @Test("names that no server takes, and more rooms than one takes, are refused at once")
    func limits() throws {
        let rooms = LiveRooms(declared: [])
        for name in ["", String(repeating: "x", count: 257)] {
            #expect { try rooms.join(name) } throws: { ($0 as? SyncError)?.code == .invalidRecord }
        }
        for number in 0..<256 { try rooms.join("r\(number)") }
        try rooms.join("r0")
        #expect { try rooms.join("one more") } throws: { ($0 as? SyncError)?.code == .wrongState }
    }
}
