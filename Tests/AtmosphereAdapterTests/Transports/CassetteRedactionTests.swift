import Atmosphere
import AtmospherePlain
import AtmosphereReplay
import AtmosphereTesting
import Foundation
import Testing

@Suite("what is not written into a cassette")
struct CassetteRedactionTests {
    private let base = "https://api.example.com"

    /// Records one exchange.
    ///
    /// - Returns: its line.
    @discardableResult
    private func record(
        _ request: Request? = nil, in folder: TemporaryFolder, as name: String = "c",
        redaction: CassetteRedaction = CassetteRedaction(), headers: HeaderFields = [:], _ body: String = ""
    ) async throws -> String {
        let scripted = ScriptedTransport { _ in
            Response(status: 200, headers: headers, body: ResponseBody(Array(body.utf8)))
        }
        let transport = try RecordingTransport(scripted, to: folder.file(name), redaction: redaction)
        let request = request ?? Request(method: "GET", url: base + "/tasks")
        let answer = try await transport.send(request)
        #expect(answer.headers.fields.count == headers.fields.count)
        #expect(try await answer.body.collect(upTo: .max) == Array(body.utf8))
        return try #require(try folder.lines(name).last)
    }

    private func answer(_ line: String) throws -> Value.Members {
        try #require(Value(json: Array(line.utf8)).members?["answer"]?.members)
    }

    @Test("of an answer's headers those are written that say something and are no secret")
    func headers() async throws {
        let folder = try TemporaryFolder()
        let headers: HeaderFields = [
            "X-Access-Token": "sesame-1", "X-CSRF-Token": "sesame-2", "Refresh-Token": "sesame-3",
            "X-Odd": "sesame-4", "X-Api_Key": "sesame-5", "Set-Cookie": "s=sesame-6", "ETag": "\"1\"",
            "X-RateLimit-Remaining": "9", "Retry-After": "5", "X-Total-Count": "3",
            "Link": "<https://api.example.com/tasks?page=2&access_token=sesame-7&x=1>; rel=\"next\""
        ]
        let line = try await record(in: folder, headers: headers, #"{"echo":"sesame-1 and sesame-5"}"#)
        #expect(!line.contains("sesame"), "\(line)")
        let answer = try answer(line)
        #expect(
            answer["headers"] == [
                "ETag": "\"1\"", "X-RateLimit-Remaining": "9", "Retry-After": "5", "X-Total-Count": "3",
                "Link": "<https://api.example.com/tasks?page=2&access_token=[secret]&x=1>; rel=\"next\""
            ])
        #expect(answer["json"] == ["echo": "[secret] and [secret]"])
    }

