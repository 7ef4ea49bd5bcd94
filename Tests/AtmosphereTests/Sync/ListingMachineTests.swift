import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Listing machine")
struct ListingMachineTests {
    /// Plays a server: answers fetches in order and notes what was asked and stored.
    private func play(
        _ machine: ListingMachine, answer: (RequestTarget) -> PageSummary
    ) -> (machine: ListingMachine, fetched: [String], stored: [Int], mostInFlight: Int) {
        var machine = machine
        var fetched: [String] = []
        var stored: [Int] = []
        var queue: [ListingMachine.Effect] = machine.step(.start)
        var most = 0
        while !queue.isEmpty {
            most = max(most, queue.filter { if case .fetch = $0 { true } else { false } }.count)
            switch queue.removeFirst() {
            case .fetch(let index, let target):
                fetched.append(target.text)
                queue += machine.step(.fetched(index, answer(target), nil))
            case .store(let index, _, _, _):
                stored.append(index)
                queue += machine.step(.stored(index))
            case .fail: return (machine, fetched, stored, most)
            }
        }
        return (machine, fetched, stored, most)
    }

    @Test("one answer holds everything where there is no paging")
    func single() {
        let run = play(.init(paging: .none, first: RequestTarget("a"), concurrent: 4, mostPages: 10)) { _ in
            .init(count: 3)
        }
        #expect(run.fetched == ["a"] && run.stored == [0])
    }

    @Test("links are followed to the end, one ahead")
    func links() {
        let run = play(
            .init(
                paging: .bodyLink(next: .member("next"), size: nil), first: RequestTarget("a?page=1"), concurrent: 4,
                mostPages: 10)
        ) { target in
            let page = Int(target.query[0].value) ?? 0
            return .init(count: 2, next: page < 4 ? RequestTarget("a?page=\(page + 1)") : nil)
        }
        #expect(run.fetched == ["a?page=1", "a?page=2", "a?page=3", "a?page=4"])
        #expect(run.stored == [0, 1, 2, 3])
    }

    @Test("a repeated link ends the listing with a warning")
    func loop() {
        let run = play(
            .init(
                paging: .bodyLink(next: .member("next"), size: nil), first: RequestTarget("a"), concurrent: 4,
                mostPages: 10)
        ) { _ in .init(count: 2, next: RequestTarget("a")) }
        #expect(run.fetched == ["a"] && run.stored == [0])
        #expect(run.machine.warning?.contains("same next page twice") == true)
    }

    @Test("numbers with a total are fetched concurrently and exactly")
    func numbers() {
        let run = play(
            .init(
                paging: .number(
                    parameter: "page", first: 1, size: .init(parameter: "n", value: 2), total: .member("count")),
                first: RequestTarget("a?page=1&n=2"), concurrent: 4, mostPages: 100)
        ) { target in .init(count: target.query[0].value == "6" ? 1 : 2, total: 11) }
        #expect(run.fetched.sorted() == (1...6).map { "a?page=\($0)&n=2" })
        #expect(run.stored == [0, 1, 2, 3, 4, 5])
        #expect(run.mostInFlight == 5)
    }

    private static let elevenByNumber = ListingMachine(
        paging: .number(parameter: "page", first: 1, size: .init(parameter: "n", value: 2), total: .member("count")),
        first: RequestTarget("a?page=1&n=2"), concurrent: 4, mostPages: 100)

    private struct Failed: Error { var request: Int }

