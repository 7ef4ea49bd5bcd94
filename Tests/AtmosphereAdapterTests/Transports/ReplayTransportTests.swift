import Atmosphere
import AtmospherePlain
import AtmosphereReplay
import AtmosphereTesting
import Testing

@Suite("recording exchanges and giving them again")
struct ReplayTransportTests {
    private let base = "https://api.example.com"

    private func record(
        _ requests: [Request], in folder: TemporaryFolder, redaction: CassetteRedaction = CassetteRedaction(),
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) async throws {
        let scripted = ScriptedTransport(answer)
        let transport = try RecordingTransport(scripted, to: folder.file("c"), redaction: redaction)
        for request in requests { _ = try? await transport.send(request).body.collect(upTo: .max) }
        #expect(scripted.requests.count == requests.count)
    }

    private func text(_ response: Response) async throws -> String {
        String(decoding: try await response.body.collect(upTo: .max), as: UTF8.self)
    }

    @Test("the cassette is for its owner only, and a person can read it")
    func form() async throws {
        let folder = try TemporaryFolder()
        let post = Request(
            method: "POST", url: base + "/tasks?x=1", headers: ["Content-Type": "application/json", "X-Odd": "odd"],
            body: .bytes(Array(#"{"title":"Käse"}"#.utf8)))
        try await record([post, Request(method: "GET", url: base + "/image")], in: folder) { request in
            request.method == "POST"
                ? Response(
                    status: 201, headers: HeaderFields([.init(name: "ETag", value: "\"1\"")]),
                    body: ResponseBody(Array(#"{"id": 7}"#.utf8)))
                : Response(status: 200, body: ResponseBody([0xFF, 0x00]))
        }
        #expect(try folder.mode("c") == 0o600)
        #expect(
            try folder.lines("c") == [
                #"{"atmosphere-cassette":1}"#,
                #"{"method":"POST","url":"https://api.example.com/tasks?x=1","headers":{"Content-Type":"application/json"},"json":{"title":"Käse"},"answer":{"status":201,"headers":{"ETag":"\"1\""},"json":{"id":7},"rewritten":true}}"#,
                #"{"method":"GET","url":"https://api.example.com/image","answer":{"status":200,"base64":"/wA="}}"#
            ])
        #expect(throws: TransportError.self) {
            try RecordingTransport(ScriptedTransport(), to: folder.file("c"))
        }
    }

    @Test("of a login in a form, and of the token that it gives, nothing is written; the replay logs in all the same")
    func login() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain", "resources": {"tasks": {"path": "tasks"}},
             "auth": {"session": {"post": "login", "coding": "form", "root": "user",
               "fields": {"name": "ada", "password": "secret:PW", "pin": "secret:PIN"},
               "token": {"body": "$.data.ticket"}, "send": {"query": "auth"}}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let redaction = CassetteRedaction(for: file)
        let login = Request(
            method: "POST", url: base + "/login", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .bytes(Array("user%5Bname%5D=ada&user%5Bpassword%5D=sesame%201&user%5Bpin%5D=998877".utf8)))
        let list = Request(method: "GET", url: base + "/tasks?auth=ticket%2F7")
        let answer: @Sendable (Request) -> Response = { request in
            request.method == "POST"
                ? Response(
                    status: 200, headers: ["X-Session": "ticket/7"],
                    body: ResponseBody(Array(#"{"data": {"ticket": "ticket/7", "for": "ada"}}"#.utf8)))
                : Response(status: 200, body: ResponseBody(Array(#"[{"id":1,"seen":"ticket/7, ticket\/7"}]"#.utf8)))
        }
        try await record([login, list], in: folder, redaction: redaction) { answer($0) }
        let cassette = try folder.lines("c").joined(separator: "\n")
        for secret in ["sesame", "998877", "ticket/7", "ticket\\/7", "ticket%2F7"] {
            #expect(!cassette.contains(secret), "\(secret) in \(cassette)")
        }
        let replay = try ReplayTransport(path: folder.file("c"))
        let reply = try await self.text(replay.send(login))
        #expect(reply == #"{"data":{"ticket":"[secret]","for":"[secret]"}}"#)
        #expect(try await replay.send(Request(method: "GET", url: base + "/tasks?auth=%5Bsecret%5D")).status == 200)
    }

    @Test("no credential is written, wherever it stands or is repeated")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        var redaction = CassetteRedaction()
        redaction.secretHeaders.insert("x-my-key")
        redaction.secretNames.insert("my_key")
        let requests = [
            Request(
                method: "GET", url: base + "/a?my_key=sesame-1&page=2",
                headers: ["Authorization": "Bearer sesame-2", "X-My-Key": "sesame-3", "X-Else": "sesame-4"]),
            Request(
                method: "POST", url: base + "/token",
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .bytes(Array("grant_type=refresh_token&refresh_token=sesame-5".utf8))),
            Request(
                method: "POST", url: base + "/login", headers: ["Content-Type": "application/json"],
                body: .bytes(Array(#"{"user":"me","password":"sesame-6"}"#.utf8)))
        ]
        try await record(requests, in: folder, redaction: redaction) { request in
            let headers = HeaderFields([
                .init(name: "Set-Cookie", value: "session=sesame-7"), .init(name: "X-Echo", value: "got sesame-2")
            ])
            let body = #"{ "token": {"access_token": "sesame-8"}, "echo": "sesame-3 and sesame-1" }"#
            return Response(status: 200, headers: headers, body: ResponseBody(Array(body.utf8)))
        }
        let cassette = String(decoding: try folder.contents("c"), as: UTF8.self)
        #expect(!cassette.contains("sesame"), "\(cassette)")
        #expect(cassette.contains("my_key=[secret]&page=2"))
        #expect(cassette.contains("grant_type=refresh_token&refresh_token=[secret]"))
        #expect(cassette.contains(#""echo":"[secret] and [secret]""#))
        let replay = try ReplayTransport(path: folder.file("c"), redaction: redaction)
        for request in requests { #expect(try await replay.send(request).status == 200) }
        #expect(replay.remaining == [])
        // The route file that replays need not know what was declared as a secret.
        let plain = try ReplayTransport(path: folder.file("c"))
        for request in requests { #expect(try await plain.send(request).status == 200) }
    }

    @Test("answers and failures come again in their order, each once")
    func order() async throws {
        let folder = try TemporaryFolder()
        let get = Request(method: "GET", url: base + "/tasks?a=1&b=2")
        let post = Request(method: "POST", url: base + "/tasks")
        let numbers = ScriptedTransport()
        for number in 1...2 { numbers.expect("GET", "/tasks?a=1&b=2", .json("[\(number)]")) }
        numbers.expect("POST", "/tasks", .lose())
        try await record([get, get, post], in: folder) { try await numbers.send($0) }
        let replay = try ReplayTransport(path: folder.file("c"))
        #expect(try await text(replay.send(get)) == "[1]")
        let turned = Request(method: "GET", url: base + "/tasks?b=2&a=1")
        #expect(try await text(replay.send(turned)) == "[2]")
        #expect(replay.remaining == ["POST https://api.example.com/tasks (line 4)"])
        let lost = await #expect(throws: TransportError.self) { try await replay.send(post) }
        #expect(lost?.code == .connectionLost)
        #expect(lost?.mayHaveArrived == true)
        let spent = await #expect(throws: TransportError.self) { try await replay.send(get) }
        #expect(spent?.code == .notRecorded)
        #expect(spent?.mayHaveArrived == false)
        #expect(spent?.message.contains("has answered already") == true)
        let lenient = try ReplayTransport(path: folder.file("c"), matching: .lenient)
        let bodies = [
            try await text(lenient.send(get)), try await text(lenient.send(get)), try await text(lenient.send(get))
        ]
        #expect(bodies == ["[1]", "[2]", "[2]"])
    }

    static let mismatches: [(Request, String)] = [
        (
            Request(method: "PUT", url: "https://api.example.com/tasks/1?page=1"),
            "the method is recorded as PATCH; the header content-type is recorded as application/json; "
                + "a body is recorded, and none was sent"
        ),
        (
            Request(
                method: "PATCH", url: "https://api.example.com/tasks/1?page=2&x=1",
                headers: ["Content-Type": "application/json"],
                body: .bytes(Array(#"{"title":"sesame","tags":["a","c"],"done":true}"#.utf8))),
            "the query parameter page is recorded as 1; the query parameter x is not recorded; "
                + "the body differs at done, tags[1], title"
        ),
        (
            Request(
                method: "PATCH", url: "http://other.example.com/tasks/2?page=1",
                headers: ["Content-Type": "application/json"],
                body: .bytes(Array(#"{"tags":["a","b"],"title":"a"}"#.utf8))),
            "the origin is recorded as https://api.example.com; the path is recorded as /tasks/1"
        )
    ]

    @Test("a request that was not recorded is told in what the nearest exchange differs", arguments: 0..<3)
    func mismatch(_ index: Int) async throws {
        let folder = try TemporaryFolder()
        let patch = Request(
            method: "PATCH", url: base + "/tasks/1?page=1", headers: ["Content-Type": "application/json"],
            body: .bytes(Array(#"{"title":"a","tags":["a","b"]}"#.utf8)))
        let far = Request(method: "GET", url: base + "/lists/9/other")
        try await record([far, patch], in: folder) { _ in Response(status: 200) }
        let replay = try ReplayTransport(path: folder.file("c"))
        let (request, differences) = Self.mismatches[index]
        let error = await #expect(throws: TransportError.self) { try await replay.send(request) }
        #expect(error?.code == .notRecorded)
        #expect(
            error?.message.hasSuffix(
                "nothing in \(folder.file("c")) fits; the nearest exchange, line 3, differs: \(differences)")
                == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("sesame") == false)
        #expect(replay.remaining.count == 2)
    }

    @Test(
        "a file that is no cassette is refused with its line",
        arguments: [
            ("", ": this is not a cassette: it is empty"), ("{}", ":1: this is not a cassette"),
            ("{\"atmosphere-cassette\":2}", ":1: a newer version"),
            ("{\"atmosphere-cassette\":1}\nnonsense\n", ":2: the line is not a JSON object"),
            ("{\"atmosphere-cassette\":1}\n\n{\"method\":\"GET\",\"url\":\"/\"}", ":3: the line is not an exchange"),
            (
                "{\"atmosphere-cassette\":1}\n{\"method\":\"GET\",\"url\":\"/\",\"answer\":{\"status\":7}}",
                ":2: the line is not an exchange"
            ),
            (
                "{\"atmosphere-cassette\":1}\n{\"method\":\"GET\",\"url\":\"/\",\"answer\":{\"status\":200,\"base64\":\"*\"}}",
                ":2: the line is not an exchange"
            )
        ])
    func damaged(_ content: String, _ message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(content.utf8), to: "c")
        let error = #expect(throws: TransportError.self) { try ReplayTransport(path: folder.file("c")) }
        #expect(error?.message.hasPrefix(folder.file("c") + message) == true, "\(error?.message ?? "")")
    }

    @Test("a body over the request's limit is refused, as from a server")
    func limit() async throws {
        let folder = try TemporaryFolder()
        var get = Request(method: "GET", url: base + "/tasks")
        try await record([get], in: folder) { _ in Response(status: 200, body: ResponseBody([1, 2, 3])) }
        get.maximumResponseBytes = 2
        let replay = try ReplayTransport(path: folder.file("c"))
        let error = await #expect(throws: TransportError.self) { try await replay.send(get) }
        #expect(error?.code == .bodyTooLarge)
    }
}
