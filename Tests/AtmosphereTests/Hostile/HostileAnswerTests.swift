import AtmosphereTesting
import Foundation
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// Whatever a server writes, a client goes on, or says what is wrong: it never ends, hangs or fills the memory.
///
/// Each test runs in a process of its own; see ``HostileRun``.
@Suite("Hostile answers") struct HostileAnswerTests {
    /// What a call may say of a server; anything else that is thrown is a finding.
    static func survives(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as HostileRun.Found {
            throw error
        } catch is SyncError, is StoreError, is TransportError, is ExtractionError, is JSONError {
        } catch let error {
            throw HostileRun.Found("throws \(type(of: error)): \(error)")
        }
    }

    @Test("pages, totals, links, tokens and flags that lie: each pull ends within its limits, and so does the next one")
    func paging() async {
        await #expect(processExitsWith: .success) {
            try await HostileRun.run(1800, "paging") { source, number in
                let world = HostileWorld()
                let tasks = try HostileWorld.tasks(number)
                let random = Mutex(source)
                let asked = Mutex(0)
                let answer: @Sendable (Request) throws -> Response = { request in
                    let count = asked.withLock {
                        $0 += 1
                        return $0
                    }
                    return random.withLock { source -> Response in
                        let headers = source.headers()
                        if source.chance(25) {
                            return Response(
                                status: source.pick([204, 206, 301, 304, 400, 404, 410, 416, 429, 500, 503]),
                                headers: headers)
                        }
                        let items = (0..<source.below(3)).map { item in
                            "{\"id\":\(source.chance(6) ? source.json() : "\(count * 10 + item)"),\"rev\":\(source.json()),"
                                + "\"title\":\"t\"}"
                        }
                        let link = source.link().filter { !"\"\\".contains($0) && $0 >= " " }
                        let next = source.pick([
                            "null", "\"\"", "\"tasks?page=\(count)\"", "\"\(link)\"", source.jsonNumber()
                        ])
                        let changes = source.pick([
                            "null",
                            "\"\(HostileWorld.base)/tasks?since=1&page=\(source.number())&offset=\(source.number())\"",
                            source.json()
                        ])
                        return Response(
                            status: 200, headers: headers,
                            body: ResponseBody(
                                Array(
                                    """
                                    {"results":[\(items.joined(separator: ","))],"total":\(source.chance(5) ? source.json() : source.jsonNumber()),\
                                    "next":\(next),"more":\(source.pick(["true", "false", "null", "0", "\"\""])),"changes":\(changes)}
                                    """.utf8)))
                    }
                }
                // A cursor and a position that an earlier answer left behind.
                let position = "tasks?page=\(source.number())&offset=\(source.number())&limit=\(source.number())"
                let cursor = source.pick([
                    nil, source.number(), source.time(), "\(HostileWorld.base)/\(position)&since=1"
                ])
                let left = PullPosition(
                    target: position, total: source.chance(2) ? Int64(source.number()) : nil,
                    last: source.chance(2) ? .init(id: source.number()) : nil)
                let (goesOn, isListing, isFull) = (source.chance(2), !source.chance(3), source.chance(2))
                let listing = PullCursor.Underway(number: 1, isFull: isFull, position: goesOn ? left : nil)
                let start = PullCursor(checkpoint: cursor, underway: isListing ? listing : nil)
                try await world.store.write(.process, origin: .pull) {
                    try $0.put(start, for: PullScope(entity: "tasks"))
                }
                for _ in 0..<2 {
                    let client = try await world.client(tasks, answer)
                    for _ in 0..<2 {
                        let before = asked.withLock { $0 }
                        try await HostileAnswerTests.survives { _ = try await client.pull() }
                        let requests = asked.withLock { $0 } - before
                        // Pages, tries of each, those that are asked for ahead, and objects that are looked at again.
                        try HostileRun.expect(requests <= 200, "\(requests) requests for one pull")
                    }
                }
            }
        }
    }

    @Test("documents that are no documents, or no lists, or no objects: they are refused, and nothing else is lost")
    func documents() async {
        await #expect(processExitsWith: .success) {
            try await HostileRun.run(1800, "documents") { source, number in
                let world = HostileWorld()
                let random = Mutex(source)
                let client = try await world.client(try HostileWorld.tasks(number)) { request in
                    random.withLock { source -> Response in
                        let isList = request.method == "GET" && !request.url.contains("tasks/")
                        let object = source.object()
                        let text =
                            source.chance(6)
                            ? source.json() : isList ? "{\"results\":[\(object),\(source.object())]}" : object
                        return Response(
                            status: source.pick([200, 200, 200, 201, 204, 207, 400, 404, 409, 412, 422, 500]),
                            headers: source.chance(2) ? source.headers() : [:], body: ResponseBody(source.damaged(text))
                        )
                    }
                }
                try await HostileAnswerTests.survives { _ = try await client.pull() }
                let mine = try await client.save(["title": "mine"], as: "tasks")
                try await HostileAnswerTests.survives { _ = try await client.push() }
                try await HostileAnswerTests.survives { _ = try await client.pull() }
                try await HostileAnswerTests.survives { try await client.edit(mine, setting: ["title": "again"]) }
                try await HostileAnswerTests.survives { _ = try await client.push() }
                try await HostileAnswerTests.survives { try await client.delete(mine) }
                try await HostileAnswerTests.survives { _ = try await client.push() }
                for uri in try await client.records(matching: Query("tasks")).map(\.uri) {
                    try await HostileAnswerTests.survives { _ = try await client.refresh(uri) }
                }
                for each in try await client.status() {
                    try HostileRun.expect(each.counts.objects >= 0, "a negative count")
                }
            }
        }
    }

    @Test("fields of answers: how long to wait, when, how many, and where the next page is")
    func headers() async {
        await #expect(processExitsWith: .success) {
            try await HostileRun.run(2000, "headers") { source, _ in
                let headers = source.headers()
                let now = Timestamp(milliseconds: 1_700_000_000_000)
                let patience = ServerPatience(limits: Limits(), now: now)
                for pause in [patience.retryAfter(headers), patience.pause(onAny: headers)].compactMap(\.self) {
                    let wait = now.duration(to: pause)
                    try HostileRun.expect(
                        wait >= .zero && wait <= ServerPatience.longest, "\(headers) asks to wait \(wait)")
                }
                _ = try? LinkHeader.next(in: headers.values(of: "Link"))
                _ = LinkHeader.namesNext(headers.values(of: "Link"))
                _ = MoreHint.find(headers, around: [:], count: source.below(100))
                let range = source.range()
                if let range = ContentRange(range) {
                    try HostileRun.expect(range.first >= 0 && range.end > range.last, "\(range)")
                    for count in [0, 5, Int64.max, .min] { _ = range.isRest(behind: count) }
                }
                let target = RequestTarget("tasks?page=\(source.number())&page=\(source.number())")
                if let count = target.count("page") { try HostileRun.expect((0...1 << 53).contains(count), "\(count)") }
            }
        }
    }

    @Test("links: none leads out of the base, however its dots are written")
    func links() async {
        await #expect(processExitsWith: .success) {
            try await HostileRun.run(2000, "links") { source, _ in
                let link = source.link()
                let current = RequestTarget(source.pick(["tasks", "tasks/1/files?page=2", "a/b/", ""]))
                if let target = RequestTarget.rebased(link: link, base: HostileWorld.base, current: current) {
                    try HostileRun.expect(
                        !HostileAnswerTests.leavesBase(target.url(base: HostileWorld.base)),
                        "\(link.debugDescription) leads out of the base")
                }
                _ = RequestTarget.lastSegment(ofLink: link)
                for from in ["https://api.example.com/v1/", "https://cdn.example/a", "http://127.0.0.1:8080/v1/x?y"] {
                    guard let url = try? ContentURL(link, relativeTo: from, base: HostileWorld.base, origins: []) else {
                        continue
                    }
                    try HostileRun.expect(
                        !url.isSigned || !HostileAnswerTests.leavesBase(url.text),
                        "credentials go to \(url.text.prefix(200).debugDescription)")
                }
            }
        }
    }

    /// As servers see it that decode a path before they resolve it, or take other characters for a slash.
    static func leavesBase(_ url: String) -> Bool {
        let start = "https://api.example.com"
        guard url.hasPrefix(start + "/") else { return true }
        let path = PercentEncoding.decode(String(url.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }))
        var open: [Substring] = []
        for segment in path.split(omittingEmptySubsequences: false, whereSeparator: { "/\\".contains($0) }) {
            let name = segment.prefix { $0 != ";" }
            if name == ".." { _ = open.popLast() } else if name != ".", name != "" { open.append(name) }
        }
        return open.first != "v1"
    }

    @Test("times and numbers at both ends of what 64 bits and a Double hold")
    func times() async {
        await #expect(processExitsWith: .success) {
            let formats = try ["seconds", "milliseconds", "microseconds", "yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyyMMdd"].map {
                try TimeFormat($0)
            }
            let types: [FieldType] = [
                .string, .integer, .decimal, .float, .boolean, .instant, .date, .json, .seconds, .milliseconds,
                .microseconds
            ]
            try await HostileRun.run(2000, "times") { source, _ in
                let text = source.chance(2) ? source.time() : source.number()
                let values: [Value] = [.string(text)] + (JSONNumber(text).map { [.number($0)] } ?? [])
                let ends = [Int64.max, .min, 0, Int64(bitPattern: source.next())].map { Timestamp(milliseconds: $0) }
                let lengths: [Duration] = [
                    .seconds(Int64.max), .seconds(Int64.min), .zero, .milliseconds(Int64.max), .nanoseconds(1)
                ]
                for time in ends {
                    for length in lengths { _ = time.advanced(by: length) }
                    for other in ends { _ = time.duration(to: other) }
                    _ = time.secondAbove.description
                }
                var instants = [Int64.max, .min, Int64(bitPattern: source.next())].map {
                    Instant(seconds: $0, nanoseconds: 999_999_999)
                }
                instants += [Instant(text), HTTPDate.parse(text)].compactMap(\.self)
                for format in formats {
                    instants += [format.instant(text), format.instant(written: text)].compactMap(\.self)
                }
                for type in types {
                    for value in values {
                        instants += [type.moment(value)].compactMap(\.self)
                        _ = type.accepts(value)
                        _ = type.sortKey(of: value)
                        for other in values { _ = type.compare(value, other) }
                    }
                }
                for instant in instants {
                    _ = (instant.timestamp, instant.description, Instant(instant.description), instant.text(like: text))
                    for length in lengths { _ = instant.moved(by: length) }
                    for format in formats { _ = format.text(instant) }
                    for decimals in [0, 3, 6] { _ = JSONNumber(instant, decimals: decimals) }
                }
                _ = NumberText.duration(text)
                _ = NumberText.size(text)
                _ = NumberText.rate(text)
            }
        }
    }

    @Test("contents: ranges, lengths and codings that do not fit what is here")
    func contents() async {
        await #expect(processExitsWith: .success) {
            try await HostileRun.run(700, "contents") { source, number in
                let world = HostileWorld()
                var tasks = try HostileWorld.tasks(9)
                var scan = Attachment(name: "scan")
                scan.download = .init(.path(try PathTemplate("tasks/{id}/scan")))
                tasks.attachments = [scan]
                let random = Mutex(source)
                let turn = Mutex(0)
                let client = try await world.client(tasks) { request in
                    guard request.url.hasSuffix("/scan") else {
                        return Response(
                            status: 200, body: ResponseBody(Array("{\"results\":[{\"id\":1,\"scan\":\"a\"}]}".utf8)))
                    }
                    let isFirst = turn.withLock { turn in
                        defer { turn += 1 }
                        return turn == 0
                    }
                    // A download that breaks off, so that the next one asks for the rest.
                    if isFirst {
                        return Response(
                            status: 200, headers: ["ETag": "\"1\"", "Content-Length": "9"],
                            body: ResponseBody(Array("12345".utf8)))
                    }
                    return random.withLock { source -> Response in
                        var headers = source.headers()
                        if source.chance(3) { headers["Content-Range"] = source.range() }
                        if source.chance(2) {
                            headers["Content-Range"] =
                                "bytes 5-\(source.number())/\(source.chance(2) ? "*" : source.number())"
                        }
                        if source.chance(4) { headers["Content-Encoding"] = source.coding() }
                        if source.chance(2) { headers["ETag"] = "\"1\"" }
                        return Response(
                            status: source.pick([200, 206, 206, 206, 302, 304, 404, 416, 500]), headers: headers,
                            body: ResponseBody(Array(repeating: 0x36, count: source.below(9))))
                    }
                }
                _ = try await client.pull()
                let uri = ObjectURI(entity: "tasks", id: "1")
                for _ in 0..<4 {
                    try await HostileAnswerTests.survives {
                        _ = try await client.content(of: "scan", at: uri).bytes.collect(upTo: 1 << 20)
                    }
                }
            }
        }
    }
}
