import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Cursors and the server's clock")
struct ServerClockTests {
    /// A list of tasks by their time of change, and the `Date` of its answers.
    private final class DatedServer: Sendable {
        let rows = Mutex<[Int: String]>([:])
        let date = Mutex("Sat, 01 Jun 2024 10:00:00 GMT")
        let modified = Mutex("")
        let asked = Mutex<[String?]>([])

        var transport: ScriptedTransport {
            ScriptedTransport { request in
                let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
                let since = target.parameter("since")
                var rows: [Value] = []
                if target.path.hasPrefix("tasks") {
                    self.asked.withLock { $0.append(since) }
                    rows = self.rows.withLock { all in
                        all.filter { since == nil || $0.value >= since! }.sorted { $0.key < $1.key }.map {
                            ["id": .number(JSONNumber($0.key)), "mod": .string($0.value)]
                        }
                    }
                }
                let body: Value = ["results": .array(rows), "next": nil]
                return Response(
                    status: 200,
                    headers: [
                        "Content-Type": "application/json", "Date": self.date.withLock { $0 },
                        "Last-Modified": self.modified.withLock { $0 }
                    ],
                    body: ResponseBody(body.json()))
            }
        }

        func put(_ id: Int, _ time: String) { rows.withLock { $0[id] = time } }
        func say(_ time: String) { date.withLock { $0 = time } }

        func client(
            _ origin: Since.Origin, type: FieldType? = nil, format: String? = nil
        ) async throws -> Synchronizer {
            let format = try format.map { try TimeFormat($0) }
            let routeFile = try TinyWorld.routeFile { tasks in
                tasks.since = Since(parameter: "since", origin: origin)
                tasks.since?.fieldType = type
                tasks.since?.format = format
                tasks.lookup = nil
            }
            return try await Synchronizer(
                routeFile: routeFile, store: MemoryStore(), transport: transport, style: TinyWorld.TinyStyle(),
                environment: TinyWorld.environment())
        }
    }

    private func pull(_ client: Synchronizer) async throws -> PullReport.Entity {
        try #require(try await client.pull(entities: ["tasks"]).entities["tasks"])
    }

    @Test("a row that says that it was changed in the future is told of, and hides nothing that changes before that")
    func future() async throws {
        let server = DatedServer()
        server.put(1, "2024-06-01T09:00:00Z")
        server.put(2, "2099-01-01T00:00:00Z")
        let client = try await server.client(.field(.member("mod")))
        let first = try await pull(client)
        #expect(first.problem == nil && first.inserted == 2 && first.warnings.count == 1)
        #expect(first.warnings.first?.hasPrefix("tasks/2 says that it was changed at 2099-01-01T00:00:00Z") == true)
        server.put(3, "2024-06-01T11:00:00Z")
        server.say("Sat, 01 Jun 2024 12:00:00 GMT")
        #expect(try await pull(client).inserted == 1)
        #expect(server.asked.withLock { $0 } == [nil, "2024-06-01T08:59:00Z"])
    }

