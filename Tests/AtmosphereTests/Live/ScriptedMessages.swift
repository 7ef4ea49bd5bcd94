import AtmosphereTesting
import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// A message client that says what a test scripts, and then nothing any more.
struct ScriptedMessages: MessageClient {
    var script: @Sendable (@Sendable (MessageEvent) -> Void) async throws -> Void
    /// Hears of the rooms.
    var rooms: @Sendable ([String]) -> Void = { _ in }

    init(_ script: @escaping @Sendable (@Sendable (MessageEvent) -> Void) async throws -> Void) { self.script = script }

    init(_ updates: LiveUpdate...) {
        script = { receive in for update in updates { receive(.update(update)) } }
    }

    func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws { try await script(receive) }

    func listen(to rooms: [String]) { self.rooms(rooms) }
}

extension Synchronizer {
    /// Returns when everything that a script has said so far has been taken.
    func allTaken(_ receive: @Sendable (MessageEvent) -> Void) async {
        let stream = notifications()
        receive(.notification(LiveNotification(data: "that was all")))
        for await _ in stream { return }
    }
}

extension TinyWorld {
    /// Tasks with an ordered version in `rev`.
    static func ordered(_ change: @escaping (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld { resource in
            resource.version = .token(.field(.member("rev")), ordered: true)
            change(&resource)
        }
    }

    /// Follows to the end of the script, until everything is settled.
    func follow(_ updates: LiveUpdate...) async throws {
        try await synchronizer.follow(
            ScriptedMessages { receive in for update in updates { receive(.update(update)) } })
    }

    func task(_ id: Int) async throws -> Value.Members? {
        try await synchronizer.record(at: ObjectURI(entity: "tasks", id: String(id)))?.members
    }
}

extension LiveUpdate {
    static func task(_ id: Int, _ content: Content, version: String? = nil, next: String? = nil) -> LiveUpdate {
        LiveUpdate(uri: ObjectURI(entity: "tasks", id: String(id)), content: content, version: version, next: next)
    }
}
