#if Curl
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereCurl
    import Testing

    @Suite("The curl transport")
    struct CurlTransportTests {
        @Test("a GET gives status, header fields in order and the body")
        func get() async throws {
            let peer = try FaultyServer { _ in
                answer("200 Fine", ["X-One: 1", "Set-Cookie: a=1", "Set-Cookie: b=2"], "hello")
            }
            let response = try await CurlTransport(settings: .patient).send(
                Request(method: "GET", url: peer.url + "/a/b?c=d%20e"))
            #expect(response.status == 200)
            #expect(response.headers.values(of: "set-cookie") == ["a=1", "b=2"])
            #expect(response.headers.fields.map(\.name) == ["Content-Length", "X-One", "Set-Cookie", "Set-Cookie"])
            #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
            let arrival = try #require(peer.arrivals.first)
            #expect(arrival.target == "/a/b?c=d%20e")
            #expect(arrival.header("User-Agent") == "Atmosphere/0.1")
            #expect(arrival.header("Accept-Encoding")?.contains("gzip") == true)
            #expect(arrival.header("Cookie") == nil)
        }

        @Test("cookies are not kept")
        func noCookies() async throws {
            let peer = try FaultyServer { _ in answer("200 OK", ["Set-Cookie: a=1"]) }
            let transport = try CurlTransport(settings: .patient)
            for _ in 1...2 { _ = try await transport.send(Request(method: "GET", url: peer.url)) }
            #expect(peer.arrivals.allSatisfy { $0.header("Cookie") == nil })
            #expect(peer.arrivals.count == 2)
        }

        @Test("a request's own User-Agent, Accept and empty headers are sent once, as they are")
        func ownHeaders() async throws {
            let peer = try FaultyServer { _ in answer() }
            let headers: HeaderFields = ["User-Agent": "mine", "Accept": "text/x", "X-Empty": "", "X-Odd": "a; b:c"]
            _ = try await CurlTransport(settings: .patient).send(
                Request(method: "GET", url: peer.url, headers: headers))
            let arrival = try #require(peer.arrivals.first)
            for field in headers.fields {
                let sent = arrival.headers.filter { $0.name.lowercased() == field.name.lowercased() }.map(\.value)
                #expect(sent == [field.value], "\(field.name)")
            }
        }

        @Test("a hundred requests one after another use one connection")
        func keepAlive() async throws {
            let peer = try FaultyServer { _ in answer("200 OK", [], "x") }
            let transport = try CurlTransport(settings: .patient)
            for _ in 1...100 {
                let response = try await transport.send(Request(method: "GET", url: peer.url))
                #expect(try await response.body.collect(upTo: 1) == [UInt8(ascii: "x")])
            }
            #expect(peer.connections == 1)
            #expect(peer.arrivals.count == 100)
        }

        @Test("two hundred requests at once all get their own answer")
        func concurrent() async throws {
            let peer = try FaultyServer { arrival in answer("200 OK", [], arrival.target) }
            let transport = try CurlTransport(settings: .patient)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let response = try await transport.send(Request(method: "GET", url: "\(peer.url)/\(number)"))
                        return try await response.body.collect(upTo: 100) == Array("/\(number)".utf8)
                    }
                }
                var right = 0
                for try await isRight in group where isRight { right += 1 }
                #expect(right == 200)
            }
        }

        @Test(
            "the body bytes of a method arrive with their length", arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
        func body(method: String) async throws {
            let peer = try FaultyServer { _ in answer("201 Created") }
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
            let request = Request(
                method: method, url: peer.url, headers: ["Content-Type": "application/x"], body: .bytes(bytes))
            let response = try await CurlTransport(settings: .patient).send(request)
            let arrival = try #require(peer.arrivals.first)
            #expect(response.status == 201)
            #expect(arrival.method == method)
            #expect(arrival.body == bytes)
            #expect(arrival.header("Content-Type") == "application/x")
            #expect(arrival.header("Expect") == nil)
        }

        @Test("no body is a length of zero where the method usually has one, and no type is invented")
        func noBody() async throws {
            let peer = try FaultyServer { _ in answer() }
            let transport = try CurlTransport(settings: .patient)
            for method in ["POST", "PUT", "DELETE"] {
                _ = try await transport.send(Request(method: method, url: peer.url))
            }
            _ = try await transport.send(Request(method: "POST", url: peer.url, body: .bytes([])))
            #expect(peer.arrivals.map { $0.header("Content-Length") } == ["0", "0", nil, "0"])
            #expect(peer.arrivals.allSatisfy { $0.header("Content-Type") == nil && $0.body.isEmpty })
        }

        @Test("HEAD, 204 and 304 have no body", arguments: ["HEAD 200 OK", "GET 204 None", "GET 304 Same"])
        func bodiless(line: String) async throws {
            let parts = line.split(separator: " ", maxSplits: 1)
            let peer = try FaultyServer { _ in
                "HTTP/1.1 \(parts[1])\r\nContent-Length: 999999999\r\nETag: \"e\"\r\n\r\n"
            }
            let transport = try CurlTransport(settings: .patient)
            for _ in 1...2 {
                let request = Request(method: String(parts[0]), url: peer.url, maximumResponseBytes: 10)
                let response = try await transport.send(request)
                #expect(response.headers["etag"] == "\"e\"")
                #expect(try await response.body.collect(upTo: 10).isEmpty)
            }
            #expect(peer.connections == 1)
        }

        @Test("interim answers, folded lines and trailers do not mix with the header")
        func headOnly() async throws {
            let peer = try FaultyServer { _ in
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nX-Latin: caf\u{e9}\r\nTransfer-Encoding: chunked\r\n"
                    + "\r\n3\r\nabc\r\n0\r\nX-Trailer: late\r\n\r\n"
            }
            let response = try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            #expect(response.status == 200)
            #expect(response.headers.fields.map(\.name) == ["X-Folded", "X-Latin", "Transfer-Encoding"])
            #expect(response.headers["X-Folded"] == "one two")
            #expect(response.headers["X-Latin"] == "café")
            #expect(try await response.body.collect(upTo: 10) == Array("abc".utf8))
        }

        @Test("a header of more than 300 KiB ends the exchange")
        func hugeHeader() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\n")
                let line = "X-A: " + String(repeating: "a", count: 1000) + "\r\n"
                while connection.write(line) {}
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .invalidResponse)
        }

        @Test("a header with a line of 400 kB is told as such, and says nothing of the way to the server")
        func hugeHeaderLine() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 400_000) + "\r\n")
                connection.write("Content-Length: 2\r\n\r\n[]")
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .invalidResponse && error?.mayHaveArrived == true)
            #expect(error?.message.contains("response header is larger than") == true, "\(error?.message ?? "")")
        }

        @Test("what is not HTTP is an invalid response")
        func notHTTP() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("220 mail.example ESMTP\r\n")
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .invalidResponse)
            #expect(error?.mayHaveArrived == true)
        }

        @Test(
            "a length that is no number of bytes does no harm",
            arguments: ["-5", "+5", "x", "", "99999999999999999999999", "5, 5"])
        func oddLength(length: String) async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
            }
            let transport = try CurlTransport(settings: .patient)
            do {
                let response = try await transport.send(Request(method: "GET", url: peer.url))
                #expect(try await response.body.collect(upTo: 100).count <= 5)
            } catch let error as TransportError {
                #expect([.invalidResponse, .connectionLost, .bodyTooLarge].contains(error.code))
            }
        }

        @Test("closing the transport ends its thread, its connections and what is under way")
        func close() async throws {
            let read = Signal()
            let closed = Signal()
            let peer = try FaultyServer { connection in
                _ = connection.read()
                read.give()
                connection.waitForClose()
                closed.give()
            }
            let transport = try CurlTransport(settings: .patient)
            async let pending = transport.send(Request(method: "POST", url: peer.url))
            await read.wait()
            await transport.close()
            await closed.wait()
            do {
                _ = try await pending
                Issue.record("the request must fail")
            } catch let error as TransportError {
                #expect(error.code == .offline)
                #expect(error.mayHaveArrived)
            }
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .offline)
            #expect(error?.mayHaveArrived == false)
            await transport.close()
        }

        @Test("a transport that never sent anything closes at once, and refuses what comes then")
        func closeUnused() async throws {
            let peer = try FaultyServer { _ in answer() }
            let transport = try CurlTransport(settings: .patient)
            await transport.close()
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .offline)
            #expect(error?.mayHaveArrived == false)
            await transport.close()
            #expect(peer.connections == 0)
        }

        @Test("letting go of the transport closes its idle connections")
        func letGo() async throws {
            let closed = Signal()
            let peer = try FaultyServer { connection in
                while connection.read() != nil { connection.write(answer()) }
                closed.give()
            }
            do { _ = try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url)) }
            await closed.wait()
            #expect(peer.connections == 1)
        }

        @Test("the adapter offers the transport as curl")
        func adapter() async throws {
            let peer = try FaultyServer { _ in answer("200 OK", [], "x") }
            var settings = TransportSettings()
            settings.kind = "curl"
            let transport = try [Adapter.curl].transport(for: settings)
            let response = try await transport.send(Request(method: "GET", url: peer.url))
            #expect(response.status == 200)
        }
    }
#endif