    @Test(
        "a time that cannot be read is no cursor, before or behind those that can, and the row is named",
        arguments: ["zzz", "9999-99-99T99:99:99Z", "0"], [0, 9])
    func unreadable(_ text: String, id: Int) async throws {
        let server = DatedServer()
        server.put(id, text)
        server.put(1, "2024-06-01T08:00:00Z")
        server.put(2, "2024-06-01T09:00:00Z")
        let client = try await server.client(.field(.member("mod")))
        let first = try await pull(client)
        #expect(first.problem == nil && first.inserted == 3)
        #expect(
            first.warnings == [
                "tasks/\(id) says “\(text)” at $.mod, which is no time; it is no cursor, or what is changed later would never "
                    + "be asked for"
            ])
        server.put(3, "2024-06-01T11:00:00Z")
        #expect(try await pull(client).inserted == 1)
        #expect(server.asked.withLock { $0 } == [nil, "2024-06-01T08:59:00Z"])
    }

    @Test("a time that cannot be read is no cursor beside the one that the last pull kept")
    func unreadableAlone() async throws {
        let server = DatedServer()
        server.put(1, "2024-06-01T09:00:00Z")
        let client = try await server.client(.field(.member("mod")))
        _ = try await pull(client)
        server.put(1, "zzz")
        #expect(try await pull(client).warnings.count == 1)
        #expect(try await pull(client).warnings.count == 1)
        #expect(server.asked.withLock { $0 } == [nil, "2024-06-01T08:59:00Z", "2024-06-01T08:59:00Z"])
    }

    @Test("what is declared as a time is none otherwise, and a cursor from before that is none is given up")
    func declared() async throws {
        let server = DatedServer()
        server.put(1, "zzz")
        let client = try await server.client(.field(.member("mod")), type: .instant)
        #expect(try await pull(client).warnings.count == 1)
        try await client.store.write(.process, origin: .pull) { transaction in
            let scope = PullScope(entity: "tasks")
            var cursor = try #require(try transaction.cursor(for: scope))
            #expect(cursor.checkpoint == nil)
            cursor.checkpoint = "zzz"
            try transaction.put(cursor, for: scope)
        }
        server.put(1, "2024-06-01T09:00:00Z")
        let report = try await pull(client)
        #expect(
            report.warnings == [
                "tasks: the last pull kept “zzz” as what to ask for changes since, which is no time, so everything is listed"
            ])
        _ = try await pull(client)
        #expect(server.asked.withLock { $0 } == [nil, nil, "2024-06-01T08:59:00Z"])
    }

    @Test(
        "cursors of one kind keep their order",
        arguments: [
            (["9", "10"], nil, "10"), (["00af", "1234"], .string, "1234"), (["a", "b"], nil, "b"),
            (["v2", "7"], .integer, "7"), (["2024-01-02", "2024-01-02T00:00:01Z"], nil, "2024-01-02T00:00:01Z")
        ] as [([String], FieldType?, String)])
    func kinds(_ texts: [String], type: FieldType?, highest: String) {
        var since = Since(parameter: "since", origin: .field(.member("mod")))
        since.fieldType = type
        let other = texts[0] == highest ? texts[1] : texts[0]
        #expect(CursorOrder.isHigher(highest, than: other, in: since))
        #expect(!CursorOrder.isHigher(other, than: highest, in: since))
    }

    @Test("a cursor in the future that was taken over from before is given up, and everything is listed")
    func fromBefore() async throws {
        let server = DatedServer()
        server.put(1, "2024-06-01T09:00:00Z")
        let client = try await server.client(.field(.member("mod")))
        _ = try await pull(client)
        try await client.store.write(.process, origin: .pull) { transaction in
            let scope = PullScope(entity: "tasks")
            var cursor = try #require(try transaction.cursor(for: scope))
            cursor.checkpoint = "2099-01-01T00:00:00Z"
            try transaction.put(cursor, for: scope)
        }
        server.put(2, "2024-06-01T11:00:00Z")
        let report = try await pull(client)
        #expect(report.problem == nil && report.inserted == 1)
        #expect(report.warnings.first?.contains("it was ahead, or was set back; everything is listed anew") == true)
        #expect(try await pull(client).warnings == [])
    }

    @Test("the overlap holds for the date of a header, in the header's form or in the declared one")
    func headerDate() async throws {
        let forms: [(String?, String)] = [
            (nil, "Sat, 01 Jun 2024 09:59:00 GMT"), ("yyyy-MM-dd HH:mm", "2024-06-01 09:59")
        ]
        for (format, sent) in forms {
            let server = DatedServer()
            server.modified.withLock { $0 = "Sat, 01 Jun 2024 10:00:00 GMT" }
            let client = try await server.client(.header("Last-Modified"), format: format)
            for _ in 0..<2 { #expect(try await pull(client).warnings == []) }
            #expect(server.asked.withLock { $0 } == [nil, sent])
        }
    }

    @Test("a header that says no time is no cursor where the form of times is declared, and the pull says so")
    func headerWithoutTime() async throws {
        let server = DatedServer()
        server.modified.withLock { $0 = "yesterday" }
        let client = try await server.client(.header("Last-Modified"), format: "yyyy-MM-dd HH:mm")
        for _ in 0..<2 {
            let warnings = try await pull(client).warnings
            #expect(warnings.count == 1)
            #expect(
                warnings.first?.hasPrefix("tasks: what the next pull would ask with is “yesterday”, which is no time")
                    == true)
        }
        #expect(server.asked.withLock { $0 } == [nil, nil])
    }

    @Test("an answer without the header that the cursor comes from is told, for each pull lists everything then")
    func withoutHeader() async throws {
        for (origin, name) in [(Since.Origin.responseDate, "Date"), (.header("X-Now"), "X-Now")] {
            let server = DatedServer()
            server.say("now")
            let client = try await server.client(origin)
            for _ in 0..<2 {
                #expect(
                    try await pull(client).warnings == [
                        "tasks: the answer has no header \(name) that the next pull could ask with, so that one lists "
                            + "everything again; name another place under “since.from”"
                    ])
            }
            #expect(server.asked.withLock { $0 } == [nil, nil])
        }
    }

    @Test(
        "a header Date in one of the older forms is one",
        arguments: ["Saturday, 01-Jun-24 10:00:00 GMT", "Sat Jun  1 10:00:00 2024"])
    func olderForms(_ date: String) async throws {
        let server = DatedServer()
        server.say(date)
        let client = try await server.client(.responseDate)
        for _ in 0..<2 { #expect(try await pull(client).warnings == []) }
        #expect(server.asked.withLock { $0 } == [nil, "2024-06-01T09:59:00Z"])
    }

    @Test("a clock that was ahead, and is set right, leaves out nothing that was changed between")
    func setBack() async throws {
        let server = DatedServer()
        server.put(1, "2024-06-01T07:00:00Z")
        server.say("Sat, 01 Jun 2024 11:00:00 GMT")
        let client = try await server.client(.responseDate)
        _ = try await pull(client)
        server.put(2, "2024-06-01T10:01:00Z")
        server.say("Sat, 01 Jun 2024 10:04:00 GMT")
        let report = try await pull(client)
        #expect(report.inserted == 1 && report.warnings.count == 1)
        #expect(server.asked.withLock { $0 } == [nil, "2024-06-01T10:59:00Z", nil])
        // Less than the overlap is what several machines differ by.
        server.say("Sat, 01 Jun 2024 10:03:30 GMT")
        #expect(try await pull(client).warnings == [])
    }

    @Test("a cursor that is refused is told with the way out", arguments: [400, 422])
    func refused(_ status: Int) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        world.server.fail(
            .init(applies: { $0.url.contains("tasks/?since=") }, processes: false) {
                Response(status: status, headers: [:], body: ResponseBody([]))
            })
        let problem = try #require(try await world.synchronizer.pull().entities["tasks"]?.problem)
        #expect(problem.contains("(\(status)); this asks for what has changed since the last pull"), "\(problem)")
        #expect(problem.contains("atmos pull tasks --full asks for everything"))
        #expect(problem.contains("rules: [{ status: \(status), method: GET, treat: gone }]"))
    }

    @Test(
        "the rule that is proposed is about the list as it is asked for, and about the error of a success alone",
        arguments: ["GET", "POST"], [400, 200])
    func proposed(_ method: String, _ status: Int) async throws {
        let world = try await TinyWorld {
            $0.list.method = method
            guard status == 200 else { return }
            $0.errors.rules = [
                .init(
                    statuses: [200], path: JSONPath([.member("error"), .member("code")]), treatment: .reject)
            ]
        }
        func pull(_ status: Int, _ body: String) async throws -> PullReport.Entity? {
            world.server.fail(
                .init(applies: { $0.url.contains("/tasks/") }, processes: false) {
                    Response(
                        status: status, headers: ["Content-Type": "application/json"],
                        body: ResponseBody(Array(body.utf8)))
                })
            return try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"]
        }
        let page = #"{"count": 1, "next": null, "results": [{"id": 1, "rev": 5, "title": "a"}]}"#
        #expect(try await pull(200, page)?.inserted == 1)
        let problem = try #require(try await pull(status, #"{"error": {"code": 9, "message": "no"}}"#)?.problem)
        let sign = status == 200 ? #"path: "$.error.code", equals: 9, "# : ""
        #expect(
            problem.contains("rules: [{ status: \(status), method: \(method), \(sign)treat: gone }] }” for tasks"),
            "\(problem)")
        #expect(problem.contains("before its other rules") == (status == 200), "\(problem)")
    }
}
