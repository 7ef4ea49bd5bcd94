import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore
@testable import AtmosphereTesting

@Suite("Rows that move while a list is read")
struct MovingRowsTests {
    /// A list of numbers whose rows go while its pages are read.
    private struct Shelf {
        enum Refill: CaseIterable { case nothing, newAtEnd, newAtFront, sameAtEnd, sameAtFront }

        var rows: [Int]
        let size: Int
        let paging: Paging
        /// The row that goes before a request is answered, by the number of the request.
        var losses: [Int: Int] = [:]
        /// What comes for each row that goes, so that the total stays.
        var refill = Refill.nothing
        /// The row that comes before a request is answered, by the number of the request.
        var arrivals: [Int: Int] = [:]
        var arrivesInFront = false
        /// When a row was changed last.
        private var changes: [Int: Int] = [:]
        private(set) var answers = 0

        init(
            rows: [Int], size: Int, paging: Paging, losses: [Int: Int] = [:], refill: Refill = .nothing,
            arrivals: [Int: Int] = [:], arrivesInFront: Bool = false
        ) {
            (self.rows, self.size, self.paging, self.losses) = (rows, size, paging, losses)
            (self.refill, self.arrivals, self.arrivesInFront) = (refill, arrivals, arrivesInFront)
        }

        private func row(_ number: Int) -> PullPosition.Row {
            .init(id: String(number), change: changes[number].map { String($0) })
        }

        mutating func answer(_ target: RequestTarget) -> (PageSummary, [Int]) {
            if let lost = losses[answers], let index = rows.firstIndex(of: lost) {
                rows.remove(at: index)
                changes[lost] = answers
                switch refill {
                case .nothing: break
                case .newAtEnd: rows.append(100 + answers)
                case .newAtFront: rows.insert(100 + answers, at: 0)
                case .sameAtEnd: rows.append(lost)
                case .sameAtFront: rows.insert(lost, at: 0)
                }
            }
            if let new = arrivals[answers] { rows.insert(new, at: arrivesInFront ? 0 : rows.count) }
            answers += 1
            let number = Int(target.query[0].value) ?? 0
            let isOffset = if case .offset = paging { true } else { false }
            let start = isOffset ? number : (number - 1) * size
            let page = Array(rows.dropFirst(start).prefix(size))
            var summary = PageSummary(count: page.count)
            if let first = page.first, let last = page.last {
                summary.edges = .init(count: page.count, first: .integer(Int64(first)), last: .integer(Int64(last)))
            }
            if paging.tellsOfRows { summary.ids = page.map { .integer(Int64($0)) } }
            if isOffset { (summary.firstRow, summary.lastRow) = (page.first.map(row), page.last.map(row)) }
            if paging.total != nil { summary.total = Int64(rows.count) }
            if case .bodyLink = paging, start + size < rows.count {
                summary.next = RequestTarget("a?page=\(number + 1)")
            }
            return (summary, page)
        }
    }

    private static let pagings: [Paging] = [
        .number(parameter: "page", first: 1, size: nil, total: .member("count")),
        .offset(parameter: "page", size: .init(parameter: "n", value: 3), total: .member("count")),
        .offset(parameter: "page", size: .init(parameter: "n", value: 3), total: nil),
        .bodyLink(next: .member("next"), size: nil, total: .member("count"))
    ]

    private static func first(_ paging: Paging) -> RequestTarget {
        if case .offset = paging { RequestTarget("a?page=0") } else { RequestTarget("a?page=1") }
    }

    /// Lists a shelf, from its beginning or from a place.
    ///
    /// - Parameters:
    ///   - isLate: the request that was made last is answered first.
    ///   - stores: the pages to store, after which the process ends.
    private func list(
        _ shelf: inout Shelf, from position: PullPosition? = nil, concurrent: Int = 3, isLate: Bool = false,
        stores: Int = .max
    ) -> (machine: ListingMachine, rows: [Int], position: PullPosition?) {
        var machine = ListingMachine(
            paging: shelf.paging, first: Self.first(shelf.paging), position: position, concurrent: concurrent,
            mostPages: 100)
        var pages: [Int: [Int]] = [:]
        var rows: [Int] = []
        var place: PullPosition?
        var stored = 0
        var queue = machine.step(.start)
        while !queue.isEmpty, stored < stores {
            switch isLate ? queue.removeLast() : queue.removeFirst() {
            case .fetch(let request, let target):
                let (summary, page) = shelf.answer(target)
                pages[request] = page
                queue += machine.step(.fetched(request, summary, nil))
            case .store(let request, _, let next, _):
                rows += pages[request] ?? []
                place = next
                stored += 1
                if stored < stores { queue += machine.step(.stored(request)) }
            case .fail: Issue.record("no request failed")
            }
        }
        return (machine, rows, place)
    }

