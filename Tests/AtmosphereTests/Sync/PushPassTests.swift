import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("How far one push goes")
struct PushPassTests {
    private let list = ObjectURI(entity: "lists", id: "1")
    private let task = ObjectURI(entity: "tasks", segments: ["1", "2"])

    /// One list with a task below it, where identifiers are unique below their list; both are edited here.
    private func world() async throws -> (server: TinyServer, synchronizer: Synchronizer) {
        let all = try PathTemplate("lists/{lists.id}/tasks/")
        let one = try PathTemplate("lists/{lists.id}/tasks/{id}/")
        var routeFile = try TinyWorld.routeFile {
            $0.isUniquePerParent = true
            $0.parents = [Reference(entity: "lists", field: "list")]
            $0.conflict.deletedThere = .recreate
            ($0.list.path, $0.create.path) = (all, all)
            ($0.read.path, $0.update.path, $0.delete.path) = (one, one, one)
        }
        routeFile.resources[0].conflict.deletedThere = .recreate
        let server = TinyServer()
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        server.insert("lists", ["title": "Home"])
        server.insert("tasks", ["title": "Milk", "list": 1])
        try await synchronizer.pull()
        try await synchronizer.edit(list, setting: [("title", "House")])
        try await synchronizer.edit(task, setting: [("title", "Oat milk")])
        server.remove("lists", 1)
        server.remove("tasks", 2)
        server.clearLog()
        return (server, synchronizer)
    }

    @Test("a list that is created once more takes its edited tasks along in the same push")
    func createdOnceMore() async throws {
        let (server, synchronizer) = try await world()
        let report = try await synchronizer.push()
        #expect(report.created == 2 && report.held.isEmpty, "\(server.log)")
        #expect(server.rows("lists").map { $0["title"] } == ["House"])
        #expect(server.rows("tasks").map { [$0["title"], $0["list"]] } == [["Oat milk", 3]])
        #expect(try await synchronizer.pending().isEmpty)
    }

    @Test("what waits for an object that did not come to the server is told, and is not tried again and again")
    func held() async throws {
        let (server, synchronizer) = try await world()
        let new = try await synchronizer.save(["title": "bad"], as: "lists")
        let other = try await synchronizer.save(["title": "Bread", "list": .string(new.id)], as: "tasks")
        let report = try await synchronizer.push()
        #expect(report.created == 2)
        #expect(report.held == [other])
        #expect(server.log.count { $0.hasPrefix("POST lists/ ") && $0.contains("bad") } == 1, "\(server.log)")
    }

    // MARK: The machine

    private let levels = [
        PushMachine.Level(entity: "lists", verb: .create), .init(entity: "tasks", verb: .create),
        .init(entity: "lists", verb: .update), .init(entity: "tasks", verb: .update)
    ]

    /// Runs a machine to its end.
    ///
    /// - Parameters:
    ///   - changes: what a level has, by the number of the pass and the level.
    ///   - ending: how a lane ends, and what it has sent.
    /// - Returns: the objects in the order in which they were run.
    private func run(
        changes: (Int, PushMachine.Level) -> [ObjectURI], ending: (ObjectURI) -> (LaneMachine.End, [Verb])
    ) -> (runs: [ObjectURI], passes: Int, report: PushReport) {
        var machine = PushMachine(levels: levels, concurrent: 1, patience: .seconds(30))
        var (runs, passes) = ([ObjectURI](), 0)
        var effects = machine.step(.start)
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .load(let level, let after, _):
                if level == levels[0], after == nil { passes += 1 }
                effects += machine.step(.loaded(after == nil ? changes(passes, level) : []))
            case .run(let uris, _):
                runs += uris
                let ended = uris.map { uri in
                    let (end, sent) = ending(uri)
                    return PushMachine.Ended(uri: uri, place: uri, end: end, sent: sent, ignored: [])
                }
                effects += machine.step(.ended(ended, now: Timestamp(milliseconds: 1)))
            case .wait: effects = []
            }
        }
        return (runs, passes, machine.report)
    }

    @Test("another pass follows what was created in a level of updates, and leaves what has had its turn")
    func late() {
        let refused = ObjectURI(entity: "tasks", id: "9")
        let (runs, passes, report) = run { pass, level in
            switch (pass, level.entity, level.verb) {
            case (1, "lists", .update): [list]
            case (2, "tasks", .create): [refused, task]
            case (_, "tasks", .create): [refused]
            default: []
            }
        } ending: { uri in
            uri == refused ? (.rejected, []) : (.done, [.create])
        }
        #expect(runs == [refused, list, task] && passes == 2 && report.created == 2)
    }

    @Test("no pass follows another for ever")
    func bounded() {
        let (runs, passes, _) = run { _, level in
            level == levels[2] ? [list] : []
        } ending: { _ in
            (.done, [.create])
        }
        #expect(passes == levels.count + 1 && runs.count == passes)
    }

    @Test("one pass is enough where nothing was created late and nothing waits")
    func one() {
        let (_, passes, _) = run { _, level in
            level == levels[0] ? [list] : []
        } ending: { _ in
            (.done, [.create])
        }
        #expect(passes == 1)
    }
}
