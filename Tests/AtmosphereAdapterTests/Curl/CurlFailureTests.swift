#if Curl
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereCurl
    import Testing

    @Suite("The curl transport's errors")
    struct CurlFailureTests {
        @Test("nobody listens: cannotConnect, and nothing has arrived")
        func refused() async throws {
            let peer = try FaultyServer { _ in }
            peer.stop()
            let url = peer.url + "/path?token=secret"
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "POST", url: url))
            }
            #expect(error?.code == .cannotConnect)
            #expect(error?.mayHaveArrived == false)
            #expect(error?.message.hasPrefix("POST \(peer.url)/path: ") == true)
            #expect(error?.message.contains("secret") == false)
        }

        @Test("a name that does not resolve: cannotConnect, and nothing has arrived")
        func noName() async throws {
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(
                    Request(method: "POST", url: "http://no-such-name.invalid/"))
            }
            #expect(error?.code == .cannotConnect)
            #expect(error?.mayHaveArrived == false)
        }

        @Test("a server that does not speak TLS: tls, and nothing has arrived")
        func noTLS() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.readLine()
                connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
            }
            let url = peer.url.replacing("http://", with: "https://")
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(
                    Request(method: "POST", url: url, timeout: .seconds(5)))
            }
            #expect(error?.mayHaveArrived == false)
            #expect(error.map { [.tls, .timeout].contains($0.code) } == true)
            if error?.code == .tls { #expect(error?.message.contains("plain HTTP at this port write http://") == true) }
        }

        @Test("no answer in time: timeout, and it may have arrived")
        func noAnswer() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.waitForClose()
            }
            let request = Request(method: "POST", url: peer.url, timeout: .milliseconds(200))
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(request)
            }
            #expect(error?.code == .timeout)
            #expect(error?.mayHaveArrived == true)
            #expect(error?.message.hasSuffix("within 200 ms; try later or raise transport.timeout") == true)
            #expect(peer.arrivals.count == 1)
        }

        @Test("a time of its own is named where it runs out")
        func ownTime() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.waitForClose()
            }
            let error = await #expect(throws: TransportError.self) {
                var request = Request(method: "POST", url: peer.url, timeout: .milliseconds(200))
                request.timeoutKey = "attachments.scan.timeout"
                _ = try await CurlTransport(settings: .patient).send(request)
            }
            #expect(error?.message.hasSuffix("; try later or raise attachments.scan.timeout") == true)
        }

        @Test("the settings' timeout holds where the request has none, for the body too")
        func bodyTimeout() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.waitForClose()
            }
            var settings = TransportSettings()
            settings.timeout = .milliseconds(300)
            let response = try await CurlTransport(settings: settings).send(Request(method: "GET", url: peer.url))
            let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
            #expect(error?.code == .timeout)
        }

        @Test("a connection that is not made in time: timeout, and nothing has arrived")
        func noConnection() async throws {
            // TLS that never answers: the connection stands, the handshake does not end.
            let peer = try FaultyServer { connection in connection.waitForClose() }
            var settings = TransportSettings()
            settings.connectTimeout = .milliseconds(200)
            let transport = try CurlTransport(settings: settings)
            let url = peer.url.replacing("http://", with: "https://")
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(Request(method: "POST", url: url))
            }
            #expect(error?.code == .timeout)
            #expect(error?.mayHaveArrived == false)
        }

        @Test("a transfer in which nothing moves is given up")
        func stalled() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.waitForClose()
            }
            var options = CurlTransport.Options()
            options.stallTimeout = .seconds(1)
            let response = try await CurlTransport(settings: .patient, options: options).send(
                Request(method: "GET", url: peer.url))
            let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
            #expect(error?.code == .timeout)
        }

        @Test("a body that ends early: connectionLost after what has arrived")
        func partial() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            }
            let response = try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            let error = await #expect(throws: TransportError.self) { try await response.body.collect(upTo: 10) }
            #expect(error?.code == .connectionLost)
            #expect(error?.mayHaveArrived == true)
        }

        @Test(
            "what cannot be sent is refused before a connection is made",
            arguments: [
                Request(method: "GET", url: "ftp://127.0.0.1/x"), Request(method: "GET", url: "file:///etc/passwd"),
                Request(method: "GET", url: "/relative"), Request(method: "GET", url: ""),
                Request(method: "GET", url: "http://"), Request(method: "GET", url: "http://127.0.0.1:99999/"),
                Request(method: "GET", url: "http://127.0.0.1/a b"),
                Request(method: "GET", url: "http://127.0.0.1/a\r\nX-Injected: 1"),
                Request(method: "GET", url: "http://127.0.0.1/\u{e9}"),
                Request(method: "GET", url: "http://user:hunter2@127.0.0.1/"),
                Request(method: "GET", url: "http://user:hunter2@127.0.0.1/a b"),
                Request(method: "G T", url: "http://127.0.0.1/"), Request(method: "", url: "http://127.0.0.1/"),
                Request(method: "GET\r\nX: 1", url: "http://127.0.0.1/"),
                Request(method: "CONNECT", url: "http://127.0.0.1/"),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["X-A": "hunter2\r\nX-Injected: 1"]),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["X-A": "hunter2\nX"]),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["X-A": "hunter2\0X"]),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["X-A: 1\r\nX-B": "2"]),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["": "2"]),
                Request(method: "GET", url: "http://127.0.0.1/", headers: ["X A": "2"]),
                Request(method: "POST", url: "http://127.0.0.1/", headers: ["Content-Length": "2"]),
                Request(method: "POST", url: "http://127.0.0.1/", headers: ["transfer-encoding": "chunked"]),
                Request(method: "HEAD", url: "http://127.0.0.1/", body: .bytes([1]))
            ])
        func invalid(request: Request) async throws {
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(request)
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.mayHaveArrived == false)
            #expect(error?.message.contains("hunter2") == false)
            #expect(error?.message.contains("\r") == false)
        }
    }
#endif
