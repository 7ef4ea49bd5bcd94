import Atmosphere
import Foundation
import Testing

@Suite("stores that commit 41bb2bf has written")
struct OldStoreTests {
    /// How all that is not synchronized stands in the store that was closed.
    private static let closed = [
        "projects: create waits": "create waits",
        "projects: create in doubt, done": "create unknown",
        "projects: create in doubt, not done": "create unknown",
        "projects: create on the wire, done": "create is sent",
        "projects: create on the wire, not done": "create is sent",
        "tasks: edit waits": "update waits",
        "tasks: delete waits": "delete waits",
        "tasks: child waits": "create waits for its parents",
        "tasks: both edited": "update conflicted",
        "tasks: both edited, found by a push": "update conflicted",
        "tasks: edited here, deleted there": "update conflicted",
        "tasks: deleted here, edited there": "delete conflicted",
        "tasks: edit refused": "update rejected",
        "tasks: kept: delete refused": "delete rejected",
        "tasks: bad": "create rejected",
        "tasks: edit in doubt, done": "update failed",
        "tasks: edit in doubt, not done": "update failed",
        "tasks: edit in doubt, done, edited again": "update failed",
        "tasks: delete in doubt, done": "delete failed",
        "tasks: delete in doubt, not done": "delete failed",
        "tasks: create in doubt, done": "create unknown",
        "tasks: create in doubt, not done": "create unknown",
        "tasks: create in doubt, done, then deleted": "delete unknown",
        "tasks: edit on the wire, done": "update is sent",
        "tasks: edit on the wire, not done": "update is sent",
        "tasks: edit on the wire, done, edited again": "update is sent",
        "tasks: delete on the wire, done": "delete is sent",
        "tasks: delete on the wire, not done": "delete is sent",
        "tasks: create on the wire, done": "create is sent",
        "tasks: create on the wire, not done": "create is sent",
        "tasks: create on the wire, done, edited again": "create is sent",
        "tasks: create on the wire, done, then deleted": "delete is sent",
        "notes: content waits": "update waits, scan waits, files waits",
        "notes: edit and content wait": "update waits, scan waits",
        "notes: content in doubt, done": "update failed, scan failed",
        "notes: content in doubt, not done": "update failed, scan failed",
        "notes: added content in doubt, done": "update unknown, files unknown",
        "notes: added content in doubt, not done": "update unknown, files unknown",
        "notes: content on the wire, done": "update is sent, scan is sent",
        "notes: content on the wire, not done": "update is sent, scan is sent",
        "notes: added content on the wire, done": "update is sent, files is sent",
        "notes: create in doubt, done": "create unknown",
        "notes: create in doubt, not done": "create unknown",
        "notes: create on the wire, done": "create is sent",
        "notes: create on the wire, not done": "create is sent"
    ]

    /// What the process had done that was killed: it had found what an earlier one had left on the wire, and sent one create.
    private static let killed = closed.merging([
        "projects: create waits": "create is sent",
        "projects: create on the wire, done": "create unknown",
        "projects: create on the wire, not done": "create unknown"
    ]) { $1 }

    /// What only a person can end.
    private static let undecided = [
        "tasks: both edited": "update conflicted",
        "tasks: both edited, found by a push": "update conflicted",
        "tasks: edited here, deleted there": "update conflicted",
        "tasks: deleted here, edited there": "delete conflicted",
        "tasks: edit refused": "update rejected",
        "tasks: kept: delete refused": "delete rejected",
        "tasks: bad": "create rejected",
        "notes: added content in doubt, done": "update unknown, files unknown",
        "notes: added content in doubt, not done": "update unknown, files unknown",
        "notes: added content on the wire, done": "update unknown, files unknown",
        "notes: create in doubt, done": "create unknown",
        "notes: create in doubt, not done": "create unknown",
        "notes: create on the wire, done": "create unknown",
        "notes: create on the wire, not done": "create unknown"
    ]

