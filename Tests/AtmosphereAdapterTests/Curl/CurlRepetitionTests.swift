#if Curl
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereCurl
    import Testing

    @Suite("The curl transport sends a request that may not be repeated once")
    struct CurlRepetitionTests {
        /// Answers the first request of a connection, reads the second and closes without an answer.
        private static func swallowing() throws -> FaultyServer {
            try FaultyServer { connection in
                guard connection.read() != nil else { return }
                connection.write(answer("200 OK", [], "first"))
                _ = connection.read()
            }
        }

        @Test("a POST after a GET does not use the connection that may be dying, and arrives once")
        func postOnFreshConnection() async throws {
            let peer = try Self.swallowing()
            let transport = try CurlTransport(settings: .patient)
            _ = try await transport.send(Request(method: "GET", url: peer.url))
            let response = try await transport.send(Request(method: "POST", url: peer.url, body: .bytes([1])))
            #expect(try await response.body.collect(upTo: 10) == Array("first".utf8))
            #expect(peer.connections == 2)
            #expect(peer.arrivals.map(\.method) == ["GET", "POST"])
        }

        @Test(
            "a connection that closes without an answer gives connectionLost, and nothing is sent again",
            arguments: [RequestBody.none, .bytes([1, 2, 3])])
        func lostPost(body: RequestBody) async throws {
            let peer = try FaultyServer { connection in _ = connection.read() }
            let transport = try CurlTransport(settings: .patient)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "POST", url: peer.url + "/x?secret=1", body: body))
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true)
            #expect(error?.message.contains("/x") == true)
            #expect(error?.message.contains("secret") == false)
            #expect(peer.arrivals.count == 1)
            #expect(peer.connections == 1)
        }

        @Test("a POST with a reset instead of an answer gives connectionLost, and nothing is sent again")
        func resetPost() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.reset()
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "POST", url: peer.url))
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true)
            #expect(peer.arrivals.count == 1)
        }

        @Test("a request that may be repeated is sent again when a reused connection dies")
        func repeatedGet() async throws {
            let peer = try Self.swallowing()
            let transport = try CurlTransport(settings: .patient)
            for number in 1...2 {
                let response = try await transport.send(Request(method: "GET", url: peer.url))
                #expect(response.timesSent == number, "and the answer says so")
                #expect(try await response.body.collect(upTo: 10) == Array("first".utf8))
            }
            #expect(peer.arrivals.count == 3)
            #expect(peer.connections == 2)
        }

        @Test("a connection made for a POST serves later requests")
        func connectionIsKept() async throws {
            let peer = try FaultyServer { _ in answer() }
            let transport = try CurlTransport(settings: .patient)
            _ = try await transport.send(Request(method: "POST", url: peer.url))
            for _ in 1...5 { _ = try await transport.send(Request(method: "GET", url: peer.url)) }
            #expect(peer.connections == 1)
        }

        @Test(
            "an HTTP/2 stream that the server refuses is not tried again for a POST", arguments: HTTP2Refusal.allCases)
        func refusedStream(refusal: HTTP2Refusal) async throws {
            let peer = try HTTP2Peer(refusal)
            var options = CurlTransport.Options()
            options.speaksHTTP2WithoutAsking = true
            let transport = try CurlTransport(settings: .patient, options: options)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "POST", url: peer.url, body: .bytes([1])))
            }
            #expect(error?.mayHaveArrived == true)
            #expect(error?.code == .connectionLost)
            #expect(peer.heads == 1)
        }

        @Test("the same refusal of a GET is tried again by libcurl: the peer does provoke what must not happen")
        func refusedGet() async throws {
            let peer = try HTTP2Peer(.refusedStream)
            var options = CurlTransport.Options()
            options.speaksHTTP2WithoutAsking = true
            let transport = try CurlTransport(settings: .patient, options: options)
            await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "GET", url: peer.url))
            }
            #expect(peer.heads > 1)
        }
    }
#endif
