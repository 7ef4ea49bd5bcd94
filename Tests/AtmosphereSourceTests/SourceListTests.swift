import Atmosphere
import AtmosphereSource
import AtmosphereTesting
import Testing

@Suite("The source's lists")
struct SourceListTests {
    @Test("body links are absolute, repeat the query, and end with null")
    func bodyLinks() throws {
        var server = SampleServer(try SampleAPI.django(), seed: 5)
        var target = "/api/pictures/?page_size=2&x=a%20b%26c"
        var ids: [Value] = []
        var pages = 0
        while true {
            let page = server.send("GET", target)
            #expect(page.status == 200)
            ids += page.values("$.results[*].id")
            pages += 1
            guard let next = page["next"]?.string else {
                #expect(page["next"] == .null)
                break
            }
            #expect(next.hasPrefix("http://127.0.0.1:1/api/pictures/?page_size=2&x=a%20b%26c&cursor="))
            target = String(next.dropFirst("http://127.0.0.1:1".count))
        }
        #expect(ids == [1, 2, 3, 4, 5])
        #expect(pages == 3)
    }

    @Test("what was deleted stands in a list of its own where the route file has one, at a path or with a query")
    func deleted() throws {
        for isOwnPath in [true, false] {
            let path = isOwnPath ? "/deleted-pictures/" : "/pictures/"
            var api = try SampleAPI.django()
            var list = TombstoneList(list: Operation(method: "GET", path: try PathTemplate(path)))
            if !isOwnPath { list.list.query = [NamedText(name: "deleted", value: "yes")] }
            list.id = try JSONPath("picture.id")
            list.items = .member("gone")
            list.paging = .number(
                parameter: "page", first: 1, size: .init(parameter: "per", value: 2), total: .items(.body(.member("n")))
            )
            list.since = Since(parameter: "since", origin: .field(.member("at")))
            api.resources[1].deletes.list = list
            var server = SampleServer(api, seed: 5)
            let target = "/api\(path)?\(isOwnPath ? "" : "deleted=yes&")"
            #expect(server.send("GET", target).body == ["gone": [], "n": 0])
            for id in [2, 3, 5] { #expect(server.send("DELETE", "/api/pictures/\(id)/").status == 204) }
            let first = server.send("GET", target + "per=2")
            #expect(first.values("$.gone[*].picture.id") == [2, 3] && first["n"] == 3)
            #expect(first.values("$.gone[*].title") == [])
            let at = try #require(first.values("$.gone[*].at").first?.string)
            #expect(Instant(at) != nil)
            #expect(server.send("GET", target + "page=2&per=2").values("$.gone[*].picture.id") == [5])
            #expect(server.send("GET", target + "since=\(at)").values("$.gone[*].picture.id") == [3, 5])
            #expect(server.send("GET", "/api/pictures/").values("$.results[*].id") == [1, 4])
            #expect(server.send("POST", "/api/deleted-pictures/", "{}").status == (isOwnPath ? 405 : 404))
        }
    }

    @Test("tokens lead through all pages, though objects vanish meanwhile")
    func tokens() throws {
        var server = SampleServer(try SampleAPI.tasks(), seed: 6)
        // Six tasks over six lists: move them into one by creating there.
        for _ in 0..<4 { _ = server.send("POST", "/tasks/v1/lists/1/tasks", "{}") }
        let first = server.send("GET", "/tasks/v1/lists/1/tasks?maxResults=2")
        #expect(first.values("$.items[*].id") == [1, 7])
        _ = server.send("DELETE", "/tasks/v1/lists/1/tasks/7")
        let token = first["nextPageToken"]?.string ?? ""
        let second = server.send("GET", "/tasks/v1/lists/1/tasks?maxResults=2&pageToken=\(token)")
        #expect(second.values("$.items[*].id") == [8, 9])
        let last = server.send(
            "GET", "/tasks/v1/lists/1/tasks?maxResults=2&pageToken=\(second["nextPageToken"]?.string ?? "")")
        #expect(last.values("$.items[*].id") == [10])
        #expect(last["nextPageToken"] == nil)
        #expect(server.send("GET", "/tasks/v1/lists/1/tasks?pageToken=no").status == 404)
    }

    @Test(
        "page numbers",
        arguments: [
            ("?page=1&per=2", [1, 2]), ("?page=2&per=2", [3, 4]), ("?page=3&per=2", [5]), ("?per=2", [1, 2]),
            ("", [1, 2, 3, 4, 5]), ("?page=4&per=2", nil), ("?page=0", nil), ("?page=x", nil),
            ("?page=99999999999999", nil),
            ("?per=0", nil)
        ] as [(String, [Int]?)])
    func numbers(query: String, ids: [Int]?) throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.items = .member("notes")
                $0.paging = .number(
                    parameter: "page", first: 1, size: .init(parameter: "per", value: 2),
                    total: .items(.body(JSONPath([.member("meta"), .member("total")]))))
            }, seed: 5)
        let page = server.send("GET", "/notes\(query)")
        #expect((page.status == 200) == (ids != nil))
        guard let ids else { return }
        #expect(page.values("$.notes[*].id") == ids.map { .number(JSONNumber($0)) })
        #expect(page["meta.total"] == 5)
    }

    @Test(
        "offsets, with a bare array",
        arguments: [
            ("?offset=0&limit=2", [1, 2]), ("?offset=4&limit=2", [5]), ("?offset=9&limit=2", []),
            ("?offset=-1&limit=1", [1])
        ] as [(String, [Int])])
    func offsets(query: String, ids: [Int]) throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.paging = .offset(parameter: "offset", size: .init(parameter: "limit", value: 2), total: nil)
            }, seed: 5)
        let page = server.send("GET", "/notes\(query)")
        #expect(page.values("$[*].id") == ids.map { .number(JSONNumber($0)) })
    }

    @Test("numbers and times at the ends of what 64 bits hold are answered like any other mistake")
    func farNumbers() throws {
        var paged = SampleServer(
            try SampleAPI.plain { $0.paging = .number(parameter: "page", first: 1, size: Self.two, total: nil) },
            seed: 5)
        var moved = SampleServer(
            try SampleAPI.plain { $0.paging = .offset(parameter: "page", size: Self.two, total: nil) }, seed: 5)
        var linked = SampleServer(try SampleAPI.django(), seed: 5)
        var token = SampleServer(try SampleAPI.tasks(), seed: 5)
        var source = HostileSource(seed: 1)
        for text in HostileSource.numbers + (0..<300).map({ _ in source.time() }) {
            let written = PercentEncoding.query(text)
            let statuses = [
                paged.send("GET", "/notes?page=\(written)&n=\(written)").status,
                moved.send("GET", "/notes?page=\(written)&n=2").status,
                linked.send("GET", "/api/pictures/?modified_since=\(written)&cursor=\(written)&page_size=\(written)")
                    .status,
                token.send("GET", "/tasks/v1/lists/1/tasks?updatedMin=\(written)&pageToken=\(written)").status
            ]
            #expect(statuses.allSatisfy { (200..<500).contains($0) }, "\(text)")
        }
    }

    private static let two = Paging.Size(parameter: "n", value: 2)

    @Test(
        "a flag says whether more follow, of every kind of paging, in the body or in a header, turned round or not",
        arguments: [
            (.number(parameter: "p", first: 0, size: two, total: nil), "p=0", "p=1"),
            (.offset(parameter: "p", size: two, total: nil), "p=0", "p=2"),
            (.bodyLink(next: .member("next"), size: two), "", "cursor=2"),
            (.headerLink(name: "Link", size: two), "", "cursor=2"),
            (.token(next: .header("X-Next"), parameter: "p", size: two), "", "p=2")
        ] as [(Paging, String, String)], [false, true])
    func flags(_ pages: (kind: Paging, first: String, last: String), saysEnd: Bool) throws {
        for place in [.member("flag"), .header("X-Flag")] as [Paging.Place] {
            var server = SampleServer(
                try SampleAPI.plain {
                    $0.items = .member("notes")
                    $0.paging = pages.kind
                    $0.more = place
                    $0.moreSaysEnd = saysEnd
                }, seed: 4)
            for (target, ids, hasMore) in [(pages.first, [1, 2] as [Value], true), (pages.last, [3, 4], false)] {
                let page = server.send("GET", "/notes?n=2&\(target)")
                #expect(page.values("$.notes[*].id") == ids)
                let isBody = place == .member("flag")
                #expect(page["flag"] == (isBody ? .bool(hasMore != saysEnd) : nil))
                #expect(page.headers["X-Flag"] == (isBody ? nil : String(hasMore != saysEnd)))
            }
        }
    }

    @Test("the last object of a page says where the next one begins, though it vanishes meanwhile")
    func lastObjects() throws {
        let last = JSONPath([.member("notes"), .index(-1), .member("id")])
        var server = SampleServer(
            try SampleAPI.plain {
                $0.items = .member("notes")
                $0.paging = .token(next: .body(last), parameter: "after", size: Self.two)
                $0.more = .member("more")
            }, seed: 5)
        #expect(server.send("GET", "/notes?n=2").body.members?.map(\.name) == ["more", "notes"])
        _ = server.send("DELETE", "/notes/2")
        let second = server.send("GET", "/notes?n=2&after=2")
        #expect(second.values("$.notes[*].id") == [3, 4] && second["more"] == true)
        let third = server.send("GET", "/notes?n=2&after=4")
        #expect(third.values("$.notes[*].id") == [5] && third["more"] == false)
        #expect(server.send("GET", "/notes?n=2&after=5").values("$.notes[*].id") == [])
        #expect(server.send("GET", "/notes?n=2&after=77").status == 404)
    }

    @Test("items inside others, and links in lists, stand where the route file looks for them")
    func places() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.items = JSONPath([.member("rows"), .all, .member("doc")])
                let next = JSONPath([.member("links"), .index(1), .member("href")])
                $0.paging = .bodyLink(next: next, size: Self.two)
            }, seed: 3)
        let page = server.send("GET", "/notes?n=2")
        #expect(page.values("$.rows[*].doc.id") == [1, 2])
        #expect(page["links[0]"] == .null)
        #expect(page["links[1].href"] == "http://127.0.0.1:1/notes?n=2&cursor=2")
    }

    @Test("a look-up by an expression, in the list or elsewhere, shows the one object")
    func lookups() throws {
        var lookup = Lookup(field: "note", parameter: "filter")
        lookup.prefix = "(note eq "
        lookup.suffix = ")"
        lookup.quotes = .single
        var server = SampleServer(
            try SampleAPI.plain {
                $0.lookup = lookup
                $0.since = Since(parameter: "filter", origin: .field(.member("changed")))
                $0.since?.prefix = "changed gt "
                $0.since?.suffix = " and true"
            }, seed: 3)
        _ = server.send("POST", "/notes", #"{"title":"T","note":"o'neil"}"#)
        let filter = PercentEncoding.query("(note eq 'o''neil')")
        #expect(server.send("GET", "/notes?filter=\(filter)").values("$[*].id") == [4])
        #expect(server.send("GET", "/notes?filter=\(PercentEncoding.query("(note eq 'none')"))").body == [])
        let later = PercentEncoding.query("changed gt 2999-01-01T00:00:00Z and true")
        #expect(server.send("GET", "/notes?filter=\(later)").body == [])
        #expect(server.send("GET", "/notes?filter=other").status == 400)

        lookup.path = try PathTemplate("notes/search")
        let list = try PathTemplate("notes/list")
        server = SampleServer(
            try SampleAPI.plain {
                $0.lookup = lookup
                $0.list.set = ["kind": "note"]
                $0.list.method = "POST"
                $0.list.path = list
            }, seed: 3)
        _ = server.send("POST", "/notes", #"{"title":"T","note":"o'neil"}"#)
        #expect(server.send("GET", "/notes/search?filter=\(filter)").values("$[*].id") == [4])

        lookup.items = .member("results")
        server = SampleServer(try SampleAPI.plain { $0.lookup = lookup }, seed: 3)
        _ = server.send("POST", "/notes", #"{"title":"T","note":"o'neil"}"#)
        #expect(server.send("GET", "/notes/search?filter=\(filter)").values("$.results[*].id") == [4])
        #expect(server.send("GET", "/notes").values("$[*].id").count == 4)
    }

    @Test("a page is never larger than 1,000, and 100 where nothing else is asked for")
    func pageSizes() throws {
        var server = SampleServer(try SampleAPI.django(), seed: 1200)
        #expect(server.send("GET", "/api/albums/?page_size=5000").values("$.results[*]").count == 1000)
        #expect(server.send("GET", "/api/albums/").values("$.results[*]").count == 100)
        #expect(server.send("GET", "/api/albums/?page_size=-1").status == 400)
    }

    @Test("since a field's value lists what changed behind it, and nothing twice")
    func sinceField() throws {
        var server = SampleServer(try SampleAPI.django(), seed: 5)
        func changes(_ server: inout SampleServer, _ cursor: String) -> SampleAnswer {
            server.send("GET", "/api/albums/?modified_since=\(PercentEncoding.query(cursor))")
        }
        let times = server.send("GET", "/api/albums/").values("$.results[*].last_modified").compactMap(\.string)
        #expect(Set(times).count == 5)
        var cursor = times.max() ?? ""
        #expect(changes(&server, cursor)["results"] == [])
        _ = server.send("PATCH", "/api/albums/2/", #"{"title":"new"}"#)
        _ = server.send("POST", "/api/albums/", #"{"title":"newer"}"#)
        let answer = changes(&server, cursor)
        #expect(answer.values("$.results[*].id") == [2, 6])
        cursor = answer.values("$.results[*].last_modified").compactMap(\.string).max() ?? ""
        #expect(changes(&server, cursor)["results"] == [])
        #expect(
            changes(&server, "2024-01-01T10:01:00+02:00").values("$.results[*].id")
                == [1, 2, 3, 4, 5, 6].filter { $0 != 1 })
        #expect(changes(&server, "yesterday").status == 400)
    }

    @Test("modification times differ and grow, though the clock stands or goes back")
    func times() throws {
        var server = SampleServer(try SampleAPI.django())
        var times: [String] = []
        for step in [0, -3600, -3600, 0] {
            server.time = Timestamp(milliseconds: 1_717_243_200_000 + Int64(step) * 1000)
            times.append(server.send("POST", "/api/albums/", #"{"title":"A"}"#)["last_modified"]?.string ?? "")
        }
        #expect(times == times.sorted() && Set(times).count == 4)
        #expect(times.last == "2024-06-01T12:00:01.000003Z")
    }

    @Test("tombstones stand in the lists that ask for them, and in no others")
    func tombstones() throws {
        var server = SampleServer(try SampleAPI.tasks(), seed: 1)
        let before = "2024-06-01T12:00:00Z"
        _ = server.send("DELETE", "/tasks/v1/lists/1/tasks/1")
        let path = "/tasks/v1/lists/1/tasks"
        #expect(server.send("GET", path)["items"] == [])
        #expect(server.send("GET", "\(path)?updatedMin=\(before)")["items"] == [])
        let deleted = server.send("GET", "\(path)?updatedMin=\(before)&showDeleted=true")
        #expect(deleted.values("$.items[*].id") == [1])
        #expect(deleted["items[0].deleted"] == true)
        #expect(
            server.send("GET", "\(path)?updatedMin=Sat,%2001%20Jun%202024%2013:00:00%20GMT&showDeleted=true")["items"]
                == [])
    }

    @Test("tombstones need no extra parameter where none is declared")
    func tombstonesWithSince() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.since = Since(parameter: "since", origin: .header("X-Cursor"))
                $0.deletes.field = .member("deleted_at")
                $0.fields.types["deleted_at"] = .instant
            }, seed: 2)
        let cursor = server.send("GET", "/notes").headers["X-Cursor"] ?? ""
        _ = server.send("DELETE", "/notes/2")
        #expect(server.send("GET", "/notes").values("$[*].id") == [1])
        let changed = server.send("GET", "/notes?since=\(cursor)")
        #expect(changed.values("$[*].id") == [2])
        #expect(changed["[0].deleted_at"]?.string?.hasPrefix("2024-06-01T12:00:02") == true)
    }

    @Test("a cursor in the body is behind everything that was listed")
    func bodyCursor() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.items = .member("notes")
                $0.since = Since(parameter: "since", origin: .body(.member("server_time")))
            }, seed: 2)
        let cursor = server.send("GET", "/notes")["server_time"]?.string ?? ""
        #expect(server.send("GET", "/notes?since=\(cursor)")["notes"] == [])
        server.time = Timestamp(milliseconds: 0)
        _ = server.send("POST", "/notes", "{}")
        #expect(server.send("GET", "/notes?since=\(cursor)").values("$.notes[*].id") == [3])
    }
}