    @Test("each object stands as it stood, with all that a person needs to decide", arguments: OldStore.allCases)
    func opened(_ kind: OldStore) async throws {
        let world = try await OldWorld(kind)
        let standing = try await world.standing()
        #expect(standing == (kind.isKilled ? Self.killed : Self.closed))
        #expect(try await world.api.status().map(\.entity) == ["projects", "tasks", "notes", "items", "events"])

        // What is synchronized, also under the address that it had before it was sent.
        for name in ["tasks: synchronized", "tasks: settled", "tasks: both edited, other members"] {
            #expect(try await world.object(name)?.status == .synchronized, "\(name)")
        }
        let settled = try #require(try await world.object("tasks: settled"))
        #expect(try settled.uri != world.uri("tasks: settled") && settled.record?["title"] == "settled")

        // The sides of each conflict.
        for name in ["tasks: both edited", "tasks: both edited, found by a push"] {
            let object = try #require(try await world.object(name))
            let theirs = try #require(object.conflict)
            let title = String(name.dropFirst("tasks: ".count))
            #expect(object.meta.confirmed?.base["title"] == .string(title) && object.record?["title"] == "mine")
            #expect(theirs.theirs?["title"] == "theirs" && theirs.fields == ["title"])
        }
        #expect(try await world.object("tasks: both edited")?.record?["note"] == "mine too")
        let goneThere = try #require(try await world.object("tasks: edited here, deleted there"))
        let goneThereConflict = try #require(goneThere.conflict)
        #expect(goneThereConflict.theirs == nil && goneThere.record?["title"] == "mine")
        let goneHere = try #require(try await world.object("tasks: deleted here, edited there"))
        #expect(goneHere.record == nil && goneHere.conflict?.theirs?["title"] == "theirs")

        // What the server said of each refusal.
        for name in ["tasks: edit refused", "tasks: bad"] {
            let object = try #require(try await world.object(name))
            let failure = try #require(object.refusal)
            #expect(failure.status == 422 && failure.message == "Not taken." && object.record?["title"] == "bad")
            #expect(failure.fields == [.init(field: "title", message: "May not be bad.")])
        }
        let kept = try #require(try await world.object("tasks: kept: delete refused")?.refusal)
        #expect(kept.status == 403 && kept.message == "It is kept.")

        // What was written here, and waits.
        for (name, note) in [
            ("edit waits", "mine"), ("edit in doubt, done", "mine"), ("edit in doubt, not done", "mine"),
            ("edit in doubt, done, edited again", "second"), ("edit on the wire, done", "mine"),
            ("edit on the wire, not done", "mine"), ("edit on the wire, done, edited again", "second"),
            ("create on the wire, done, edited again", "second")
        ] {
            #expect(try await world.object("tasks: \(name)")?.record?["note"] == .string(note), "\(name)")
        }
        let child = try #require(try await world.object("tasks: child waits"))
        #expect(try child.record?["project"] == .string(world.uri("projects: create waits").id))

        // The contents that wait.
        #expect(world.contents.count == 10)
        for (name, member) in [
            ("content waits", "scan"), ("edit and content wait", "scan"), ("content in doubt, done", "scan"),
            ("content in doubt, not done", "scan"), ("added content in doubt, not done", "files"),
            ("content on the wire, not done", "scan"), ("added content on the wire, done", "files")
        ] {
            let content = try await world.api.content(of: member, at: world.uri("notes: \(name)"))
            let text = String(decoding: try await content.bytes.collect(upTo: 1000), as: UTF8.self)
            #expect(text == "\(member) of \(name)")
        }
        #expect(world.server.requests == [])
        try await world.api.close()
    }

    @Test("a pull that was half done goes on where it was", arguments: OldStore.allCases)
    func halfPulled(_ kind: OldStore) async throws {
        let world = try await OldWorld(kind)
        // Two pages of two each were shown.
        #expect(try await world.titles("items") == ["item 1", "item 2", "item 3", "item 4"])
        try await world.api.pull(entities: ["items"])
        let last = try world.uri("items: item 4").id
        #expect(world.server.requests.first == "GET items?page=behind-\(last)")
        // What was changed and deleted on the pages that were shown comes with the next pull.
        try await world.api.pull(entities: ["items"])
        try await world.expectAgreement(on: "items")
        try await world.api.close()
    }

