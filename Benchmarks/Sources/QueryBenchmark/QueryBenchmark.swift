import Atmosphere
import AtmospherePlain
import AtmosphereSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What queries, live queries, saves and pushes cost in stores of several sizes.
@main
struct QueryBenchmark {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let folder = arguments.first else {
            print("usage: query-benchmark FOLDER [OBJECTS…]")
            return
        }
        let sizes = arguments.dropFirst().compactMap { Int($0) }
        for size in sizes.isEmpty ? [1_000, 1_000_000] : sizes {
            let bench = Bench(path: "\(folder)/query-\(size).db", objects: size)
            try await bench.run()
        }
    }
}

struct Failure: Error, CustomStringConvertible { var description: String }

struct Bench {
    let path: String
    let objects: Int

    private func open(indexes: String, server: LoopServer) async throws -> Synchronizer {
        let text = """
            {"atmosphere": 1, "style": "plain", "base": "https://loop.example", "resources": {"tasks": {
            "pages": {"kind": "number", "parameter": "page", "first": 1}, "version": "none",
            "types": {"due": "date", "project": "integer", "done": "boolean"}, "indexes": \(indexes)}}}
            """
        let adapters: [Adapter] = [.plain]
        let routeFile = try RouteFile.load(bytes: Array(text.utf8), source: "benchmark.json", adapters: adapters)
        return try await Synchronizer(
            routeFile: routeFile, store: SQLiteStore(path: path), transport: server,
            style: adapters.style(named: "plain"))
    }

    func run() async throws {
        print("\(objects) objects")
        for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) }
        let server = LoopServer(objects: objects)
        let plain = try await open(indexes: "[]", server: server)
        try await show(
            "pull",
            once: {
                let report = try await plain.pull()
                if let problem = report.entities["tasks"]?.problem { throw Failure(description: problem) }
            })
        let query = Query(
            "tasks", where: Query.Field("project") == 7 && Query.Field("done") == false, order: [.init("due")],
            limit: 20)
        let range = Query(
            "tasks", where: Query.Field("due") >= "2031-01-01", order: [.init("due")], limit: 20)
        try await show("without indexes: filter, sort, limit 20", 3) { _ = try await plain.records(matching: query) }
        try await saves(plain, "a save, without indexes")
        try await pushes(plain)
        try await plain.close()

        var opened: Synchronizer?
        let indexes = #"["due", ["project", "done", "due"]]"#
        try await show("making two indexes", once: { opened = try await open(indexes: indexes, server: server) })
        guard let api = opened else { return }
        try await show("indexed: project, not done, by due, limit 20", 200) {
            _ = try await api.records(matching: query)
        }
        try await show("indexed: due from, by due, limit 20", 200) { _ = try await api.records(matching: range) }
        try await show("indexed: count of project 7", 200) {
            _ = try await api.count(Query("tasks", where: Query.Field("project") == 7))
        }
        try await saves(api, "a save, with two indexes")
        try await pushes(api)
        try await live(api, queries: 1)
        try await live(api, queries: 100)
        try await api.close()
    }

    private func saves(_ api: Synchronizer, _ name: String) async throws {
        @Sendable func save() async throws {
            try await api.edit(
                uri(Int.random(in: 1...objects)), setting: [("title", .string("\(Int.random(in: 0...9999))"))])
        }
        try await show(name, 200, save)
        try await show("\(name), each of 1,000 at once", 5, of: 1_000) {
            try await withThrowingTaskGroup { group in
                for _ in 0..<1_000 { group.addTask { try await save() } }
                try await group.waitForAll()
            }
        }
        try await api.push()
    }

    private func pushes(_ api: Synchronizer) async throws {
        var times: [Duration] = []
        for _ in 0..<20 {
            for number in 0..<10 {
                try await api.edit(
                    uri(number * objects / 10 + 1), setting: [("title", .string("\(Int.random(in: 0...99999))"))])
            }
            times.append(try await ContinuousClock().measure { try await api.push() })
        }
        report("planning and sending 10 changes", times)
    }

    /// From the beginning of a save to the moment in which the one query that it concerns has its new answer.
    private func live(_ api: Synchronizer, queries: Int) async throws {
        let watched = (0..<queries).map { number in
            Query(
                "tasks", where: Query.Field("project") == .number(JSONNumber(number)), order: [.init("due")], limit: 20)
        }
        var readers: [Changes<[LocalObject]>.AsyncIterator] = []
        for query in watched {
            var reader = api.changes(of: query).makeAsyncIterator()
            _ = try await reader.next()
            readers.append(reader)
        }
        var first = readers[0]
        guard let target = try await api.records(matching: watched[0]).first?.uri else { return }
        var times: [Duration] = []
        for number in 0..<200 {
            times.append(
                try await ContinuousClock().measure {
                    try await api.edit(target, setting: [("title", .string("live \(number)"))])
                    _ = try await first.next()
                })
        }
        report("a save until its live query shows it, \(queries) open", times)
        withExtendedLifetime(readers) {}
    }

    private func uri(_ id: Int) -> ObjectURI { ObjectURI(entity: "tasks", id: "\(min(max(1, id), objects))") }

    private func show(_ name: String, once body: () async throws -> Void) async throws {
        report(name, [try await ContinuousClock().measure(body)])
    }

    /// - Parameter parts: what the body does, that many times.
    private func show(_ name: String, _ rounds: Int, of parts: Int = 1, _ body: () async throws -> Void) async throws {
        var times: [Duration] = []
        for _ in 0..<rounds { times.append(try await ContinuousClock().measure(body) / parts) }
        report(name, times)
    }

    private func report(_ name: String, _ times: [Duration]) {
        let sorted = times.sorted()
        func text(_ time: Duration) -> String {
            let microseconds = Int(time / .microseconds(1))
            return "\(microseconds / 1000).\(String(String(microseconds % 1000 + 1000).dropFirst())) ms"
        }
        let median = text(sorted[sorted.count / 2])
        print("  \(name): \(median)" + (sorted.count > 10 ? " (99 %: \(text(sorted[sorted.count * 99 / 100])))" : ""))
    }
}
