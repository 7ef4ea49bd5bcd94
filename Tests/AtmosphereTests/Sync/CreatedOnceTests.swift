import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Creates that are asked for again")
struct CreatedOnceTests {
    private static let key = "018f3a9e-0000-7000-8000-000000000000"

    /// Tasks below lists, with identifiers that are unique below their list or everywhere.
    private func world(isUniquePerParent: Bool) async throws -> (server: TinyServer, synchronizer: Synchronizer) {
        let all = try PathTemplate("lists/{lists.id}/tasks/")
        let one = try PathTemplate("lists/{lists.id}/tasks/{id}/")
        let routeFile = try TinyWorld.routeFile {
            $0.isUniquePerParent = isUniquePerParent
            $0.parents = [Reference(entity: "lists", field: "list")]
            ($0.list.path, $0.create.path) = (all, all)
            ($0.read.path, $0.update.path, $0.delete.path) = (one, one, one)
        }
        let server = TinyServer()
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        return (server, synchronizer)
    }

    @Test(
        "one object comes of one key, by whichever identifier its parent is named", arguments: [true, false],
        [true, false])
    func belowParent(isUniquePerParent: Bool, isParentKnown: Bool) async throws {
        let (server, synchronizer) = try await world(isUniquePerParent: isUniquePerParent)
        let list = try await synchronizer.save(["title": "Home"], as: "lists")
        func create(below id: Value) async throws -> ObjectURI {
            try await synchronizer.save(["title": "Milk", "list": id], as: "tasks", once: Self.key)
        }
        if isParentKnown { try await synchronizer.push() }
        let made = try await create(below: .string(list.id))
        #expect(try await create(below: .string(list.id)) == made)
        try await synchronizer.push()
        let present = try #require(try await synchronizer.object(at: made)?.uri)
        for id in [.string(list.id), 1] as [Value] { #expect(try await create(below: id) == present) }
        try await synchronizer.push()
        #expect(server.rows("tasks").map { $0["title"] } == ["Milk"])
    }

    @Test("nothing comes of a key once more when the object is not here any more", arguments: [false, true])
    func removed(isDiscarded: Bool) async throws {
        let world = try await TinyWorld()
        func create() async throws -> ObjectURI {
            try await world.synchronizer.save(["title": "Milk"], as: "tasks", once: Self.key)
        }
        let uri = try await create()
        if isDiscarded {
            try await world.synchronizer.discard(uri)
        } else {
            try await world.synchronizer.delete(uri)
        }
        #expect(try await create() == uri)
        #expect(try await world.synchronizer.object(at: uri) == nil)
        try await world.synchronizer.synchronize()
        #expect(world.server.rows("tasks").isEmpty)
    }

    @Test("a key is not used for something else")
    func otherMembers() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "Milk", "note": "n"], as: "tasks", once: Self.key)
        #expect(try await world.synchronizer.save(["note": "n", "title": "Milk"], as: "tasks", once: Self.key) == uri)
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.save(["title": "Bread", "note": "n"], as: "tasks", once: Self.key)
        }
        #expect(error?.code == .invalidRecord)
        #expect(try await world.synchronizer.pending().count == 1)
    }
}
