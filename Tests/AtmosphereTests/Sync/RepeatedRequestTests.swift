import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// A request that is sent more than once before it is done is told in the log of the object that it is about.
@Suite("The story of a repeated request")
struct RepeatedRequestTests {
    /// What the log tells, line by line.
    private final class Story: Sendable {
        private let entries = Mutex<[SyncLogEntry]>([])
        func add(_ entry: SyncLogEntry) { entries.withLock { $0.append(entry) } }
        /// The messages of a subject.
        func of(_ subject: String) -> [String] {
            entries.withLock { $0.filter { $0.subject == subject }.map(\.message) }
        }
        /// Under what a subject was told of before.
        func former(of subject: String) -> String? {
            entries.withLock { $0.first { $0.subject == subject && $0.former != nil }?.former }
        }
        func times(of subject: String) -> [Int64] {
            entries.withLock { $0.filter { $0.subject == subject }.map(\.time.milliseconds) }
        }
    }

    /// A synchronizer whose log is read, on the store and the server of a world.
    private func told(_ world: TinyWorld, door: SignedDoor? = nil, over transport: (any Transport)? = nil) async throws
        -> (Synchronizer, Story)
    {
        let story = Story()
        let synchronizer = try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: transport ?? door?.transport(before: world.server.transport) ?? world.server.transport,
            style: TinyWorld.TinyStyle(), authenticator: door?.authenticator, environment: TinyWorld.environment(),
            log: { story.add($0) })
        return (synchronizer, story)
    }

    private func keyed() async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.lookup = nil
            $0.duplicate = nil
            $0.create.idempotencyHeader = "Idempotency-Key"
        }
        world.server.knowKeys()
        return world
    }

    @Test("a create that was answered with 503 and went again says so, with each answer and its time")
    func unavailable() async throws {
        let world = try await keyed()
        let (synchronizer, story) = try await told(world)
        let uri = try await synchronizer.save(["title": "first"], as: "tasks")
        world.server.answer("POST", with: "{}", status: 503)
        world.server.answer("POST", with: "{}", status: 503)
        world.server.answer("POST", with: "{}", status: 404, processes: false)
        try await synchronizer.push()
        let lines = story.of(uri.description).drop { $0 != "POST create" }
        #expect(
            lines.prefix(8) == [
                "POST create", "answered 503, which asks to wait", "POST again, try 2",
                "answered 503, which asks to wait", "the server asks to wait; going on at 2023-11-14T22:13:26Z",
                "POST again, try 3", "answered 404"
            ] + lines.dropFirst(7).prefix(1), "\(lines)")
        let times = story.times(of: uri.description)
        #expect(times == times.sorted() && (times.last ?? 0) - (times.first ?? 0) >= 6000)
    }

    @Test("a save that somebody waits for tells the same")
    func synchronous() async throws {
        let world = try await keyed()
        let (synchronizer, story) = try await told(world)
        world.server.answer("POST", with: "{}", status: 429, processes: false)
        let uri = try await synchronizer.saveNow(["title": "first"], as: "tasks")
        let before = try #require(story.former(of: uri.description))
        #expect(
            story.of(before) == [
                "POST create, at once", "answered 429, which asks to wait", "POST again, try 2", "answered 201"
            ])
        #expect(story.of(uri.description).first == "has its identifier from the server now; it was \(before)")
        world.server.clearLog()
        try await synchronizer.editNow(uri, setting: [("title", "second")])
        #expect(story.of(uri.description).suffix(3) == ["PATCH update, at once", "answered 200", "stored"])
        world.server.answer("DELETE", with: "{}", status: 429, processes: false)
        try await synchronizer.deleteNow(uri)
        #expect(
            story.of(uri.description).suffix(7) == [
                "DELETE delete, at once", "answered 429, which asks to wait",
                "what it was made of may have changed while it waited to be sent", "read from the server",
                "DELETE delete, at once", "answered 204", "deleted"
            ])
    }

    @Test("a list tells it of itself")
    func list() async throws {
        let world = try await TinyWorld()
        let (synchronizer, story) = try await told(world)
        world.server.insert("tasks", ["title": "a"])
        world.server.answer("GET", with: "{}", status: 503)
        try await synchronizer.pull(entities: ["tasks"])
        #expect(story.of("tasks").contains("answered 503, which asks to wait"))
        #expect(story.of("tasks").contains("GET again, try 2"))
    }

    @Test("what was signed anew after a 401 is told")
    func renewed() async throws {
        let world = try await keyed()
        let door = SignedDoor()
        let (synchronizer, story) = try await told(world, door: door)
        let uri = try await synchronizer.save(["title": "first"], as: "tasks")
        try await synchronizer.push()
        let lines = story.of(uri.description).drop { $0 != "POST create" }
        #expect(
            lines.prefix(4) == ["POST create", "answered 401; signed anew", "POST again, try 2", "answered 201"],
            "\(lines)")
    }

    @Test("what the transport has sent again itself is told")
    func transport() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let server = world.server.transport
        let (synchronizer, story) = try await told(
            world,
            over: ScriptedTransport { request in
                var response = try await server.send(request)
                if request.method == "PATCH" { response.timesSent = 2 }
                return response
            })
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await synchronizer.edit(uri, setting: [("title", "b")])
        try await synchronizer.push()
        #expect(
            story.of(uri.description).contains(
                "the connection ended without an answer, and PATCH was sent again: 2 times in all"))
    }
}