    @Test("whatever row goes at whatever time, each row that stays is listed", arguments: pagings, [false, true])
    func oneGoes(paging: Paging, isLate: Bool) {
        for count in 1...10 {
            for lost in 0..<count {
                for request in 0...6 {
                    var shelf = Shelf(rows: Array(0..<count), size: 3, paging: paging, losses: [request: lost])
                    let run = list(&shelf, isLate: isLate)
                    let missing = Set(shelf.rows).subtracting(run.rows)
                    #expect(
                        missing.isEmpty && !run.machine.isTruncated, "\(count) rows, \(lost) goes before \(request)")
                }
            }
        }
    }

    @Test("of two rows that go, too, or the listing says that it is not complete", arguments: pagings, [false, true])
    func twoGo(paging: Paging, isLate: Bool) {
        for first in 0..<11 {
            for second in 0..<11 where first != second {
                for (one, other) in [(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (3, 4), (2, 5)] {
                    var shelf = Shelf(
                        rows: Array(0..<11), size: 2, paging: paging,
                        losses: one == other ? [one: first] : [one: first, other: second])
                    if one == other { shelf.rows.removeAll { $0 == second } }
                    let run = list(&shelf, concurrent: 2, isLate: isLate)
                    let missing = Set(shelf.rows).subtracting(run.rows)
                    #expect(
                        missing.isEmpty || run.machine.isTruncated, "\(first) and \(second) go before \(one), \(other)")
                }
            }
        }
    }

    @Test("pages that overlap show it, too, where another row comes and the number stays", arguments: [1, 2])
    func refilled(paging: Int) {
        for refill in Shelf.Refill.allCases {
            for lost in 0..<9 {
                for request in 0...4 {
                    var shelf = Shelf(
                        rows: Array(0..<9), size: 3, paging: Self.pagings[paging], losses: [request: lost],
                        refill: refill)
                    let run = list(&shelf)
                    let missing = Set(shelf.rows.filter { $0 < 100 }).subtracting(run.rows)
                    #expect(missing.isEmpty, "\(lost) before \(request), \(refill)")
                }
            }
        }
    }

    @Test("a row that moves to the end is shown twice, which tells that another was not", arguments: pagings)
    func moved(paging: Paging) {
        for count in 1...10 {
            for lost in 0..<count {
                for request in 0...6 {
                    for refill in [Shelf.Refill.sameAtEnd, .sameAtFront] {
                        var shelf = Shelf(
                            rows: Array(0..<count), size: 3, paging: paging, losses: [request: lost], refill: refill)
                        let run = list(&shelf)
                        #expect(
                            Set(shelf.rows).subtracting(run.rows).isEmpty && !run.machine.isTruncated,
                            "of \(count) rows \(lost) moves before \(request)")
                    }
                }
            }
        }
    }

    @Test("a row that is added while a row moves hides nothing", arguments: pagings)
    func movedBesideNew(paging: Paging) {
        for lost in 0..<9 {
            for request in 0...3 {
                for other in 0...4 {
                    var shelf = Shelf(
                        rows: Array(0..<9), size: 3, paging: paging, losses: [request: lost], refill: .sameAtEnd)
                    shelf.arrivals[other] = 200
                    let run = list(&shelf)
                    let missing = Set(shelf.rows.filter { $0 < 100 }).subtracting(run.rows)
                    #expect(missing.isEmpty, "\(lost) before \(request), one comes before \(other)")
                }
            }
        }
    }

    @Test("whatever three rows do, each that stays where it is is listed with overlapping offsets", arguments: [1, 2])
    func overlapping(paging: Int) {
        for seed in 0..<3000 {
            var random = SimulationRandom(UInt64(seed), "three rows")
            let count = random.within(3...14)
            var shelf = Shelf(
                rows: Array(0..<count), size: random.within(2...4), paging: Self.pagings[paging],
                refill: random.pick(Shelf.Refill.allCases))
            for _ in 0..<3 {
                shelf.losses[random.within(0...6)] = random.within(0...count - 1)
            }
            if random.chance(50) { shelf.arrivals[random.within(0...6)] = 200 }
            shelf.arrivesInFront = random.chance(50)
            let losses = shelf.losses
            let run = list(&shelf, concurrent: random.within(1...4), isLate: random.chance(50))
            let missing = Set(0..<count).subtracting(losses.values).subtracting(run.rows)
            #expect(missing.isEmpty || run.machine.isTruncated, "seed \(seed)")
        }
    }

    @Test("rows that come in front of a list have no page read again", arguments: [0, 3])
    func pushedBack(paging: Int) {
        for count in 4...10 {
            for arrival in 1...3 {
                var shelf = Shelf(rows: Array(0..<count), size: 3, paging: Self.pagings[paging])
                shelf.arrivals[arrival] = 200
                shelf.arrivesInFront = true
                let run = list(&shelf, concurrent: 1)
                #expect(Set(shelf.rows).subtracting(run.rows).isSubset(of: [200]))
                #expect(shelf.answers <= (count + 3) / 3 + 1 && run.machine.remark == nil, "\(count) rows, \(arrival)")
            }
        }
    }

    @Test("where rows move all the time, the list is read twice, and no more, with a word")
    func movingAllTheTime() {
        var shelf = Shelf(rows: Array(0..<30), size: 3, paging: Self.pagings[0], refill: .sameAtEnd)
        for request in 0..<200 { shelf.losses[request] = (request * 7) % 30 }
        let run = list(&shelf, concurrent: 1)
        #expect(shelf.answers <= 2 * 11)
        #expect(run.machine.remark?.contains("stand on two pages") == true)
        #expect(!run.machine.isTruncated && run.machine.warning == nil)
    }

    @Test("an interrupted listing that cannot be gone on with says so", arguments: pagings)
    func interrupted(paging: Paging) throws {
        for lost in 0..<9 {
            var shelf = Shelf(rows: Array(0..<9), size: 3, paging: paging)
            let before = list(&shelf, concurrent: 1, stores: 2)
            let position = try #require(before.position)
            var same = shelf
            let after = list(&same, from: position)
            #expect(!after.machine.hasMovedMeanwhile)
            #expect(Set(before.rows + after.rows) == Set(0..<9))
            shelf.rows.removeAll { $0 == lost }
            let moved = list(&shelf, from: position)
            let missing = Set(shelf.rows).subtracting(before.rows + moved.rows)
            #expect(missing.isEmpty || moved.machine.hasMovedMeanwhile, "\(lost) went")
        }
    }

    @Test("a listing goes back a page for a row, and not to the beginning")
    func goesBackAPage() {
        let paging = Self.pagings[3]
        var shelf = Shelf(rows: Array(0..<60), size: 3, paging: paging, losses: [15: 0])
        let run = list(&shelf)
        #expect(run.machine.timesBack == 1)
        #expect(shelf.answers < 25)
    }

    @Test("where rows go all the time, the listing is not complete, and ends")
    func endless() {
        for paging in Self.pagings {
            var shelf = Shelf(rows: Array(0..<2000), size: 3, paging: paging)
            for request in 0..<2000 { shelf.losses[request] = request }
            let run = list(&shelf)
            let missing = Set(shelf.rows).subtracting(run.rows)
            #expect(missing.isEmpty || run.machine.isTruncated)
            #expect(shelf.answers < 2000)
        }
    }

    @Test("a total that counts what is not listed has the list read twice, and no more, with a word")
    func inexactTotal() {
        let run = listCounting(10, shown: 7)
        #expect(run.fetches == 2 * 4)
        #expect(run.machine.remark?.contains("counts 10 and lists 7") == true)
        #expect(!run.machine.isTruncated && run.machine.warning == nil)
        #expect(listCounting(7, shown: 7).fetches == 4)
    }

    private func listCounting(_ total: Int64, shown: Int) -> (machine: ListingMachine, fetches: Int) {
        let paging = Self.pagings[3]
        var machine = ListingMachine(paging: paging, first: Self.first(paging), concurrent: 1, mostPages: 100)
        var queue = machine.step(.start)
        var fetches = 0
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .fetch(let request, let target):
                fetches += 1
                let number = Int(target.query[0].value) ?? 0
                let count = min(2, shown - (number - 1) * 2)
                queue += machine.step(
                    .fetched(
                        request,
                        .init(
                            count: count, next: number < 4 ? RequestTarget("a?page=\(number + 1)") : nil, total: total),
                        nil)
                )
            case .store(let request, _, _, _): queue += machine.step(.stored(request))
            case .fail: Issue.record("no request failed")
            }
        }
        return (machine, fetches)
    }

    @Test("a server that knows the offsets of its own pages alone is asked for those")
    func alignedOffsets() {
        let paging = Paging.offset(parameter: "page", size: .init(parameter: "n", value: 3), total: nil)
        var machine = ListingMachine(paging: paging, first: Self.first(paging), concurrent: 2, mostPages: 100)
        var queue = machine.step(.start)
        var rows: [Int] = []
        var pages: [Int: [Int]] = [:]
        while !queue.isEmpty {
            switch queue.removeFirst() {
            case .fetch(let request, let target):
                let offset = (Int(target.query[0].value) ?? 0) / 3 * 3
                let page = Array(Array(0..<8).dropFirst(offset).prefix(3))
                pages[request] = page
                var summary = PageSummary(count: page.count)
                summary.ids = page.map { .integer(Int64($0)) }
                summary.firstRow = page.first.map { .init(id: String($0)) }
                summary.lastRow = page.last.map { .init(id: String($0)) }
                if let first = page.first, let last = page.last {
                    summary.edges = .init(count: page.count, first: .integer(Int64(first)), last: .integer(Int64(last)))
                }
                queue += machine.step(.fetched(request, summary, nil))
            case .store(let request, _, _, _):
                rows += pages[request] ?? []
                queue += machine.step(.stored(request))
            case .fail: Issue.record("no request failed")
            }
        }
        // The first page may come again because rows came in front of it, so it is asked for twice.
        #expect(rows == [0, 1, 2] + Array(0..<8))
        #expect(!machine.isTruncated && machine.warning == nil)
    }

    // MARK: Pulls

    private func world(_ change: @escaping (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        try await TinyWorld {
            $0.paging = .bodyLink(next: .member("next"), size: nil, total: .member("count"))
            $0.since = Since(parameter: "since", origin: .field(.member("rev")))
            $0.since?.overlap = .zero
            change(&$0)
        }
    }

    /// A client before whose second page of tasks somebody deletes the first.
    private func shifting(_ world: TinyWorld) async throws -> Synchronizer {
        let server = world.server
        return try await Synchronizer(
            routeFile: world.synchronizer.routeFile, store: world.store,
            transport: ScriptedTransport { request in
                if request.url.hasSuffix("tasks/?page=2") { server.remove("tasks", 1) }
                return try await server.transport.send(request)
            }, style: TinyWorld.TinyStyle(), environment: TinyWorld.environment())
    }

    @Test("a pull has the row that slid to a page that was read already, and says in the log what it did")
    func slid() async throws {
        let world = try await world()
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        let report = try #require(try await shifting(world).pull(entities: ["tasks"]).entities["tasks"])
        #expect(report.problem == nil && report.warnings.isEmpty)
        let ids = try await world.synchronizer.records(matching: Query("tasks")).map(\.uri.id)
        #expect(Set(ids).isSuperset(of: ["2", "3", "4", "5"]))
    }

    @Test("a check tells what nothing shows, and nothing of pages that overlap")
    func checked() async throws {
        let pagings: [(Paging, String?)] = [
            (.bodyLink(next: .member("next"), size: nil, total: .member("count")), "the number stays"),
            (.bodyLink(next: .member("next"), size: nil), "“pages.total” would tell at once"),
            (
                .token(next: .body(.member("next")), parameter: "page", size: nil),
                "if the tokens of its pages are numbers of pages or rows: nothing"
            ),
            (.offset(parameter: "offset", size: .init(parameter: "limit", value: 2), total: .member("count")), nil),
            (.offset(parameter: "offset", size: .init(parameter: "limit", value: 2), total: nil), nil)
        ]
        for (paging, expected) in pagings {
            let world = try await world { if $0.name == "tasks" { $0.paging = paging } }
            let told = try await world.synchronizer.check().promises.flatMap(\.exceptions)
                .filter { $0.hasPrefix("tasks: ") && $0.contains("read already") }
            #expect(told.count == (expected == nil ? 0 : 1))
            if let expected { #expect(told.first?.contains(expected) == true, "\(told)") }
        }
    }

    @Test(
        "an interrupted listing of which nothing tells that rows have moved is gone on with only if all is listed again",
        arguments: [(nil, false), (.seconds(86_400), true)] as [(Duration?, Bool)])
    func goesOn(fullEvery: Duration?, goesOn: Bool) async throws {
        let world = try await world { $0.since?.fullEvery = fullEvery }
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("page=2") }, processes: false, outcome: { throw CancellationError() }))
        await #expect(throws: CancellationError.self) { try await world.synchronizer.pull(entities: ["tasks"]) }
        world.server.edit("tasks", 1, ["title": "moved"])
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log.first == (goesOn ? "GET tasks/?page=2" : "GET tasks/"))
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log.first?.contains("since=") == !goesOn, "what was gone on with is listed again")
    }

    @Test("without a total a row is missed, and a pull of everything comes by itself when it is due")
    func fullPullByItself() async throws {
        let world = try await world {
            $0.paging = .bodyLink(next: .member("next"), size: nil)
            $0.since?.fullEvery = .seconds(86_400)
        }
        for number in 1...5 { world.server.insert("tasks", ["title": .string("t\(number)")]) }
        _ = try await shifting(world).pull(entities: ["tasks"])
        let missed = ObjectURI(entity: "tasks", id: "3")
        #expect(try await world.synchronizer.record(at: missed) == nil)
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log.allSatisfy { $0.contains("since=") })
        #expect(try await world.synchronizer.record(at: missed) == nil)
        try await world.pass(.seconds(86_401))
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log.first == "GET tasks/")
        #expect(try await world.synchronizer.record(at: missed) != nil)
        world.server.clearLog()
        try await world.synchronizer.pull(entities: ["tasks"])
        #expect(world.server.log.allSatisfy { $0.contains("since=") })
    }
}