    @Test(
        "a pull of changes that was half done goes on at its cursor, and where everything is listed at times, with that",
        arguments: OldStore.allCases, [false, true])
    func halfPulledChanges(_ kind: OldStore, isListedAtTimes: Bool) async throws {
        let world = try await OldWorld(kind) { routeFile in
            guard !isListedAtTimes else { return }
            for index in routeFile.resources.indices { routeFile.resources[index].since?.fullEvery = nil }
        }
        #expect(
            try await world.titles("events") == [
                "event 1, changed", "event 2, changed", "event 3, changed", "event 4, changed", "event 5", "event 6",
                "event 7"
            ])
        let event = try #require(world.server.rows("events").first { $0["title"] == "event 4, changed" })
        let rev = try #require(event["rev"]?.text)
        try await world.api.pull(entities: ["events"])
        // The store does not say when everything was listed last.
        #expect(world.server.requests.first == (isListedAtTimes ? "GET events" : "GET events?since=\(rev)"))
        try await world.expectAgreement(on: "events")
        try await world.api.close()
    }

    @Test("all comes to rest: every edit is there once, and nothing is lost or doubled", arguments: OldStore.allCases)
    func rests(_ kind: OldStore) async throws {
        let world = try await OldWorld(kind)
        let before = world.server.writes
        try await world.rest()
        let undecided = try await world.standing()
        #expect(undecided == Self.undecided)
        for entity in ["projects", "items", "events"] { try await world.expectAgreement(on: entity) }
        try await decide(world)
        try await world.rest()
        let waiting = try await world.standing()
        #expect(waiting == [:] && world.contents == [])
        for entity in world.server.entities { try await world.expectAgreement(on: entity) }

        // Every write that was due has come, and no other.
        let writes = world.server.writes
        #expect(Array(writes.prefix(before.count)) == before)
        let expected = try Self.writes(world)
        #expect(Array(writes.dropFirst(before.count)).sorted() == expected.sorted())
        // Of all that both versions have sent, only content that replaces came twice.
        let twice = Dictionary(grouping: writes) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        let replaced = try ["content in doubt, done", "content on the wire, done"].map { name in
            "PUT \(try world.uri("notes: \(name)"))/scan scan of \(name)"
        }
        #expect(twice == replaced.sorted())
        for (name, member) in [
            ("content waits", "scan"), ("content waits", "files"), ("edit and content wait", "scan"),
            ("content in doubt, done", "scan"), ("content in doubt, not done", "scan"),
            ("added content in doubt, done", "files"), ("added content in doubt, not done", "files"),
            ("content on the wire, done", "scan"), ("content on the wire, not done", "scan"),
            ("added content on the wire, done", "files")
        ] {
            let place = "\(try world.uri("notes: \(name)"))/\(member)"
            #expect(world.server.contents(place) == ["\(member) of \(name)"], "\(place)")
        }
        for entity in ["projects", "tasks"] {
            let uuids = world.server.rows(entity).map { $0["uuid"]?.text ?? "" }
            #expect(Set(uuids).count == uuids.count, "\(uuids)")
        }
        let notes = world.server.rows("notes").map { $0["title"]?.text ?? "" }
        #expect(Set(notes).count == notes.count, "\(notes)")

        // The addresses that objects had before they were sent lead to them.
        for (name, uri) in world.objects {
            let record = try await world.api.record(at: uri)
            let title = String(name.drop { $0 != ":" }.dropFirst(2))
            if Self.gone.contains(name) {
                #expect(record == nil, "\(name)")
            } else if let now = Self.titles[name] {
                #expect(record?["title"] == .string(now), "\(name)")
            } else {
                #expect(record?["title"] == .string(title), "\(name)")
            }
        }

        // And so it stays.
        world.server.forgetRequests()
        try await world.api.synchronize()
        let requests = world.server.requests
        #expect(requests.allSatisfy { $0.hasPrefix("GET ") && !$0.dropFirst(4).contains("/") }, "\(requests)")
        try await world.api.close()
    }

    private func decide(_ world: OldWorld) async throws {
        let api = world.api
        try await api.resolve(world.uri("tasks: both edited"), .mine)
        try await api.resolve(world.uri("tasks: both edited, found by a push"), .theirs)
        try await api.resolve(world.uri("tasks: edited here, deleted there"), .mine)
        try await api.resolve(world.uri("tasks: deleted here, edited there"), .mine)
        try await api.edit(world.uri("tasks: edit refused"), setting: ["title": "good"])
        try await api.discard(world.uri("tasks: kept: delete refused"))
        try await api.edit(world.uri("tasks: bad"), setting: ["title": "good, created"])
        for moment in ["in doubt", "on the wire"] {
            let title = "create \(moment), done"
            let row = try #require(world.server.rows("notes").first { $0["title"] == .string(title) })
            let id = try #require(row["id"].flatMap { ObjectID($0) })
            try await api.resolve(world.uri("notes: \(title)"), .adopt(id))
            try await api.resolve(world.uri("notes: create \(moment), not done"), .resend)
            try await api.discard(world.uri("notes: added content \(moment), done"))
        }
        try await api.resolve(world.uri("notes: added content in doubt, not done"), .resend)
    }

    /// The titles that are others in the end than in the beginning.
    private static let titles = [
        "tasks: both edited": "mine",
        "tasks: both edited, found by a push": "theirs",
        "tasks: both edited, other members": "theirs, other members",
        "tasks: edited here, deleted there": "mine",
        "tasks: edit refused": "good",
        "tasks: bad": "good, created",
        "notes: edit and content wait": "edit and content wait, mine",
        "items: item 1": "item 1, changed again",
        "items: item 6": "item 6, changed again",
        "events: event 1": "event 1, changed again",
        "events: event 3": "event 3, changed",
        "events: event 4": "event 4, changed",
        "events: event 5": "event 5, changed",
        "events: event 6": "event 6, changed again"
    ]

    private static let gone: Set = [
        "tasks: delete waits", "tasks: deleted here, edited there", "tasks: delete in doubt, done",
        "tasks: delete in doubt, not done", "tasks: delete on the wire, done", "tasks: delete on the wire, not done",
        "tasks: create in doubt, done, then deleted", "tasks: create on the wire, done, then deleted",
        "items: item 2", "items: item 7", "events: event 2", "events: event 7"
    ]

    /// All that the server had not done yet, and what was decided.
    private static func writes(_ world: OldWorld) throws -> [String] {
        func uri(_ name: String) throws -> ObjectURI { try world.uri(name) }
        func created(_ entity: String, _ title: String) throws -> String {
            let row = try #require(world.server.rows(entity).first { $0["uuid"] == .string(title) })
            return try #require(row["id"]?.text)
        }
        let edited = try created("tasks", "create on the wire, done, edited again")
        let project = try created("projects", "create waits")
        var writes = [
            #"POST projects {"title": "create waits", "uuid": "create waits"}"#,
            #"POST tasks {"project": \#(project), "title": "child waits", "uuid": "child waits"}"#,
            #"PATCH tasks/\#(edited) {"note": "second"}"#,
            #"PATCH \#(try uri("notes: edit and content wait")) {"title": "edit and content wait, mine"}"#,
            #"POST \#(try uri("notes: content waits"))/files files of content waits"#,
            // What was decided.
            #"PATCH \#(try uri("tasks: both edited")) {"note": "mine too", "title": "mine"}"#,
            #"POST tasks {"note": "", "project": 1, "title": "mine", "uuid": "edited here, deleted there"}"#,
            #"DELETE \#(try uri("tasks: deleted here, edited there"))"#,
            #"PATCH \#(try uri("tasks: edit refused")) {"title": "good"}"#,
            #"POST tasks {"project": 1, "title": "good, created", "uuid": "bad"}"#,
            #"POST \#(try uri("notes: added content in doubt, not done"))/files "#
                + "files of added content in doubt, not done"
        ]
        for moment in ["in doubt", "on the wire"] {
            let title = "create \(moment), not done"
            writes += ["projects", "tasks"].map { #"POST \#($0) {"title": "\#(title)", "uuid": "\#(title)"}"# }
            writes.append(#"POST notes {"title": "\#(title)"}"#)
            writes.append("DELETE \(try uri("tasks: delete \(moment), not done"))")
            writes.append("DELETE tasks/\(try world.begun("tasks", "create \(moment), done, then deleted"))")
        }
        writes.append("DELETE \(try uri("tasks: delete waits"))")
        for name in ["edit waits", "edit in doubt, not done", "edit on the wire, not done"] {
            writes.append(#"PATCH \#(try uri("tasks: \(name)")) {"note": "mine"}"#)
        }
        for moment in ["in doubt", "on the wire"] {
            writes.append(#"PATCH \#(try uri("tasks: edit \(moment), done, edited again")) {"note": "second"}"#)
            for end in ["done", "not done"] {
                let name = "content \(moment), \(end)"
                writes.append("PUT \(try uri("notes: \(name)"))/scan scan of \(name)")
            }
        }
        for name in ["content waits", "edit and content wait"] {
            writes.append("PUT \(try uri("notes: \(name)"))/scan scan of \(name)")
        }
        return writes
    }
}

extension LocalObject {
    fileprivate var conflict: MetaObject.Conflict? {
        if case .conflicted(_, let conflict) = status { conflict } else { nil }
    }

    fileprivate var refusal: MetaObject.Failure? {
        if case .rejected(_, let failure) = status { failure } else { nil }
    }
}

extension OldWorld {
    fileprivate func titles(_ entity: String) async throws -> [String] {
        try await api.records(matching: Query(entity)).compactMap { $0.record["title"]?.string }.sorted()
    }

    /// The same objects are here and on the server.
    fileprivate func expectAgreement(on entity: String) async throws {
        let here = try await api.records(matching: Query(entity)).map { Value.object($0.record.members) }
        let there = server.rows(entity).map(Value.object)
        let differences =
            here.filter { !there.contains($0) }.map { "here: \($0.text)" }
            + there.filter { !here.contains($0) }.map { "there: \($0.text)" }
        #expect(differences == [] && here.count == there.count, "\(entity)")
    }
}
