import Atmosphere
import AtmosphereJSONFile
import AtmospherePlain
import AtmosphereSwiftTesting
import AtmosphereTesting
import Foundation
import Testing

@testable import TodoModels

@Suite("the application's database as a model layer")
struct TodoModelsTests {
    /// A folder of one test's own.
    private final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "todo-models-" + UUID().uuidString

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let contexts = AppContextSuite(entity: "tasks") { id, variant in
        ObjectRecord([
            "id": .string(id), "title": .string("Title \(variant)"), "done": .bool(variant % 2 == 0),
            "due": "2026-03-01T09:00:00Z", "etag": "unknown here"
        ])
    } inFolder: { folder in
        try TodoModels(path: folder + "/todo.db")
    }

    private static let stores = StoreSuite(inFolder: { folder in
        try await PairedStore(
            TodoModels(path: folder + "/todo.db"), beside: JSONFileStore(path: folder + "/todo.db.atmosphere"))
    })

    @Test("keeps every promise of an app context", arguments: contexts.checks)
    func context(_ check: ConformanceCheck) async throws { try await check.test() }

    @Test("keeps, beside a store, every promise of a store", arguments: stores.checks)
    func store(_ check: ConformanceCheck) async throws { try await check.test() }

    @Test("pulls into the application's table, finds what it edited there, and sends it")
    func synchronizes() async throws {
        let folder = try Folder()
        let path = folder.path + "/todo.db"
        let text = #"""
            {"atmosphere": 1, "style": "plain", "base": "https://api.example.com",
             "store": {"kind": "todo-app", "path": "todo.db"}, "transport": "scripted", "resources": {"tasks": {}}}
            """#
        func task(_ title: String) -> String {
            #"{"id":1,"title":"\#(title)","done":false,"due":"2026-03-01T10:00:00+01:00","color":"red"}"#
        }
        let transport = ScriptedTransport()
        transport.expect("GET", "/tasks", .json("[\(task("Milk"))]"))
        let adapters: [Adapter] = [.plain, .todoApp, .transport("scripted") { _ in transport }]
        let routeFile = try RouteFile.load(
            bytes: Array(text.utf8), source: folder.path + "/atmosphere.json", adapters: adapters)
        let client = try await Synchronizer.open(routeFile, adapters: adapters)
        #expect(try await client.pull().entities["tasks"]?.problem == nil)

        let application = try SQLiteConnection(path: path)
        #expect(
            try application.rows("SELECT server_id, name, due_at FROM todo", [])
                == [[.text("1"), .text("Milk"), .integer(1_772_355_600)]])
        let task1 = ObjectURI(entity: "tasks", id: "1")
        // The table holds the time in a form of its own, which is no edit.
        #expect(try await (client.store as? PairedStore)?.collectEdits(of: [task1]) == [])
        try application.run("UPDATE todo SET name = 'Oat milk' WHERE name = 'Milk'")
        let found = try await (client.store as? PairedStore)?.collectEdits(of: [task1])
        #expect(found == [task1])

        transport.expect("GET", "/tasks/1", .json(task("Milk")))
        transport.expect("PUT", "/tasks/1", .json(task("Oat milk")))
        #expect(try await client.push().failures.isEmpty)
        let sent = try #require(transport.requests.last { $0.request.method == "PUT" })
        // Also what the application does not know goes back to the server.
        #expect(
            sent.text == #"{"title":"Oat milk","done":false,"due":"2026-03-01T10:00:00+01:00","color":"red"}"#)
        try transport.check()
        #expect(try await client.pending().isEmpty)
        try await client.close()
    }
}
