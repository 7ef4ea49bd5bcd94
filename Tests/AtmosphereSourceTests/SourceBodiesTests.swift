import Atmosphere
import AtmospherePlain
import AtmosphereSource
import AtmosphereXML
import Testing

@Suite("The source's bodies, places and subsets")
struct SourceBodiesTests {
    @Test("a form is read with its root, its lists and the declared types, whatever the route file says")
    func form() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.writeRoot = "note"
                $0.fields.types = ["rank": .integer, "done": .boolean, "due": .date, "tags": .json]
            })
        let form = "note[title]=Milk+%26+more&note[rank]=7&note[done]=false&note[due]=&note[tags][]=a&note[tags][]=b"
        let answer = server.send(
            "POST", "/notes", form, headers: ["Content-Type": "application/x-www-form-urlencoded"])
        let expected: Value = [
            "id": 1, "title": "Milk & more", "rank": 7, "done": false, "due": nil, "tags": ["a", "b"]
        ]
        #expect(answer.body == expected)
        // What command line clients send where they are told nothing.
        let json = server.send(
            "POST", "/notes", #"{"title":"A"}"#, headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(json.status == 201 && json["title"] == "A")
    }

    @Test("a form and a query are divided at the bytes of their signs, whatever character follows")
    func signs() throws {
        var server = SampleServer(try SampleAPI.plain())
        let answer = server.send(
            "POST", "/notes", "title=\u{301}A&\u{301}b=+\u{301}c",
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        let expected: Value = ["id": 1, "title": "\u{301}A", "\u{301}b": " \u{301}c"]
        #expect(answer.body.json() == expected.json())
        let request = SourceRequest(method: "GET", target: "/notes?\u{301}a=1&cursor=\u{301}2&cursor=3")
        #expect(request.path == "/notes" && request.query.count == 3)
        #expect(request.query[1] == NamedText(name: "cursor", value: "\u{301}2"))
    }

    #if XML
        @Test(
            "what XML cannot say is refused with the member's name, so that every list can be answered",
            arguments: [
                (#"{"title":"A","a[b":1}"#, "“a[b”"), (#"{"title":"A","in":{"1":2}}"#, "“1”"),
                (#"{"title":"A","note":"x\u0001"}"#, "“note”")
            ])
        func unsayable(_ body: String, _ name: String) throws {
            let text = """
                {"atmosphere": 1, "base": "http://127.0.0.1:1", "style": "plain", "format": "xml",
                 "resources": {"notes": {"update": {"method": "PATCH"}}}}
                """
            let adapters: [Adapter] = [.plain, .xml]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "notes.json", adapters: adapters)
            var server = SampleServer(try SourceAPI(file, adapters: adapters))
            let headers: HeaderFields = ["Content-Type": "application/json"]
            #expect(server.send("POST", "/notes", #"{"title":"A"}"#, headers: headers).status == 201)
            for (method, path) in [("POST", "/notes"), ("PATCH", "/notes/1")] {
                let answer = server.send(method, path, body, headers: headers)
                #expect(answer.status == 400 && answer.body.string?.contains(name) == true, "\(method): \(answer)")
            }
            let list = server.send("GET", "/notes")
            #expect(list.status == 200 && list.body.string?.contains("<title>A</title>") == true, "\(list)")
        }
    #endif

    @Test("a body that nothing here reads is answered with 415")
    func otherCoding() throws {
        var server = SampleServer(try SampleAPI.plain())
        #expect(server.send("POST", "/notes", "<a/>", headers: ["Content-Type": "application/xml"]).status == 415)
    }

    @Test("a create says where the object is; a conditional one never replaces it")
    func places() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.assigned = .client
                $0.create = Operation(method: "PUT", path: $0.read.path)
            })
        let none: HeaderFields = ["If-None-Match": "*"]
        let created = server.send("PUT", "/notes/a%20b", #"{"title":"A"}"#, headers: none)
        #expect(created.status == 201 && created.headers["Location"] == "http://127.0.0.1:1/notes/a%20b")
        #expect(server.send("PUT", "/notes/a%20b", #"{"title":"B"}"#, headers: none).status == 412)
        #expect(server.send("GET", "/notes/a%20b")["title"] == "A")
    }

    @Test("what marks a deleted object deletes it, also in an update")
    func trash() throws {
        var server = SampleServer(
            try SampleAPI.plain(update: "PATCH") {
                $0.delete = $0.update
                $0.delete.set = ["trashed": true]
                $0.deletes.field = .member("trashed")
            })
        for title in ["A", "B"] { _ = server.send("POST", "/notes", #"{"title":"\#(title)"}"#) }
        #expect(server.send("PATCH", "/notes/1", #"{"trashed":true}"#).status == 204)
        #expect(server.send("GET", "/notes/1").status == 404)
        #expect(server.send("GET", "/notes").values("$[*].trashed") == [true])
    }

    @Test("a page past the end is empty, or has the status that is declared", arguments: [nil, 400, 410])
    func pastTheEnd(status: Int?) throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.paging = .number(parameter: "page", first: 1, size: .init(parameter: "n", value: 2), total: nil)
                $0.endStatuses = status.map { [$0] } ?? []
            }, seed: 3)
        #expect(server.send("GET", "/notes?page=2&n=2").values("$[*].id") == [3])
        let past = server.send("GET", "/notes?page=3&n=2")
        #expect(past.status == status ?? 200)
        if status == nil { #expect(past.body == []) }
    }

    @Test("a view shows the objects whose fields have the values of its parameters")
    func views() throws {
        var server = SampleServer(
            try SampleAPI.plain {
                $0.views = [
                    View(name: "mine", query: [NamedText(name: "owner", value: "{owner}")]),
                    View(
                        name: "of",
                        path: PathTemplate(parts: [.literal("people/"), .field("owner"), .literal("/notes")]))
                ]
            })
        for owner in [7, 8, 7] { _ = server.send("POST", "/notes", #"{"title":"A","owner":\#(owner)}"#) }
        #expect(server.send("GET", "/notes?owner=7").values("$[*].id") == [1, 3])
        #expect(server.send("GET", "/people/8/notes").values("$[*].id") == [2])
        #expect(server.send("GET", "/notes?other=7").values("$[*].id") == [1, 2, 3])
    }
}
