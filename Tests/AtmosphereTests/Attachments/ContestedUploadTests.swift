import AtmosphereTesting
import Foundation
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

/// What else becomes of the member of content that waits: on the server, or here.
@Suite("Queued uploads and other changes of their members")
struct ContestedUploadTests {
    private let task = ObjectURI(entity: "tasks", id: "1")

    private func file(_ text: String, _ name: String = "cat.png") -> AttachmentContent {
        AttachmentContent(Array(text.utf8), fileName: name, mediaType: "image/png")
    }

    /// A client that has pulled one task with a scan and a photo.
    private func world(
        _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> (server: ContentServer, client: Synchronizer) {
        let server = ContentServer()
        server.tiny.insert("tasks", ["title": "a", "scan": "old", "photo": "old"])
        let client = try await server.client(MemoryStore(), change)
        try await client.pull()
        return (server, client)
    }

    /// The contents that lie beside the store.
    private func kept(_ client: Synchronizer) throws -> Int {
        let path = try #require(client.store.contentFolder?.path)
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).count { $0 != ".lock" }
    }

    private func uploads(_ client: Synchronizer) async throws -> [MetaObject.Upload] {
        try await client.object(at: task)?.meta.uploads ?? []
    }

    private func conflict(_ client: Synchronizer) async throws -> MetaObject.Conflict? {
        guard case .conflicted(let conflict)? = try await client.object(at: task)?.meta.outgoing?.phase else {
            return nil
        }
        return conflict
    }

    private func row(_ server: ContentServer) -> Value.Members { server.tiny.rows("tasks").first ?? [:] }

    // MARK: Others

