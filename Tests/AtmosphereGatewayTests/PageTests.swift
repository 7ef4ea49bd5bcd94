#if Gateway && Source && Curl && YAML
    import Atmosphere
    import Foundation
    import Testing

    @testable import AtmosphereGateway

    @Suite("Pages of the gateway", .timeLimit(.minutes(5))) struct PageTests {
        /// A folder with pages for one test.
        private static func withFolder(_ body: (URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
            let pages = folder.appending(path: "pages")
            try FileManager.default.createDirectory(
                at: pages.appending(path: "deep/er"), withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data("kept apart".utf8).write(to: folder.appending(path: "secret.txt"))
            try Data("<p>mine".utf8).write(to: pages.appending(path: "index.html"))
            try Data("1".utf8).write(to: pages.appending(path: "deep/er/a b.js"))
            try Data("<p>deep".utf8).write(to: pages.appending(path: "deep/index.html"))
            try Data("x".utf8).write(to: pages.appending(path: ".hidden"))
            try FileManager.default.createSymbolicLink(
                at: pages.appending(path: "link.txt"), withDestinationURL: folder.appending(path: "secret.txt"))
            try FileManager.default.createSymbolicLink(
                at: pages.appending(path: "out"), withDestinationURL: folder)
            try await body(pages)
        }

        private static func serving(_ folder: URL?, _ body: (Bench) async throws -> Void) async throws {
            var options = Gateway.Options()
            options.pages = folder?.path
            try await Bench.serving(options, pulled: false, body)
        }

        @Test("every file of the folder Web is linked, as it is")
        func builtIn() throws {
            let web = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Sources/CAtmospherePages/Web").standardized
            let files = try FileManager.default.subpathsOfDirectory(atPath: web.path).filter { path in
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: web.appending(path: path).path, isDirectory: &isFolder)
                return exists && !isFolder.boolValue
            }
            #expect(Set(files) == Set(PageFile.builtInPaths))
            for path in files {
                let page = try #require(PageFile.builtIn(path))
                #expect(page.bytes == Array(try Data(contentsOf: web.appending(path: path))), "\(path)")
            }
            #expect(PageFile.builtIn("studio/") == nil && PageFile.builtIn("") == nil)
        }

        @Test("without a folder the link leads to Studio, whose page runs nothing but its own modules")
        func studio() async throws {
            try await Self.serving(nil) { bench in
                let root = try await bench.ask("GET", "/")
                #expect(root.status == 303 && root.headers["Location"] == "/studio/")
                let bare = try await bench.ask("GET", "/studio")
                #expect(bare.status == 303 && bare.headers["Location"] == "/studio/")
                let page = try await bench.ask("GET", "/studio/")
                #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
                let policy = try #require(page.headers["Content-Security-Policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
                #expect(policy.hasSuffix("require-trusted-types-for 'script'"))
                #expect(page.headers["X-Content-Type-Options"] == "nosniff")
                let tag = try #require(page.headers["ETag"])
                let again = try await bench.ask("GET", "/studio/", headers: ["If-None-Match": "\"x\", \(tag)"])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers["ETag"] == tag)
                let head = try await bench.ask("HEAD", "/studio/index.html")
                #expect(head.status == 200 && head.bytes.isEmpty)
                #expect(head.headers["Content-Length"] == String(page.bytes.count))
                let refused = try await bench.ask("POST", "/studio/", ["a": 1])
                #expect(refused.status == 405 && refused.headers["Allow"] == "GET, HEAD")
            }
        }

        @Test("a reader that takes gzip gets what comes with the gateway as gzip, with a tag of its own")
        func gzip() async throws {
            try await Self.serving(nil) { bench in
                func ask(_ accepted: String?, _ tag: String? = nil) async throws -> Bench.Answer {
                    var headers: HeaderFields = [:]
                    headers["Accept-Encoding"] = accepted
                    headers["If-None-Match"] = tag
                    return try await bench.ask("GET", "/atmosphere.js", headers: headers)
                }
                let plain = try await ask(nil)
                #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
                let coded = try await ask("deflate, GZip;q=0.5, br")
                #expect(coded.headers["Content-Encoding"] == "gzip" && coded.headers["Vary"] == "Accept-Encoding")
                #expect(coded.headers["Content-Type"] == plain.headers["Content-Type"])
                #expect(coded.bytes.count <= 12_000 && coded.bytes.prefix(3) == [0x1F, 0x8B, 8])
                // It ends with the length of the whole.
                let length = coded.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
                #expect(length == plain.bytes.count)
                let tag = try #require(coded.headers["ETag"])
                #expect(tag != plain.headers["ETag"])
                let known = try await ask("gzip", tag)
                #expect(known.status == 304 && known.headers["Vary"] == "Accept-Encoding")
                #expect(try await ask(nil, tag).status == 200)
                for refused in ["gzip;q=0", "gzip; q=0.000", "br, identity", "xgzip", "gzip;q=x"] {
                    #expect(try await ask(refused).bytes == plain.bytes, "\(refused)")
                }
            }
        }

        @Test("a folder's files are served as browsers take them, and its folders by their index.html")
        func folder() async throws {
            try await Self.withFolder { folder in
                try await Self.serving(folder) { bench in
                    let root = try await bench.ask("GET", "/")
                    #expect(root.status == 200 && root.bytes == Array("<p>mine".utf8))
                    #expect(root.headers["Content-Security-Policy"]?.hasPrefix("default-src 'self'") == true)
                    let script = try await bench.ask("GET", "/deep/er/a%20b.js")
                    #expect(
                        script.headers["Content-Type"] == "text/javascript; charset=utf-8" && script.bytes == [0x31])
                    let deep = try await bench.ask("GET", "/deep")
                    #expect(deep.status == 303 && deep.headers["Location"] == "/deep/")
                    #expect(try await bench.ask("GET", "/deep/").bytes == Array("<p>deep".utf8))
                    #expect(try await bench.ask("GET", "/studio/").status == 200)
                    // What is changed is shown at once.
                    let page = folder.appending(path: "index.html")
                    try Data("<p>other".utf8).write(to: page)
                    let tag: HeaderFields = ["If-None-Match": root.headers["ETag"] ?? ""]
                    #expect(try await bench.ask("GET", "/", headers: tag).bytes == Array("<p>other".utf8))
                }
            }
        }

        @Test(
            "nothing outside of the folder, nothing hidden and no link is read",
            arguments: [
                "/link.txt", "/out/secret.txt", "/out/", "/.hidden", "/..%2fsecret.txt", "/%2e%2e/secret.txt",
                "/deep/..%2f..%2fsecret.txt", "/deep%5c..%5csecret.txt", "/out%2F%CC%81secret.txt", "/%2F%CC%81etc",
                "/.%CC%81hidden", "/index.html%00.js", "//index.html",
                "/deep//index.html", "/index.html/", "/nothing", "/deep/er/"
            ])
        func outside(_ target: String) async throws {
            try await Self.withFolder { folder in
                try await Self.serving(folder) { bench in
                    let answer = try await bench.ask("GET", target)
                    #expect([400, 404].contains(answer.status), "\(target): \(answer)")
                    #expect(!String(decoding: answer.bytes, as: UTF8.self).contains("kept apart"))
                }
            }
        }

        @Test("a page needs the token as everything does; who opens it without is told in words, not in JSON")
        func withoutToken() async throws {
            try await Self.withFolder { folder in
                try await Self.serving(folder) { bench in
                    for target in ["/", "/studio/", "/deep/er/a%20b.js", "/nothing"] {
                        #expect(try await bench.ask("GET", target, withToken: false).status == 401, "\(target)")
                    }
                    let html: HeaderFields = ["Accept": "text/html,application/xhtml+xml"]
                    let page = try await bench.ask("GET", "/", headers: html, withToken: false)
                    #expect(page.status == 401 && page.headers["Content-Type"] == "text/html; charset=utf-8")
                    #expect(String(decoding: page.bytes, as: UTF8.self).contains("open the link that it printed"))
                    #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
                    let hostile = try await bench.ask(
                        "GET", "/v1/objects/%3Cscript%3Ealert(1)%3C%2Fscript%3E", headers: html)
                    #expect(hostile.status == 404)
                    #expect(!String(decoding: hostile.bytes, as: UTF8.self).contains("<script"))
                }
            }
        }

        @Test("a link leads to its page without the token, and to no other host")
        func links() async throws {
            try await Self.withFolder { folder in
                try await Self.serving(folder) { bench in
                    let page = try await bench.ask(
                        "GET", "/deep/er/a%20b.js?token=\(Bench.token)&x=1", withToken: false)
                    #expect(page.status == 303 && page.headers["Location"] == "/deep/er/a%20b.js")
                    for target in ["//evil.example/", "//evil.example", "/%2fevil.example/", "/%5cevil.example/"] {
                        let answer = try await bench.ask("GET", "\(target)?token=\(Bench.token)", withToken: false)
                        #expect(answer.status == 401 && answer.headers["Location"] == nil, "\(target): \(answer)")
                    }
                }
            }
        }

        @Test("the link for a browser's command line opens once")
        func once() async throws {
            try await Self.serving(nil) { bench in
                let studio = bench.gateway.address(port: Bench.port).studio
                let target = String(studio.dropFirst("http://127.0.0.1:8770".count))
                #expect(target.hasPrefix("/studio/?token=") && !target.contains(Bench.token))
                let first = try await bench.ask("GET", target, withToken: false)
                #expect(first.status == 303 && first.headers["Location"] == "/studio/")
                #expect(try await bench.ask("GET", target, withToken: false).status == 401)
                let cookie = try #require(first.headers["Set-Cookie"]).prefix { $0 != ";" }
                let page = try await bench.ask(
                    "GET", "/studio/", headers: ["Cookie": String(cookie)], withToken: false)
                #expect(page.status == 200)
            }
        }

        @Test("a cookie goes on with the next gateway of the same token, and with no other")
        func nextGateway() async throws {
            try await Self.serving(nil) { bench in
                let entered = try await bench.ask("GET", "/?token=\(Bench.token)", withToken: false)
                let cookie = String(try #require(entered.headers["Set-Cookie"]).prefix { $0 != ";" })
                func status(token: String) async throws -> Int {
                    var options = Gateway.Options()
                    options.token = token
                    let next = try Gateway(bench.synchronizer, options: options).service(port: Bench.port)
                    let headers: HeaderFields = ["Host": "127.0.0.1:8770", "Cookie": cookie]
                    let answer = await next.answer(
                        GatewayRequest(method: "GET", target: "/v1/status", headers: headers))
                    next.end()
                    return answer.status
                }
                #expect(try await status(token: Bench.token) == 200)
                #expect(try await status(token: String(Bench.token.reversed())) == 401)
            }
        }
    }
#endif
