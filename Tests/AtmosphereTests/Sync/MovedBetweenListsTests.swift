import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// Two lists of tasks whose identifiers are unique on the whole server. What leaves a list leaves a tombstone there.
@Suite("Objects that move from one parent's list to another's")
struct MovedBetweenListsTests {
    /// Where the tombstones stand.
    enum Mark: CaseIterable, Sendable { case amongTheRows, inListsOfTheirOwn }

    /// What single tasks can be read by.
    enum Reading: CaseIterable, Sendable { case ownPath, pathOfTheList, nothing }

    private final class Server: Sendable {
        struct Row {
            var list: Int
            var title: String
            var revision: Int
        }

        struct State {
            var revision = 0
            var tasks: [Int: Row] = [:]
            var tombstones: [(id: Int, list: Int, revision: Int)] = []
            var log: [String] = []
            /// The next request to it gets no answer.
            var broken: String?
            /// What happens when a list has been answered, once.
            var after: [String: @Sendable (Server) -> Void] = [:]
        }

        let state = Mutex(State())
        let mark: Mark
        /// Lists of changes show the last one once more.
        let isInclusive: Bool

        init(_ mark: Mark, isInclusive: Bool = false) { (self.mark, self.isInclusive) = (mark, isInclusive) }

        var log: [String] { state.withLock { $0.log } }
        func clearLog() { state.withLock { $0.log = [] } }

        func after(_ path: String, _ body: @escaping @Sendable (Server) -> Void) {
            state.withLock { $0.after[path] = body }
        }

        func put(_ id: Int, in list: Int) {
            state.withLock { state in
                state.revision += 1
                state.tasks[id] = Row(list: list, title: "a", revision: state.revision)
            }
        }

        /// - Parameter list: nil where it is deleted.
        func take(_ id: Int, to list: Int?, leavesTombstone: Bool = true) {
            state.withLock { state in
                guard var task = state.tasks[id] else { return }
                state.revision += 1
                if leavesTombstone {
                    state.tombstones.append((id: id, list: task.list, revision: state.revision))
                }
                task.revision = state.revision
                task.list = list ?? 0
                state.tasks[id] = list == nil ? nil : task
            }
        }

        func answer(_ request: Request) throws -> Response {
            let target = RequestTarget(String(request.url.dropFirst("https://tiny.example/api/".count)))
            let response = try state.withLock { state in
                state.log.append("\(request.method) \(target.path)")
                if state.broken == target.path {
                    state.broken = nil
                    throw TransportError(code: .connectionLost, message: "lost", mayHaveArrived: true)
                }
                return answer(request, target, &state)
            }
            if let after = state.withLock({ $0.after.removeValue(forKey: target.path) }) { after(self) }
            return response
        }

