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

    /// Pushes a chain of new objects, each of which refers to the one before.
    ///
    /// - Returns: how many changes the push has read.
    private func read(pushingChainOf number: Int) async throws -> Int {
        let store = WalkedStore()
        let world = try await TinyWorld(store: store) {
            $0.references.append(Reference(entity: "tasks", field: "prev"))
        }
        var last: ObjectURI?
        for index in 1...number {
            var members: Value.Members = ["title": .string(String(index))]
            if let last { members["prev"] = .string(last.id) }
            last = try await world.synchronizer.save(members, as: "tasks")
        }
        let walked = store.walked
        let report = try await world.synchronizer.push()
        #expect(report.created == number && report.held.isEmpty)
        let before: [Value?] = world.server.rows("tasks").map { $0["prev"] }
        let expected: [Value?] = [nil] + (1..<number).map { Optional(Value.number(JSONNumber($0))) }
        #expect(before == expected)
        #expect(try await world.synchronizer.pending().isEmpty)
        return store.walked - walked
    }

    @Test("a chain of new objects goes in one push, and ten times as long a one costs about ten times as much")
    func chainOfNew() async throws {
        let few = try await read(pushingChainOf: 10)
        let many = try await read(pushingChainOf: 100)
        #expect(many <= 15 * few)
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
    ///   - releasing: what has waited for the object of a lane that has ended.
    /// - Returns: the objects in the order in which they were run.
    private func run(
        changes: (Int, PushMachine.Level) -> [ObjectURI], ending: (ObjectURI) -> (LaneMachine.End, [Verb]),
        releasing: (ObjectURI) -> [PushMachine.Released] = { _ in [] }
    ) -> (runs: [ObjectURI], passes: Int, report: PushReport) {
        var machine = PushMachine(levels: levels, concurrent: 1, patience: .seconds(30))
        var (runs, passes) = ([ObjectURI](), 0)
        var effects = machine.step(.start)
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .begin: effects += machine.step(.begun)
            case .load(let level, let after, _):
                if level == levels[0], after == nil { passes += 1 }
                effects += machine.step(.loaded(after == nil ? changes(passes, level) : []))
            case .run(let uris, _):
                runs += uris
                let ended = uris.map { uri in
                    let (end, sent) = ending(uri)
                    return PushMachine.Ended(
                        uri: uri, place: uri, end: end, sent: sent, ignored: [], released: releasing(uri))
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

    @Test("a chain of new objects of two entities costs two lanes for each, and its levels are listed once")
    func chain() {
        let chain = (100..<250).map { ObjectURI(entity: $0.isMultiple(of: 2) ? "lists" : "tasks", id: String($0)) }
        var known: Set<ObjectURI> = []
        let (runs, passes, report) = run { _, level in
            level.verb == .create ? chain.filter { $0.entity == level.entity } : []
        } ending: { uri in
            let before = chain.prefix { $0 != uri }.last
            if let before, !known.contains(before) { return (.held(.waitsForParents), []) }
            known.insert(uri)
            return (.done, [.create])
        } releasing: { uri in
            guard known.contains(uri) else { return [] }
            return chain.drop { $0 != uri }.dropFirst().prefix(1).map { .init(uri: $0, verb: .create) }
        }
        #expect(report.created == chain.count && report.held.isEmpty && passes == 1)
        #expect(runs.count < 2 * chain.count)
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
