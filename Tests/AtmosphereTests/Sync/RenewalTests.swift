import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("A token that ends, whatever is being sent", .timeLimit(.minutes(5)))
struct RenewalTests {
    @Test("lists, reads, writes and requests of the application are refused, signed anew and sent again once")
    func single() async throws {
        let door = SignedDoor()
        let world = try await TinyWorld(
            identity: IdentityCheck(path: "me/", field: .member("name")), door: door)
        world.server.insert("tasks", ["title": "a"])
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        try await world.synchronizer.save(["title": "new", "uuid": "u"], as: "tasks")
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.updated == 1)
        try await world.synchronizer.delete(uri)
        try await world.synchronizer.push()
        _ = try await world.synchronizer.request(method: "GET", path: "tasks/2/")
        #expect(world.server.rows("tasks").map { $0["title"] } == ["new"])
        #expect(try await world.synchronizer.pending().isEmpty)
        for kind in ["GET me/", "GET tasks/", "PATCH tasks/1/", "POST tasks/", "DELETE tasks/1/", "GET tasks/1/"] {
            #expect(door.refused.contains(kind), "\(kind) of \(door.refused)")
        }
        #expect(Set(door.refused).count == door.refused.count, "nothing is refused twice: \(door.refused)")
    }

    @Test("a batch is refused as a whole, and sent again once")
    func batch() async throws {
        let door = SignedDoor()
        let world = try await TinyWorld(door: door) { $0.batches = [.tiny()] }
        for title in ["a", "b", "c"] {
            try await world.synchronizer.save(["title": .string(title), "uuid": .string(title)], as: "tasks")
        }
        #expect(try await world.synchronizer.push().created == 3)
        #expect(door.refused == ["POST tasks/batch"] && door.renewals == 1)
        #expect(world.server.log.count { $0.hasPrefix("POST") } == 1, "no create arrived twice")
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a lookup after a lost answer is signed anew, too")
    func lookUp() async throws {
        let door = SignedDoor()
        let world = try await TinyWorld(door: door)
        try await world.synchronizer.save(["title": "a", "uuid": "u"], as: "tasks")
        world.server.loseAnswer(to: "POST")
        #expect(try await world.synchronizer.push().created == 1)
        #expect(world.server.rows("tasks").count == 1)
        #expect(door.refused == ["POST tasks/", "GET tasks/"])
    }

    @Test("requests that are refused together wait for one renewal, and each is sent again once")
    func together() async throws {
        let door = SignedDoor()
        let world = try await TinyWorld(door: door)
        for number in 1...4 {
            try await world.synchronizer.save(
                ["title": .string("\(number)"), "uuid": .string("\(number)")], as: "tasks")
        }
        door.gather(4)
        #expect(try await world.synchronizer.push().created == 4)
        #expect(door.refused == Array(repeating: "POST tasks/", count: 4))
        #expect(door.renewals == 1)
        #expect(world.server.rows("tasks").count == 4)
    }
}