    private func texts(_ effects: [ListingMachine.Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .fetch(let request, let target): "fetch \(request) \(target.text)"
            case .store(let request, _, _, _): "store \(request)"
            case .fail(let error): "fail \((error as? Failed)?.request ?? -1)"
            }
        }
    }

    @Test("a page that fails ends the listing when the pages before it are stored, and no page behind it counts")
    func failure() {
        var machine = Self.elevenByNumber
        #expect(texts(machine.step(.start)) == ["fetch 0 a?page=1&n=2"])
        let effects = machine.step(.fetched(0, .init(count: 2, total: 11), nil))
        #expect(effects.count == 5)
        #expect(
            texts(machine.step(.failed(2, Failed(request: 2)))) == [],
            "page 0 is being stored, and page 1 is on its way")
        #expect(texts(machine.step(.fetched(3, .init(count: 2, total: 11), nil))) == [])
        #expect(texts(machine.step(.stored(0))) == [])
        let store = machine.step(.fetched(1, .init(count: 2, total: 11), nil))
        #expect(store.count == 1)
        #expect(texts(machine.step(.stored(1))) == ["fail 2"])
    }

    @Test("each page is handed over to be stored with its request, whichever was answered first")
    func pages() {
        var machine = Self.elevenByNumber
        _ = machine.step(.start)
        func page(_ number: Int) -> Page { Page(bytes: Array("\(number)".utf8)) }
        var stored: [String] = []
        var queue = machine.step(.fetched(0, .init(count: 2, total: 11), page(0)))
        for request in [3, 1, 2] { queue += machine.step(.fetched(request, .init(count: 2, total: 11), page(request))) }
        while !queue.isEmpty {
            guard case .store(let request, let page, _, _) = queue.removeFirst() else { continue }
            stored.append("\(request): \(String(decoding: page?.bytes ?? [], as: UTF8.self))")
            queue += machine.step(.stored(request))
        }
        #expect(stored == ["0: 0", "1: 1", "2: 2", "3: 3"])
    }

    @Test("of two pages that fail the first one ends the listing")
    func failures() {
        var machine = Self.elevenByNumber
        _ = machine.step(.start)
        _ = machine.step(.fetched(0, .init(count: 2, total: 11), nil))
        _ = machine.step(.stored(0))
        #expect(texts(machine.step(.failed(3, Failed(request: 3)))) == [])
        #expect(texts(machine.step(.failed(1, Failed(request: 1)))) == ["fail 1"])
    }

    @Test("a page that fails behind the end, as the pages before it tell, is none of the list's")
    func failureBehindTheEnd() {
        var machine = ListingMachine(
            paging: .number(parameter: "page", first: 1, size: nil, total: nil), first: RequestTarget("a?page=1"),
            concurrent: 4, mostPages: 100)
        _ = machine.step(.start)
        _ = machine.step(.fetched(0, .init(count: 2), nil))
        _ = machine.step(.stored(0))
        #expect(machine.step(.fetched(1, .init(count: 2), nil)).count == 2, "page 1 is stored, and page 2 asked for")
        #expect(texts(machine.step(.stored(1))) == ["fetch 3 a?page=4"])
        #expect(texts(machine.step(.failed(3, Failed(request: 3)))) == [])
        #expect(texts(machine.step(.fetched(2, .init(count: 0), nil))) == [])
        #expect(machine.warning == nil && !machine.isTruncated)
    }

    @Test("numbers without a total end with an empty or missing page", arguments: [true, false])
    func numbersWithoutTotal(isMissing: Bool) {
        let run = play(
            .init(
                paging: .number(parameter: "page", first: 1, size: nil, total: nil), first: RequestTarget("a?page=1"),
                concurrent: 4, mostPages: 100)
        ) { target in
            let page = Int(target.query[0].value) ?? 0
            return page <= 3 ? .init(count: 2) : .init(count: 0, isMissing: isMissing)
        }
        #expect(run.stored == [0, 1, 2])
        #expect(run.machine.warning == nil)
    }

    @Test("without a total as many pages are asked for ahead as have come full, up to the limit")
    func growingWindow() {
        let first = RequestTarget("a?page=1")
        let paging = Paging.number(parameter: "page", first: 1, size: nil, total: nil)
        let long = play(.init(paging: paging, first: first, concurrent: 8, mostPages: 1000)) { target in
            .init(count: (Int(target.query[0].value) ?? 0) <= 100 ? 2 : 0)
        }
        #expect(long.stored == Array(0..<100))
        #expect(long.mostInFlight > 2 && long.fetched.count <= 108)
        let short = play(.init(paging: paging, first: first, concurrent: 8, mostPages: 1000)) { target in
            .init(count: target.query[0].value == "1" ? 2 : 0)
        }
        #expect(short.stored == [0] && short.fetched.count == 2)
    }

    @Test("where a first page of one row was not full, offsets are counted anew")
    func shortFirst() {
        var answers = 0
        let run = play(
            .init(
                paging: .offset(parameter: "offset", size: .init(parameter: "limit", value: 9), total: nil),
                first: RequestTarget("a?offset=0&limit=9"), concurrent: 2, mostPages: 100)
        ) { target in
            answers += 1
            let rows = answers == 1 ? 1 : 5
            return .init(count: min(3, max(0, rows - (Int(target.query[0].value) ?? 0))))
        }
        #expect(
            Array(run.fetched.prefix(4))
                == ["a?offset=0&limit=9", "a?offset=1&limit=9", "a?offset=0&limit=9", "a?offset=2&limit=9"])
        #expect(run.machine.warning == nil && !run.machine.isTruncated)
    }

    @Test("offsets move by what the server gives on a full page, not by what was asked for")
    func cutOffsets() {
        let run = play(
            .init(
                paging: .offset(
                    parameter: "offset", size: .init(parameter: "limit", value: 100), total: .member("count")),
                first: RequestTarget("a?offset=0&limit=100"), concurrent: 2, mostPages: 100)
        ) { target in
            let offset = Int(target.query[0].value) ?? 0
            return .init(count: min(20, 50 - offset), total: 50)
        }
        #expect(run.fetched.sorted() == ["a?offset=0&limit=100", "a?offset=19&limit=100", "a?offset=38&limit=100"])
    }

    @Test(
        "a listing that should go on from a number that no list reaches begins with its first page",
        arguments: [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "9007199254740993", "-1", "x", ""
        ], [0, 1, 1_000_000])
    func farNumbers(number: String, first: Int) {
        for paging in [
            Paging.number(parameter: "page", first: first, size: nil, total: .member("count")),
            .number(parameter: "page", first: first, size: nil, total: .pages(.header("X-Pages"))),
            .offset(parameter: "page", size: .init(parameter: "n", value: 2), total: .member("count"))
        ] {
            for total in [Int64.max, .min, 4, 0, -1] {
                let machine = ListingMachine(
                    paging: paging, first: RequestTarget("a?page=\(number)"), concurrent: 4, mostPages: 3)
                let run = play(machine) { _ in .init(count: 2, total: total, pages: total) }
                let start = if case .number = paging { first } else { 0 }
                #expect(run.fetched.first == "a?page=\(start)" && run.fetched.count <= 9)
                #expect(run.stored.first == 0)
            }
        }
    }

    @Test("a listing goes on to the last number that is the same everywhere, and no farther")
    func lastNumber() {
        let last = 1 << 53
        let machine = ListingMachine(
            paging: .number(parameter: "page", first: 1, size: nil, total: .member("count")),
            first: RequestTarget("a?page=\(last)"), concurrent: 2, mostPages: 3)
        let run = play(machine) { _ in .init(count: 2, total: .max) }
        #expect(run.fetched.prefix(2) == ["a?page=\(last)", "a?page=\(last + 1)"])
    }

    @Test("too many pages end the listing with a warning that names the limit")
    func pageLimit() {
        let run = play(
            .init(
                paging: .number(parameter: "page", first: 1, size: nil, total: nil), first: RequestTarget("a?page=1"),
                concurrent: 1, mostPages: 3)
        ) { _ in .init(count: 1) }
        #expect(run.stored == [0, 1, 2])
        #expect(run.machine.warning?.contains("limits.pages") == true)
    }

    @Test(
        "a list whose pages are counted from 0 lacks its first page, as the answers tell",
        arguments: [
            (1, 23, false, "counts 23 and lists 18"), (1, 23, true, "counts 5 pages"), (0, 23, false, nil),
            (0, 23, true, nil), (1, 5, true, nil)
        ] as [(Int, Int, Bool, String?)])
    func countedFromZero(first: Int, rows: Int, isOfPages: Bool, doubt: String?) {
        let total: Paging.Total = isOfPages ? .pages(.header("X-Pages")) : .member("count")
        let run = play(
            .init(
                paging: .number(parameter: "page", first: first, size: nil, total: total),
                first: RequestTarget("a?page=\(first)"), concurrent: 4, mostPages: 100)
        ) { target in
            let count = max(0, min(5, rows - 5 * (Int(target.query[0].value) ?? 0)))
            return isOfPages
                ? .init(count: count, pages: Int64((rows + 4) / 5)) : .init(count: count, total: Int64(rows))
        }
        #expect((run.machine.doubt == nil) == (doubt == nil), "\(run.machine.doubt ?? "")")
        if let doubt {
            #expect(run.machine.doubt?.contains(doubt) == true)
            #expect(run.machine.doubt?.contains("write first: 0 in pages") == true)
        }
        #expect(run.machine.remark == nil && run.machine.warning == nil && !run.machine.isTruncated)
    }

    @Test("an empty page that a flag marks as the last one says nothing against the list")
    func emptyLastPage() {
        let run = play(
            .init(
                paging: .number(parameter: "page", first: 1, size: nil, total: nil), first: RequestTarget("a?page=1"),
                concurrent: 1, mostPages: 100)
        ) { target in target.query[0].value == "3" ? .init(count: 0, pages: 3) : .init(count: 5) }
        #expect(run.stored == [0, 1] && run.machine.doubt == nil)
    }

    @Test("a total that is too great by less than a page says nothing against the list")
    func inexactTotal() {
        let run = play(
            .init(
                paging: .number(parameter: "page", first: 1, size: nil, total: .member("count")),
                first: RequestTarget("a?page=1"), concurrent: 4, mostPages: 100)
        ) { target in
            .init(count: max(0, min(5, 18 - 5 * ((Int(target.query[0].value) ?? 0) - 1))), total: 21)
        }
        #expect(run.machine.doubt == nil)
        #expect(run.machine.remark?.contains("write first: 0 in pages; where its total is no count") == true)
    }

    @Test("an empty first page is stored as an empty listing")
    func empty() {
        let run = play(
            .init(
                paging: .number(parameter: "page", first: 1, size: nil, total: nil), first: RequestTarget("a?page=1"),
                concurrent: 4, mostPages: 3)
        ) { _ in .init(count: 0) }
        #expect(run.stored == [0] && run.fetched == ["a?page=1"])
    }

    @Test(
        "a server that answers the last page for ever ends the listing with a warning",
        arguments: [nil, 1000] as [Int64?])
    func sameLastPage(total: Int64?) {
        let paging = Paging.number(parameter: "page", first: 1, size: nil, total: total.map { _ in .member("count") })
        let run = play(.init(paging: paging, first: RequestTarget("a?page=1"), concurrent: 4, mostPages: 1000)) {
            target in
            let page = Int64(min(Int(target.query[0].value) ?? 0, 3))
            return .init(
                count: 2, total: total,
                edges: .init(count: 2, first: .integer(page * 10), last: .integer(page * 10 + 1)))
        }
        #expect(run.stored == [0, 1, 2])
        #expect(run.fetched.count < 10)
        #expect(run.machine.warning?.contains("same page twice") == true)
        #expect(run.machine.isTruncated == (total != nil), "a total says that there is more")
    }

    /// A server whose pages each have two rows, the last one of `order` one; behind them it begins anew.
    private func playRound(_ order: [Int64], _ paging: Paging, laps: Int = .max)
        -> (machine: ListingMachine, fetched: [String], stored: [Int], mostInFlight: Int)
    {
        play(.init(paging: paging, first: RequestTarget("a?page=1"), concurrent: 4, mostPages: 1000)) { target in
            let number = Int(target.query[0].value) ?? 0
            let (lap, place) = (number - 1).quotientAndRemainder(dividingBy: order.count)
            guard lap < laps else { return .init(count: 0) }
            let (count, row) = (place == order.count - 1 ? 1 : 2, order[place] * 10)
            return .init(
                count: count, next: RequestTarget("a?page=\(number + 1)"),
                edges: .init(count: count, first: .integer(row), last: .integer(row + Int64(count) - 1)))
        }
    }

    private static let endless: [Paging] = [
        .number(parameter: "page", first: 1, size: nil, total: nil), .bodyLink(next: .member("next"), size: nil)
    ]

    @Test(
        "a server that begins anew behind its last page ends the listing, which is not complete",
        arguments: endless, [2, 3, 5, 40] as [Int64])
    func wrapsRound(paging: Paging, pages: Int64) {
        let run = playRound(Array(0..<pages), paging)
        #expect(run.stored == Array(0...Int(pages)), "one page shown again may be of rows that moved")
        #expect(run.fetched.count < Int(pages) + 8)
        #expect(run.machine.warning?.contains("same page twice") == true && run.machine.isTruncated)
    }

    @Test("a page whose rows are shown once more on a later page ends no listing", arguments: endless)
    func rowsShownAgain(paging: Paging) {
        let run = playRound([0, 1, 2, 0, 3, 1, 4], paging, laps: 1)
        #expect(run.stored.prefix(7) == [0, 1, 2, 3, 4, 5, 6])
        #expect(run.machine.warning == nil && !run.machine.isTruncated)
    }

    private static let counted: [Paging] = [
        .number(parameter: "page", first: 1, size: nil, total: .member("count")),
        .offset(parameter: "page", size: .init(parameter: "n", value: 2), total: .member("count"))
    ]
    private static let totals: [Int64] = [.max, .max - 1, 0]

    @Test("no number from a server is too large", arguments: counted, totals)
    func hugeTotals(paging: Paging, total: Int64) {
        let run = play(.init(paging: paging, first: RequestTarget("a?page=1"), concurrent: 4, mostPages: 5)) { target in
            .init(count: 2, total: total)
        }
        #expect(run.stored == (total > 0 ? [0, 1, 2, 3, 4] : [0]))
        #expect((run.machine.warning?.contains("limits.pages") == true) == (total > 0))
    }

    @Test("a server that does not know the page parameter is asked twice, and the warning names the key")
    func unknownParameter() {
        let paging = Paging.number(parameter: "p", first: 1, size: nil, total: nil)
        let run = play(.init(paging: paging, first: RequestTarget("a?p=1"), concurrent: 4, mostPages: 1000)) { _ in
            .init(count: 2, edges: .init(count: 2, first: .integer(1), last: .integer(2)))
        }
        #expect(run.stored == [0] && run.fetched.count == 2)
        #expect(run.machine.warning?.contains("pages.parameter") == true && run.machine.isTruncated)
    }
}
