#if Curl
    import Atmosphere
    import AtmosphereCurl
    import Testing

    @Suite("The curl transport over TLS", .enabled(if: TLSServer.isAvailable))
    struct CurlTLSTests {
        /// A transport that trusts the server, which answers by then.
        private func trusting(_ server: TLSServer) async throws -> CurlTransport {
            var options = CurlTransport.Options()
            options.certificateAuthorities = server.authorities
            let transport = try CurlTransport(settings: .patient, options: options)
            for _ in 1...2000 {
                do {
                    _ = try await transport.send(Request(method: "GET", url: server.url + "/empty"))
                    break
                } catch let error as TransportError where error.code == .cannotConnect {
                    // It has not bound its port yet.
                    await Task.yield()
                }
            }
            return transport
        }

        @Test("a certificate of an unknown authority is refused, and nothing is sent")
        func unknownAuthority() async throws {
            let server = try TLSServer()
            _ = try await trusting(server)
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "POST", url: server.url + "/empty"))
            }
            #expect(error?.code == .tls)
            #expect(error?.mayHaveArrived == false)
            #expect(server.finishedLog().map { $0.split(separator: " ")[2] } == ["GET"])
        }

        @Test("a certificate of another name is refused")
        func wrongName() async throws {
            let server = try TLSServer()
            let transport = try await trusting(server)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "GET", url: "https://127.0.0.1:\(server.port)/empty"))
            }
            #expect(error?.code == .tls)
            #expect(error?.mayHaveArrived == false)
        }

        @Test("HTTP/2 is spoken where it is offered, and a hundred requests at once share a connection")
        func http2() async throws {
            let server = try TLSServer()
            let transport = try await trusting(server)
            // Handles are used again from the second round on.
            for _ in 1...3 {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 1...100 {
                        group.addTask {
                            let response = try await transport.send(Request(method: "GET", url: server.url + "/page"))
                            return try await response.body.collect(upTo: .max).count
                        }
                    }
                    for try await count in group { #expect(count == 326_000) }
                }
            }
            let log = server.finishedLog().filter { $0.hasSuffix("/page") }
            #expect(log.count == 300)
            #expect(log.allSatisfy { $0.contains("HTTP/2.0") })
            #expect(Set(log.map { $0.prefix { $0 != " " } }).count == 1)
        }

        @Test("a POST that may not be repeated gets its own connection, over HTTP/2 too")
        func freshConnection() async throws {
            let server = try TLSServer()
            let transport = try await trusting(server)
            for _ in 1...2 { _ = try await transport.send(Request(method: "POST", url: server.url + "/empty")) }
            for _ in 1...2 { _ = try await transport.send(Request(method: "GET", url: server.url + "/empty")) }
            let connections = server.finishedLog().map { $0.prefix { $0 != " " } }
            let (first, posts, gets) = (connections[0], connections.suffix(4).prefix(2), connections.suffix(2))
            #expect(Set(posts).count == 2)
            #expect(!posts.contains(first))
            #expect(Set(gets).count == 1)
            #expect(Set(connections).count == 3)
        }

        @Test("a long body arrives whole over HTTP/2 with a reader that lags behind, and others go on after it")
        func heldBack() async throws {
            let server = try TLSServer()
            let transport = try await trusting(server)
            let response = try await transport.send(Request(method: "GET", url: server.url + "/long"))
            async let other = transport.send(Request(method: "GET", url: server.url + "/page"))
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == 16 << 20)
            #expect(try await other.body.collect(upTo: .max).count == 326_000)
        }

        @Test("a streamed body goes up over HTTP/2")
        func upload() async throws {
            let server = try TLSServer()
            let transport = try await trusting(server)
            let list = Array(repeating: [UInt8](repeating: 7, count: 100_000), count: 5)
            for length in [Int64(500_000), nil] {
                let body = RequestBody.stream(length: length) { chunks(list) }
                let response = try await transport.send(
                    Request(method: "PUT", url: server.url + "/empty", body: body))
                #expect(response.status == 204)
            }
        }
    }
#endif
