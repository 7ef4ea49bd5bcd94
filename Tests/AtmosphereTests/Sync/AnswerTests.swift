import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// What the synchronizer makes of answers that no one would expect.
@Suite("Odd answers")
struct AnswerTests {
    private func once(_ method: String, _ response: @escaping @Sendable () -> Response) -> TinyServer.Fault {
        .init(applies: { $0.method == method }, processes: true, outcome: { response() })
    }

    @Test(
        "a location without an identifier leaves a create to be looked up",
        arguments: ["", "?", "/", "?x=/1", "#", "https://tiny.example", "//tiny.example/", "///"])
    func oddLocations(location: String) async throws {
        let world = try await TinyWorld()
        world.server.fail(once("POST") { Response(status: 201, headers: ["Location": location]) })
        let uri = try await world.synchronizer.save(["title": "once"], as: "tasks")
        try await world.synchronizer.push()
        #expect(world.server.rows("tasks").count == 1)
        #expect(try await world.synchronizer.record(at: uri)?["id"] == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test(
        "the last segment of a location is the identifier, decoded",
        arguments: [
            ("https://tiny.example/api/tasks/a%2Fb/?x=1#y", "a/b"), ("/api/tasks/7", "7"), ("7", "7"),
            ("//tiny.example/tasks/7/", "7"), ("tasks/7?next=https://tiny.example/8", "7")
        ])
    func locations(location: String, id: String) {
        #expect(RequestTarget.lastSegment(ofLink: location) == id)
    }

    @Test("a URL in the query of a link does not make it absolute")
    func linkWithURLInQuery() throws {
        let link = "/v1/tasks?cursor=1&from=https://other.example/v2/x"
        let target = try RequestTarget(
            link: link, base: "https://api.example.com/v1", current: RequestTarget(path: "tasks"))
        #expect(target.path == "tasks" && target.query.map(\.name) == ["cursor", "from"])
    }

    // MARK: Secrets

    private struct KeyedWorld {
        let synchronizer: Synchronizer

        init(
            _ auth: AuthSettings, change: (inout RouteFile) -> Void = { _ in },
            answer: @escaping @Sendable (Request) throws -> Response
        ) async throws {
            var routeFile = try TinyWorld.routeFile()
            routeFile.auth = auth
            change(&routeFile)
            let secrets = SecretSource(environment: ["KEY": "k3y/s3cret", "PASSWORD": "pass word", "SHORT": "no"])
            synchronizer = try await Synchronizer(
                routeFile: routeFile, store: MemoryStore(), transport: ScriptedTransport { try answer($0) },
                style: TinyWorld.TinyStyle(), authenticator: StaticAuthenticator(settings: auth, secrets: secrets),
                environment: TinyWorld.environment())
        }
    }

