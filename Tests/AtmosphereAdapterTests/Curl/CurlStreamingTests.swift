#if Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereTesting
    import Synchronization
    import Testing

    @Suite("The curl transport's bodies")
    struct CurlStreamingTests {
        private static let megabyte = [UInt8](repeating: UInt8(ascii: "m"), count: 1 << 20)

        @Test("a long body arrives whole")
        func long() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(20 << 20)\r\n\r\n")
                for _ in 1...20 { connection.write(Self.megabyte) }
            }
            let response = try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == 20 << 20)
        }

        @Test("a chunk is handed over when it arrives, not when the body ends")
        func promptly() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
                connection.waitForRelease()
                connection.write("def")
            }
            let transport = try CurlTransport(settings: .patient)
            let response = try await transport.send(Request(method: "GET", url: peer.url))
            let body = response.body.makeAsyncIterator()
            #expect(try await body.next() == Array("abc".utf8))
            peer.release()
            #expect(try await body.next() == Array("def".utf8))
            #expect(try await body.next() == nil)
        }

        @Test("a body that nobody reads is held back on the wire, and goes on when it is read")
        func heldBack() async throws {
            let written = Mutex(0)
            let total = 64
            let peer = try FaultyServer { connection in
                guard let arrival = connection.read() else { return }
                if arrival.target == "/other" {
                    connection.write(answer())
                    return
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total << 20)\r\n\r\n")
                for _ in 1...total where connection.write(Self.megabyte) { written.withLock { $0 += 1 } }
            }
            let transport = try CurlTransport(settings: .patient)
            let response = try await transport.send(
                Request(method: "GET", url: peer.url, timeout: .seconds(600), maximumResponseBytes: total << 20))
            // Enough traffic on the loop for everything that it would take to have been taken.
            for _ in 1...200 { _ = try await transport.send(Request(method: "GET", url: peer.url + "/other")) }
            // Both sockets' buffers come on top of ours.
            #expect(written.withLock { $0 } < total / 2)
            var count = 0
            for try await chunk in response.body {
                #expect(chunk.count <= 2 << 20)
                count += chunk.count
            }
            #expect(count == total << 20)
        }

        @Test("a body of up to the limit is taken, one byte more is an error", arguments: [true, false])
        func limit(hasLength: Bool) async throws {
            let peer = try FaultyServer { connection in
                guard let arrival = connection.read() else { return }
                let count = Int(arrival.target.dropFirst()) ?? 0
                let length = hasLength ? "Content-Length: \(count)\r\n" : ""
                connection.write("HTTP/1.1 200 OK\r\n\(length)\r\n" + String(repeating: "x", count: count))
            }
            let transport = try CurlTransport(settings: .patient)
            func get(_ count: Int) async throws -> [UInt8] {
                let request = Request(method: "GET", url: "\(peer.url)/\(count)", maximumResponseBytes: 1000)
                return try await transport.send(request).body.collect(upTo: .max)
            }
            #expect(try await get(1000).count == 1000)
            #expect(try await get(0).count == 0)
            let error = await #expect(throws: TransportError.self) { try await get(1001) }
            #expect(error?.code == .bodyTooLarge)
        }

        @Test("a length above the limit is an error before the body has come")
        func announcedTooLarge() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
                connection.waitForClose()
            }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(
                    Request(method: "GET", url: peer.url, maximumResponseBytes: 1000))
            }
            #expect(error?.code == .bodyTooLarge)
        }

        @Test("a decompression bomb is stopped at the limit, which counts decoded bytes")
        func bomb() async throws {
            let sent = Mutex(0)
            let stopped = Signal()
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
                connection.write(EndlessZeros.head)
                var zeros = EndlessZeros()
                while connection.write(zeros.next(64 << 10)) { sent.withLock { $0 += 64 << 10 } }
                stopped.give()
            }
            let limit = 8 << 20
            let request = Request(method: "GET", url: peer.url, maximumResponseBytes: limit)
            let error = await #expect(throws: TransportError.self) {
                var count = 0
                for try await chunk in try await CurlTransport(settings: .patient).send(request).body {
                    count += chunk.count
                    #expect(count <= limit)
                }
            }
            #expect(error?.code == .bodyTooLarge)
            await stopped.wait()
            // What fills the sockets' buffers, not what a bomb of any size would be.
            #expect(sent.withLock { $0 } < 32 << 20)
        }

        @Test(
            "a body that is coded more than once is refused before any of it is decoded",
            arguments: [
                "Content-Encoding: gzip, gzip", "Content-Encoding: gzip\r\nContent-Encoding: br",
                "Content-Encoding: GZIP , identity,\tdeflate",
                "Content-Encoding: gzip\r\nTransfer-Encoding: gzip, chunked"
            ])
        func codedTwice(fields: String) async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n")
                connection.write(EndlessZeros.head)
                var zeros = EndlessZeros()
                while connection.write(zeros.next(64 << 10)) {}
            }
            let error = await #expect(throws: TransportError.self) {
                let request = Request(method: "GET", url: peer.url, maximumResponseBytes: .max)
                for try await _ in try await CurlTransport(settings: .patient).send(request).body {}
            }
            #expect(error?.code == .invalidResponse && error?.message.contains("coded 2 times") == true)
        }

        @Test("without a limit a few coded bytes become no more than can wait for a reader")
        func burst() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
                connection.write(EndlessZeros.head)
                var zeros = EndlessZeros()
                while connection.write(zeros.next(256 << 10)) {}
            }
            let request = Request(method: "GET", url: peer.url, maximumResponseBytes: .max)
            let body = try await CurlTransport(settings: .patient).send(request).body.makeAsyncIterator()
            var most = 0
            var sum = 0
            while sum < 100 << 20, let chunk = try await body.next() {
                most = max(most, chunk.count)
                sum += chunk.count
            }
            #expect(most <= 19 << 20 && sum >= 100 << 20)
        }

        @Test("a request for identity gets a coded body as it came, with its length")
        func identity() async throws {
            let coded: [UInt8] = EndlessZeros.head + [1, 2, 3]
            let peer = try FaultyServer { connection in
                while let arrival = connection.read() {
                    #expect(arrival.values("Accept-Encoding") == ["identity"])
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\nContent-Length: \(coded.count)\r\n\r\n")
                    connection.write(coded)
                }
            }
            let response = try await CurlTransport(settings: .patient).send(
                Request(method: "GET", url: peer.url, headers: ["Accept-Encoding": "identity"]))
            #expect(response.headers["Content-Encoding"] == "gzip, gzip")
            #expect(response.headers["Content-Length"] == "\(coded.count)")
            #expect(try await response.body.collect(upTo: 100) == coded)
        }

        @Test("a coded body is handed over decoded, without the fields that describe the coding")
        func decoded() async throws {
            // "hello" with gzip.
            let coded: [UInt8] = [
                0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0,
                0
            ]
            let peer = try FaultyServer { connection in
                while connection.read() != nil {
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\nX-A: 1\r\n\r\n")
                    connection.write(coded)
                }
            }
            let response = try await CurlTransport(settings: .patient).send(
                Request(method: "GET", url: peer.url, maximumResponseBytes: 5))
            #expect(response.headers.fields.map(\.name) == ["X-A"])
            #expect(try await response.body.collect(upTo: 5) == Array("hello".utf8))
        }

        @Test("cancelling the task that waits for the answer ends the exchange")
        func cancelHead() async throws {
            let read = Signal()
            let closed = Signal()
            let peer = try FaultyServer { connection in
                _ = connection.read()
                read.give()
                connection.waitForClose()
                closed.give()
            }
            let transport = try CurlTransport(settings: .patient)
            let task = Task { try await transport.send(Request(method: "GET", url: peer.url)) }
            await read.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await closed.wait()
        }

        @Test("a task that is cancelled beforehand sends nothing")
        func cancelledBefore() async throws {
            let peer = try FaultyServer { _ in answer() }
            let transport = try CurlTransport(settings: .patient)
            let gate = Gate()
            let task = Task {
                try? await gate.pass()
                return try await transport.send(Request(method: "GET", url: peer.url))
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(peer.connections == 0)
        }

        @Test("cancelling the task that reads the body ends the exchange")
        func cancelBody() async throws {
            let closed = Signal()
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                connection.waitForClose()
                closed.give()
            }
            let transport = try CurlTransport(settings: .patient)
            let response = try await transport.send(Request(method: "GET", url: peer.url))
            let hasRead = Signal()
            let task = Task {
                for try await _ in response.body { hasRead.give() }
            }
            await hasRead.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await closed.wait()
        }

        @Test("dropping a body unread ends the exchange, and the transport goes on")
        func dropped() async throws {
            let closed = Signal()
            let peer = try FaultyServer { connection in
                guard connection.read()?.target == "/long" else {
                    connection.write(answer())
                    return
                }
                connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
                connection.waitForClose()
                closed.give()
            }
            let transport = try CurlTransport(settings: .patient)
            do { _ = try await transport.send(Request(method: "GET", url: peer.url + "/long")) }
            await closed.wait()
            #expect(try await transport.send(Request(method: "GET", url: peer.url)).status == 200)
        }

        @Test("a body can be read when the transport is gone")
        func outlives() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(4 << 20)\r\n\r\n")
                for _ in 1...4 { connection.write(Self.megabyte) }
            }
            var transport: CurlTransport? = try CurlTransport(settings: .patient)
            let response = try await transport?.send(Request(method: "GET", url: peer.url))
            transport = nil
            #expect(try await response?.body.collect(upTo: .max).count == 4 << 20)
        }
    }
#endif
