#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @testable import AtmosphereGateway

    @Suite("Who may ask the gateway", .timeLimit(.minutes(5))) struct AccessTests {
        @Test("without the token nothing is told, whatever the path, and the answer says how to ask")
        func withoutToken() async throws {
            try await Bench.serving(pulled: false) { bench in
                for target in ["/", "/v1", "/v1/openapi.json", "/v1/status", "/v1/objects/tasks", "/nothing"] {
                    let answer = try await bench.ask("GET", target, withToken: false)
                    #expect(answer.status == 401 && answer.code == "signInNeeded", "\(target): \(answer)")
                    #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
                    #expect(answer.headers["Content-Type"] == "application/problem+json")
                }
                for wrong in ["Bearer x", "Bearer ", "Basic \(Bench.token)", Bench.token, "Bearer \(Bench.token)0"] {
                    let answer = try await bench.ask("GET", "/v1/status", headers: ["Authorization": wrong])
                    #expect(answer.status == 401, "\(wrong): \(answer)")
                }
                #expect(try await bench.ask("GET", "/v1/status?token=\(Bench.token)", withToken: false).status == 401)
            }
        }

        @Test("the link lets a browser in by a cookie that scripts and other sites cannot use")
        func link() async throws {
            try await Bench.serving(pulled: false) { bench in
                #expect(try await bench.ask("GET", "/?token=wrong", withToken: false).status == 401)
                let entered = try await bench.ask("GET", "/?token=\(Bench.token)", withToken: false)
                #expect(entered.status == 303 && entered.headers["Location"] == "/")
                let cookie = try #require(entered.headers["Set-Cookie"])
                for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/"] { #expect(cookie.contains(part)) }
                #expect(!cookie.contains(Bench.token))
                let pair = String(cookie.prefix { $0 != ";" })
                func ask(_ method: String, _ headers: HeaderFields) async throws -> Int {
                    var headers = headers
                    headers["Cookie"] = "other=1; \(pair)"
                    let target = method == "POST" ? "/v1/retry" : "/v1/status"
                    return try await bench.ask(method, target, headers: headers, withToken: false).status
                }
                #expect(try await ask("GET", [:]) == 200)
                // What changes something must say where it comes from.
                #expect(try await ask("POST", [:]) == 403)
                #expect(try await ask("POST", ["Origin": "http://127.0.0.1:8770"]) == 200)
                #expect(try await ask("POST", ["Sec-Fetch-Site": "same-origin"]) == 200)
                #expect(try await ask("POST", ["Origin": "http://127.0.0.1:8771"]) == 403)
            }
        }

        @Test(
            "names that only lead here are refused (DNS rebinding)",
            arguments: [
                "evil.example:8770", "evil.example", "127.0.0.1", "127.0.0.1:8771", "localhost", "0.0.0.0:8770",
                "localhost.evil.example:8770", "127.0.0.1:8770.evil.example", ""
            ])
        func hosts(_ host: String) async throws {
            try await Bench.serving(pulled: false) { bench in
                let answer = try await bench.ask("GET", "/v1/status", headers: ["Host": host])
                #expect(answer.status == 421 && answer.code == "foreignHost", "\(answer)")
            }
        }

        @Test("two names are refused; all names of this machine are right")
        func names() async throws {
            try await Bench.serving(pulled: false) { bench in
                let two: HeaderFields = ["Host": "127.0.0.1:8770", "host": "evil.example"]
                let refused = try await bench.ask("GET", "/v1/status", headers: two)
                #expect(refused.status == 421)
                for host in ["127.0.0.1:8770", "localhost:8770", "LOCALHOST:8770", "[::1]:8770"] {
                    let answer = try await bench.ask("GET", "/v1/status", headers: ["Host": host])
                    #expect(answer.status == 200, "\(host)")
                }
            }
        }

        @Test(
            "foreign pages are refused before anything is looked at, with the token or without",
            arguments: [
                ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost:3000"],
                ["Origin": "https://127.0.0.1:8770"], ["Sec-Fetch-Site": "cross-site"],
                ["Sec-Fetch-Site": "same-site"], ["Origin": "http://127.0.0.1:8770", "Sec-Fetch-Site": "cross-site"]
            ])
        func foreignPages(_ headers: [String: String]) async throws {
            try await Bench.serving(pulled: false) { bench in
                for isSigned in [true, false] {
                    let fields = HeaderFields(headers.map { NamedText(name: $0.key, value: $0.value) })
                    let answer = try await bench.ask("GET", "/v1/status", headers: fields, withToken: isSigned)
                    #expect(answer.status == 403 && answer.code == "foreignOrigin", "\(headers): \(answer)")
                    #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
                }
            }
        }

        @Test("who follows a link of another page is told to paste the address, and is not let in by it")
        func followedLinks() async throws {
            try await Bench.serving(pulled: false) { bench in
                let answer = try await bench.ask(
                    "GET", "/?token=\(Bench.token)",
                    headers: ["Accept": "text/html", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"],
                    withToken: false)
                #expect(answer.status == 403 && answer.headers["Set-Cookie"] == nil)
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(text.contains("paste the address into the address bar"), "\(text)")
                #expect(!text.contains("--allow-origin") && !text.contains(Bench.token), "\(text)")
            }
        }

        @Test("a listed origin may ask, with the token, and no other is told that there is one")
        func listedOrigins() async throws {
            var options = Gateway.Options()
            options.origins = ["https://app.example"]
            try await Bench.serving(options, pulled: false) { bench in
                let preflight: HeaderFields = [
                    "Origin": "https://app.example", "Access-Control-Request-Method": "PATCH",
                    "Sec-Fetch-Site": "cross-site"
                ]
                let asked = try await bench.ask("OPTIONS", "/v1/objects/tasks", headers: preflight, withToken: false)
                #expect(asked.status == 204)
                #expect(asked.headers["Access-Control-Allow-Origin"] == "https://app.example")
                #expect(asked.headers["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
                #expect(asked.headers["Access-Control-Allow-Credentials"] == nil)
                let origin: HeaderFields = ["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"]
                #expect(try await bench.ask("GET", "/v1/status", headers: origin, withToken: false).status == 401)
                let answer = try await bench.ask("GET", "/v1/status", headers: origin)
                #expect(answer.status == 200 && answer.headers["Vary"] == "Origin")
                #expect(
                    try await bench.ask("GET", "/v1/status", headers: ["Origin": "https://app.example.evil"]).status
                        == 403)
            }
        }

        @Test(
            "a form of another site is no JSON",
            arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
        func forms(_ type: String) async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask(
                    "POST", "/v1/objects/tasks", ["title": "x"], headers: ["Content-Type": type])
                #expect(answer.status == 415 && answer.code == "mediaType", "\(answer)")
            }
        }

        @Test("with --read-only nothing is changed or sent")
        func readOnly() async throws {
            var options = Gateway.Options()
            options.isReadOnly = true
            try await Bench.serving(options) { bench in
                #expect(try await bench.ask("GET", "/v1/objects/tasks").status == 200)
                for (method, target) in [
                    ("POST", "/v1/objects/tasks"), ("PATCH", "/v1/objects/tasks/1"), ("DELETE", "/v1/objects/tasks/1"),
                    ("POST", "/v1/push"), ("POST", "/v1/pull"), ("POST", "/v1/check"), ("PUT", "/v1/network"),
                    ("POST", "/v1/sign-in")
                ] {
                    let answer = try await bench.ask(method, target, ["title": "x"])
                    #expect(answer.status == 403 && answer.code == "readOnly", "\(method) \(target): \(answer)")
                }
                #expect(try await bench.synchronizer.pending().isEmpty)
            }
        }

        @Test("with --read-only a content is given that is here, and none is fetched")
        func readOnlyContents() async throws {
            var options = Gateway.Options()
            options.isReadOnly = true
            try await Bench.serving(options) { bench in
                let cat = AttachmentContent(Array("0123456789".utf8), fileName: "cat.jpg")
                try await bench.synchronizer.attach(cat, as: "photo", to: ObjectURI(entity: "tasks", id: "1"))
                bench.source.clearLog()
                let here = try await bench.ask("GET", "/v1/objects/tasks/1/contents/photo")
                #expect(here.status == 200 && here.bytes == Array("0123456789".utf8), "\(here)")
                let away = try await bench.ask("GET", "/v1/objects/tasks/2/contents/photo")
                #expect(away.status == 403 && away.code == "readOnly", "\(away)")
                #expect(away.detail.contains("the content of “photo” of tasks/2 is not here"), "\(away)")
                #expect(bench.source.log.isEmpty)
            }
        }

        @Test("every answer tells a browser to keep, show and run nothing")
        func headers() async throws {
            try await Bench.serving { bench in
                for target in ["/v1/status", "/v1/objects/tasks/1", "/nothing"] {
                    let headers = try await bench.ask("GET", target).headers
                    #expect(headers["Cache-Control"] == "no-store" && headers["X-Content-Type-Options"] == "nosniff")
                    #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
                    #expect(headers["Referrer-Policy"] == "no-referrer")
                }
            }
        }

        @Test("beyond this machine it needs a certificate; options that mean nothing are told")
        func options() async throws {
            try await Bench.serving(pulled: false) { bench in
                func code(_ change: (inout Gateway.Options) -> Void) -> GatewayError.Code? {
                    var options = Gateway.Options()
                    change(&options)
                    do throws(GatewayError) {
                        _ = try Gateway(bench.synchronizer, options: options)
                        return nil
                    } catch {
                        return error.code
                    }
                }
                for host in ["0.0.0.0", "::", "192.168.1.7", "example.com"] {
                    #expect(code { $0.host = host } == .needsTLS)
                }
                for host in ["127.0.0.1", "127.8.8.8", "::1", "localhost"] { #expect(code { $0.host = host } == nil) }
                #expect(code { $0.certificate = "a.pem" } == .certificate)
                #expect(code { $0.origins = ["https://a.example/"] } == .invalidOption)
                #expect(code { $0.origins = ["*"] } == .invalidOption)
            }
        }

        @Test("the file of the token is made for its owner alone, read again, and refused where others can read it")
        func tokenFile() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "gateway-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "token").path
            let token = try Gateway.token(inFile: path)
            #expect(token.utf8.count == 64)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try Gateway.token(inFile: path) == token)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(throws: GatewayError.self) { try Gateway.token(inFile: path) }
            try FileManager.default.removeItem(atPath: path)
            try Data("short".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(throws: GatewayError.self) { try Gateway.token(inFile: path) }
        }

        @Test(
            "paths that are none, or try to leave, lead nowhere",
            arguments: [
                ("", 400), ("v1/status", 400), ("http://127.0.0.1:8770/v1/status", 400), ("/v1/%2e%2e/status", 400),
                ("/v1/../v1/status", 400), ("/v1/./status", 400), ("/v1/%zz", 400), ("/v1/%ff", 400),
                ("/v1/st atus", 400),
                ("/v1/status#x", 400), ("//v1/status", 404), ("/v1//status", 404), ("/v1/status/", 404),
                ("/V1/status", 404), ("/v1/objects/tasks/..%2f..%2fetc%2fpasswd", 404), ("/v1/objects/t%61sks/99", 404),
                ("/v1/objects/nothing", 404), ("/v1/objects/tasks/%00", 404), ("/v1/status?x=1", 400),
                ("/v1/log?limit=x", 400), ("/v1/log?limit=1&limit=2", 400), ("/v1/log?limit=%zz", 400)
            ])
        func paths(_ target: String, _ status: Int) async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask("GET", target)
                #expect(answer.status == status, "\(target): \(answer)")
                #expect(answer.headers["Content-Type"] == "application/problem+json")
            }
        }

        @Test("a method that a path does not have is told with those that it has; HEAD is GET without a body")
        func methods() async throws {
            try await Bench.serving { bench in
                let answer = try await bench.ask("PATCH", "/v1/objects/tasks", ["title": "x"])
                #expect(answer.status == 405 && answer.headers["Allow"] == "GET, HEAD, POST")
                #expect(try await bench.ask("BREW", "/v1/status").status == 405)
                let head = try await bench.ask("HEAD", "/v1/objects/tasks/1")
                let get = try await bench.ask("GET", "/v1/objects/tasks/1")
                #expect(head.status == 200 && head.bytes.isEmpty)
                #expect(
                    head.headers["Content-Length"] == String(get.bytes.count)
                        && head.headers["ETag"] == get.headers["ETag"])
            }
        }

        @Test("bodies are bounded: in length, in nesting, and in what they may be")
        func bodies() async throws {
            var options = Gateway.Options()
            options.bodyBytes = 1_000
            options.depth = 10
            options.contentBytes = 2_000
            try await Bench.serving(options) { bench in
                func status(_ text: String, _ headers: HeaderFields = [:]) async throws -> (Int, String?) {
                    var headers = headers
                    headers["Content-Type"] = "application/json"
                    let answer = try await bench.ask(
                        "POST", "/v1/objects/tasks", headers: headers, bytes: Array(text.utf8))
                    return (answer.status, answer.code)
                }
                let long = "{\"title\":\"\(String(repeating: "x", count: 2_000))\"}"
                #expect(try await status(long) == (413, "tooLarge"))
                #expect(try await status("{}", ["Content-Length": "1001"]) == (413, "tooLarge"))
                let deep = String(repeating: "[", count: 11) + String(repeating: "]", count: 11)
                #expect(try await status("{\"a\":\(deep)}") == (400, "tooDeep"))
                #expect(try await status("{\"a\":") == (400, "truncated"))
                #expect(try await status("{\"a\":1,}").0 == 400)
                #expect(try await status("[]") == (422, "unexpectedType"))
                #expect(try await status("") == (422, "unexpectedType"))
                #expect(try await status("{\"title\":1e99999}").0 < 500)
                let content = [UInt8](repeating: 1, count: 2_001)
                let answer = try await bench.ask("PUT", "/v1/objects/tasks/1/contents/photo", bytes: content)
                #expect(answer.status == 413, "\(answer)")
            }
        }
    }
#endif
