#if Curl
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereCurl
    import Testing

    @Suite("The curl transport's redirects")
    struct CurlRedirectTests {
        @Test(
            "a GET follows within its origin with its headers, on one connection",
            arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"], ["GET", "HEAD"])
        func follows(status: String, method: String) async throws {
            let peer = try FaultyServer { arrival in
                arrival.target == "/a/x?q=1"
                    ? answer(status, ["Location: ../b/?r=%2F#part"], method == "HEAD" ? "" : "moved")
                    : answer("200 OK", [], method == "HEAD" ? "" : "here")
            }
            let request = Request(method: method, url: peer.url + "/a/x?q=1", headers: ["Authorization": "Token t"])
            let response = try await CurlTransport(settings: .patient).send(request)
            #expect(response.status == 200)
            #expect(try await response.body.collect(upTo: 10) == Array((method == "HEAD" ? "" : "here").utf8))
            #expect(peer.arrivals.map(\.target) == ["/a/x?q=1", "/b/?r=%2F"])
            #expect(peer.arrivals.map(\.method) == [method, method])
            #expect(peer.arrivals.allSatisfy { $0.header("Authorization") == "Token t" })
            #expect(peer.connections == 1)
        }

        @Test("307 and 308 keep method and body", arguments: ["307 Temporary", "308 Permanent"])
        func keepsBody(status: String) async throws {
            let peer = try FaultyServer { arrival in
                arrival.target == "/x" ? answer(status, ["Location: /x/"]) : answer("201 Created")
            }
            let bodies: [RequestBody] = [
                .bytes(Array("body".utf8)), .stream(length: 4) { chunks(["bo", "dy"].map { Array($0.utf8) }) },
                .stream(length: nil) { chunks(["bo", "dy"].map { Array($0.utf8) }) }
            ]
            for body in bodies {
                let response = try await CurlTransport(settings: .patient).send(
                    Request(method: "POST", url: peer.url + "/x", body: body))
                #expect(response.status == 201)
            }
            #expect(peer.arrivals.map(\.text) == Array(repeating: "body", count: 6))
            #expect(peer.arrivals.allSatisfy { $0.method == "POST" })
        }

        @Test(
            "a redirect that would lose method or body is an error that names the new path",
            arguments: ["301 Moved", "302 Found", "303 See Other"], ["PUT", "POST", "DELETE"])
        func refuses(status: String, method: String) async throws {
            let peer = try FaultyServer { arrival in
                arrival.target == "/api/x?k=secret" ? answer(status, ["Location: /api/x/?k=secret"]) : answer()
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(
                    Request(method: method, url: peer.url + "/api/x?k=secret", body: .bytes([1])))
            }
            #expect(error?.code == .redirect)
            #expect(error?.message.contains("redirects \(method) /api/x to /api/x/") == true)
            #expect(error?.message.contains("put the trailing slash into the route file") == true)
            #expect(error?.message.contains("secret") == false)
            // What has moved for good did nothing.
            #expect(error?.mayHaveArrived == !status.hasPrefix("301"))
            #expect(error?.redirection == .init(status: Int(status.prefix(3)) ?? 0, path: "/api/x/"))
            #expect(peer.arrivals.count == 1)
        }

        @Test("another origin is never followed, and gets nothing", arguments: ["GET", "POST"], ["301", "307"])
        func otherOrigin(method: String, status: String) async throws {
            let other = try FaultyServer { _ in answer() }
            let peer = try FaultyServer { [url = other.url] _ in
                answer(status + " Moved", ["Location: \(url)/x?k=secret"])
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(
                    Request(method: method, url: peer.url, headers: ["Authorization": "Bearer hunter2"]))
            }
            #expect(error?.code == .redirect)
            #expect(error?.message.contains(peer.url) == true)
            #expect(error?.message.contains(other.url) == true)
            #expect(error?.message.contains("secret") == false)
            #expect(other.connections == 0)
            #expect(peer.arrivals.count == 1)
        }

        @Test(
            "another scheme, another host name and a user in the address are not the same origin",
            arguments: [
                "https://127.0.0.1:PORT/", "http://localhost:PORT/", "//u:p@127.0.0.1:PORT/", "ftp://127.0.0.1/"
            ])
        func notTheSame(location: String) async throws {
            let peer = try FaultyServer { arrival in
                let port = arrival.header("Host")?.split(separator: ":").last ?? ""
                return answer("302 Found", ["Location: " + location.replacing("PORT", with: port)])
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .redirect)
            #expect(peer.arrivals.count == 1)
        }

        @Test("ten redirects are followed, eleven are an error")
        func many() async throws {
            let peer = try FaultyServer { arrival in
                let left = Int(arrival.target.dropFirst()) ?? 0
                return left == 0 ? answer("200 OK", [], "end") : answer("302 Found", ["Location: /\(left - 1)"])
            }
            let transport = try CurlTransport(settings: .patient)
            #expect(try await transport.send(Request(method: "GET", url: peer.url + "/10")).status == 200)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "GET", url: peer.url + "/11"))
            }
            #expect(error?.code == .redirect)
        }

        @Test("a 3xx without a Location is an answer like any other", arguments: ["300 Many", "301 Moved", "304 Same"])
        func noLocation(status: String) async throws {
            let peer = try FaultyServer { _ in "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n" }
            let response = try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            #expect(String(response.status) == status.prefix(3))
        }
    }
#endif
