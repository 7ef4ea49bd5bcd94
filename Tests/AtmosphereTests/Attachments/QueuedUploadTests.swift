import AtmosphereTesting
import Foundation
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Queued uploads")
struct QueuedUploadTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    private func file(_ text: String, _ name: String = "cat.png") -> AttachmentContent {
        AttachmentContent(Array(text.utf8), fileName: name, mediaType: "image/png")
    }

    /// A client that has pulled one task.
    private func world(
        _ store: any Store = MemoryStore(), _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (server: ContentServer, client: Synchronizer) {
        let server = ContentServer()
        server.tiny.insert("tasks", ["title": "a"])
        let client = try await server.client(store, change)
        try await client.pull()
        return (server, client)
    }

    /// The names of what lies in the folder, but for its lock.
    private func contents(_ client: Synchronizer) throws -> [String] {
        let path = try #require(client.store.contentFolder?.path)
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0 != ".lock" }
    }

    @Test("content that was attached without a network goes with the next push, and the object is read again")
    func offline() async throws {
        let (server, client) = try await world()
        server.tiny.goOffline(true)
        #expect(try await client.attach(file("meow"), as: "scan", to: task) == task)
        let waiting = try #require(try await client.object(at: task))
        #expect(waiting.status == .waiting(.update, .push) && waiting.meta.uploads.map(\.fileName) == ["cat.png"])
        #expect(waiting.meta.status(of: waiting.meta.uploads[0]) == .waiting(.update, .push))
        let report = try await client.push()
        #expect(report.unreachable != nil && report.uploaded == 0)
        #expect(try contents(client).count == 1)
        server.tiny.goOffline(false)
        #expect(try await client.push().uploaded == 1)
        #expect(server.received == ["PUT tasks/1/scan meow"])
        #expect(try await client.record(at: task)?["scan"] == "1")
        #expect(try await client.pending().isEmpty)
        #expect(try contents(client) == [])
    }

    @Test(
        "an upload carries the query and the media type that the route file has, at once and queued",
        arguments: [false, true])
    func queryAndType(isNow: Bool) async throws {
        let (server, client) = try await world {
            $0.attachments[2].upload?.query = [
                .init(name: "filename", value: "{file.name}"), .init(name: "task", value: "{id}")
            ]
            $0.attachments[2].upload?.mediaType = "application/octet-stream"
        }
        let content = file("meow", "my cat&.png")
        if isNow {
            try await client.attachNow(content, as: "photo", to: task)
        } else {
            try await client.attach(content, as: "photo", to: task)
            let url = try await client.pushPreview().requests.first?.request.url
            #expect(url?.hasSuffix("uploads/?filename=my%20cat%26.png&task=1") == true, "\(url ?? "")")
            try await client.push()
        }
        #expect(server.received == ["POST uploads/?filename=my%20cat%26.png&task=1 meow"])
        #expect(server.types == ["application/octet-stream"])
        #expect(try await client.record(at: task)?["photo"] == "token of meow")
    }

    @Test("the status shows how far a content has come, at once and queued", arguments: [false, true])
    func progress(isNow: Bool) async throws {
        let (server, client) = try await world()
        let seen = Mutex<[SyncActivity]>([])
        server.beforeAnswer.withLock { hook in
            hook = { seen.withLock { $0 += client.activity.status([], live: .off).activities } }
        }
        let content = AttachmentContent([UInt8](repeating: 65, count: 200_000), fileName: "cat.png")
        if isNow {
            try await client.attachNow(content, as: "scan", to: task)
        } else {
            try await client.attach(content, as: "scan", to: task)
            #expect(try await client.syncStatus().activities.isEmpty)
            try await client.push()
        }
        let upload = try #require(seen.withLock { $0.first { $0.kind == .upload } })
        #expect(upload.content == .init(uri: task, member: "scan") && upload.entity == "tasks")
        #expect(upload.completed == 200_000 && upload.total == 200_000 && upload.fraction == 1)
        #expect(try await client.syncStatus().activities.isEmpty)
    }

    @Test("progress is told at each hundredth, counts each reading anew, and ends once")
    func steps() async throws {
        let told = Mutex<[Int]>([])
        let activities = SyncActivities {}
        let progress = ContentProgress(.upload, of: "scan", at: task, length: 400_000, in: activities)
        let pieces = Mutex(0)
        let content = AttachmentContent(length: 400_000, fileName: "a") {
            pieces.withLock { $0 = 0 }
            return {
                let number = pieces.withLock {
                    $0 += 1
                    return $0
                }
                return number <= 40 ? [UInt8](repeating: 1, count: 10_000) : nil
            }
        }
        for _ in 1...2 {
            let next = try await progress.counted(content).start()
            while try await next() != nil {
                let shown = activities.status([], live: .off).activities.first?.completed ?? -1
                told.withLock { if $0.last != shown { $0.append(shown) } }
            }
        }
        #expect(
            told.withLock { $0 } == [
                0, 70_000, 140_000, 210_000, 280_000, 350_000, 400_000, 0, 70_000, 140_000, 210_000, 280_000, 350_000,
                400_000
            ])
        progress.end()
        progress.end()
        #expect(activities.status([], live: .off).activities.isEmpty)
    }

    @Test("an edit that is taken back leaves the content that waits")
    func takenBack() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        for title in ["b", "a"] { try await client.edit(task, setting: [("title", .string(title))]) }
        #expect(try await client.push().uploaded == 1)
        #expect(server.received == ["PUT tasks/1/scan meow"])
    }

    @Test("an update that the server does not take is refused once, though content waits behind it")
    func notTaken() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        try await client.edit(task, setting: [("title", "b")])
        for _ in 0..<20 { server.tiny.answer("PATCH", with: nil, status: 204, processes: false) }
        try await client.push()
        #expect(server.tiny.log.count { $0.hasPrefix("PATCH") } == 1, "\(server.tiny.log)")
        #expect(try await client.status()[1].counts.rejected == 1)
    }

    @Test("a new object is created first, and its content goes under the server's identifier")
    func created() async throws {
        let (server, client) = try await world()
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        try await client.attach(file("purr"), as: "files", to: new)
        let report = try await client.push()
        #expect(report.created == 1 && report.uploaded == 2 && report.updated == 0)
        #expect(server.received == ["PUT tasks/2/scan meow", "POST tasks/2/files purr"])
        let record = try await client.record(at: new)
        #expect(record?["scan"] == "1" && record?["files"] == "1" && record?["title"] == "b")
        #expect(try await client.pending().isEmpty)
    }

    @Test("a create whose answer was lost is looked up, and the content goes to what was found")
    func lostCreate() async throws {
        let (server, client) = try await world()
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        server.tiny.loseAnswer(to: "POST")
        #expect(try await client.push().uploaded == 1)
        #expect(server.received == ["PUT tasks/2/scan meow"])
        #expect(try await client.pending().isEmpty && server.tiny.rows("tasks").count == 2)
    }

    @Test("what stands for the content is an edit, which goes right behind it and beside other edits")
    func member() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "photo", to: task)
        try await client.edit(task, setting: ["title": "edited"])
        let report = try await client.push()
        #expect(report.uploaded == 1 && report.updated == 2)
        let row = try #require(server.tiny.rows("tasks").first)
        #expect(row["photo"] == "token of meow" && row["title"] == "edited")
        #expect(try await client.pending().isEmpty)
    }

    @Test("contents of one object go in their order; what a later one would only replace is not sent")
    func order() async throws {
        let (server, client) = try await world()
        for (text, member) in [
            ("1", "files"), ("2", "scan"), ("3", "files"), ("4", "scan"), ("5", "photo"), ("6", "photo")
        ] {
            try await client.attach(file(text), as: member, to: task)
        }
        #expect(try await client.push().uploaded == 4)
        #expect(
            server.received == [
                "POST tasks/1/files 1", "POST tasks/1/files 3", "PUT tasks/1/scan 4", "POST uploads/ 6"
            ])
        #expect(try await client.pending().isEmpty && contents(client) == [])
    }

    @Test("forty contents of one object are no contradiction")
    func many() async throws {
        let (server, client) = try await world()
        for number in 1...40 { try await client.attach(file("\(number)"), as: "files", to: task) }
        #expect(try await client.push().uploaded == 40)
        #expect(server.received == (1...40).map { "POST tasks/1/files \($0)" })
    }

    @Test("a refused upload is kept with what the server said; an edit goes, and retry and discard end it")
    func refused() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.fail(.refuse(413))
        try await client.push()
        let refused = try #require(try await client.rejected().first)
        guard case .rejected(_, let failure) = refused.meta.status(of: refused.meta.uploads[0]) else {
            Issue.record("\(refused.meta)")
            return
        }
        #expect(failure.status == 413 && failure.message.contains("Too large."))
        #expect(try await client.push() == PushReport() && server.received == [])
        // A pull changes nothing of that.
        server.tiny.edit("tasks", 1, ["title": "theirs"])
        try await client.pull()
        #expect(try await client.rejected().map(\.uri) == [task])
        #expect(try await client.record(at: task)?["title"] == "theirs")
        try await client.retry(task)
        server.fail(.refuse(413))
        try await client.push()
        // Something else in its place gets a try of its own.
        try await client.attach(file("less"), as: "scan", to: task)
        #expect(try await client.push().uploaded == 1 && server.received == ["PUT tasks/1/scan less"])
        try await client.attach(file("more"), as: "scan", to: task)
        server.fail(.refuse(413))
        try await client.push()
        try await client.discard(task)
        #expect(try await client.pending().isEmpty && contents(client) == [])
        #expect(try await client.record(at: task)?["title"] == "theirs")
    }

    @Test("after a lost answer content that replaces is sent again, and of one that adds a person decides")
    func lostAnswer() async throws {
        for fault in [ContentServer.Fault.loseAnswer, .loseRequest] {
            let (server, client) = try await world()
            try await client.attach(file("meow"), as: "scan", to: task)
            server.fail(fault)
            let report = try await client.push()
            #expect(report.uploaded == 1 && report.failures.count == 1)
            #expect(server.received.last == "PUT tasks/1/scan meow")
            #expect(try await client.pending().isEmpty)

            try await client.attach(file("purr"), as: "files", to: task)
            server.fail(fault)
            try await client.push()
            let unknown = try #require(try await client.unknown().first)
            #expect(unknown.meta.status(of: unknown.meta.uploads[0]) == .unknown(.update))
            let sent = server.received.count
            #expect(try await client.push().uploaded == 0 && server.received.count == sent)
            try await client.resolve(task, .resend)
            #expect(try await client.push().uploaded == 1)
            #expect(server.received.last == "POST tasks/1/files purr" && server.received.count == sent + 1)
            #expect(try await client.pending().isEmpty)
        }
    }

    @Test("one content can be dropped alone: one that waits, was refused or is in doubt, and what else was edited goes")
    func droppedAlone() async throws {
        let (server, client) = try await world()
        func uploads() async throws -> [MetaObject.Upload] {
            try #require(try await client.object(at: task)).meta.uploads
        }
        for (text, member) in [("1", "files"), ("2", "scan"), ("3", "files")] {
            try await client.attach(file(text), as: member, to: task)
        }
        try await client.edit(task, setting: ["title": "edited"])
        try await client.discard(try await uploads()[0], of: task)
        #expect(try contents(client).count == 2)
        let report = try await client.push()
        #expect(report.uploaded == 2 && report.updated == 1)
        #expect(server.received == ["PUT tasks/1/scan 2", "POST tasks/1/files 3"])
        #expect(try await client.pending().isEmpty)

        // Refused, with another behind it.
        try await client.attach(file("4"), as: "files", to: task)
        try await client.attach(file("5"), as: "files", to: task)
        server.fail(.refuse(413))
        try await client.push()
        #expect(try await client.rejected().map(\.uri) == [task])
        let refused = try await uploads()[0]
        try await client.discard(refused, of: task)
        #expect(try await client.push().uploaded == 1 && server.received.last == "POST tasks/1/files 5")
        let error = await #expect(throws: SyncError.self) { try await client.discard(refused, of: task) }
        #expect(error?.code == .wrongState && error?.message.contains("waits no more") == true)

        // In doubt, and nothing else waits.
        try await client.attach(file("6"), as: "files", to: task)
        server.fail(.loseAnswer)
        try await client.push()
        #expect(try await client.unknown().count == 1)
        try await client.discard(try await uploads()[0], of: task)
        #expect(try await client.pending().isEmpty && contents(client) == [])
        #expect(try await client.object(at: task)?.status == .synchronized)
    }

    @Test("an edit without an answer is minded still when the content behind it is dropped, refused or in doubt")
    func droppedBesideDoubt() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let base = ObjectRecord(["id": 1, "title": "a"])
        var snapshot = Attempt(record: nil, revision: 4, sequence: 9)
        snapshot.upload = "u"
        let refusal = MetaObject.Failure(status: 413, message: "too large")
        for phase in [Change.Phase.unknown(snapshot), .rejected(.refused(snapshot), refusal)] {
            var outgoing = Change(
                phase: phase, idempotencyKey: "k", evidence: .inDoubt(isLookedFor: false))
            outgoing.unanswered = [ObjectRecord(["id": 1, "title": "b"])]
            outgoing.lowWaterMark = 7
            var meta = MetaObject(
                uri: task, id: ObjectID("1"), state: .updated(.init(base: base, sequence: 3), outgoing), revision: 4)
            meta.uploads = [
                .init(id: "u", member: "scan", digest: "d", length: 4, fileName: "cat.png", mediaType: "image/png")
            ]
            let left = ChangeEngine(resource).drop(upload: "u", of: LocalObject(record: base, meta: meta), key: "next")
            #expect(left.meta.uploads.isEmpty)
            let next = try #require(left.meta.outgoing, "an update that lands late is our own")
            #expect(next.phase == .waiting && next.idempotencyKey == "next")
            #expect(next.unanswered == outgoing.unanswered && next.lowWaterMark == 7)
        }
    }

    @Test("the doubt about content that is dropped goes with it, also where the object is in conflict")
    func droppedInConflict() throws {
        let resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        let base = ObjectRecord(["id": 1, "title": "a"])
        var lost = Attempt(record: nil, revision: 4, sequence: 9)
        lost.upload = "u"
        var conflict = MetaObject.Conflict(
            .clash(["title"]), theirs: ObjectRecord(["id": 1, "title": "theirs"]), version: nil, sequence: 9)
        conflict.lost = lost
        var meta = MetaObject(
            uri: task, id: ObjectID("1"),
            state: .updated(.init(base: base, sequence: 3), .init(phase: .conflicted(conflict), idempotencyKey: "k")),
            revision: 4)
        meta.uploads = ["u", "other"].map {
            .init(id: $0, member: "scan", digest: "d", length: 4, fileName: "cat.png", mediaType: "image/png")
        }
        let object = LocalObject(record: ObjectRecord(["id": 1, "title": "mine"]), meta: meta)
        for (dropped, isForgotten) in [("u", true), ("other", false)] {
            let next = ChangeEngine(resource).drop(upload: dropped, of: object, key: "next")
            guard case .conflicted(let left)? = next.meta.outgoing?.phase else {
                Issue.record("nobody is asked any more")
                return
            }
            #expect((left.lost == nil) == isForgotten && left.fields == ["title"])
            #expect(next.meta.uploads.map(\.id) == [isForgotten ? "other" : "u"])
        }
    }

    @Test("one content of a new object can be dropped, and the object is created")
    func droppedOfNew() async throws {
        let (server, client) = try await world()
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        let waiting = try #require(try await client.object(at: new)?.meta.uploads.first)
        try await client.discard(waiting, of: new)
        let report = try await client.push()
        #expect(report.created == 1 && report.uploaded == 0 && server.received == [])
        #expect(try await client.pending().isEmpty && contents(client) == [])
    }

    @Test("a server that fails is tried again later, and nothing else of the object is lost by it")
    func backoff() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        for _ in 0..<40 { server.fail(.refuse(500)) }
        let report = try await client.push()
        #expect(report.uploaded == 0 && !report.failures.isEmpty)
        let object = try #require(try await client.object(at: task))
        guard
            case .waiting(_, .retry(at: _?, after: let failure)) = object.meta.status(of: object.meta.uploads[0])
        else {
            Issue.record("\(object.meta)")
            return
        }
        #expect(failure.status == 500)
        // A push that is asked for sends it before its time.
        #expect(try await client.pushPreview().requests.map(\.verb) == ["upload"])
        try await client.edit(task, setting: ["title": "edited"])
        try await client.push()
        #expect(server.tiny.rows("tasks")[0]["title"] == "edited")
        #expect(try await client.object(at: task)?.meta.uploads.count == 1)
    }

    @Test("a delete drops the upload with its content, also while it is on the wire")
    func deleted() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        try await client.delete(task)
        #expect(try contents(client) == [])
        #expect(try await client.push().deleted == 1 && server.received == [])

        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        try await client.delete(new)
        #expect(try await client.pending().isEmpty && contents(client) == [])

        let third = try await client.save(["title": "c"], as: "tasks")
        try await client.push()
        let uri = try #require(try await client.object(at: third)?.uri)
        try await client.attach(file("meow"), as: "files", to: uri)
        server.beforeAnswer.withLock { $0 = { try await client.delete(uri) } }
        #expect(try await client.push().deleted == 1)
        #expect(server.tiny.rows("tasks").isEmpty)
        #expect(try await client.pending().isEmpty && contents(client) == [])
    }

    @Test("an edit and a content that come while content is on the wire go after it")
    func meanwhile() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "files", to: task)
        let task = task
        let later = file("later")
        server.beforeAnswer.withLock { hook in
            hook = {
                server.beforeAnswer.withLock { $0 = nil }
                try await client.edit(task, setting: ["title": "edited"])
                try await client.attach(later, as: "files", to: task)
            }
        }
        let report = try await client.push()
        #expect(report.uploaded == 2 && report.updated == 1)
        #expect(server.received == ["POST tasks/1/files meow", "POST tasks/1/files later"])
        #expect(server.tiny.rows("tasks")[0]["title"] == "edited")
        #expect(try await client.pending().isEmpty && contents(client) == [])
    }

    @Test("what is pulled meanwhile is merged, and the content still goes")
    func merged() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.edit("tasks", 1, ["title": "theirs"])
        try await client.pull()
        #expect(try await client.record(at: task)?["title"] == "theirs")
        #expect(try await client.object(at: task)?.meta.uploads.count == 1)
        #expect(try await client.push().uploaded == 1)
        #expect(try await client.pending().isEmpty)
    }

    @Test("content goes on with an object that the server has deleted, as the decision says")
    func deletedThere() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.remove("tasks", 1)
        try await client.push()
        let conflict = try #require(try await client.conflicts().first)
        #expect(conflict.meta.uploads.count == 1)
        try await client.resolve(task, .mine)
        let report = try await client.push()
        #expect(report.created == 1 && report.uploaded == 1 && server.received.last == "PUT tasks/2/scan meow")
    }

    @Test("content that two uploads share is kept once, and goes with the last of them")
    func shared() async throws {
        let (server, client) = try await world()
        server.tiny.insert("tasks", ["title": "b"])
        try await client.pull()
        let other = ObjectURI(entity: "tasks", id: "2")
        try await client.attach(file("meow"), as: "scan", to: task)
        try await client.attach(file("meow", "other.png"), as: "scan", to: other)
        let digest = "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52"
        #expect(try contents(client) == [digest])
        try await client.discard(task)
        #expect(try contents(client) == [digest])
        #expect(try await client.push().uploaded == 1 && server.received == ["PUT tasks/2/scan meow"])
        #expect(try contents(client) == [])
    }

    @Test("the folder and its files are their owner's alone")
    func modes() async throws {
        let (_, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        let path = try #require(client.store.contentFolder?.path)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o700)
        for name in try contents(client) + [".lock"] { #expect(try mode("\(path)/\(name)") == 0o600, "\(name)") }
        #expect(try await client.content(of: "scan", at: task).length == 4)
        let waiting = try await client.content(of: "scan", at: task).bytes.collect(upTo: 10)
        #expect(String(decoding: waiting, as: UTF8.self) == "meow")
    }

    @Test("what a process that ended left in the folder is removed at the next open, and what waits is not")
    func orphans() async throws {
        let store = MemoryStore()
        let (server, client) = try await world(store)
        try await client.attach(file("meow"), as: "scan", to: task)
        let folder = try #require(store.contentFolder)
        let orphan = try await folder.keep(file("nobody's"))
        try Data("half".utf8).write(to: URL(filePath: folder.path + "/new-1"))
        #expect(try contents(client).count == 3)
        // Somebody keeps something just now: the next time does it.
        try await folder.whileNothingIsRemoved { _ = try await server.client(store) }
        #expect(try contents(client).count == 3 && contents(client).contains(orphan.digest))
        let next = try await server.client(store)
        #expect(try contents(next).count == 1)
        #expect(try await next.push().uploaded == 1 && server.received == ["PUT tasks/1/scan meow"])
    }

    @Test("content that a process was sending when it ended goes again, or a person decides")
    func endedWhileSending() async throws {
        for (member, isAsked) in [("scan", false), ("photo", false), ("files", true)] {
            let store = MemoryStore()
            let (server, client) = try await world(store)
            try await client.attach(file("meow"), as: member, to: task)
            try await store.write(.power, origin: .push) { [task] transaction in
                var meta = try #require(try transaction.meta(at: task))
                var sent = Attempt(record: nil, revision: meta.revision, sequence: 1)
                sent.upload = meta.uploads[0].id
                meta.outgoing?.phase = .sending(sent)
                try transaction.put([meta])
            }
            let next = try await server.client(store)
            let report = try await next.push()
            #expect(report.uploaded == (isAsked ? 0 : 1), "\(member)")
            #expect(try await next.unknown().count == (isAsked ? 1 : 0))
        }
    }

    @Test("a content that somebody has removed is told, and holds up nothing but its own upload")
    func missing() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        let path = try #require(client.store.contentFolder?.path)
        for name in try contents(client) { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
        try await client.edit(task, setting: ["title": "edited"])
        try await client.push()
        let refused = try #require(try await client.rejected().first?.meta.outgoing?.lastError)
        #expect(refused.message.contains("“scan” (cat.png) is not in \(path) any more; attach it again"))
        #expect(server.tiny.rows("tasks")[0]["title"] == "edited")
    }

    @Test("a content whose bytes are others now is not sent to its end, and told")
    func damaged() async throws {
        for text in ["moew", ""] {
            let (server, client) = try await world()
            try await client.attach(file(text.isEmpty ? "" : "meow"), as: "scan", to: task)
            let path = try #require(client.store.contentFolder?.path)
            for name in try contents(client) {
                try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
            }
            try await client.push()
            #expect(server.received == (text.isEmpty ? ["PUT tasks/1/scan "] : []))
            let refused = try await client.rejected().first?.meta.outgoing?.lastError
            #expect(refused?.message.contains("is not what was attached any more") == (text.isEmpty ? nil : true))
        }
    }

    @Test("a content whose bytes are others now is told so, whatever the transport says of its body")
    func damagedBehindTransport() async throws {
        let (server, first) = try await world()
        try await first.attach(file("meow"), as: "scan", to: task)
        let path = try #require(first.store.contentFolder?.path)
        for name in try contents(first) { try Data("moew".utf8).write(to: URL(filePath: "\(path)/\(name)")) }
        let transport = ScriptedTransport { request in
            do {
                return try await server.transport.send(request)
            } catch is StoreError {
                throw TransportError(code: .invalidRequest, message: "the body cannot be read", mayHaveArrived: true)
            }
        }
        let client = try await Synchronizer(
            routeFile: first.routeFile, store: first.store, transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        try await client.push()
        let refused = try await client.rejected().first?.meta.outgoing?.lastError
        #expect(refused?.message.contains("is not what was attached any more") == true, "\(refused?.message ?? "")")
        #expect(server.received == [])
    }

    @Test("what cannot be attached is told before anything is copied")
    func mistakes() async throws {
        let (_, client) = try await world()
        func code(_ name: String, _ uri: ObjectURI) async -> SyncError.Code? {
            await #expect(throws: SyncError.self) { try await client.attach(file("x"), as: name, to: uri) }?.code
        }
        #expect(await code("skan", task) == .unknownName)
        #expect(await code("scan", ObjectURI(entity: "tasks", id: "7")) == .notFound)
        try await client.delete(task)
        #expect(await code("scan", task) == .wrongState)
        #expect(try contents(client) == [])
        let homeless = try await ContentServer().client(CountingStore())
        let error = await #expect(throws: SyncError.self) {
            try await homeless.attach(file("x"), as: "scan", to: task)
        }
        #expect(error?.code == .wrongState && error?.message.contains("no folder for contents") == true)
    }

    @Test("content for a member that may not be edited is refused before any of it is sent", arguments: [false, true])
    func memberNotToBeEdited(isNow: Bool) async throws {
        let (server, client) = try await world {
            $0.attachments[2].name = Attachment.others
            $0.update.without = ["fixed"]
        }
        for name in ["id", "fixed", "rev"] {
            let error = await #expect(throws: SyncError.self) {
                if isNow {
                    try await client.attachNow(file("x"), as: name, to: task)
                } else {
                    try await client.attach(file("x"), as: name, to: task)
                }
            }
            #expect(error?.code == .invalidRecord, "\(name)")
            #expect(error?.message.contains("the “\(name)” of tasks/1 cannot be edited") == true, "\(name)")
        }
        #expect(try contents(client) == [] && server.received == [])
        #expect(try await client.pending().isEmpty)
    }

    @Test("a media type that no header can hold is refused at once", arguments: ["", "a/b\r\nX: y", "a/ä"])
    func mediaType(_ type: String) async throws {
        let (server, client) = try await world()
        let content = AttachmentContent([1], fileName: "cat.png", mediaType: type)
        let queued = await #expect(throws: SyncError.self) { try await client.attach(content, as: "scan", to: task) }
        let now = await #expect(throws: SyncError.self) { try await client.attachNow(content, as: "scan", to: task) }
        for error in [queued, now] {
            #expect(error?.code == .invalidRecord && error?.message.hasPrefix("the media type of “cat.png”") == true)
        }
        #expect(try contents(client) == [] && server.received == [])
    }

    @Test("where the read before content that is sent at once is not answered, nothing can have happened")
    func failedRead() async throws {
        let (server, client) = try await world()
        for _ in 0..<40 { server.tiny.loseAnswer(to: "GET") }
        let error = await #expect(throws: SyncError.self) {
            try await client.attachNow(file("meow"), as: "scan", to: task)
        }
        #expect(error?.code == .unreachable && error?.mayHaveHappened == false)
        #expect(server.received == [])
    }

    @Test("content of a new object that is accepted and not shown stays with it, and nothing is created twice")
    func acceptedAndNotShown() async throws {
        let (server, client) = try await world {
            $0.lookup = nil
            $0.duplicate = nil
        }
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        server.tiny.answer("POST", with: #"{"id":50}"#, status: 202, processes: false)
        await #expect(throws: SyncError.self) { try await client.editNow(new, setting: [("note", "mine")]) }
        let kept = try #require(try await client.object(at: new))
        #expect(kept.meta.isLocalOnly && kept.meta.uploads.count == 1 && kept.record?["note"] == "mine")
        #expect(try await client.unknown().map(\.uri) == [kept.uri])
        server.tiny.put("tasks", 50, ["title": "b", "note": "mine"])
        try await client.environment.sleep(client.environment.now().advanced(by: .seconds(60)))
        #expect(try await client.push().uploaded == 1)
        #expect(server.received == ["PUT tasks/50/scan meow"])
        #expect(server.tiny.log.count { $0.hasPrefix("POST tasks/") } == 1)
        #expect(try await client.pending().isEmpty)
    }

    @Test("what was attached to an object whose identifier a new one has got goes there only if a person says so")
    func identifierGivenAgain() async throws {
        for isWanted in [true, false] {
            let (server, client) = try await world()
            try await client.attach(file("meow"), as: "scan", to: task)
            try await client.edit(task, setting: [("note", "mine")])
            server.tiny.remove("tasks", 1)
            server.tiny.countFrom(1)
            try await client.save(["title": "new"], as: "tasks")
            #expect(try await client.push().created == 1)
            try await client.push()
            #expect(server.received == [] && server.tiny.rows("tasks").map { $0["note"] } == [nil])
            let refused = try #require(try await client.rejected().first)
            #expect(refused.uri == task && refused.meta.uploads.count == 1 && refused.record?["title"] == "new")
            #expect(refused.meta.outgoing?.lastError?.message.contains("(note, scan)") == true)
            if isWanted { try await client.retry(task) } else { try await client.discard(task) }
            try await client.push()
            #expect(server.received == (isWanted ? ["PUT tasks/1/scan meow"] : []))
            #expect(server.tiny.rows("tasks").map { $0["note"] } == [isWanted ? "mine" : nil])
            #expect(try await client.pending().isEmpty)
        }
    }

    @Test("content that may have arrived is asked about, though its object turns out to be what was created here")
    func joined() async throws {
        for (member, isAsked) in [("files", true), ("scan", false)] {
            let (_, client) = try await world()
            try await client.attach(file("meow"), as: member, to: task)
            let new = try await client.save(["title": "b"], as: "tasks")
            let (store, routeFile) = (client.store, client.routeFile)
            let joined = try await store.write(.power, origin: .push) { [task] transaction -> LocalObject? in
                var shown = try #require(try transaction.object(at: task))
                var sent = Attempt(record: shown.record, revision: shown.meta.revision, sequence: 1)
                sent.upload = shown.meta.uploads[0].id
                shown.meta.outgoing?.phase = .sending(sent)
                shown.meta.outgoing?.unanswered = [ObjectRecord(["title": "sent"])]
                try transaction.put([shown.meta])
                // The answer to the create names what a page has shown meanwhile.
                var made = try #require(try transaction.object(at: new))
                let confirmed = try #require(shown.meta.confirmed)
                made.meta.id = shown.meta.id
                made.meta.state = .synchronized(confirmed)
                try ObjectWriter(routeFile: routeFile, transaction: transaction).put(made, over: new)
                return try transaction.object(at: task)
            }
            let outgoing = try #require(joined?.meta.outgoing)
            #expect(joined?.meta.uploads.count == 1 && outgoing.unanswered.count == 1)
            #expect(outgoing.phase.upload == (isAsked ? joined?.meta.uploads[0].id : nil), "\(member)")
            #expect(try await client.unknown().count == (isAsked ? 1 : 0))
        }
    }

    @Test("the preview shows what a push would upload, behind what goes before it")
    func preview() async throws {
        let (_, client) = try await world()
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "scan", to: new)
        try await client.attach(file("meow"), as: "photo", to: task)
        let preview = try await client.pushPreview()
        #expect(preview.problems.isEmpty)
        let lines = preview.requests.map { "\($0.verb) \($0.request.method) \($0.upload?.member ?? "")" }
        #expect(Set(lines) == ["create POST ", "upload PUT scan", "upload POST photo"], "\(lines)")
    }
}