    @Test(
        "a member is a credential whatever the case of its name and the dashes in it, by its end, and as a password's",
        arguments: [
            "token", "accessToken", "access-token", "Refresh_Token", "apiKey", "API_KEY", "Password", "old_password",
            "secret", "clientSecret", "X-Amz-Signature", "sessionid", "session_id", "private-key", "passwd", "JWT",
            "new_password_confirmation", "password2", "passwordConfirm", "New-Password1", "password_repeat",
            "new_pwd", "app_passcode_old"
        ])
    func names(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let body = #"{"a":[{"\#(name)":"sesame-1"}],"b":{"\#(name)":{"x":["sesame-2",7]}}}"#
        let line = try await record(in: folder, body)
        #expect(
            try answer(line)["json"] == [
                "a": [[name: "[secret]"]], "b": [name: ["x": ["[secret]", "[secret]"]]]
            ])
        let query = Request(method: "GET", url: base + "/tasks?\(name)=sesame-3&page=2")
        #expect(try await record(query, in: folder, as: "q").contains("tasks?\(name)=[secret]&page=2"))
        let form = Request(
            method: "POST", url: base + "/tasks", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .bytes(Array("user[\(name)]=sesame-4&page=2".utf8)))
        let written = try await record(form, in: folder, as: "f")
        // With a password nothing is known to be harmless.
        #expect(["2", "[secret]"].contains { written.contains("user[\(name)]=[secret]&page=\($0)") }, "\(written)")
    }

    @Test(
        "what only sounds like it is written: where a list goes on, what is said of a password, and yes, no or nothing",
        arguments: [
            #"{"nextPageToken":"abc","sync_token":"d","tokens":3,"isSecret":true,"token":null,"secret":""}"#,
            #"{"passwordChangedAt":"2026-11-22T10:00:00Z","password_policy":{"least":8},"passwordless":true}"#,
            #"{"access":"eyJ","refresh":"5s","key":"eyJob","session":"a.b.c","note":"eyJh.eyJz.c2ln"}"#
        ])
    func others(_ body: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try answer(try await record(in: folder, body))["json"] == Value(json: Array(body.utf8)))
    }

    @Test(
        "parameters of URLs inside bodies are left out by their names",
        arguments: [
            (
                #"{"file":"https://s3/a.png?X-Amz-Date=1&X-Amz-Signature=sesame&X-Amz-Credential=sesame%2F1&w=2"}"#,
                #"{"file":"https://s3/a.png?X-Amz-Date=1&X-Amz-Signature=[secret]&X-Amz-Credential=[secret]&w=2"}"#
            ),
            (
                #"["see <a href='https://x/?token=sesame'>it</a>","https://x/cb#access_token=sesame&state=1"]"#,
                #"["see <a href='https://x/?token=[secret]'>it</a>","https://x/cb#access_token=[secret]&state=1"]"#
            ),
            ("get it at https://x/?a=1&sig=sesame now", "get it at https://x/?a=1&sig=[secret] now"),
            ("what is a?b=c, or token = none", "what is a?b=c, or token = none"),
            ("{\"token\":\"sesame\"}\n{\"id\":2}\n", "{\"token\":\"[secret]\"}\n{\"id\":2}\n"),
            (
                "<a><access-token>sesame</access-token><t:Secret x='1'><![CDATA[sesame>]]></t:Secret><id>7</id></a>",
                "<a><access-token>[secret]</access-token><t:Secret x='[secret]'>[secret]</t:Secret><id>7</id></a>"
            ),
            (
                "<a><password><value>sesame</value><x><y/>sesame</x></password><id>7</id></a>",
                "<a><password><value>[secret]</value><x><y/>[secret]</x></password><id>7</id></a>"
            ),
            (
                "<a><credentials xmlns='u'><entry name=\"db\" value='sesame>'/><!-- sesame --></credentials><id v='7'/></a>",
                "<a><credentials xmlns='u'><entry name=\"[secret]\" value='[secret]'/></credentials><id v='7'/></a>"
            ),
            (
                "<a><token value = \"sesame\" type=\"string\"/><!-- it's > --><x t='>'/><secret a=sesame>\n</secret></a>",
                "<a><token value = \"[secret]\" type=\"string\"/><!-- it's > --><x t='>'/><secret a=[secret]>\n</secret></a>"
            ),
            (
                "<a><![CDATA[it's]]><token>sesame</token><x y='1'/><b t='<c'/><token>sesame",
                "<a><![CDATA[it's]]><token>[secret]</token><x y='1'/><b t='<c'/><token>[secret]"
            ),
            (
                "<a apiKey=\"sesame\" id='7'><u>https://x/?k=1&amp;token=sesame</u><token/><secret>\n</secret></a>",
                "<a apiKey=\"[secret]\" id='7'><u>https://x/?k=1&amp;token=[secret]</u><token/><secret>\n</secret></a>"
            )
        ])
    func urls(_ body: String, _ written: String) async throws {
        let folder = try TemporaryFolder()
        let answer = try answer(try await record(in: folder, body))
        let json = answer["json"].map { String(decoding: $0.json(), as: UTF8.self) }
        #expect(answer["text"]?.string ?? json == written)
    }

    @Test(
        "what the route file reads answers by is written, also under a name that sounds like a secret, and is replayed")
    func declared() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain", "auth": {"key": {"query": "sig", "value": "secret:K"}},
             "resources": {"tasks": {
               "version": {"header": "X-Version-Token", "send": "if-match"},
               "pages": {"kind": "token", "next": "$.paging.token", "parameter": "token"},
               "lease": {"acquire": {"post": "tasks/{id}/lease"}, "ttl": "PT2M",
                 "token": {"header": "Lease-Token", "send": "Lease-Token"}}}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let request = Request(method: "GET", url: base + "/tasks?token=abc&sig=sesame-1")
        let line = try await record(
            request, in: folder, redaction: CassetteRedaction(for: file),
            headers: ["X-Version-Token": "version-1", "Lease-Token": "sesame-2", "X-Other": "o"],
            #"{"paging":{"token":"def"},"items":[{"id":1,"access_token":"sesame-3"}]}"#)
        #expect(!line.contains("sesame"), "\(line)")
        #expect(line.contains("tasks?token=abc&sig=[secret]"))
        let answer = try answer(line)
        #expect(answer["headers"] == ["X-Version-Token": "version-1", "Lease-Token": "[secret]"])
        #expect(answer["json"] == ["paging": ["token": "def"], "items": [["id": 1, "access_token": "[secret]"]]])
        let other = Request(method: "GET", url: base + "/tasks?token=xyz&sig=sesame-1")
        let replay = try ReplayTransport(path: folder.file("c"))
        let error = await #expect(throws: TransportError.self) { try await replay.send(other) }
        #expect(error?.message.hasSuffix("the query parameter token is recorded as abc") == true, "\(error as Any)")
        #expect(try await replay.send(request).status == 200)
    }

    @Test(
        "the parameter that a route file sends a credential in is left out, whatever it is called, and members so called stay",
        arguments: [
            #"{"key": {"query": "NAME", "value": "secret:K"}}"#,
            #"{"session": {"post": "login", "fields": {"u": "secret:U"}, "token": {"body": "$.t"}, "send": {"query": "NAME"}}}"#
        ], ["auth", "s", "x-s"])
    func declaredParameter(_ auth: String, _ name: String) async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain", "auth": \(auth.replacing("NAME", with: name)),
             "resources": {"tasks": {}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        // The token of an earlier run: nothing in this cassette has shown it.
        let request = Request(method: "GET", url: base + "/tasks?page=2&\(name)=sesame-0123456789")
        let line = try await record(
            request, in: folder, redaction: CassetteRedaction(for: file),
            #"{"\#(name)":"open","next":"\#(base)/t?\#(name)=sesame-0123456789&page=3","echo":"sesame-0123456789"}"#)
        #expect(!line.contains("sesame"), "\(line)")
        #expect(line.contains("tasks?page=2&\(name)=[secret]"), "\(line)")
        #expect(
            try answer(line)["json"] == [
                name: "open", "next": .string("\(base)/t?\(name)=[secret]&page=3"), "echo": "[secret]"
            ])
        #expect(try await ReplayTransport(path: folder.file("c")).send(request).status == 200)
    }

    @Test("the token of a session that goes in a cookie is left out where the server repeats it")
    func declaredCookie() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"atmosphere": 1, "base": "\(base)", "style": "plain",
             "auth": {"session": {"post": "login", "fields": {"u": "secret:U"}, "token": {"cookie": "sid"},
                                  "send": {"cookie": "sid"}}},
             "resources": {"tasks": {}}}
            """
        let file = try RouteFile.load(bytes: Array(text.utf8), source: "one.json", adapters: [.plain])
        let request = Request(
            method: "GET", url: base + "/tasks", headers: ["Cookie": "lang=en; sid=sesame-0123456789"])
        let line = try await record(
            request, in: folder, redaction: CassetteRedaction(for: file), #"{"echo":"it is sesame-0123456789"}"#)
        #expect(try answer(line)["json"] == ["echo": "it is [secret]"])
    }

    @Test(
        "a secret that passed is taken out in Base64 and hexadecimal, too",
        arguments: ["sesame-0123456789", "s3same-77"])
    func encoded(_ secret: String) async throws {
        let folder = try TemporaryFolder()
        func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        let hex = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let safe = base64("??>>" + secret).replacing("+", with: "-").replacing("/", with: "_")
        let forms = [
            hex, hex.uppercased(), base64(secret), base64("ann:" + secret), base64("a:" + secret + ":b"),
            base64("bc:" + secret), safe
        ]
        for (number, form) in forms.enumerated() {
            let line = try await record(
                in: folder, as: "c\(number)", headers: ["X-Access-Token": secret], #"{"echo":"<\#(form)>"}"#)
            let echo = try #require(try answer(line)["json"]?.members?["echo"]?.string)
            #expect(echo.contains("[secret]"), "\(form): \(echo)")
            // What is left is less than four characters on each side that the secret has a part in.
            let left = echo.replacing("[secret]", with: " ").dropFirst().dropLast()
            #expect(!left.contains(String(form.dropFirst(8).prefix(6))), "\(form): \(echo)")
        }
    }

    @Test(
        "a secret is taken out of JSON in a string of JSON, and of a text with escapes of two kinds",
        arguments: [
            #"{\"said\":\"s3same\\/0123+456789\"}"#, #"{\"said\":\"s3same/0123\\u002B456789\"}"#,
            #"&quot;s3same\\/0123&#43;456789&quot;"#, "?k=s3same&#47;0123%2B456789&amp;x=1"
        ])
    func nested(_ written: String) async throws {
        let folder = try TemporaryFolder()
        let line = try await record(
            in: folder, headers: ["X-Access-Token": "s3same/0123+456789"], #"{"echo":"upstream: \#(written)"}"#)
        #expect(!line.contains("456789") && !line.contains("s3same"), "\(line)")
        let echo = try #require(try answer(line)["json"]?.members?["echo"]?.string)
        #expect(echo.hasPrefix("upstream: ") && echo.contains("[secret]"), "\(echo)")
    }

    @Test("JSON with spaces can be read in the cassette, is marked, and is replayed with its meaning")
    func spaced() async throws {
        let folder = try TemporaryFolder()
        let body = "{\n  \"title\": \"K\\u00e4se\",\n  \"price\": 1.10\n}\n"
        let post = Request(
            method: "POST", url: base + "/tasks", headers: ["Content-Type": "application/json"],
            body: .bytes(Array(body.utf8)))
        let line = try await record(post, in: folder, body)
        let written = #""json":{"title":"Käse","price":1.10},"rewritten":true"#
        #expect(line.ranges(of: written).count == 2, "\(line)")
        let replay = try ReplayTransport(path: folder.file("c"))
        var compact = post
        compact.body = .bytes(Array(#"{"price":1.10,"title":"Käse"}"#.utf8))
        let answer = try await replay.send(compact).body.collect(upTo: .max)
        #expect(String(decoding: answer, as: UTF8.self) == #"{"title":"Käse","price":1.10}"#)
        // Its secrets change nothing of the mark, and a text with spaces is none of JSON.
        let secret = try await record(in: folder, as: "s", #"{ "token": "a" }"#)
        #expect(secret.contains(#""json":{"token":"[secret]"},"rewritten":true"#))
        #expect(try await record(in: folder, as: "w", " 7 ").contains(#""text":" 7 ""#))
    }

    @Test("a cassette that has spaced JSON as a text still fits")
    func earlier() async throws {
        let folder = try TemporaryFolder()
        let text = #""text":"{ \"id\": 7 }""#
        let line = #"{"method":"POST","url":"\#(base)/tasks",\#(text),"answer":{"status":200,\#(text)}}"#
        try folder.write(Array("{\"atmosphere-cassette\":1}\n\(line)\n".utf8), to: "c")
        let replay = try ReplayTransport(path: folder.file("c"))
        let wrong = Request(method: "POST", url: base + "/tasks", body: .bytes(Array(#"{"id":8}"#.utf8)))
        await #expect(throws: TransportError.self) { try await replay.send(wrong) }
        let post = Request(method: "POST", url: base + "/tasks", body: .bytes(Array(#"{"id":7}"#.utf8)))
        let answer = try await replay.send(post).body.collect(upTo: .max)
        #expect(String(decoding: answer, as: UTF8.self) == #"{ "id": 7 }"#)
    }
}
