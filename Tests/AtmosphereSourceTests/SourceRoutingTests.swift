import Atmosphere
import AtmosphereSource
import Testing

@Suite("The source's routes, parents and credentials")
struct SourceRoutingTests {
    @Test("a child stands below its parent only")
    func nesting() throws {
        var server = SampleServer(try SampleAPI.tasks(), seed: 2)
        #expect(server.send("GET", "/tasks/v1/lists/1/tasks/1")["list_id"] == "1")
        #expect(server.send("GET", "/tasks/v1/lists/2/tasks/1").status == 404)
        #expect(server.send("GET", "/tasks/v1/lists/9/tasks").status == 404)
        #expect(server.send("POST", "/tasks/v1/lists/9/tasks", "{}").status == 404)
        let created = server.send("POST", "/tasks/v1/lists/2/tasks", #"{"title":"A"}"#)
        #expect(created["list_id"] == "2")
        #expect(server.send("GET", "/tasks/v1/lists/2/tasks").values("$.items[*].id") == [2, 3])
    }

    @Test("a parent in the body must exist, may change, and takes its children along when it goes")
    func parentInBody() throws {
        var server = SampleServer(try SampleAPI.django(), seed: 2)
        #expect(server.send("POST", "/api/pictures/", #"{"title":"A"}"#).body == ["album": ["This field is required."]])
        let unknown = server.send("POST", "/api/pictures/", #"{"title":"A","album":9}"#)
        #expect(unknown.status == 400)
        #expect(unknown["album[0]"] == #"Invalid pk "9" - object does not exist."#)
        #expect(server.send("PATCH", "/api/pictures/1/", #"{"album":2}"#)["album"] == 2)
        #expect(server.send("PATCH", "/api/pictures/1/", #"{"album":9}"#).status == 400)
        #expect(server.send("DELETE", "/api/albums/2/").status == 204)
        #expect(server.send("GET", "/api/pictures/")["results"] == [])
        #expect(server.send("GET", "/api/pictures/1/").status == 404)
    }

    @Test(
        "paths outside the base, other methods, and verbs that are not offered",
        arguments: [
            ("GET", "/albums/", 404), ("GET", "/api/albums", 404), ("GET", "/api/albums//", 404),
            ("GET", "/apialbums/", 404),
            ("PUT", "/api/albums/1/", 405), ("DELETE", "/api/albums/", 405), ("GET", "/", 404), ("GET", "", 404),
            ("GET", "/api/albums/%31/", 200), ("GET", "/api/albums/1%2F2/", 404), ("POST", "/api/albums/", 405)
        ])
    func paths(method: String, target: String, status: Int) throws {
        var api = try SampleAPI.django()
        api.resources[0].create.isOffered = false
        var server = SampleServer(api, seed: 1)
        let answer = server.send(method, target, "{}")
        #expect(answer.status == status)
        if status == 405 { #expect(answer.headers["Allow"]?.isEmpty == false) }
    }

    @Test("a suffix and a fixed name go before a place")
    func specificPaths() throws {
        var rails = try SampleAPI.resource("notes", collection: "/notes.json", object: "/notes/{id}.json")
        rails.id = .member("slug")
        rails.assigned = .client
        var me = try SampleAPI.resource("me", collection: "/notes/mine.json", object: "/me/{id}")
        me.create.isOffered = false
        var server = SampleServer(SourceAPI(resources: [rails, me]))
        #expect(server.send("POST", "/notes.json", #"{"slug":"a b"}"#).status == 201)
        #expect(server.send("GET", "/notes/a%20b.json")["slug"] == "a b")
        #expect(server.send("GET", "/notes/a%20b").status == 404)
        #expect(server.send("GET", "/notes/mine.json").body == [])
    }

    @Test(
        "who does not show the declared credentials is answered 401",
        arguments: [
            (
                AuthSettings.basic(username: .literal("ada"), password: SecretName("S")), "Authorization",
                "Basic YWRhOnPDvA=="
            ),
            (
                .basic(username: .secret(SecretName("U")), password: SecretName("S")), "authorization",
                "Basic Ym9iOnPDvA=="
            ),
            (.bearer(SecretName("S")), "Authorization", "Bearer sü"),
            (.token(scheme: "Token", SecretName("S")), "Authorization", "Token sü"),
            (.keyInHeader(name: "X-Key", SecretName("S")), "x-key", "sü")
        ])
    func credentials(auth: AuthSettings, header: String, value: String) throws {
        var api = try SampleAPI.plain()
        api.auth = auth
        var server = SampleServer(api) { $0.secrets = ["S": "sü", "U": "bob"] }
        for headers: HeaderFields in [[:], [header: value + "x"], [header: ""]] {
            let refused = server.send("POST", "/notes", "{}", headers: headers)
            #expect(refused.status == 401)
            #expect(refused.headers["WWW-Authenticate"]?.isEmpty == false)
        }
        #expect(server.send("GET", "/notes", headers: [header: value]).body == [])
        // Anybody may read, but nobody with a proof that is wrong.
        api.signed = .writes
        var open = SampleServer(api) { $0.secrets = ["S": "sü", "U": "bob"] }
        #expect(open.send("GET", "/notes").status == 200)
        #expect(open.send("GET", "/notes", headers: [header: value]).status == 200)
        #expect(open.send("GET", "/notes", headers: [header: value + "x"]).status == 401)
    }

    @Test("a key may stand in the query")
    func keyInQuery() throws {
        var api = try SampleAPI.plain()
        api.auth = .keyInQuery(name: "key", SecretName("S"))
        var server = SampleServer(api) { $0.secrets = ["S": "a b+c"] }
        #expect(server.send("GET", "/notes?key=a+b%2Bc").status == 200)
        #expect(server.send("GET", "/notes?key=a").status == 401)
        #expect(server.send("GET", "/notes").status == 401)
    }

    @Test("a secret without a value lets nobody in")
    func missingSecret() throws {
        var api = try SampleAPI.plain()
        api.auth = .keyInHeader(name: "X-Key", SecretName("S"))
        var server = SampleServer(api)
        #expect(server.send("GET", "/notes").status == 401)
        #expect(server.send("GET", "/notes", headers: ["X-Key": ""]).status == 401)
        #expect(throws: RESTSourceError.self) { try RESTSource(api) }
    }

    @Test("the identity check tells the user")
    func identity() throws {
        var api = try SampleAPI.django()
        api.identity = IdentityCheck(path: "/me/", field: JSONPath([.member("user"), .member("name")]))
        var server = SampleServer(api)
        #expect(server.send("GET", "/api/me/").body == ["user": ["name": "demo"]])
    }

    @Test("the same seed makes the same objects, below existing parents")
    func seeds() throws {
        var first = SampleServer(try SampleAPI.django(), seed: 30)
        var second = SampleServer(try SampleAPI.django(), seed: 30)
        let pictures = first.send("GET", "/api/pictures/?page_size=1000")
        #expect(pictures.body == second.send("GET", "/api/pictures/?page_size=1000").body)
        #expect(pictures.values("$.results[*]").count == 30)
        #expect(Set(pictures.values("$.results[*].album")).count == 30)
        #expect(Set(pictures.values("$.results[*].uuid")).count == 30)
        #expect(pictures.values("$.results[*].due").contains(.null))
        #expect(pictures["results[0].title"] == "Picture 1")
        #expect(pictures["results[0].tags"]?.array != nil && pictures["results[0].public"]?.bool != nil)
        var other = SampleServer(try SampleAPI.django(), seed: 30) { $0.randomSeed = 2 }
        #expect(other.send("GET", "/api/pictures/?page_size=1000").body != pictures.body)
    }

    @Test(
        "dates are those of the calendar",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT")
        ])
    func dates(seconds: Int64, date: String) throws {
        var server = SampleServer(try SampleAPI.plain())
        server.time = Timestamp(milliseconds: (seconds - 1) * 1000)
        #expect(server.send("GET", "/notes").headers["Date"] == date)
    }
}
