import Atmosphere
import AtmospherePlain
import AtmosphereReplay
import AtmosphereTesting
import Foundation
import Synchronization
import Testing

@Suite("what a cassette holds of sign-ins that no route file declares")
struct CassetteSignInTests {
    private let base = "https://api.example.com"

    private func post(_ path: String, _ body: String, type: String = "application/json") -> Request {
        Request(
            method: "POST", url: "\(base)/\(path)", headers: ["Content-Type": type], body: .bytes(Array(body.utf8)))
    }

    private func recorder(
        in folder: TemporaryFolder, redaction: CassetteRedaction = CassetteRedaction(), secrets: [String] = [],
        _ answer: @escaping @Sendable (Request) -> String
    ) throws -> RecordingTransport {
        let scripted = ScriptedTransport { request in
            Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: ResponseBody(Array(answer(request).utf8)))
        }
        return try RecordingTransport(scripted, to: folder.file("c"), redaction: redaction, secrets: secrets)
    }

    private func text(_ folder: TemporaryFolder) throws -> String { try folder.lines("c").joined(separator: "\n") }

    @Test(
        "a request with a password, or with what an earlier sign-in gave, is a sign-in wherever it goes",
        arguments: [
            #"{"username":"ada","password":"sesame-password","pin":9876}"#, #"{"user":{"passwd":"sesame-password"}}"#,
            #"{"refresh":"sesame-refresh-0"}"#, "username=ada&user%5Bpassword%5D=sesame-password",
            #"{"grant_type":"x","assertion":"sesame-assertion"}"#, #"{"otp":"9876","email":"ada"}"#,
            #"{"data":{"type":"x","attributes":{"login":"ada","password":"sesame-password"}}}"#,
            #"{"user_password":"sesame-password","user_name":"ada"}"#,
            #"{"current_password":"sesame-1","new_password":"sesame-22","new_password_confirmation":"sesame-22"}"#,
            #"{"old_password":"sesame-1","new_password1":"sesame-22","new_password2":"sesame-22"}"#,
            #"{"refresh":"sesame-refresh-0","client":"web"}"#, "refresh=sesame%2Drefresh-0&client=web",
            #"{"user":"ada","pass":"sesame-password"}"#, "user=ada&pass=sesame-password&remember=1",
            #"{"name":"ada","pass":"sesame-password"}"#, #"{"login":{"email":"ada","pass":"sesame-password"}}"#
        ])
    func signIn(_ body: String) async throws {
        let folder = try TemporaryFolder()
        let recorder = try recorder(in: folder) { request in
            request.method == "GET"
                ? #"[{"id":1,"key":"task","session":"morning","note":"sesame-access, sesame-key"}]"#
                : #"{"access":"sesame-access","refresh":"sesame-refresh","key":"sesame-key","session":"sesame-session"}"#
        }
        let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        let request = post("auth/jwt/create", body, type: type)
        let answer = try await recorder.send(request).body.collect(upTo: .max)
        #expect(String(decoding: answer, as: UTF8.self).contains("sesame-session"), "what is handed on is whole")
        let list = Request(method: "GET", url: "\(base)/tasks")
        _ = try await recorder.send(list)
        let written = try text(folder)
        #expect(!written.contains("sesame") && !written.contains("9876") && !written.contains("ada"), "\(written)")
        // Elsewhere these names are those of any members.
        #expect(written.contains(#""key":"task","session":"morning","note":"[secret], [secret]""#), "\(written)")
        let replay = try ReplayTransport(path: folder.file("c"))
        #expect(try await replay.send(request).status == 200)
        #expect(try await replay.send(list).status == 200)
    }

    @Test(
        "an edit is none, whatever its members are called: where none is a password, and where the route file edits objects",
        arguments: [
            (#"{"title":"Milk","pin":true,"password":""}"#, "tasks", false),
            (#"{"title":"Milk","pin":"1234"}"#, "tasks", false), (#"{"refresh":30,"user":"Milk"}"#, "tasks", false),
            (#"{"dashboard":{"title":"Milk","refresh":"5s"}}"#, "tasks", false),
            (#"{"refresh":"5s","panels":["Milk"]}"#, "tasks", false),
            (#"{"refresh":"every five minutes","panels":["Milk"]}"#, "tasks", false),
            (#"{"wifi_password":"sesame-password","ssid":"Milk"}"#, "tasks", false),
            (#"{"user":"Milk","pass":12}"#, "tasks", false), (#"{"pass":"Milk"}"#, "tasks", false),
            (#"{"user":"ann","pass":"Milk","valid":"2026"}"#, "tasks", false),
            (#"{"user_id":7,"pass":"Milk","days":3}"#, "tasks", true),
            (#"{"username":"Milk","pass":"sesame-password","role":"x"}"#, "tasks", true),
            (#"{"user":"Milk","pass":"sesame-password"}"#, "tasks", true),
            (#"{"user":"Milk","password":"sesame-password"}"#, "tasks", true),
            (#"{"user":"Milk","pin":"1234"}"#, "tasks/7", true),
            (#"{"name":"Milk","password":"a"}"#, "lists/1/items", true),
            (#"{"user":"Milk","password":"sesame-password","password2":"sesame-password"}"#, "tasks", true),
            (#"{"user":"Milk","password":"sesame-password"}"#, "lists/batch", true)
        ])
    func edit(_ body: String, _ path: String, _ isDeclared: Bool) async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain",
             "resources": {"tasks": {"update": {"method": "POST"}},
               "lists": {"batch": {"post": "lists/batch", "items": "items", "create": {}}},
               "items": {"path": "lists/{lists.id}/items", "parent": {"lists": "list_id"}}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let recorder = try recorder(in: folder, redaction: isDeclared ? CassetteRedaction(for: file) : .init()) { _ in
            #"{"id":"a-1","title":"Milk","key":"PROJECT-ALPHA","access":"for-everybody"}"#
        }
        let request = post(path, body)
        _ = try await recorder.send(request)
        _ = try await recorder.send(Request(method: "GET", url: "\(base)/notes?q=PROJECT-ALPHA"))
        try await recorder.finish()
        let written = try self.text(folder)
        #expect(written.ranges(of: "Milk").count == 3 && !written.contains("sesame"), "\(written)")
        #expect(written.ranges(of: "a-1").count == 2 && written.contains("q=PROJECT-ALPHA"), "\(written)")
        #expect(try await ReplayTransport(path: folder.file("c")).send(request).status == 200)
    }

    @Test(
        "what signs in elsewhere than where objects are made, or in another way, is known beside a route file, too",
        arguments: [
            ("PUT", "sessions"), ("PUT", "tasks/7/unlock"), ("PUT", "tasks/login"), ("PUT", "tasks/door"),
            ("POST", "tasks/7/unlock"), ("POST", "tasks/login"), ("POST", "tasks/sign_in.json"),
            ("POST", "tasks/Sign-In")
        ])
    func declaredSignIn(_ update: String, _ path: String) async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain",
             "resources": {"tasks": {"update": {"method": "\(update)"}}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let recorder = try recorder(in: folder, redaction: CassetteRedaction(for: file)) { _ in
            #"{"access":"sesame-access","refresh":"sesame-refresh","key":"sesame-key","session":"sesame-session"}"#
        }
        _ = try await recorder.send(post(path, #"{"user":"ada","password":"sesame-password"}"#))
        let written = try self.text(folder)
        #expect(!written.contains("sesame") && !written.contains("ada"), "\(written)")
    }

    @Test("tokens in the answer to who registers where the route file makes objects are left out")
    func registered() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"atmosphere": 1, "base": "\#(base)", "style": "plain", "resources": {"users": {}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let recorder = try recorder(in: folder, redaction: CassetteRedaction(for: file)) { _ in
            #"{"id":1,"key":"ALPHA","access":"eyJh.eyJz.sesame-1","refresh":"eyJh.eyJz.sesame-2"}"#
        }
        _ = try await recorder.send(post("users", #"{"username":"ada","password":"sesame-3"}"#))
        let written = try self.text(folder)
        #expect(
            written.contains(#"{"id":1,"key":"ALPHA","access":"[secret]","refresh":"[secret]"}"#)
                && written.contains(#"{"username":"ada","password":"[secret]"}"#), "\(written)")
    }

    @Test("a password called pass is left out of forms and queries, too, and no other pass is")
    func pass() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"atmosphere": 1, "base": "\#(base)", "style": "plain", "resources": {"users": {}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let recorder = try recorder(in: folder, redaction: CassetteRedaction(for: file)) { _ in #"{"id":1}"# }
        let form = post(
            "users", "u%5Blogin%5D=ada&u%5Bpass%5D=sesame-1&u%5Brole%5D=x", type: "application/x-www-form-urlencoded")
        let queries = ["user=ada&pass=sesame-2", "user=ada&pass=gold&days=3"].map {
            Request(method: "GET", url: "\(base)/users?\($0)")
        }
        let counted = post("users", #"{"username":"ada","pass":12,"fail":3}"#)
        for request in [form, counted] + queries { _ = try await recorder.send(request) }
        let written = try self.text(folder)
        #expect(written.contains("u%5Bpass%5D=[secret]&u%5Brole%5D=x") && written.contains("pass=gold"), "\(written)")
        #expect(written.contains("?user=ada&pass=[secret]") && !written.contains("sesame"), "\(written)")
        #expect(written.contains(#""pass":12,"fail":3"#), "\(written)")
        let replay = try ReplayTransport(path: folder.file("c"))
        for request in [form, counted] + queries { #expect(try await replay.send(request).status == 200) }
    }

    @Test(
        "what the server makes up for a new object is left out under names that tell nothing, and no other text is",
        arguments: [
            (#"{"id":1,"key":"sk_live_51HxyzABC123defGHI456"}"#, "sk_live_51HxyzABC123defGHI456", true),
            (#"{"id":1,"data":[{"access":"9944b09199c62bcf9418ad84"}]}"#, "9944b09199c62bcf9418ad84", true),
            (#"{"id":1,"key":"my-project-of-2026-in-spring"}"#, "my-project-of-2026-in-spring", false),
            (#"{"id":1,"session":"550e8400-e29b-41d4-a716-446655440000"}"#, "550e8400-e29b-41d4", false),
            (#"{"id":1,"key":"https://x.example/9944b09199c62bcf9418ad84"}"#, "9944b09199c62bcf9418ad84", false),
            (#"{"id":1,"name":"9944b09199c62bcf9418ad84"}"#, "9944b09199c62bcf9418ad84", false),
            (#"{"id":1,"session":"507f1f77bcf86cd799439011"}"#, "507f1f77bcf86cd799439011", false),
            (#"{"id":"507f1f77bcf86cd799439012","key":"507f1f77bcf86cd799439012"}"#, "507f1f77bcf86cd799439012", false)
        ])
    func issued(_ answer: String, _ value: String, _ isSecret: Bool) async throws {
        let folder = try TemporaryFolder()
        let text = #"{"atmosphere": 1, "base": "\#(base)", "style": "plain", "resources": {"api_keys": {}}}"#
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let recorder = try recorder(in: folder, redaction: CassetteRedaction(for: file)) { request in
            request.method == "POST" ? answer : #"[{"id":1,"note":"\#(value)"}]"#
        }
        let list = Request(method: "GET", url: "\(base)/api_keys")
        _ = try await recorder.send(list)
        // A reference that was sent has not been made up by the server.
        let create = post("api_keys", #"{"name":"CI","session":"507f1f77bcf86cd799439011"}"#)
        let handed = try await recorder.send(create).body.collect(upTo: .max)
        #expect(String(decoding: handed, as: UTF8.self) == answer)
        try await recorder.finish()
        let written = try self.text(folder)
        #expect(written.contains(value) != isSecret && written.contains("[secret]") == isSecret, "\(written)")
        let replay = try ReplayTransport(path: folder.file("c"))
        #expect(try await replay.send(list).status == 200)
        #expect(try await replay.send(create).status == 200)
    }

    @Test("short secrets that are declared go as whole words, where they are neither a word nor a number")
    func short() async throws {
        let folder = try TemporaryFolder()
        let recorder = try recorder(in: folder, secrets: ["a1b2c3", "p@ss", "hunter", "4711", "1e10", "x1"]) { _ in
            #"{"a":"unknown key a1b2c3, p@ss","b":"a hunter of 4711, x1","c":4711,"d":1e10,"e":"xa1b2c3"}"#
        }
        let request = Request(method: "GET", url: "\(base)/a1b2c3/a1b2c3x?q=a1b2c3")
        _ = try await recorder.send(request)
        let line = try #require(try folder.lines("c").last)
        #expect(line.contains("/[secret]/a1b2c3x?q=[secret]"), "\(line)")
        #expect(
            line.contains(
                #"{"a":"unknown key [secret], [secret]","b":"a hunter of 4711, x1","c":4711,"d":1e10,"e":"xa1b2c3"}"#),
            "\(line)")
        #expect(try await ReplayTransport(path: folder.file("c")).send(request).status == 200)
    }

    private struct Own: Authenticator {
        let transport: any Transport
        let url: String
        let used = Mutexed()

        final class Mutexed: Sendable {
            let texts = Mutex<[String]>([])
        }

        var usedSecrets: [Secret] { used.texts.withLock { $0.map { Secret($0) } } }
        func authorize(_ request: inout Request) async throws {
            let answer = try await transport.send(Request(method: "GET", url: url))
            let token = String(decoding: try await answer.body.collect(upTo: 1_000), as: UTF8.self)
            used.texts.withLock { $0.append(token) }
            request.headers["X-House"] = token
        }
        func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { .signInAgain }
    }

    @Test("what an authenticator of one's own fetches is not written, and taken out of what was written before")
    func own() async throws {
        let folder = try TemporaryFolder()
        let recorder = try recorder(in: folder) { request in
            request.url.hasSuffix("/door")
                ? "open-sesame-1" : #"{"id":1,"echo":"open-sesame-1","other":"open-sesame-12"}"#
        }
        let request = Request(method: "GET", url: "\(base)/tasks/open-sesame-1?since=open-sesame-1")
        _ = try await recorder.send(request)
        #expect(try text(folder).contains("open-sesame-1"), "nobody could know it yet")
        let own = Own(transport: RecordingTransport.signingIn(over: recorder), url: "\(base)/door")
        recorder.leaveOut(secretsOf: own)
        var signed = request
        try await own.authorize(&signed)
        _ = try await recorder.send(signed)
        try await recorder.finish()
        let lines = try folder.lines("c")
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { !$0.replacing("open-sesame-12", with: "").contains("open-sesame-1") }, "\(lines)")
        #expect(lines[1].contains(#""other":"open-sesame-12""#), "another word")
        #expect(try folder.mode("c") == 0o600 && folder.names == ["c"])
        // The recording goes on behind it, and all of it is replayed.
        _ = try await recorder.send(Request(method: "GET", url: "\(base)/tasks/2"))
        #expect(try folder.lines("c").count == 5)
        let replay = try ReplayTransport(path: folder.file("c"))
        #expect(try await replay.send(request).status == 200)
        #expect(try await replay.send(Request(method: "GET", url: "\(base)/tasks/2")).status == 200)
    }

    @Test(
        "short secrets, parts of words and what the route file says of paths stay, so that a cassette can be replayed")
    func words() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)/workspace", "style": "plain", "auth": {"bearer": "secret:K"},
             "resources": {"projects": {}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let long = "0123456789abcdefXY"
        let recorder = try recorder(
            in: folder, redaction: CassetteRedaction(for: file),
            secrets: ["task", "projects", "workspace", "mellon-99", long]
        ) { _ in
            #"{"a":"tasks of mellon-99, mellon-999 and a\nmellon-99","b":"x\#(long)y","c":"projects","d":"?q=%3Dmellon-99","#
                + #""e":"Schlüssel „mellon-99“ ist ungültig","f":"密钥mellon-99无效","g":"at\#u{a0}mellon-99…"}"#
        }
        let request = Request(method: "GET", url: "\(base)/workspace/projects/task1?q=mellon-99")
        _ = try await recorder.send(request)
        let line = try #require(try folder.lines("c").last)
        #expect(line.contains("/workspace/projects/task1?q=[secret]"), "\(line)")
        #expect(
            line.contains(
                #"{"a":"tasks of [secret], mellon-999 and a\n[secret]","b":"x[secret]y","c":"[secret]","d":"?q=%3D[secret]","#
                    + #""e":"Schlüssel „[secret]“ ist ungültig","f":"密钥[secret]无效","g":"at\#u{a0}[secret]…"}"#
            ),
            "\(line)")
        #expect(try await ReplayTransport(path: folder.file("c")).send(request).status == 200)
    }

    @Test(
        "a secret goes from every part of a URL, and what is left fits what is sent",
        arguments: [
            ("https://api.example.com/bot12345:ABC/send", "https://api.example.com/bot[secret]/send"),
            ("https://api.example.com/12345:ABCx/y", "https://api.example.com/[secret]x/y"),
            ("https://api.example.com/a12345:ABCx/y", "https://api.example.com/a12345:ABCx/y"),
            ("https://api.example.com/t?0123456789abcdefXY", "https://api.example.com/t?[secret]"),
            ("https://api.example.com/t?a&0123456789abcdefXY&b=1", "https://api.example.com/t?a&[secret]&b=1"),
            ("https://0123456789abcdefXY.example.com/t", "https://[secret].example.com/t"),
            ("https://api.example.com/t/ab/cdefghijklmnop==/z", "https://api.example.com/t/[secret]/[secret]/z")
        ])
    func places(_ url: String, _ written: String) async throws {
        let folder = try TemporaryFolder()
        let secrets = ["12345:ABC", "0123456789abcdefXY", "ab/cdefghijklmnop=="]
        let recorder = try recorder(in: folder, secrets: secrets) { _ in "[]" }
        let request = Request(method: "GET", url: url)
        _ = try await recorder.send(request)
        let line = try #require(try folder.lines("c").last)
        #expect(try Value(json: Array(line.utf8)).members?["url"] == .string(written))
        #expect(try await ReplayTransport(path: folder.file("c")).send(request).status == 200)
        let other = Request(method: "GET", url: url.replacing("api.", with: "web.").replacing("?", with: "/x?") + "1/2")
        await #expect(throws: TransportError.self) { try await ReplayTransport(path: folder.file("c")).send(other) }
    }

    @Test("a cassette is cleaned line by line, also where lines are longer than what is read at once")
    func longLines() async throws {
        let folder = try TemporaryFolder()
        let filler = String(repeating: "x", count: 200_000)
        let recorder = try recorder(in: folder) { request in
            request.url.hasSuffix("/door") ? #"{"session_token":"open-sesame-1"}"# : #"["\#(filler) open-sesame-1"]"#
        }
        for number in 1...3 { _ = try await recorder.send(Request(method: "GET", url: "\(base)/tasks/\(number)")) }
        let before = try folder.lines("c")
        #expect(before.count { $0.contains("open-sesame-1") } == 3)
        _ = try await recorder.send(post("door", #"{"user":"ada","password":"swordfish-1"}"#))
        // What a process that was ended in between left, and a name that leads elsewhere.
        try folder.write(Array("left".utf8), to: "c.new")
        try await recorder.finish()
        let lines = try folder.lines("c")
        let clean = before.map { $0.replacing("open-sesame-1", with: "[secret]") }
        #expect(lines.count == 5 && Array(lines.prefix(4)) == clean)
        #expect(try folder.mode("c") == 0o600 && folder.names == ["c"])
        _ = try await recorder.send(Request(method: "GET", url: "\(base)/tasks/4"))
        #expect(try folder.lines("c").count == 6)
        try FileManager.default.createSymbolicLink(atPath: folder.file("d"), withDestinationPath: folder.file("e"))
        #expect(throws: TransportError.self) {
            try RecordingTransport(ScriptedTransport(), to: folder.file("d"))
        }
        #expect(folder.names == ["c", "d"])
    }

    @Test("a cassette whose last line was cut off is replayed without it, and says so; a damaged line is told")
    func cut() async throws {
        let folder = try TemporaryFolder()
        let recorder = try recorder(in: folder) { _ in "[]" }
        let request = Request(method: "GET", url: "\(base)/tasks")
        for _ in 1...2 { _ = try await recorder.send(request) }
        let whole = try folder.lines("c").joined(separator: "\n")
        try folder.write(Array(whole.utf8.dropLast(20)), to: "c")
        let replay = try ReplayTransport(path: folder.file("c"))
        #expect(replay.notes == ["\(folder.file("c")):3: the recording ended within this line, which is left out"])
        #expect(try await replay.send(request).status == 200 && replay.remaining.isEmpty)
        try folder.write(Array((whole.dropLast(20) + "\n").utf8), to: "c")
        let error = #expect(throws: TransportError.self) { try ReplayTransport(path: folder.file("c")) }
        #expect(error?.message.contains("c:3: the line is not a JSON object") == true)
    }
}