    @Test(
        "what somebody else has put into a member since content was attached to it is a conflict, and stays",
        arguments: ["scan", "photo"], [true, false])
    func others(_ member: String, _ isPulled: Bool) async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: member, to: task)
        server.tiny.edit("tasks", 1, [member: "theirs"])
        if isPulled {
            try await client.pull()
            #expect(try await conflict(client)?.fields == [member])
        }
        try await client.push()
        let found = try #require(try await conflict(client))
        #expect(found.fields == [member] && found.theirs?[member] == "theirs")
        #expect(row(server)[member] == "theirs")
        // What refers to content is compared again before it is sent.
        #expect(server.received.isEmpty == (isPulled || member == "scan"))
        // Nothing changes by another push.
        try await client.push()
        #expect(try await conflict(client) != nil && row(server)[member] == "theirs")
    }

    @Test("content that the server asks to wait is compared once more after the pause", arguments: [429, 503])
    func pause(_ status: Int) async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.clearLog()
        server.fail(.refuse(status))
        #expect(try await client.push().uploaded == 1 && server.received == ["PUT tasks/1/scan meow"])
        #expect(server.tiny.log.prefix(2) == ["GET tasks/1/", "GET tasks/1/"], "\(server.tiny.log)")
    }

    @Test("where the server's value is what it was, there is no conflict any more")
    func backAgain() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        for value in ["theirs", "old"] as [Value] {
            server.tiny.edit("tasks", 1, ["scan": value])
            try await client.pull()
            #expect(try await conflict(client)?.fields == (value == "old" ? nil : ["scan"]))
        }
        #expect(try await client.push().uploaded == 1 && server.received == ["PUT tasks/1/scan meow"])
    }

    @Test("mine uploads the content over theirs", arguments: ["scan", "photo"])
    func mine(_ member: String) async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: member, to: task)
        server.tiny.edit("tasks", 1, [member: "theirs", "title": "b"])
        try await client.pull()
        try await client.resolve(task, .mine)
        #expect(try await client.push().uploaded == 1)
        #expect(row(server)[member] == (member == "scan" ? "1" : "token of meow") && row(server)["title"] == "b")
        #expect(try await client.pending().isEmpty && kept(client) == 0)
    }

    @Test("theirs, and a value that is set instead, drop the content, and nothing else that waits")
    func theirs() async throws {
        for value in [nil, "other"] as [Value?] {
            let (server, client) = try await world()
            try await client.attach(file("meow"), as: "scan", to: task)
            try await client.attach(file("more"), as: "files", to: task)
            try await client.edit(task, setting: ["note": "mine"])
            server.tiny.edit("tasks", 1, ["scan": "theirs"])
            try await client.pull()
            let both = await #expect(throws: SyncError.self) { try await client.resolve(task, .both(setting: [])) }
            #expect(both?.message.contains("“scan” of tasks/1 is no text on both sides") == true)
            let resolution: Synchronizer.Resolution = if let value { .set([("scan", value)]) } else { .theirs }
            try await client.resolve(task, resolution)
            #expect(try await uploads(client).map(\.member) == ["files"] && kept(client) == 1)
            let report = try await client.push()
            #expect(report.uploaded == 1 && server.received == ["POST tasks/1/files more"])
            #expect(row(server)["scan"] == value ?? "theirs" && row(server)["note"] == "mine")
            #expect(try await client.pending().isEmpty && kept(client) == 0)
        }
    }

    @Test("values of other members leave the content, which goes over theirs", arguments: ["scan", "photo"])
    func otherValues(_ member: String) async throws {
        for isAlone in [false, true] {
            let (server, client) = try await world()
            try await client.attach(file("meow"), as: member, to: task)
            if !isAlone { try await client.edit(task, setting: ["title": "mine"]) }
            server.tiny.edit("tasks", 1, [member: "theirs", "title": "theirs"])
            try await client.pull()
            #expect(try await conflict(client)?.fields.sorted() == (isAlone ? [member] : [member, "title"]))
            try await client.resolve(task, .set([("title", "both")]))
            #expect(try await uploads(client).map(\.base) == ["theirs"])
            #expect(try await client.push().uploaded == 1)
            #expect(row(server)[member] == (member == "scan" ? "1" : "token of meow") && row(server)["title"] == "both")
            #expect(try await client.pending().isEmpty && kept(client) == 0)
        }
    }

    @Test("a conflict about content alone ends where the content is dropped")
    func dropped() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.edit("tasks", 1, ["scan": "theirs"])
        try await client.pull()
        let waiting = try #require(try await uploads(client).first)
        try await client.discard(waiting, of: task)
        #expect(try await client.pending().isEmpty)
        #expect(try await client.record(at: task)?["scan"] == "theirs")
    }

    @Test("a policy decides about content as about an edit")
    func policies() async throws {
        for policy in [ConflictRules.Policy.mine, .theirs] {
            let (server, client) = try await world { $0.conflict.fields = ["scan": policy] }
            try await client.attach(file("meow"), as: "scan", to: task)
            server.tiny.edit("tasks", 1, ["scan": "theirs"])
            try await client.pull()
            #expect(try await uploads(client).count == (policy == .mine ? 1 : 0))
            try await client.push()
            #expect(row(server)["scan"] == (policy == .mine ? "1" : "theirs"))
            #expect(try await client.pending().isEmpty)
        }
    }

    @Test("a member that the server alone sets is compared as any other")
    func readonly() async throws {
        let (server, client) = try await world { $0.readonly.insert("scan") }
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.edit("tasks", 1, ["scan": "theirs"])
        try await client.push()
        #expect(try await conflict(client)?.fields == ["scan"] && server.received.isEmpty)
        try await client.resolve(task, .mine)
        #expect(try await client.push().uploaded == 1 && row(server)["scan"] == "1")
    }

    @Test("content that adds to a member replaces nothing, and is sent")
    func adding() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "files", to: task)
        server.tiny.edit("tasks", 1, ["files": "theirs"])
        try await client.pull()
        #expect(try await client.push().uploaded == 1)
    }

    /// The next look-up is never made.
    private func stopAtLookUp(_ server: ContentServer) {
        server.tiny.fail(
            .init(applies: { $0.url.contains("uuid=") }, processes: false, outcome: { throw CancellationError() }))
    }

    @Test(
        "what a look-up finds in a member that the lost create did not send is a conflict", arguments: ["scan", "photo"]
    )
    func lostCreate(_ member: String) async throws {
        for theirs in ["theirs", nil] as [Value?] {
            let (server, client) = try await world()
            let new = try await client.save(["title": "b"], as: "tasks")
            try await client.attach(file("meow"), as: member, to: new)
            server.tiny.loseAnswer(to: "POST")
            stopAtLookUp(server)
            await #expect(throws: CancellationError.self) { try await client.push() }
            #expect(server.tiny.rows("tasks").count == 2)
            if let theirs { server.tiny.edit("tasks", 2, [member: theirs]) }
            try await client.push()
            if theirs != nil {
                let asked = try await client.conflicts()
                guard case .conflicted(let conflict)? = asked.first?.meta.outgoing?.phase else {
                    Issue.record("no conflict")
                    continue
                }
                #expect(conflict.fields == [member] && server.received.isEmpty)
                #expect(server.tiny.rows("tasks").last?[member] == "theirs")
                try await client.resolve(new, .mine)
            }
            try await client.push()
            #expect(server.tiny.rows("tasks").last?[member] == (member == "scan" ? "1" : "token of meow"))
            #expect(try await client.pending().isEmpty && server.received.count == 1)
        }
    }

    @Test("what another has put into an object that is made anew is a conflict")
    func madeAnew() async throws {
        let server = ContentServer()
        server.tiny.insert(
            "tasks", ["title": "a", "scan": "old", "uuid": "0190a2b4-0000-7000-8000-00000000000a"])
        let client = try await server.client(MemoryStore()) { $0.conflict.deletedThere = .recreate }
        try await client.pull()
        try await client.attach(file("meow"), as: "scan", to: task)
        server.tiny.remove("tasks", 1)
        server.tiny.loseAnswer(to: "POST")
        stopAtLookUp(server)
        await #expect(throws: CancellationError.self) { try await client.push() }
        #expect(server.tiny.rows("tasks").count == 1)
        server.tiny.edit("tasks", 2, ["scan": "theirs"])
        try await client.push()
        #expect(try await client.conflicts().count == 1 && server.received.isEmpty)
        #expect(row(server)["scan"] == "theirs")
        try await client.resolve(task, .mine)
        #expect(try await client.push().uploaded == 1 && row(server)["scan"] == "1")
        #expect(try await client.pending().isEmpty)
    }

    // MARK: Own changes

    @Test("what this client has put there itself is no conflict")
    func own() async throws {
        let (server, client) = try await world()
        try await client.edit(task, setting: ["scan": "edited", "photo": "edited"])
        try await client.attach(file("meow"), as: "scan", to: task)
        try await client.attach(file("purr"), as: "photo", to: task)
        #expect(try await client.push().uploaded == 2)
        #expect(row(server)["scan"] == "1" && row(server)["photo"] == "token of purr")
        // One behind the other, the second attached while the first is on the wire.
        for member in ["scan", "photo"] {
            try await client.attach(file("first"), as: member, to: task)
            let task = task
            let later = file("second")
            server.beforeAnswer.withLock { hook in
                hook = {
                    server.beforeAnswer.withLock { $0 = nil }
                    try await client.attach(later, as: member, to: task)
                }
            }
            #expect(try await client.push().uploaded == 2)
            #expect(server.received.last?.hasSuffix(" second") == true)
        }
        #expect(row(server)["scan"] == "3" && row(server)["photo"] == "token of second")
        #expect(try await client.pending().isEmpty)
    }

    @Test("content that has arrived without an answer is no conflict with itself")
    func lostAnswer() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "scan", to: task)
        for _ in 0..<40 { server.fail(.loseAnswer) }
        #expect(try await client.push().uploaded == 0)
        #expect(row(server)["scan"] != "old")
        server.forgetFaults()
        try await client.pull()
        #expect(try await conflict(client) == nil)
        try await client.environment.sleep(client.environment.now().advanced(by: .seconds(3_600)))
        #expect(try await client.push().uploaded == 1)
        #expect(try await client.pending().isEmpty)
    }

    // MARK: Newer ones

    @Test("content that is sent at once takes the place of what waited for the member", arguments: ["scan", "photo"])
    func atOnce(_ member: String) async throws {
        let (server, client) = try await world()
        try await client.attach(file("older"), as: member, to: task)
        try await client.attach(file("more"), as: "files", to: task)
        try await client.attachNow(file("newer"), as: member, to: task)
        #expect(try await uploads(client).map(\.member) == ["files"] && kept(client) == 1)
        #expect(try await client.push().uploaded == 1)
        #expect(server.received.map { $0.split(separator: " ").last } == ["newer", "more"])
        #expect(row(server)[member] == (member == "scan" ? "1" : "token of newer"))
        #expect(try await client.pending().isEmpty && kept(client) == 0)
    }

    @Test("of contents that are sent at once to an object as it was seen, one is sent", arguments: ["scan", "photo"])
    func atOnceWhere(_ member: String) async throws {
        let (server, client) = try await world()
        let task = task
        let seen = try await client.object(at: task)?.record
        let condition: @Sendable (LocalObject) throws -> Void = { object in
            guard object.record == seen else { throw SyncError(code: .wrongState, message: "another by now") }
        }
        let sent = await withTaskGroup(of: Int.self) { group in
            for number in 1...4 {
                let content = file("\(number)")
                group.addTask {
                    let place = try? await client.attachNow(content, as: member, to: task, where: condition)
                    return place == nil ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sent == 1 && server.received.count == 1)
        #expect(try await client.pending().isEmpty)
    }

    @Test("content that is attached while another is sent at once is newer than that", arguments: ["scan", "photo"])
    func whileAtOnce(_ member: String) async throws {
        let (server, client) = try await world()
        let task = task
        let later = file("newest")
        server.beforeAnswer.withLock { hook in
            hook = {
                server.beforeAnswer.withLock { $0 = nil }
                try await client.attach(later, as: member, to: task)
            }
        }
        try await client.attachNow(file("newer"), as: member, to: task)
        #expect(try await uploads(client).count == 1)
        #expect(try await client.push().uploaded == 1)
        #expect(row(server)[member] == (member == "scan" ? "2" : "token of newest"))
        #expect(try await client.pending().isEmpty)
    }

    @Test("content that is sent at once takes the place of an edit of its member before it, and of no other edit")
    func atOnceOverEdit() async throws {
        for value in ["mine", .null] as [Value] {
            for isAlone in [true, false] {
                let (server, client) = try await world()
                try await client.edit(task, setting: [("scan", value)])
                if !isAlone { try await client.edit(task, setting: [("title", "b")]) }
                try await client.attachNow(file("meow"), as: "scan", to: task)
                #expect(try await client.pending().isEmpty == isAlone)
                try await client.push()
                #expect(row(server)["scan"] == "1" && row(server)["title"] == (isAlone ? "a" : "b"))
                #expect(server.tiny.log.count { $0.hasPrefix("PATCH") } == (isAlone ? 0 : 1))
                #expect(try await client.pending().isEmpty)
            }
        }
    }

    @Test("an edit before content that is sent at once waits on where the server has not said that it has the content")
    func atOnceUnanswered() async throws {
        let (server, client) = try await world()
        try await client.edit(task, setting: [("scan", "mine")])
        server.fail(.loseAnswer)
        await #expect(throws: SyncError.self) { try await client.attachNow(file("meow"), as: "scan", to: task) }
        #expect(try await client.push().updated == 1)
        #expect(try await client.conflicts().isEmpty && row(server)["scan"] == "mine")
        #expect(try await client.pending().isEmpty)
    }

    @Test("an edit of the member while content is sent at once is newer than that")
    func editedWhileAtOnce() async throws {
        let (server, client) = try await world()
        try await client.edit(task, setting: [("scan", "older")])
        let task = task
        server.beforeAnswer.withLock { $0 = { try await client.edit(task, setting: [("scan", "newer")]) } }
        try await client.attachNow(file("meow"), as: "scan", to: task)
        server.beforeAnswer.withLock { $0 = nil }
        try await client.push()
        #expect(try await client.conflicts().isEmpty && row(server)["scan"] == "newer")
        #expect(try await client.pending().isEmpty)
    }

    @Test("an edit of the member takes the place of the content that waits for it")
    func edited() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "photo", to: task)
        try await client.edit(task, setting: ["title": "b"])
        #expect(try await uploads(client).count == 1)
        try await client.edit(task, setting: ["photo": "newer"])
        #expect(try await uploads(client).isEmpty && kept(client) == 0)
        #expect(try await client.push().uploaded == 0 && row(server)["photo"] == "newer")

        try await client.attach(file("meow"), as: "photo", to: task)
        try await client.editNow(task, setting: [("photo", "newest")])
        #expect(row(server)["photo"] == "newest" && server.received.isEmpty)
        #expect(try await client.pending().isEmpty && kept(client) == 0)
    }

    @Test("an edit of the member while the content is on the wire is newer than what that sets")
    func editedMeanwhile() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "photo", to: task)
        let task = task
        server.beforeAnswer.withLock { $0 = { try await client.edit(task, setting: ["photo": "newer"]) } }
        try await client.push()
        #expect(server.received == ["POST uploads/ meow"] && row(server)["photo"] == "newer")
        #expect(try await client.pending().isEmpty && kept(client) == 0)
    }

    @Test("a synchronous create that does not take place leaves what waits for its member")
    func createdAtOnce() async throws {
        let (server, client) = try await world()
        let new = try await client.save(["title": "b"], as: "tasks")
        try await client.attach(file("meow"), as: "photo", to: new)
        server.tiny.answer("POST", with: #"{"detail":"no"}"#, status: 400, processes: false)
        await #expect(throws: SyncError.self) { try await client.editNow(new, setting: [("photo", "newer")]) }
        #expect(try await client.object(at: new)?.meta.uploads.count == 1 && kept(client) == 1)
        let made = try await client.editNow(new, setting: [("photo", "newer")])
        #expect(try await client.object(at: made)?.meta.uploads.isEmpty == true && kept(client) == 0)
        #expect(server.tiny.rows("tasks").last?["photo"] == "newer")
    }

    @Test("while another process pushes, nothing is sent at once", arguments: ["scan", "files", "photo"])
    func otherProcess(_ member: String) async throws {
        let (server, client) = try await world()
        let lock = try #require(try await client.store.lockForPush())
        let error = await #expect(throws: SyncError.self) {
            try await client.attachNow(file("meow"), as: member, to: task)
        }
        #expect(error?.code == .pushedElsewhere && server.received.isEmpty)
        lock.release()
        try await client.attachNow(file("meow"), as: member, to: task)
        #expect(server.received.count == 1 && row(server)[member] != "old")
    }

    @Test("content that is sent at once does not go over what was never shown here")
    func neverShown() async throws {
        for policy in [ConflictRules.Policy.merge, .mine] {
            let (server, client) = try await world { $0.conflict.fields = ["scan": policy] }
            try await client.attachNow(file("first"), as: "scan", to: task)
            server.tiny.edit("tasks", 1, ["scan": "theirs"])
            if policy == .merge {
                let error = await #expect(throws: SyncError.self) {
                    try await client.attachNow(file("meow"), as: "scan", to: task)
                }
                #expect(error?.code == .wrongState, "\(String(describing: error))")
                #expect(error?.message.contains("“scan” of tasks/1 was changed on the server") == true)
                #expect(server.received.count == 1 && row(server)["scan"] == "theirs")
            }
            // It has been shown now.
            try await client.attachNow(file("meow"), as: "scan", to: task)
            #expect(row(server)["scan"] == "2" && server.received.last == "PUT tasks/1/scan meow")
            #expect(try await client.pending().isEmpty)
        }
    }

    // MARK: Refused ones

    @Test("another content takes the place of an edit that refers to one and was refused")
    func refusedEdit() async throws {
        let (server, client) = try await world()
        try await client.attach(file("bad"), as: "photo", to: task)
        server.tiny.answer("PATCH", with: #"{"photo":["no picture"]}"#, status: 422, processes: false)
        try await client.push()
        #expect(try await client.rejected().map(\.uri) == [task])
        try await client.attach(file("good"), as: "photo", to: task)
        let report = try await client.push()
        #expect(report.uploaded == 1 && report.updated == 1 && row(server)["photo"] == "token of good")
        #expect(try await client.pending().isEmpty)
    }

    @Test("what was refused of other members stays so when content is attached")
    func otherRefusal() async throws {
        let (server, client) = try await world()
        try await client.edit(task, setting: ["title": "bad"])
        try await client.push()
        try await client.attach(file("meow"), as: "photo", to: task)
        try await client.push()
        #expect(try await client.rejected().map(\.uri) == [task] && server.received.isEmpty)
    }

    @Test("another content takes the place of a refused one, also where it adds something; what waited beside stays")
    func refusedUpload() async throws {
        let (server, client) = try await world()
        try await client.attach(file("1"), as: "files", to: task)
        try await client.attach(file("2"), as: "files", to: task)
        server.fail(.refuse(422))
        try await client.push()
        try await client.attach(file("3"), as: "files", to: task)
        #expect(try await client.push().uploaded == 2)
        #expect(server.received == ["POST tasks/1/files 2", "POST tasks/1/files 3"])
        #expect(try await client.pending().isEmpty && kept(client) == 0)
    }

    @Test("null is nothing to refer to: the member stays as it is, and so does the content")
    func null() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "photo", to: task)
        server.fail(.reply(["token": .null]))
        try await client.push()
        let failure = try #require(try await client.rejected().first?.meta.outgoing?.lastError)
        #expect(failure.message.contains("holds nothing to refer to at") && row(server)["photo"] == "old")
        #expect(try kept(client) == 1)
    }

    // MARK: Deleted there

    @Test("content is a change of an object that the server has deleted", arguments: ["scan", "files"])
    func deletedThere(_ member: String) async throws {
        for rule in [ConflictRules.DeleteRule.ask, .recreate, .delete] {
            let (server, client) = try await world { $0.conflict.deletedThere = rule }
            try await client.attach(file("meow"), as: member, to: task)
            server.tiny.remove("tasks", 1)
            let report = try await client.push()
            #expect(report.created == (rule == .recreate ? 1 : 0) && report.uploaded == report.created)
            // The one that the server answers with 404 stands there, too.
            #expect(server.received.count == report.uploaded + (member == "files" ? 1 : 0))
            #expect(server.tiny.rows("tasks").count == report.created)
            let asked = try await client.conflicts()
            #expect(asked.map(\.uri) == (rule == .ask ? [task] : []))
            #expect(try await client.pending().count == asked.count)
        }
    }

    @Test("an address of content that does not answer for an object which is there is told, and tried once")
    func wrongAddress() async throws {
        let (server, client) = try await world()
        try await client.attach(file("meow"), as: "files", to: task)
        server.fail(.refuse(404))
        try await client.push()
        let failure = try #require(try await client.rejected().first?.meta.outgoing?.lastError)
        #expect(failure.message.contains("the server shows it, and answers “POST tasks/{id}/files”"), "\(failure)")
        #expect(failure.message.hasSuffix("atmos discard tasks/1 --upload files") && server.received.isEmpty)
        try await client.retry(task)
        #expect(try await client.push().uploaded == 1)
    }
}
