import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// What the server sets for content of this client, before it has shown that.
@Suite("Members that are stale behind own content")
struct StaleMemberTests {
    private let task = ObjectURI(entity: "tasks", id: "1")
    private let file = AttachmentContent(Array("meow".utf8), fileName: "cat.png", mediaType: "image/png")

    /// A client that has pulled one task with a scan.
    private func world(
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (server: ContentServer, client: Synchronizer) {
        let server = ContentServer()
        server.tiny.insert("tasks", ["title": "a", "scan": "old"])
        let client = try await server.client(MemoryStore()) {
            $0.version = .none
            change(&$0)
        }
        try await client.pull()
        return (server, client)
    }

    private static func whole(_ tasks: inout Resource) {
        tasks.update.method = "PUT"
        tasks.update.body = .whole
    }

    /// Attaches and pushes; the process ends before the read behind the content.
    private func cut(_ server: ContentServer, _ client: Synchronizer) async throws {
        try await client.attach(file, as: "scan", to: task)
        server.tiny.fail(
            .init(
                applies: { $0.method == "GET" && server.received.count == 1 }, processes: false,
                outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await client.push() }
        #expect(server.received == ["PUT tasks/1/scan meow"])
        server.tiny.clearLog()
    }

    private func row(_ server: ContentServer) -> Value.Members { server.tiny.rows("tasks").first ?? [:] }

    @Test("an update of the whole object waits for the read that is owed behind content")
    func whole() async throws {
        let (server, client) = try await world(Self.whole)
        try await cut(server, client)
        #expect(try await client.pending().map(\.uri) == [task])
        try await client.edit(task, setting: [("title", "b")])
        #expect(try await client.push().updated == 1)
        #expect(server.tiny.log.first == "GET tasks/1/")
        #expect(row(server)["scan"] == "1" && row(server)["title"] == "b")
        #expect(try await client.pending().isEmpty)
    }

    @Test("it waits as long as that read fails")
    func unreadable() async throws {
        let (server, client) = try await world(Self.whole)
        try await cut(server, client)
        try await client.edit(task, setting: [("title", "b")])
        for _ in 0..<1_000 { server.tiny.answer("GET", with: #"{"detail":"no"}"#, status: 500, processes: false) }
        for _ in 0..<3 * ChangeEngine.mostLookUps { try await client.push() }
        #expect(!server.tiny.log.contains { $0.hasPrefix("PUT") } && row(server)["scan"] == "1")
        server.tiny.forgetFaults()
        #expect(try await client.push().updated == 1)
        #expect(row(server)["scan"] == "1" && row(server)["title"] == "b")
    }

    @Test("where no single objects are read it waits for a pull, and says so")
    func pulled() async throws {
        let (server, client) = try await world {
            Self.whole(&$0)
            $0.read.isOffered = false
        }
        try await client.attach(file, as: "scan", to: task)
        #expect(try await client.push().uploaded == 1)
        #expect(try await client.pending().isEmpty)
        try await client.edit(task, setting: [("title", "b")])
        #expect(try await client.push().updated == 0)
        let waiting = try #require(try await client.pending().first)
        let said = try #require(waiting.meta.outgoing?.lastError?.message)
        #expect(said.contains("tasks/1 is not updated before the server has shown “scan” again"), "\(said)")
        #expect(try await client.pushPreview().problems.count == 1)
        await #expect(throws: SyncError.self) { try await client.editNow(task, setting: [("title", "c")]) }
        #expect(row(server)["scan"] == "1" && row(server)["title"] == "a")
        try await client.pull()
        #expect(try await client.push().updated == 1)
        #expect(row(server)["scan"] == "1" && row(server)["title"] == "b")
        #expect(try await client.pending().isEmpty)
    }

    @Test("an edit that says what the member shall be waits for nothing")
    func edited() async throws {
        let (server, client) = try await world {
            Self.whole(&$0)
            $0.read.isOffered = false
        }
        try await client.attach(file, as: "scan", to: task)
        try await client.push()
        try await client.edit(task, setting: [("scan", "mine")])
        #expect(try await client.push().updated == 1 && row(server)["scan"] == "mine")
        #expect(try await client.pending().isEmpty)
    }

    @Test("what own content has set is no conflict with an edit, a delete or other content", arguments: [true, false])
    func own(_ isRead: Bool) async throws {
        for next in ["edit", "delete", "content"] {
            let (server, client) = try await world {
                $0.read.isOffered = isRead
                $0.conflict.deletedHere = .ask
            }
            if isRead {
                try await cut(server, client)
            } else {
                try await client.attach(file, as: "scan", to: task)
                try await client.push()
            }
            switch next {
            case "edit": try await client.edit(task, setting: [("scan", "mine")])
            case "delete": try await client.delete(task)
            default: try await client.attach(file, as: "scan", to: task)
            }
            try await client.pull()
            #expect(try await client.conflicts().isEmpty, "\(next)")
            try await client.push()
            #expect(try await client.pending().isEmpty, "\(next)")
            let left: Value? =
                switch next {
                case "edit": "mine"
                case "delete": nil
                default: "2"
                }
            #expect(row(server)["scan"] == left, "\(next)")
        }
    }

    @Test(
        "content that was on the wire when the process ended is no conflict with an edit or a delete here since",
        arguments: [true, false])
    func killed(_ isMeanwhile: Bool) async throws {
        for value in ["mine", .null, nil] as [Value?] {
            let (server, client) = try await world {
                $0.version = .compare
                $0.conflict.deletedHere = .ask
            }
            try await client.attach(file, as: "scan", to: task)
            let change: @Sendable () async throws -> Void = { [task] in
                if let value {
                    try await client.edit(task, setting: [("scan", value)])
                } else {
                    try await client.delete(task)
                }
            }
            server.beforeAnswer.withLock { hook in
                hook = {
                    if isMeanwhile { try await change() }
                    throw CancellationError()
                }
            }
            await #expect(throws: CancellationError.self) { try await client.push() }
            server.beforeAnswer.withLock { $0 = nil }
            if !isMeanwhile { try await change() }
            try await client.push()
            #expect(try await client.conflicts().isEmpty, "\(String(describing: value))")
            #expect(row(server)["scan"] == value && server.received.count == 1)
            #expect(try await client.pending().isEmpty)
        }
    }

    @Test("what own content has set, and was not shown since, refuses no edit and no delete at once")
    func ownAtOnce() async throws {
        for value in ["mine", nil] as [Value?] {
            let (server, client) = try await world {
                $0.version = .compare
                $0.conflict.deletedHere = .ask
            }
            try await cut(server, client)
            if let value {
                try await client.editNow(task, setting: [("scan", value)])
            } else {
                try await client.deleteNow(task)
            }
            #expect(row(server)["scan"] == value && server.tiny.rows("tasks").isEmpty == (value == nil))
            #expect(try await client.pending().isEmpty)
        }
    }

    @Test("what another has put into another member meanwhile refuses an edit of that at once, beside own content")
    func othersAtOnce() async throws {
        let (server, client) = try await world { $0.version = .compare }
        try await cut(server, client)
        server.tiny.edit("tasks", 1, ["title": "theirs"])
        let error = await #expect(throws: SyncError.self) {
            try await client.editNow(task, setting: [("scan", "mine"), ("title", "mine")])
        }
        #expect(error?.code == .wrongState && error?.message.hasPrefix("“title” of tasks/1 was changed") == true)
        #expect(row(server)["title"] == "theirs" && row(server)["scan"] == "1")
    }

    @Test("what was shown before the content arrived says nothing of the member")
    func earlier() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let engine = ChangeEngine(resource)
        let base = ObjectRecord(["id": 1, "title": "a", "scan": "old"])
        let confirmed = MetaObject.Confirmed(base: base, sequence: 9, stale: ["scan"])
        let object = LocalObject(
            record: base, meta: MetaObject(uri: task, id: ObjectID("1", .number), state: .synchronized(confirmed)))
        let early = Representation(record: base, id: ObjectID("1", .number), sequence: 8)
        #expect(engine.remote(early, over: object, uri: task, key: "k").outcome == .keep)
        for (shown, stale) in [(["id": 1, "title": "b"], ["scan"]), (["id": 1, "scan": "1"], [])]
            as [(Value.Members, [String])]
        {
            let part = Representation(
                record: ObjectRecord(shown), id: ObjectID("1", .number), sequence: 10, isPartial: true)
            guard case .put(let next) = engine.remote(part, over: object, uri: task, key: "k").outcome else {
                Issue.record("nothing was taken of \(shown)")
                continue
            }
            #expect(next.meta.confirmed?.stale == stale && next.record?["scan"] == shown["scan"] ?? "old")
        }
    }

    @Test("an edit while the content is on the wire is newer than what that sets")
    func meanwhile() async throws {
        let (server, client) = try await world { $0.version = .compare }
        try await client.attach(file, as: "scan", to: task)
        let task = task
        server.beforeAnswer.withLock { $0 = { try await client.edit(task, setting: [("scan", "newer")]) } }
        try await client.push()
        #expect(try await client.conflicts().isEmpty && row(server)["scan"] == "newer")
        #expect(try await client.pending().isEmpty)
    }

    @Test("content that was sent at once is told as sent, though the read behind it fails")
    func atOnce() async throws {
        let (server, client) = try await world(Self.whole)
        server.tiny.answer("GET", with: #"{"detail":"no"}"#, status: 500, processes: false)
        #expect(try await client.attachNow(file, as: "files", to: task) == task)
        let owing = try #require(try await client.object(at: task)?.meta.outgoing?.unverified)
        #expect(owing.isRead && server.received == ["POST tasks/1/files meow"])
        try await client.edit(task, setting: [("title", "b")])
        #expect(try await client.push().updated == 1 && server.received.count == 1)
        #expect(row(server)["files"] == "1" && row(server)["title"] == "b")
        #expect(try await client.pending().isEmpty)
    }
}
