import Atmosphere
import AtmosphereSource
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
