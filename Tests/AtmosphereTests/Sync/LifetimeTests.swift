import AtmosphereTesting
import Testing

@testable import Atmosphere

@Suite("Lifetime of a synchronizer")
struct LifetimeTests {
    /// What a synchronizer was made of, without holding it.
    private struct Remains {
        weak var synchronizer: Synchronizer?
        weak var store: AnyObject?
        weak var server: TinyServer?
    }

    private func work() async throws -> Remains {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "b")])
        try await world.synchronizer.push()
        try await world.synchronizer.close()
        return Remains(synchronizer: world.synchronizer, store: world.store as AnyObject, server: world.server)
    }

    @Test("nothing of it stays in memory when nobody uses it any more")
    func freed() async throws {
        let remains = try await work()
        #expect(remains.synchronizer == nil)
        #expect(remains.store == nil)
        #expect(remains.server == nil)
    }
}
