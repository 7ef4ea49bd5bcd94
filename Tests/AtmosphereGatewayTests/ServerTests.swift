#if Gateway && Source && Curl && YAML
    import Atmosphere
    import AtmosphereCurl
    import Synchronization
    import Testing

    @testable import AtmosphereGateway

    @Suite("The gateway on a socket", .timeLimit(.minutes(5))) struct ServerTests {
        private func send(
            _ address: Gateway.Address, _ method: String, _ path: String, _ body: RequestBody = .none,
            headers: HeaderFields = [:]
        ) async throws -> Response {
            var all = headers
            if all["Authorization"] == nil { all["Authorization"] = "Bearer \(address.token)" }
            return try await CurlTransport().send(
                Request(method: method, url: address.url + path, headers: all, body: body, mayRepeat: false))
        }

        @Test("serves on a free port, answers programs, and ends with its task though streams are open")
        func serves() async throws {
            try await Bench.serving { bench in
                try await bench.gateway.withServer { address in
                    #expect(address.url.hasPrefix("http://127.0.0.1:"))
                    #expect(address.link == "\(address.url)/?token=\(Bench.token)")
                    let list = try await send(address, "GET", "/v1/objects/tasks?sort=title")
                    #expect(list.status == 200 && list.headers["Content-Type"] == "application/json")
                    let value = try Value(json: await list.body.collect(upTo: 1 << 20))
                    #expect(value.members?["total"] == 3)
                    let created = try await send(
                        address, "POST", "/v1/objects/tasks", .bytes(Array(#"{"title":"x","list":1}"#.utf8)),
                        headers: ["Content-Type": "application/json"])
                    #expect(created.status == 201)
                    let unknown = try await send(address, "GET", "/v1/status", headers: ["Authorization": "Bearer x"])
                    #expect(unknown.status == 401 && unknown.headers["Content-Type"] == "application/problem+json")
                    let foreign = try await send(address, "GET", "/v1/status", headers: ["Host": "evil.example"])
                    #expect(foreign.status == 421)
                    let events = try await send(address, "GET", "/v1/events")
                    #expect(events.status == 200)
                    let first = try #require(try await events.body.next())
                    #expect(String(decoding: first, as: UTF8.self).contains("event: ready"))
                    _ = try await send(address, "DELETE", "/v1/objects/tasks/1")
                    var text = ""
                    while !text.contains("event: changed"), let more = try await events.body.next() {
                        text += String(decoding: more, as: UTF8.self)
                    }
                    #expect(text.contains(#""ids":["1"]"#))
                    withExtendedLifetime(events) {}
                }
            }
        }

        @Test("offline stays switched when the gateway starts anew, until it is switched back")
        func offline() async throws {
            try await Bench.serving { bench in
                #expect(try await bench.ask("PUT", "/v1/network", ["offline": true])["offline"] == true)
                let network = try #require(bench.gateway.network)
                for isOffline in [true, false] {
                    // As in a new process.
                    network.isOffline = false
                    bench.synchronizer.resume()
                    try await bench.gateway.withServer { address in
                        let status = try await send(address, "GET", "/v1/status")
                        let told = try Value(json: await status.body.collect(upTo: 1 << 20)).members
                        #expect(told?["offline"] == .bool(isOffline))
                        #expect(told?["paused"] == .bool(isOffline))
                        let switched = try await send(
                            address, "PUT", "/v1/network", .bytes(Array(#"{"offline":false}"#.utf8)),
                            headers: ["Content-Type": "application/json"])
                        #expect(switched.status == 200)
                    }
                }
            }
        }

        #if Notifications
            @Test("the port for Socket.IO refuses foreign names and pages as well, and takes its own and listed ones")
            func eventSocket() async throws {
                var options = Gateway.Options()
                options.socketIO = 0
                options.origins = ["https://app.example"]
                try await Bench.serving(options, pulled: false) { bench in
                    try await bench.gateway.withServer { address in
                        let url = try #require(address.socketIO)
                        let port = try #require(url.split(separator: ":").last.map(String.init))
                        let cases: [(HeaderFields, Int)] = [
                            ([:], 200), (["Host": "localhost:\(port)"], 200), (["Host": "evil.example:\(port)"], 421),
                            (["Host": "localhost.evil.example"], 421), (["Host": "127.0.0.1:\(port)x"], 421),
                            (["Host": "evil.example:\(port)", "Origin": "http://evil.example:\(port)"], 421),
                            (["Origin": "http://evil.example"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
                            (["Sec-Fetch-Site": "same-site"], 403), (["Sec-Fetch-Site": "none"], 200),
                            (["Origin": url, "Sec-Fetch-Site": "same-origin"], 200),
                            (["Origin": url, "Sec-Fetch-Site": "cross-site"], 403),
                            (["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"], 200)
                        ]
                        for (headers, status) in cases {
                            let answer = try await CurlTransport().send(
                                Request(
                                    method: "GET", url: url + "/socket.io/?EIO=4&transport=polling", headers: headers,
                                    body: .none, mayRepeat: false))
                            #expect(answer.status == status, "\(headers)")
                        }
                    }
                }
            }
        #endif

        @Test("content is streamed in and out")
        func contents() async throws {
            try await Bench.serving { bench in
                try await bench.gateway.withServer { address in
                    let piece = [UInt8](repeating: 7, count: 1 << 16)
                    let body = RequestBody.stream(length: nil) {
                        let left = Countdown(64)
                        return { left.take() ? piece : nil }
                    }
                    let path = "/v1/objects/tasks/1/contents/photo"
                    let sent = try await send(address, "PUT", path, body, headers: ["Content-Type": "image/png"])
                    #expect(sent.status == 200)
                    let got = try await send(address, "GET", path)
                    #expect(got.headers["Content-Length"] == String(64 << 16))
                    let bytes = try await got.body.collect(upTo: 8 << 20)
                    #expect(bytes.count == 64 << 16 && bytes.allSatisfy { $0 == 7 })
                    let part = try await send(address, "GET", path, headers: ["Range": "bytes=100000-100009"])
                    #expect(part.status == 206)
                    #expect(try await part.body.collect(upTo: 1 << 20) == [UInt8](repeating: 7, count: 10))
                }
            }
        }

        @Test("a body that is too large is refused without being taken in")
        func tooLarge() async throws {
            try await Bench.serving { bench in
                try await bench.gateway.withServer { address in
                    let piece = [UInt8](repeating: 32, count: 1 << 20)
                    let body = RequestBody.stream(length: 1 << 30) { { piece } }
                    // Sooner or later the connection ends, and the answer has come before or not.
                    let answer = try? await send(
                        address, "POST", "/v1/objects/tasks", body, headers: ["Content-Type": "application/json"])
                    #expect(answer == nil || answer?.status == 413)
                    let after = try await send(address, "GET", "/v1/status")
                    #expect(after.status == 200)
                }
            }
        }

        @Test("a port in use is told")
        func portInUse() async throws {
            try await Bench.serving(pulled: false) { bench in
                try await bench.gateway.withServer { address in
                    var options = Gateway.Options()
                    options.port = try #require(Int(address.url.split(separator: ":").last ?? ""))
                    let other = try Gateway(bench.synchronizer, options: options)
                    await #expect(throws: GatewayError.self) { try await other.run { _ in } }
                }
            }
        }
    }

    private final class Countdown: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) { left = Mutex(count) }

        func take() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }
#endif
