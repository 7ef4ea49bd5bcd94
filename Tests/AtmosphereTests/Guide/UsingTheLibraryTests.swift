import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The code of the guide "Using the library", compiled and run.
@Suite("the guide to the library")
struct UsingTheLibraryTests {
    struct Todo: Codable {
        var id = ObjectID.unassigned
        var title: String
        var dueDate: Date?
        var price: Decimal?
        var list: ObjectID?
    }

    @MainActor
    private final class Screen {
        var shown = 0
    }

    @Test("a program adds an index before it opens the route file; what cannot be sorted by is refused")
    func addedIndex() async throws {
        var file = try await Self.world().synchronizer.routeFile
        try file.addIndex(["due_date"], of: "tasks")
        #expect(file.entities.contains("tasks") && file.resource("tasks")?.indexes.last == ["due_date"])
        let wrong = [(["title"], "tasks", "is by “title”"), (["due_date"], "task", "it has lists, tasks")]
        for (fields, entity, reason) in wrong {
            let error = #expect(throws: SyncError.self) {
                var file = file
                try file.addIndex(fields, of: entity)
            }
            #expect(error?.code == .unknownName && error?.message.contains(reason) == true)
        }
    }

    @Test("its code does what it says")
    @MainActor
    func code() async throws {
        let api = try await Self.world().synchronizer

        let tasks = api.objects(Todo.self, in: "tasks", coding: RecordCoding(keys: .snakeCase))
        let uri = try await tasks.create(Todo(title: "Buy milk", price: 1.5))
        try await tasks.edit(uri) { $0.title = "Buy two" }
        #expect(try await tasks.at(uri)?.title == "Buy two")

        if var task = try await tasks.at(uri) {
            task.dueDate = .now
            try await tasks.save(task)
        }
        #expect(try await tasks.at(uri)?.dueDate != nil)

        let list = try await api.save(["title": "Home"], as: "lists")
        let list1 = try await api.reference(to: list)
        try await tasks.edit(uri) { $0.list = list1 }
        let home = try await api.referenced(by: "list", of: uri)
        #expect(home?.record?["title"] == "Home")

        try await queries(tasks)
        try await changes(tasks, api)
        try await decisions(api, uri)
    }

    private nonisolated static func world() async throws -> TinyWorld {
        try await TinyWorld { $0.fields.types = ["due_date": .date] }
    }

    @Test("what asks the server does what it says")
    func server() async throws {
        let tasks = try await Self.world().synchronizer
            .objects(Todo.self, in: "tasks", coding: RecordCoding(keys: .snakeCase))
        let due = Query.Field("due_date")
        var shown: [Bool] = []
        func show(_ list: [TypedObject<Todo>], isCurrent: Bool) { shown.append(isCurrent) }
        for try await (list, isRemote) in tasks.fetch(due == nil, order: [.init("title")]) {
            show(list, isCurrent: isRemote)
        }
        let made = try await tasks.createNow(Todo(title: "Buy bread"))
        let present = try await tasks.refresh(made)
        #expect(shown == [false, true] && present?.title == "Buy bread")
    }

    @Test("a transaction does what it says")
    func transaction() async throws {
        let api = try await Self.world().synchronizer
        let work = try await api.transaction { edits in
            let work = try edits.save(["title": "Work"], as: "lists")
            try edits.save(["title": "Call Ann", "list": edits.reference(to: work).value], as: "tasks")
            if try edits.count(Query("lists")) > 100 { throw CancellationError() }
            return work
        }
        #expect(try await api.record(at: work)?["title"] == "Work")
        #expect(try await api.count(Query("tasks")) == 1)
    }

    private func queries(_ tasks: Objects<Todo>) async throws {
        let title = Query.Field("title"), due = Query.Field("due_date")
        let soon = try await tasks.matching(
            (due < "2030-01-01" || due == nil) && !title.hasPrefix("Draft"), order: [.init("due_date")], limit: 20)
        let open = try await tasks.count(due == nil)
        #expect(soon.count == 1 && open == 0)
    }

    @MainActor
    private func changes(_ tasks: Objects<Todo>, _ api: Synchronizer) async throws {
        let due = Query.Field("due_date")
        let screen = Screen()
        func show(_ list: [TypedObject<Todo>]) { screen.shown += 1 }
        let reading = Task { @MainActor in
            for try await list in tasks.changes(due == nil, order: [.init("title")]) {
                show(list)
            }
        }
        while screen.shown == 0 { await Task.yield() }
        reading.cancel()
        try await reading.value
        do {
            let list = LiveQuery(tasks.changes(order: [.init("title")]))
            let status = LiveSyncStatus(of: api)
            while !list.isLoaded || status.status == nil { await Task.yield() }
            #expect(list.objects.count == 1 && status.status?.counts.changed == 2)
        }
    }

    private func decisions(_ api: Synchronizer, _ uri: ObjectURI) async throws {
        switch try await api.object(at: uri)?.status {
        case .synchronized?, nil: break
        case .waiting(let change, let reason)?: print(change, "waits:", reason)
        case .sending?: print("on its way")
        case .conflicted?: try await api.resolve(uri, .mine)
        case .rejected(_, let failure)?: print(failure.message, failure.fields)
        case .unknown?: print("may have happened:", try await api.candidates(for: uri))
        }
        for object in try await api.rejected() { try await api.retry(object.uri) }
        #expect(try await api.pending().count == 2)
    }

    /// What needs a server, or goes on until it is cancelled: compiled only.
    private func uncalled() async throws {
        let api = try await Synchronizer.open("tasks.yaml", adapters: [.yaml, .djangoREST, .curl, .sqlite])
        try await api.run(Synchronizer.Triggers(interval: .seconds(300)))
        let adapters: [Adapter] = []
        let count = ConflictResolver { clash in
            guard clash.fields == ["count"], let mine = clash.mine["count"]?.number?.int64,
                let theirs = clash.theirs["count"]?.number?.int64
            else { return .declared }
            return mine > theirs ? .mine : .theirs
        }
        let counting = try await Synchronizer.open("tasks.yaml", adapters: adapters, resolvers: ["tasks": count])
        try await counting.close()
    }

    /// The same.
    private func contents(_ api: Synchronizer, _ uri: ObjectURI, _ bytes: [UInt8]) async throws {
        var shown: [[UInt8]] = []
        func show(_ chunk: [UInt8]) { shown.append(chunk) }
        let photo = AttachmentContent(bytes, fileName: "cat.jpg", mediaType: "image/jpeg")
        try await api.attach(photo, as: "photo", to: uri)
        let content = try await api.content(of: "photo", at: uri)
        for try await chunk in content.bytes { show(chunk) }
    }

    @Test("every line of code in the guide is in this file")
    func isComplete() throws {
        let here = try lines(#filePath)
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        let guide = try lines(
            (folder + ["Sources", "Atmosphere", "Atmosphere.docc", "UsingTheLibrary.md"]).joined(separator: "/"))
        let known = Set(here)
        var isCode = false
        var count = 0
        for line in guide {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode {
                count += 1
                #expect(known.contains(line), "not compiled: \(line)")
            }
        }
        #expect(count > 30)
    }

    private func lines(_ path: String) throws -> [String] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
    }
}

extension Adapter {
    // Named as the adapters that the guide opens with, which the core's tests do not link.
    fileprivate static var yaml: Adapter { .memory }
    fileprivate static var djangoREST: Adapter { .memory }
    fileprivate static var curl: Adapter { .memory }
    fileprivate static var sqlite: Adapter { .memory }
}
