#if Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereTesting
    import Synchronization
    import Testing

    @Suite("The curl transport's streamed request bodies")
    struct CurlUploadTests {
        private struct Unreadable: Error {}

        @Test(
            "all chunks arrive in order, with a length or in chunked coding", arguments: [true, false], ["PUT", "POST"])
        func whole(hasLength: Bool, method: String) async throws {
            let peer = try FaultyServer { arrival in answer("200 OK", [], "\(arrival.body.count)") }
            let list = (0..<40).map { number in [UInt8](repeating: UInt8(number), count: number * 5000) }
            let whole = list.flatMap { $0 }
            let transport = try CurlTransport(settings: .patient)
            for _ in 1...2 {
                let body = RequestBody.stream(length: hasLength ? Int64(whole.count) : nil) { chunks(list) }
                let response = try await transport.send(Request(method: method, url: peer.url, body: body))
                #expect(try await response.body.collect(upTo: 100) == Array("\(whole.count)".utf8))
            }
            #expect(peer.arrivals.map { $0.body == whole } == [true, true])
            let lengths = peer.arrivals.map { $0.header("Content-Length") }
            #expect(lengths == Array(repeating: hasLength ? "\(whole.count)" : nil, count: 2))
            #expect(peer.arrivals.allSatisfy { $0.header("Expect") == nil && $0.header("Content-Type") == nil })
        }

        @Test("a body that comes slowly is waited for")
        func slow() async throws {
            let peer = try FaultyServer { arrival in answer("200 OK", [], arrival.text) }
            let gate = Gate()
            let body = RequestBody.stream(length: 6) {
                let next = chunks([Array("abc".utf8), Array("def".utf8)])
                let count = Mutex(0)
                return {
                    if count.withLock({ count in
                        count += 1
                        return count
                    }) == 2 {
                        try await gate.pass()
                    }
                    return try await next()
                }
            }
            let transport = try CurlTransport(settings: .patient)
            async let response = transport.send(Request(method: "PUT", url: peer.url, body: body))
            await gate.waitForArrivals()
            // Other requests go on meanwhile.
            _ = try await transport.send(Request(method: "GET", url: peer.url))
            gate.open()
            #expect(try await response.body.collect(upTo: 10) == Array("abcdef".utf8))
        }

        @Test(
            "a body of another length than announced ends the exchange, and no byte too many leaves", arguments: [5, 7])
        func wrongLength(length: Int64) async throws {
            let counts = Mutex<[Int]>([])
            let done = Signal()
            let peer = try FaultyServer { connection in
                guard connection.readHead() != nil else { return }
                var count = 0
                while connection.read(exactly: 1) != nil { count += 1 }
                counts.withLock { $0.append(count) }
                done.give()
            }
            let body = RequestBody.stream(length: length) { chunks([[1, 2, 3], [4, 5, 6]]) }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "PUT", url: peer.url, body: body))
            }
            #expect(error?.code == .invalidRequest)
            await done.wait()
            #expect(counts.withLock { $0.allSatisfy { $0 <= length } })
        }

        @Test("a body that cannot be read ends the exchange")
        func unreadable() async throws {
            let peer = try FaultyServer { _ in answer() }
            let body = RequestBody.stream(length: 6) { { throw Unreadable() } }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "PUT", url: peer.url, body: body))
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("Unreadable") == true)
            #expect(peer.arrivals.isEmpty)
        }

        @Test("an answer that comes before the body has ended is given at once", arguments: ["401 No", "200 OK"])
        func earlyAnswer(status: String) async throws {
            let peer = try FaultyServer { connection in
                guard connection.readHead() != nil else { return }
                connection.write(answer(status, [], "early"))
                connection.waitForClose()
            }
            let gate = Gate()
            let body = RequestBody.stream(length: 6) {
                {
                    try await gate.pass()
                    return nil
                }
            }
            let response = try await CurlTransport(settings: .patient).send(
                Request(method: "PUT", url: peer.url, body: body))
            #expect(String(response.status) == status.prefix(3))
            if response.status == 401 {
                #expect(try await response.body.collect(upTo: 10) == Array("early".utf8))
            }
        }

        @Test("cancelling the task cancels the body's source")
        func cancelled() async throws {
            let peer = try FaultyServer { connection in
                _ = connection.readHead()
                connection.waitForClose()
            }
            let gate = Gate()
            let ended = Signal()
            let body = RequestBody.stream(length: 6) {
                {
                    defer { ended.give() }
                    try await gate.pass()
                    return nil
                }
            }
            let transport = try CurlTransport(settings: .patient)
            let task = Task { try await transport.send(Request(method: "PUT", url: peer.url, body: body)) }
            await gate.waitForArrivals()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await ended.wait()
        }
    }
#endif