        private func answer(_ request: Request, _ target: RequestTarget, _ state: inout State) -> Response {
            func json(_ text: String) -> Response {
                Response(
                    status: 200, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(text.utf8)))
            }
            func shown(_ id: Int, _ task: Row) -> String {
                return #"{"id":\#(id),"list":\#(task.list),"title":"\#(task.title)","rev":\#(task.revision)}"#
            }
            func list(_ rows: [String]) -> Response { json(#"{"results":[\#(rows.joined(separator: ","))]}"#) }
            let parts = target.path.split(separator: "/").map(String.init)
            if parts == ["lists"] { return list([#"{"id":1}"#, #"{"id":2}"#]) }
            let since = target.count("since") ?? 0
            let above = parts[0] == "lists" ? Int(parts[1]) : nil
            let first = since + (isInclusive ? 0 : 1)
            let gone = state.tombstones.filter { $0.list == above && $0.revision >= first }
            switch (parts.count, parts.last) {
            case (2, _) where above != nil: return json(#"{"id":\#(parts[1])}"#)
            case (3, "tasks"):
                let rows = state.tasks.filter { $0.value.list == above && $0.value.revision >= first }
                    .sorted { $0.key < $1.key }
                let marks = mark == .amongTheRows ? gone : []
                return list(
                    rows.map { shown($0.key, $0.value) }
                        + marks.map { #"{"id":\#($0.id),"list":\#($0.list),"deleted":true,"rev":\#($0.revision)}"# })
            case (3, "gone"): return list(gone.map { #"{"id":\#($0.id),"rev":\#($0.revision)}"# })
            default: break
            }
            guard let id = parts.last.flatMap({ Int($0) }), var task = state.tasks[id],
                above == nil || above == task.list
            else { return Response(status: 404) }
            if request.method == "PATCH" {
                state.revision += 1
                task.title = "mine"
                task.revision = state.revision
                state.tasks[id] = task
            }
            return json(shown(id, task))
        }
    }

    private let uri = ObjectURI(entity: "tasks", id: "7")

    /// One list is read after the other, the first one first.
    private func client(
        of server: Server, _ reading: Reading, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> Synchronizer {
        var routeFile = try TinyWorld.routeFile { tasks in
            tasks.list.path = try! PathTemplate("lists/{lists.id}/tasks/")
            tasks.parents = [Reference(entity: "lists", field: "list")]
            tasks.paging = .none
            tasks.version = .none
            tasks.lookup = nil
            tasks.duplicate = nil
            switch reading {
            case .ownPath: break
            case .pathOfTheList: tasks.read.path = try! PathTemplate("lists/{lists.id}/tasks/{id}/")
            case .nothing: tasks.read.isOffered = false
            }
            switch server.mark {
            case .amongTheRows: tasks.deletes.field = .member("deleted")
            case .inListsOfTheirOwn:
                var list = TombstoneList(
                    list: Operation(method: "GET", path: try! PathTemplate("lists/{lists.id}/gone/")))
                list.items = .member("results")
                list.since = tasks.since
                tasks.deletes.list = list
            }
            change(&tasks)
        }
        routeFile.resources[0].paging = .none
        routeFile.resources[0].since = nil
        routeFile.limits.concurrent = 1
        return try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: ScriptedTransport { try server.answer($0) },
            style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
    }

    private func pull(_ client: Synchronizer) async throws -> PullReport.Entity {
        try #require(try await client.pull().entities["tasks"])
    }

    /// The object is here, below that list, and nothing speaks against it.
    private func expectThere(
        _ report: PullReport.Entity, _ list: Int, _ client: Synchronizer, isEdited: Bool
    ) async throws {
        #expect(report.problem == nil && report.warnings == [], "\(report)")
        #expect(report.deleted == 0 && report.conflicted == 0 && report.inserted == 0, "\(report)")
        let object = try #require(try await client.object(at: uri))
        #expect(object.record?["list"] == .number(JSONNumber(list)))
        #expect(object.record?["title"] == (isEdited ? "mine" : "a"))
        #expect(object.meta.isChanged == isEdited && !object.meta.isGoneThere && !object.meta.isLocalOnly)
    }

    @Test(
        "stay, whichever of the two lists is read first, and keep what was edited here", arguments: Mark.allCases,
        Reading.allCases)
    func moved(mark: Mark, reading: Reading) async throws {
        for isEdited in [false, true] {
            for (from, to) in [(1, 2), (2, 1)] {
                let server = Server(mark)
                let client = try await client(of: server, reading) { $0.conflict.deletedThere = .recreate }
                server.put(7, in: from)
                _ = try await pull(client)
                if isEdited { try await client.edit(uri, setting: [("title", "mine")]) }
                server.take(7, to: to)
                server.clearLog()
                try await expectThere(try await pull(client), to, client, isEdited: isEdited)
                #expect(!server.log.contains { $0.hasSuffix("/7/") }, "the other list tells")
                try await expectThere(try await pull(client), to, client, isEdited: isEdited)
                try await client.push()
                #expect(!server.log.contains { $0.hasPrefix("POST") }, "\(server.log)")
                #expect(server.state.withLock { $0.tasks.count } == 1)
            }
        }
    }

    @Test(
        "stay when they move to a list that was read already: a read decides, or another look at the lists",
        arguments: Mark.allCases, Reading.allCases)
    func movedMeanwhile(mark: Mark, reading: Reading) async throws {
        for isEdited in [false, true] {
            let server = Server(mark)
            let client = try await client(of: server, reading)
            server.put(7, in: 2)
            _ = try await pull(client)
            if isEdited { try await client.edit(uri, setting: [("title", "mine")]) }
            server.clearLog()
            server.after("lists/1/tasks/") { $0.take(7, to: 1) }
            try await expectThere(try await pull(client), 1, client, isEdited: isEdited)
            let lists = server.log.filter { $0 == "GET lists/1/tasks/" }.count
            #expect(lists == (reading == .ownPath ? 1 : 2), "\(server.log)")
            #expect(server.log.contains("GET tasks/7/") == (reading == .ownPath))
            try await expectThere(try await pull(client), 1, client, isEdited: isEdited)
        }
    }

    @Test("and those that are deleted are gone, or asked about", arguments: Mark.allCases, Reading.allCases)
    func deleted(mark: Mark, reading: Reading) async throws {
        for isEdited in [false, true] {
            let server = Server(mark)
            let client = try await client(of: server, reading)
            for (id, list) in [(7, 1), (8, 2)] { server.put(id, in: list) }
            _ = try await pull(client)
            if isEdited { try await client.edit(uri, setting: [("title", "mine")]) }
            for id in [7, 8] { server.take(id, to: nil) }
            let report = try await pull(client)
            #expect(report.problem == nil && report.warnings == [], "\(report)")
            #expect(report.deleted == (isEdited ? 1 : 2) && report.conflicted == (isEdited ? 1 : 0), "\(report)")
            #expect(try await client.object(at: uri)?.meta.isGoneThere == (isEdited ? true : nil))
            #expect(try await pull(client).deleted == 0)
        }
    }

    @Test(
        "and are deleted there between two pulls are gone, or asked about", arguments: Mark.allCases, Reading.allCases)
    func movedAndDeleted(mark: Mark, reading: Reading) async throws {
        for isEdited in [false, true] {
            let server = Server(mark)
            let client = try await client(of: server, reading)
            for (id, list) in [(7, 1), (8, 2), (9, 1)] { server.put(id, in: list) }
            _ = try await pull(client)
            if isEdited { try await client.edit(uri, setting: [("title", "mine")]) }
            server.take(7, to: 2, leavesTombstone: false)
            server.take(7, to: nil)
            let report = try await pull(client)
            #expect(report.problem == nil && report.warnings == [], "\(report)")
            #expect(report.deleted == (isEdited ? 0 : 1) && report.conflicted == (isEdited ? 1 : 0), "\(report)")
            #expect(try await client.object(at: uri)?.meta.isGoneThere == (isEdited ? true : nil))
            #expect(try await client.records(matching: Query("tasks")).count == (isEdited ? 3 : 2))
            #expect(try await pull(client).deleted == 0)
        }
    }

    @Test("stay where the tombstone in the other list comes alone", arguments: Mark.allCases, Reading.allCases)
    func stays(mark: Mark, reading: Reading) async throws {
        let server = Server(mark)
        let client = try await client(of: server, reading)
        server.put(7, in: 1)
        _ = try await pull(client)
        server.state.withLock { state in
            state.revision += 1
            state.tombstones.append((id: 7, list: 2, revision: state.revision))
        }
        for _ in 0..<2 { try await expectThere(try await pull(client), 1, client, isEdited: false) }
    }

    @Test("are asked for once, though their tombstones come again", arguments: Mark.allCases, Reading.allCases)
    func repeatedTombstones(mark: Mark, reading: Reading) async throws {
        let server = Server(mark, isInclusive: true)
        let client = try await client(of: server, reading)
        server.put(7, in: 1)
        _ = try await pull(client)
        server.take(7, to: 2)
        server.put(8, in: 2)
        _ = try await pull(client)
        for _ in 0..<2 {
            server.clearLog()
            try await expectThere(try await pull(client), 2, client, isEdited: false)
            #expect(!server.log.contains { $0.hasSuffix("/7/") }, "\(server.log)")
            #expect(server.log.filter { $0 == "GET lists/2/tasks/" }.count == 1, "\(server.log)")
        }
    }

    @Test("are not asked for again by each pull that sees their tombstones", arguments: Reading.allCases)
    func lastingTombstones(reading: Reading) async throws {
        let server = Server(.inListsOfTheirOwn)
        let client = try await client(of: server, reading) { $0.deletes.list?.since = nil }
        server.put(7, in: 1)
        _ = try await pull(client)
        server.take(7, to: 2)
        _ = try await pull(client)
        var options = Synchronizer.PullOptions()
        for isFull in [false, true, false] {
            server.clearLog()
            options.full = isFull
            let report = try #require(try await client.pull(options: options).entities["tasks"])
            try await expectThere(report, 2, client, isEdited: false)
            #expect(!server.log.contains { $0.hasSuffix("/7/") }, "\(server.log)")
            #expect(server.log.filter { $0 == "GET lists/2/tasks/" }.count == 1, "\(server.log)")
        }
    }

    @Test("are named in what is said of a delete that finds nothing below the old parent", arguments: [false, true])
    func deletedBelowParent(isBelow: Bool) async throws {
        let server = Server(.amongTheRows)
        let client = try await client(of: server, .pathOfTheList) { if isBelow { $0.delete.path = $0.read.path } }
        server.put(7, in: 1)
        _ = try await pull(client)
        try await client.delete(uri)
        let object = try #require(try await client.object(at: uri))
        let plan = ChangeEngine(try client.resource("tasks")).shownAfterGone(
            Representation(sequence: client.nextSequence()), to: .write, over: object, uri: uri, key: "k")
        #expect(plan.outcome == .remove && plan.note?.hasPrefix("already gone") == true, "\(plan)")
        #expect(plan.note?.contains("moved to another one") == isBelow, "\(plan)")
    }

    @Test("stay where the read that is to decide fails, until the next pull", arguments: Mark.allCases)
    func failedRead(mark: Mark) async throws {
        let server = Server(mark)
        let client = try await client(of: server, .ownPath)
        server.put(7, in: 1)
        _ = try await pull(client)
        server.take(7, to: nil)
        server.state.withLock { $0.broken = "tasks/7/" }
        let report = try await pull(client)
        #expect(report.problem?.hasPrefix("tasks/7 stays here, for its read failed: ") == true, "\(report)")
        #expect(try await client.object(at: uri) != nil)
        #expect(try await pull(client).deleted == 1)
        #expect(try await client.object(at: uri) == nil)
    }
}

/// Identifiers that a server gives again, or restores: their tombstones stand beside what is there.
@Suite("Tombstones beside live rows")
struct TombstonesBesideLiveRowsTests {
    private static let tombstone = #"{"id":1,"deleted":true,"rev":2}"#
    private static let live = #"{"id":1,"title":"anew","rev":3}"#
    private static let other = #"{"id":2,"title":"other","rev":1}"#
    private let uri = ObjectURI(entity: "tasks", id: "1")

    /// A task that was pulled, edited here or not, and that somebody has made anew since, or not.
    private func world(
        isEdited: Bool, isThere: Bool = true, _ change: (inout Resource) -> Void = { _ in }
    ) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.deletes.field = .member("deleted")
            $0.conflict.deletedThere = .delete
            $0.version = .none
            change(&$0)
        }
        world.server.insert("tasks", ["title": "old"])
        try await world.synchronizer.pull()
        if isEdited { try await world.synchronizer.edit(uri, setting: [("note", "mine")]) }
        if isThere { world.server.edit("tasks", 1, ["title": "anew"]) } else { world.server.remove("tasks", 1) }
        world.server.clearLog()
        return world
    }

    /// - Parameter pages: the rows of each page of the list.
    private func pull(_ world: TinyWorld, _ pages: [[String]]) async throws -> PullReport.Entity {
        for (index, rows) in pages.enumerated() {
            let next = index + 1 < pages.count ? #""https://inside:8000/api/tasks/?page=\#(index + 2)""# : "null"
            world.server.answer("GET", with: #"{"next":\#(next),"results":[\#(rows.joined(separator: ","))]}"#)
        }
        return try #require(try await world.synchronizer.pull(entities: ["tasks"]).entities["tasks"])
    }

    private func expectThere(_ world: TinyWorld, isEdited: Bool) async throws {
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(object.record?["title"] == "anew" && object.record?["note"] == (isEdited ? "mine" : nil))
        #expect(object.meta.isChanged == isEdited && !object.meta.isGoneThere)
    }

    @Test("a live row behind a tombstone of its identifier is live", arguments: [false, true], [false, true])
    func liveBehind(isEdited: Bool, isOnePage: Bool) async throws {
        let world = try await world(isEdited: isEdited)
        let report = try await pull(
            world, isOnePage ? [[Self.tombstone, Self.live]] : [[Self.tombstone], [Self.other, Self.live]])
        #expect(report.problem == nil && report.conflicted == 0, "\(report)")
        if isOnePage { #expect(report.deleted == 0 && !world.server.log.contains("GET tasks/1/")) }
        try await expectThere(world, isEdited: isEdited)
    }

    @Test(
        "a tombstone behind a live row is believed when a read has confirmed it", arguments: [false, true],
        [false, true])
    func tombstoneBehind(isEdited: Bool, isOnePage: Bool) async throws {
        for isThere in [true, false] {
            let world = try await world(isEdited: isEdited, isThere: isThere)
            let report = try await pull(
                world, isOnePage ? [[Self.live, Self.tombstone]] : [[Self.live], [Self.other, Self.tombstone]])
            #expect(world.server.log.filter { $0 == "GET tasks/1/" }.count == 1)
            #expect(report.problem == nil && report.deleted == (isThere ? 0 : 1), "\(report)")
            if isThere {
                try await expectThere(world, isEdited: isEdited)
            } else {
                #expect(try await world.synchronizer.object(at: uri) == nil)
            }
        }
    }

    @Test("so it is with an object that nobody has seen before", arguments: [true, false])
    func unknown(isThere: Bool) async throws {
        let world = try await world(isEdited: false)
        if isThere { world.server.put("tasks", 7, ["title": "anew"]) }
        let rows = [#"{"id":7,"title":"anew","rev":8}"#, #"{"id":7,"deleted":true,"rev":7}"#]
        #expect(try await pull(world, [rows]).problem == nil)
        let object = try await world.synchronizer.object(at: ObjectURI(entity: "tasks", id: "7"))
        #expect((object != nil) == isThere)
    }

    @Test("where no single object can be read, what stands later counts")
    func unreadable() async throws {
        let world = try await world(isEdited: false, isThere: false) { $0.read.isOffered = false }
        #expect(try await pull(world, [[Self.live, Self.tombstone]]).deleted == 1)
        #expect(try await pull(world, [[Self.live], [Self.other, Self.tombstone]]).deleted == 1)
        #expect(try await pull(world, [[Self.tombstone, Self.live]]).inserted == 1)
    }

    @Test("an object that is deleted takes no read, as long as its list shows nothing else")
    func alone() async throws {
        let world = try await world(isEdited: false, isThere: false)
        #expect(try await pull(world, [[Self.tombstone]]).deleted == 1)
        #expect(!world.server.log.contains("GET tasks/1/"))
    }
}