    @Test("a secret that the server repeats in a message is neither shown nor stored")
    func repeatedSecret() async throws {
        let world = try await KeyedWorld(.keyInQuery(name: "api_key", SecretName("KEY"))) { _ in
            Response(
                status: 422,
                body: ResponseBody(
                    #"{"title": ["key k3y/s3cret is bad"], "non_field_errors": "?api_key=k3y%2Fs3cret"}"#))
        }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        let failure = try #require(try await world.synchronizer.object(at: uri)?.meta.outgoing?.lastError)
        #expect(failure.message == "?api_key=[secret]")
        #expect(failure.fields == [.init(field: "title", message: "key [secret] is bad")])
    }

    @Test("a password is taken out in each form in which it was sent")
    func repeatedPassword() async throws {
        let world = try await KeyedWorld(
            .basic(username: .literal("ada"), password: SecretName("PASSWORD"))
        ) { request in
            let sent = request.headers["Authorization"] ?? ""
            return Response(status: 401, body: ResponseBody(#"{"detail": "no: pass word, \#(sent)"}"#))
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        #expect(report.entities["lists"]?.problem?.contains("no: [secret], Basic [secret]") == true, "\(report)")
    }

    @Test("a short secret is taken out where it is told as a value, and leaves the words that hold it")
    func shortSecret() async throws {
        let redaction = Redaction([Secret("on"), Secret("1")])
        let unchanged = [
            "The title is too long for one person.", "put it on top", "11 of 21", "{\"done\": 10}", "on_hold: 12"
        ]
        for text in unchanged { #expect(redaction(text) == text) }
        let told = [
            ("on", "[secret]"), ("?api_key=on&page=10", "?api_key=[secret]&page=10"),
            ("X-Key: on", "X-Key: [secret]"),
            (
                "the key \"on\" is wrong, so are 'on', `on` and “on”",
                "the key \"[secret]\" is wrong, so are '[secret]', `[secret]` and “[secret]”"
            ),
            ("GET /users/1/on", "GET /users/[secret]/[secret]"), ("pin=1", "pin=[secret]")
        ]
        for (text, expected) in told { #expect(redaction(text) == expected) }
        #expect(Redaction([Secret("hush")])("hushed") == "[secret]ed")
    }

    @Test(
        "a secret is taken out however the server writes it",
        arguments: [
            "kQ7+xz/Tb4EfGh12==", "kQ7%2Bxz%2FTb4EfGh12%3D%3D", "kQ7%2Bxz/Tb4EfGh12%3D%3D",
            "kQ7%2bxz%2fTb4EfGh12%3d%3d", #"kQ7+xz\/Tb4EfGh12=="#, #"kQ7\u002bxz\u002FTb4EfGh12=="#,
            "kQ7&#43;xz&#47;Tb4EfGh12&#61;&#61;", "kQ7&#x2b;xz&#x2F;Tb4EfGh12&#x3D;&#x3D;",
            "kQ7&plus;xz&sol;Tb4EfGh12&equals;&equals;", "a1E3K3h6L1RiNEVmR2gxMj09",
            "6b51372b787a2f5462344566476831323d3d", "6B51372B787A2F5462344566476831323D3D",
            #"kQ7+xz\\/Tb4EfGh12=="#, #"kQ7\\u002bxz\\u002FTb4EfGh12=="#, #"kQ7\\\\u002bxz/Tb4EfGh12=="#,
            "kQ7%252Bxz%252FTb4EfGh12%253D%253D", #"kQ7&#43;xz\/Tb4EfGh12=="#, "kQ7%2Bxz&#47;Tb4EfGh12&#x3D;%3D",
            "kQ7&amp;#43;xz/Tb4EfGh12=="
        ])
    func encodedSecret(_ written: String) {
        let redaction = Redaction([Secret("other"), Secret("kQ7+xz/Tb4EfGh12==")])
        #expect(redaction("bad key “\(written)” (ü, 100%)") == "bad key “[secret]” (ü, 100%)")
        #expect(redaction("\(written)\(written)") == "[secret][secret]")
    }

    @Test("no more of a long text is looked through than is told, and a secret at its end is not cut")
    func longText() {
        let redaction = Redaction([Secret("kQ7+xz/Tb4EfGh12==")])
        let start = String(repeating: "a", count: 995)
        let end = String(repeating: #"b%41&#65;\u0041"#, count: 100_000)
        #expect(redaction("\(start)kQ7+xz\\/Tb4EfGh12==\(end)", upTo: 1000) == "\(start)[secr")
        #expect(redaction("\(start)kQ7+xz/Tb4EfGh12==", upTo: 1000) == "\(start)[secr")
        #expect(redaction("\(start)\(end)", upTo: 3) == "aaa")
        #expect(redaction("short kQ7+xz/Tb4EfGh12==", upTo: 1000) == "short [secret]")
    }

    @Test("of a secret that was encoded with others what is its own is taken out; a short one is looked for alone")
    func encodedBesideOthers() {
        #expect(
            Redaction([Secret("kQ7+xz/Tb4EfGh12==")])("Basic YWRhOmtRNyt4ei9UYjRFZkdoMTI9PQ==")
                == "Basic YWRhOm[secret]Q==")
        let short = Redaction([Secret("a1b2")])
        #expect(short("YTFiMg== or 61316232, a1%62%32") == "[secret]== or [secret], [secret]")
        #expect(short("xYTFiMgx, 613162320") == "xYTFiMgx, 613162320")
        #expect(Redaction([Secret("secret"), Secret("secretary")])("a secretary's secret") == "a [secret]'s [secret]")
    }

    @Test("behind its scheme a short secret is no word, and atmos check warns of it")
    func shortToken() async throws {
        let auth = AuthSettings.token(scheme: "Token", SecretName("SHORT"))
        let world = try await KeyedWorld(auth) { request in
            let sent = request.headers["Authorization"] ?? ""
            return Response(status: 401, body: ResponseBody(#"{"detail": "\#(sent) is no token of one user"}"#))
        }
        let report = try await world.synchronizer.check()
        #expect(report.signInNeeded?.contains("[secret] is no token of one user") == true, "\(report)")
        #expect(
            report.warnings == [
                "auth: a secret of fewer than 4 characters is found by trying, and is shown where a server's message has it as a word; use a longer one"
            ])
        let long = try await KeyedWorld(.bearer(SecretName("KEY"))) { _ in
            Response(status: 401, body: ResponseBody("{}"))
        }
        #expect(try await long.synchronizer.check().warnings == [])
    }

    @Test("atmos check warns of keys that go where everybody on the way can read them")
    func clearText() async throws {
        func warnings(_ base: String, _ live: String, publish: String? = nil) async throws -> [String] {
            let world = try await KeyedWorld(.bearer(SecretName("KEY"))) {
                $0.base = base
                var settings = LiveSettings(url: live, key: SecretName("KEY"))
                (settings.publish, settings.publishKey) = (publish, SecretName("KEY"))
                $0.live = settings
            } answer: { _ in
                Response(status: 401, body: ResponseBody("{}"))
            }
            return try await world.synchronizer.check().warnings
        }
        let shown = try await warnings(
            "http://api.example.com/v1", "ws://push.example.com/x", publish: "http://push.example.com:81")
        #expect(shown.map { $0.prefix { $0 != ":" } } == ["base", "live.url", "live.publish.url"])
        #expect(shown.first?.contains("http://api.example.com:80 can read") == true, "\(shown)")
        #expect(try await warnings("http://127.0.0.1:8000", "ws://localhost:1", publish: "http://[::1]") == [])
        #expect(try await warnings("https://api.example.com", "wss://push.example.com") == [])
    }

    @Test("a link to the next page that repeats the key in its query is remembered without it")
    func keyInLink() async throws {
        let asked = Asked()
        let world = try await KeyedWorld(.keyInQuery(name: "api_key", SecretName("KEY"))) { request in
            asked.add(request.url)
            if request.url.contains("page=2") {
                throw TransportError(code: .cannotConnect, message: "down", mayHaveArrived: false)
            }
            return Response(
                status: 200,
                body: ResponseBody(#"{"results": [{"id": 1}], "next": "/api/lists/?api_key=k3y%2Fs3cret&page=2"}"#))
        }
        try await world.synchronizer.pull(entities: ["lists"])
        #expect(asked.all.last == "https://tiny.example/api/lists/?page=2&api_key=k3y%2Fs3cret")
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.underway?.position?.target == "lists/?page=2")
    }

    @Test("a cursor that is a link and repeats the key, under whatever name, is remembered without it")
    func keyInCursor() async throws {
        let asked = Asked()
        let world = try await KeyedWorld(
            .keyInQuery(name: "api_key", SecretName("KEY")),
            change: { $0.resources[0].since = Since(parameter: "since", origin: .body(.member("delta"))) }
        ) { request in
            asked.add(request.url)
            let link = "https://tiny.example/api/lists/?api_key=k3y%2Fs3cret&since=a%20b&k=k3y%2Fs3cret"
            return Response(
                status: 200, body: ResponseBody(#"{"results": [{"id": 1}], "delta": "\#(link)"}"#))
        }
        try await world.synchronizer.pull(entities: ["lists"])
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.checkpoint == "https://tiny.example/api/lists/?since=a%20b")
        try await world.synchronizer.pull(entities: ["lists"])
        #expect(asked.all.last == "https://tiny.example/api/lists/?since=a%20b&api_key=k3y%2Fs3cret")
    }

    @Test(
        "a link to the next page that repeats the key under another name is asked for, told and remembered without it")
    func keyInLinkUnderOtherName() async throws {
        let asked = Asked()
        let world = try await KeyedWorld(.keyInQuery(name: "api_key", SecretName("KEY"))) { request in
            asked.add(request.url)
            if request.url.contains("page=2") { return Response(status: 500, body: ResponseBody(#"{"title": "no"}"#)) }
            return Response(
                status: 200,
                body: ResponseBody(#"{"results": [{"id": 1}], "next": "/api/lists/?k=k3y%2Fs3cret&page=2"}"#))
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        #expect(!"\(report)".contains("s3cret"), "\(report)")
        #expect(asked.all.last == "https://tiny.example/api/lists/?page=2&api_key=k3y%2Fs3cret")
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.underway?.position?.target == "lists/?page=2")
    }

    @Test("a token from a header that the server repeats in its links is asked for, told and remembered without it")
    func tokenInLink() async throws {
        let asked = Asked()
        let world = try await KeyedWorld(.bearer(SecretName("KEY"))) { request in
            asked.add(request.url)
            if request.url.contains("page=2") { return Response(status: 500, body: ResponseBody(#"{"title": "no"}"#)) }
            return Response(
                status: 200,
                body: ResponseBody(#"{"results": [{"id": 1}], "next": "/api/lists/?access_token=k3y%2Fs3cret&page=2"}"#)
            )
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        #expect(!"\(report)".contains("s3cret"), "\(report)")
        #expect(asked.all.last == "https://tiny.example/api/lists/?page=2")
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.underway?.position?.target == "lists/?page=2")
    }

    @Test(
        "a link that holds a secret in the middle of something else is not told, and is no place to go on from",
        arguments: ["s=a-k3y%2Fs3cret-b&page=2", "page=2&s=azN5L3MzY3JldA"])
    func secretInsideLink(_ query: String) async throws {
        let world = try await KeyedWorld(.bearer(SecretName("KEY"))) { request in
            if request.url.contains("page=2") { return Response(status: 500, body: ResponseBody(#"{"title": "no"}"#)) }
            return Response(
                status: 200, body: ResponseBody(#"{"results": [{"id": 1}], "next": "/api/lists/?\#(query)"}"#))
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        #expect(report.entities["lists"]?.problem?.contains("[secret]") == true, "\(report)")
        #expect(!"\(report)".contains("s3cret") && !"\(report)".contains("azN5L3MzY3JldA"), "\(report)")
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.underway != nil && cursor?.underway?.position == nil)
    }

    @Test("a cursor that holds a secret is not stored, and the pull says so once")
    func secretInsideCursor() async throws {
        let world = try await KeyedWorld(
            .bearer(SecretName("KEY")),
            change: { $0.resources[0].since = Since(parameter: "since", origin: .body(.member("delta"))) }
        ) { _ in
            Response(status: 200, body: ResponseBody(#"{"results": [{"id": 1}], "delta": "7-k3y/s3cret-8"}"#))
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        let warnings = report.entities["lists"]?.warnings ?? []
        #expect(warnings.count { $0.contains("repeats a secret") } == 1, "\(report)")
        let cursor = try await world.synchronizer.store.read { try $0.cursor(for: PullScope(entity: "lists")) }
        #expect(cursor?.complete != nil && cursor?.checkpoint == nil)
    }

    @Test("a cursor that holds a secret speaks not against what its list shows to be absent")
    func absentBesideSecret() async throws {
        let isFirst = Mutex(true)
        let world = try await KeyedWorld(
            .bearer(SecretName("KEY")),
            change: {
                $0.resources[0].since = Since(parameter: "since", origin: .body(.member("delta")))
                $0.resources[0].deletes.byAbsence = true
            }
        ) { request in
            if request.url.contains("lists/2") { return Response(status: 404) }
            let second =
                isFirst.withLock { first in
                    defer { first = false }; return first
                } ? #", {"id": 2}"# : ""
            return Response(
                status: 200,
                body: ResponseBody(#"{"results": [{"id": 1}\#(second)], "delta": "7-k3y/s3cret-8"}"#))
        }
        for count in [2, 1] {
            let report = try await world.synchronizer.pull(entities: ["lists"])
            let here = try await world.synchronizer.records(matching: Query("lists"))
            #expect(here.count == count, "\(report)")
        }
    }

    @Test("the names of members are told without secrets")
    func secretAsName() async throws {
        let world = try await KeyedWorld(.bearer(SecretName("KEY"))) { _ in
            Response(status: 200, body: ResponseBody(#"{"k3y/s3cret": "is not known"}"#))
        }
        let report = try await world.synchronizer.pull(entities: ["lists"])
        #expect(report.entities["lists"]?.problem?.contains("[secret]") == true, "\(report)")
        #expect(!"\(report)".contains("s3cret"), "\(report)")
    }

    // MARK: Waiting

    @Test("a pull waits where a server asks for a short time, and asks again", arguments: [429, 503])
    func shortWait(status: Int) async throws {
        let world = try await TinyWorld()
        world.server.insert("lists", ["title": "a"])
        world.server.fail(
            .init(applies: { _ in true }, processes: false) { Response(status: status, headers: ["Retry-After": "20"]) }
        )
        let before = world.synchronizer.environment.now()
        let report = try await world.synchronizer.pull()
        #expect(report.isComplete && report.entities["lists"]?.inserted == 1)
        #expect(before.duration(to: world.synchronizer.environment.now()) == .seconds(20))
    }

    @Test("a longer wait ends push and pull at once, says until when, and keeps everything")
    func longWait() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        for _ in 0..<2 {
            world.server.fail(
                .init(applies: { _ in true }, processes: false) {
                    Response(status: 429, headers: ["Retry-After": "600"])
                })
        }
        let before = world.synchronizer.environment.now()
        let push = try await world.synchronizer.push()
        #expect(push.unreachable?.contains("asks to wait until 2023-11-14T22:23:20Z") == true, "\(push)")
        #expect(push.failures.isEmpty)
        let pull = try await world.synchronizer.pull()
        #expect(pull.entities["lists"]?.problem?.contains("asks to wait until 2023-11-14T22:23:20Z") == true)
        #expect(pull.entities["lists"]?.problemKind == .unreached)
        #expect(world.synchronizer.environment.now() == before)
        #expect(world.server.log.count == 1, "\(world.server.log)")
        let outgoing = try #require(try await world.synchronizer.object(at: uri)?.meta.outgoing)
        #expect(outgoing.phase == .waiting && outgoing.retry == Retry())
    }

    @Test("of a wait of more than an hour an hour counts, and the message says so", arguments: [429, 503])
    func cutWait(status: Int) async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "b")])
        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: false) {
                Response(status: status, headers: ["Retry-After": "7200"])
            })
        let push = try await world.synchronizer.push()
        let told = "asks to wait until 2023-11-14T23:13:20Z (it asks for longer than an hour, of which an hour counts);"
        #expect(push.unreachable?.contains(told) == true, "\(push)")
    }

    @Test("a server that asks to wait again and again is left alone after a bounded time, by push and pull alike")
    func endlessWait() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        for _ in 0..<100 {
            world.server.fail(
                .init(applies: { _ in true }, processes: false) { Response(status: 429, headers: ["Retry-After": "1"]) }
            )
        }
        world.server.clearLog()
        let push = try await world.synchronizer.push()
        #expect(push.unreachable?.contains("asks to wait") == true)
        #expect(world.server.log.count == 6)
        let pull = try await world.synchronizer.pull()
        #expect(pull.entities["lists"]?.problemKind == .unreached)
        #expect(world.server.log.count == 12)
        #expect(try await world.synchronizer.object(at: uri)?.meta.outgoing?.retry == Retry())
    }

    @Test("what is stopped while the server asks to wait was not sent")
    func stoppedWhileWaiting() async throws {
        let server = TinyServer()
        let waiting = Gate()
        var environment = TinyWorld.environment()
        environment.sleep = { _ in try await waiting.pass() }
        let synchronizer = try await Synchronizer(
            routeFile: try TinyWorld.routeFile {
                $0.lookup = nil; $0.duplicate = nil
            }, store: MemoryStore(),
            transport: server.transport, style: TinyWorld.TinyStyle(), environment: environment)
        let uri = try await synchronizer.save(["title": "a"], as: "tasks")
        server.fail(
            .init(applies: { _ in true }, processes: false) { Response(status: 429, headers: ["Retry-After": "5"]) })
        let push = Task { try await synchronizer.push() }
        await waiting.waitForArrivals()
        push.cancel()
        await #expect(throws: CancellationError.self) { try await push.value }
        #expect(try await synchronizer.object(at: uri)?.meta.outgoing?.phase == .waiting)
    }

    @Test("a synchronous save that meets a long wait was not sent and leaves the queued create as it was")
    func longWaitOfSynchronousSave() async throws {
        let world = try await TinyWorld()
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        world.server.fail(
            .init(applies: { _ in true }, processes: false) { Response(status: 429, headers: ["Retry-After": "600"]) })
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.editNow(uri, setting: [("title", "b")])
        }
        #expect(error?.code == .unreachable && error?.mayHaveHappened == false)
        let object = try #require(try await world.synchronizer.object(at: uri))
        #expect(object.meta.outgoing?.phase == .waiting && object.record?["title"] == "a")
    }

    // MARK: Custom requests

    @Test("a custom request shows what the server says, and carries the headers of the resource it is for")
    func rawRequests() async throws {
        let asked = Asked()
        let world = try await KeyedWorld(
            .none,
            change: { file in
                for index in file.resources.indices {
                    file.resources[index].headers = [NamedText(name: "X-Client", value: file.resources[index].name)]
                }
            },
            answer: { request in
                asked.add("\(request.url) \(request.headers["X-Client"] ?? "none")")
                if request.url.hasSuffix("plain") {
                    return Response(
                        status: 422, headers: ["Content-Type": "text/plain; charset=utf-8"],
                        body: ResponseBody("too short\nby far"))
                }
                return Response(status: 422, body: ResponseBody(#"{"message": "no good", "code": 7}"#))
            })
        func message(_ path: String) async -> String? {
            let error = await #expect(throws: SyncError.self) {
                try await world.synchronizer.request(method: "PATCH", path: path, body: ["a": 1])
            }
            return error?.message
        }
        #expect(await message("reports/7?key=1") == "PATCH reports/7: no good (422)")
        #expect(await message("plain") == "PATCH plain: too short (422)")
        _ = await message("tasks/1/?x=1")
        _ = await message("https://tiny.example/api/lists/")
        #expect(
            asked.all == [
                "https://tiny.example/api/reports/7?key=1 none", "https://tiny.example/api/plain none",
                "https://tiny.example/api/tasks/1/?x=1 tasks", "https://tiny.example/api/lists/ lists"
            ])
    }

    @Test(
        "a custom request goes nowhere but under the base",
        arguments: [
            "http://evil.example/api/tasks/", "https://tiny.example/other", "https://tiny.example.evil/api/tasks",
            "//evil.example/api/tasks", "../other", "tasks/../../x", "http://tiny.example/api/tasks"
        ])
    func outsideTheBase(path: String) async throws {
        let world = try await TinyWorld()
        let error = await #expect(throws: SyncError.self) {
            try await world.synchronizer.request(method: "GET", path: path)
        }
        #expect(error?.code == .invalidPath)
        #expect(error?.message.contains("base https://tiny.example/api") == true)
        #expect(error?.message.contains("next page") == false)
        #expect(world.server.log.isEmpty)
    }

    @Test("every operation carries the resource's headers")
    func headers() async throws {
        let server = TinyServer()
        let seen = Asked()
        let transport = ScriptedTransport { request in
            seen.add("\(request.method) \(request.headers["X-Client"] ?? "none")")
            return try await server.transport.send(request)
        }
        let synchronizer = try await Synchronizer(
            routeFile: try TinyWorld.routeFile { $0.headers = [NamedText(name: "X-Client", value: "a")] },
            store: MemoryStore(), transport: transport, style: TinyWorld.TinyStyle(),
            environment: TinyWorld.environment())
        let uri = try await synchronizer.save(["title": "a"], as: "tasks")
        try await synchronizer.push()
        try await synchronizer.edit(uri, setting: [("title", "b")])
        try await synchronizer.push()
        try await synchronizer.delete(uri)
        try await synchronizer.push()
        try await synchronizer.pull(entities: ["tasks"])
        #expect(seen.all == ["POST a", "GET a", "PATCH a", "GET a", "DELETE a", "GET a"])
    }

    // MARK: Answers that are refused

    @Test("an answer that is too large, or a refused redirect, is the server's fault and not the network's")
    func refusedAnswers() async throws {
        for code in [TransportError.Code.bodyTooLarge, .redirect] {
            let world = try await TinyWorld()
            world.server.fail(
                .init(applies: { $0.url.contains("lists") }, processes: true) {
                    throw TransportError(code: code, message: "refused", mayHaveArrived: true)
                })
            let report = try await world.synchronizer.pull()
            #expect(report.entities["lists"]?.problemKind == .answer)
            #expect(report.entities["tasks"]?.problem == nil && report.entities["tasks"]?.pages == 1)
        }
    }

    @Test("an instant is moved no farther than texts can say")
    func overlapAroundYearZero() throws {
        #expect(Instant("0000-01-01T00:00:00Z")?.moved(by: .seconds(-86_400)).description == "0000-01-01T00:00:00Z")
        #expect(Instant("9999-12-31T23:59:59Z")?.moved(by: .seconds(1)).description == "9999-12-31T23:59:59Z")
        #expect(Instant("2026-01-01T00:00:00Z")?.moved(by: .seconds(-1)).description == "2025-12-31T23:59:59Z")
        #expect(Instant("0000-01-01T00:00:00Z")?.moved(by: .seconds(Int64.min)).description == "0000-01-01T00:00:00Z")
    }
}

extension ResponseBody {
    init(_ text: String) { self.init(Array(text.utf8)) }
}

/// Lines in the order in which they came.
final class Asked: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
