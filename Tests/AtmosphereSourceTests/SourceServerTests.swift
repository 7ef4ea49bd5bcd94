#if Source
    import Atmosphere
    import AtmosphereSource
    import Dispatch
    import Synchronization
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    @Suite("The source on a socket")
    struct SourceServerTests {
        private func source(_ options: RESTSource.Options = RESTSource.Options(seed: 3)) throws -> RESTSource {
            try RESTSource(SampleAPI.django(), options: options)
        }

        @Test("serves JSON at the base URL, and its links lead back to itself")
        func serves() async throws {
            let source = try source()
            try await source.withServer { url in
                #expect(url.hasPrefix("http://127.0.0.1:") && url.hasSuffix("/api"))
                let connection = try Connection(url)
                let first = try await connection.send("GET", "/api/albums/?page_size=2")
                #expect(first.status == 200)
                #expect(first.head.contains("content-type: application/json"))
                #expect(first.head.contains("\r\ndate: "))
                #expect(first.next?.hasPrefix("\(url)/albums/?page_size=2&cursor=") == true)
                // The same connection goes on.
                let created = try await connection.send("POST", "/api/albums/", #"{"title":"A"}"#)
                #expect(created.status == 201)
                #expect(try await connection.send("DELETE", "/api/albums/4/").status == 204)
                #expect(try await connection.send("GET", "/api/albums/4/").status == 404)
            }
            #expect(source.log.map(\.method) == ["GET", "POST", "DELETE", "GET"])
            #expect(source.log.map(\.status) == [200, 201, 204, 404])
            #expect(source.log[1].body == Array(#"{"title":"A"}"#.utf8))
            #expect(source.log[0].request.query == [NamedText(name: "page_size", value: "2")])
        }

        @Test("ends with the body, though connections are open, and can be run again with its data")
        func stops() async throws {
            let source = try source()
            var open: [Connection] = []
            for round in 0..<3 {
                try await source.withServer { url in
                    let connection = try Connection(url)
                    #expect(try await connection.send("POST", "/api/albums/", #"{"title":"A"}"#).status == 201)
                    open.append(connection)
                }
                #expect(source.objects("albums").count == 4 + round)
                await #expect(throws: Connection.Closed.self) { try await open[round].send("GET", "/api/albums/") }
            }
        }

        @Test("an error of the body ends the server and comes out; a port in use is an error that says so")
        func failures() async throws {
            struct Failure: Error {}
            let source = try source()
            await #expect(throws: Failure.self) { try await source.withServer { _ in throw Failure() } }
            try await source.withServer { url in
                let port = Int(url.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
                let second = try RESTSource(SampleAPI.django(), options: .init(port: port))
                let error = await #expect(throws: RESTSourceError.self) { try await second.withServer { _ in } }
                #expect(error?.code == .cannotBind)
                #expect(error?.message.contains("127.0.0.1:\(port)") == true)
            }
        }

        @Test("cancelling the task that runs it ends it, though a request is held")
        func cancellation() async throws {
            let source = try source()
            let (held, hold) = AsyncStream<Void>.makeStream()
            source.intercept = { _ in
                hold.yield()
                // Until the server is cancelled.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return nil
            }
            let (urls, ready) = AsyncStream<String>.makeStream()
            let running = Task { try await source.run { ready.yield($0) } }
            var url = urls.makeAsyncIterator()
            let connection = try Connection(try #require(await url.next()))
            try await connection.write("GET", "/api/albums/")
            var arrival = held.makeAsyncIterator()
            await arrival.next()
            running.cancel()
            try await running.value
            await #expect(throws: Connection.Closed.self) { try await connection.read() }
        }

        @Test(
            "a hook can answer instead, before or after the request has had its effect",
            arguments: [
                (
                    RESTSource.Intercept.answer(503, headers: ["Retry-After": "1"], body: Array("wait".utf8)),
                    Int?.none, Int?(503), 3
                ),
                (.processThenAnswer(500), 201, 500, 4), (.close, nil, nil, 3), (.processThenClose, 201, nil, 4)
            ])
        func intercepts(intercept: RESTSource.Intercept, processed: Int?, status: Int?, count: Int) async throws {
            let source = try source()
            source.intercept = { $0.method == "POST" ? intercept : nil }
            try await source.withServer { url in
                let connection = try Connection(url)
                if let status {
                    let answer = try await connection.send("POST", "/api/albums/", #"{"title":"A"}"#)
                    #expect(answer.status == status)
                    if status == 503 { #expect(answer.head.contains("retry-after: 1") && answer.body == "wait") }
                } else {
                    await #expect(throws: Connection.Closed.self) {
                        try await connection.send("POST", "/api/albums/", #"{"title":"A"}"#)
                    }
                }
                #expect(try await Connection(url).send("GET", "/api/albums/").status == 200)
            }
            #expect(source.objects("albums").count == count)
            #expect(source.log.first?.status == status)
            #expect(source.log.first?.processed == processed)
        }

        @Test("a body over the limit is answered 413, and the connection goes on")
        func largeBody() async throws {
            var options = RESTSource.Options()
            options.maximumBodyBytes = 1000
            try await source(options).withServer { url in
                let connection = try Connection(url)
                let body = #"{"title":"\#(String(repeating: "x", count: 500_000))"}"#
                #expect(try await connection.send("POST", "/api/albums/", body).status == 413)
                #expect(try await connection.send("GET", "/api/albums/").status == 200)
            }
        }

        @Test("changes from the side have new times, and are refused as a client's would be")
        func hooks() throws {
            let clock = Mutex(Int64(1_717_243_200_000))
            var options = RESTSource.Options(seed: 2)
            options.clock = { Timestamp(milliseconds: clock.withLock { $0 }) }
            let source = try source(options)
            try source.edit("albums", "1", ["title": "other", "id": 7])
            let edited = try #require(source.objects("albums").first)
            #expect(edited["id"] == 1)
            #expect(edited["title"] == "other")
            #expect(edited["last_modified"] == "2024-06-01T12:00:00.000000Z")
            #expect(try source.add("albums", ["title": "third"]) == "3")
            try source.remove("albums", "2")
            #expect(source.objects("albums").map { $0["id"] } == [1, 3])
            #expect(source.objects("pictures").map { $0["album"] } == [1])
            #expect(throws: RESTSourceError.self) { try source.edit("albums", "2", [:]) }
            #expect(throws: RESTSourceError.self) { try source.remove("nothing", "2") }
            let refused = #expect(throws: RESTSourceError.self) { try source.add("pictures", ["album": 9]) }
            #expect(refused?.code == .refused)
        }

        @Test("ends while clients are connecting, again and again")
        func stopsUnderLoad() async throws {
            let source = try source()
            for _ in 0..<20 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    try await source.withServer { url in
                        for _ in 0..<4 {
                            group.addTask {
                                // Ends with the first connection that is refused or closed.
                                while let connection = try? Connection(url),
                                    (try? await connection.send("GET", "/api/albums/")) != nil
                                {}
                            }
                        }
                        _ = try await Connection(url).send("GET", "/api/albums/")
                    }
                    try await group.waitForAll()
                }
            }
            #expect(source.log.count >= 20)
        }

        @Test("a hundred requests at once leave a hundred objects and as many log entries")
        func concurrency() async throws {
            let source = try source(RESTSource.Options())
            try await source.withServer { url in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            try await Connection(url).send("POST", "/api/albums/", #"{"title":"\#(number)"}"#).status
                        }
                    }
                    for try await status in group { #expect(status == 201) }
                }
            }
            #expect(Set(source.objects("albums").map { $0["title"] }).count == 100)
            #expect(source.log.count == 100)
        }
    }

    /// One HTTP connection by plain sockets, so that nothing repeats or hides what happens on it. Blocking calls run on a
    /// queue of its own: the threads of Swift's tasks are the server's.
    private final class Connection: Sendable {
        struct Closed: Error {}
        struct Answer {
            var status: Int
            /// In lower case.
            var head: String
            var body: String

            var next: String? { (try? Value(json: Array(body.utf8)))?.members?["next"]?.string }
        }

        private let descriptor: Int32
        private let host: String
        private let queue = DispatchQueue(label: "connection")

        init(_ url: String) throws {
            host = String(url.dropFirst("http://".count).prefix { $0 != "/" })
            #if canImport(Glibc)
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(host.split(separator: ":")[1])!.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw Closed() }
        }

        deinit { close(descriptor) }

        func send(_ method: String, _ target: String, _ body: String = "") async throws -> Answer {
            try await write(method, target, body)
            return try await read()
        }

        func write(_ method: String, _ target: String, _ body: String = "") async throws {
            let head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            try await onQueue { try self.send(Array((head + body).utf8)) }
        }

        func read() async throws -> Answer {
            try await onQueue { try self.receiveAnswer() }
        }

        private func onQueue<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result { try work() }) }
            }
        }

        private func send(_ bytes: [UInt8]) throws {
            var bytes = bytes[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { buffer in
                    #if canImport(Glibc)
                        Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                    #else
                        Darwin.send(descriptor, buffer.baseAddress, buffer.count, 0)
                    #endif
                }
                guard count > 0 else { throw Closed() }
                bytes = bytes.dropFirst(count)
            }
        }

        private func receiveAnswer() throws -> Answer {
            var text = ""
            while !text.contains("\r\n\r\n") { text += try receive() }
            let end = text.firstRange(of: "\r\n\r\n")!
            let head = text[..<end.lowerBound].lowercased()
            let length =
                head.split(separator: "\r\n").compactMap { line in
                    line.hasPrefix("content-length: ") ? Int(line.dropFirst("content-length: ".count)) : nil
                }.first ?? 0
            var body = String(text[end.upperBound...])
            while body.utf8.count < length { body += try receive() }
            return Answer(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: body)
        }

        private func receive() throws -> String {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Closed() }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
#endif
