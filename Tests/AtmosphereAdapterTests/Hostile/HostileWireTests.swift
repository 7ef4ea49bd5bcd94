#if Curl
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereTesting
    import Synchronization
    import Testing

    /// As `HostileAnswerTests`, for what comes over a connection: heads, lengths, chunks and codings.
    @Suite("Hostile bytes on the wire") struct HostileWireTests {
        @Test("codings that stack, lie, break off or never end: what is decoded stays within a limit")
        func codings() async {
            await #expect(processExitsWith: .success) {
                let turn = Mutex(HostileSource(seed: 0))
                let server = try FaultyServer { connection in
                    guard connection.read() != nil else { return }
                    let (head, body) = turn.withLock { HostileWireTests.reply(&$0) }
                    connection.write(head)
                    connection.write(body)
                    // The connection ends with the answer, or a client would wait for the bytes that a length promises.
                }
                let transport = try CurlTransport(settings: .patient)
                try await HostileRun.run(1000, "codings") { source, _ in
                    turn.withLock { $0 = source }
                    let limit = source.pick([0, 1000, 1 << 20, 1 << 20, .max])
                    var request = Request(
                        method: source.pick(["GET", "GET", "PUT"]), url: server.url, maximumResponseBytes: limit)
                    request.followsRedirects = false
                    if source.chance(2) { request.headers["Accept-Encoding"] = "identity" }
                    do {
                        let response = try await transport.send(request)
                        var count = 0
                        for try await chunk in response.body {
                            count += chunk.count
                            try HostileRun.expect(count <= limit, "\(count) bytes of a body that may have \(limit)")
                            try HostileRun.expect(chunk.count <= 66 << 20, "\(chunk.count) bytes at once")
                            if count > 128 << 20 { break }
                        }
                    } catch is TransportError {}
                }
                await transport.close()
                server.stop()
            }
        }

        static func reply(_ source: inout HostileSource) -> (head: String, body: [UInt8]) {
            let body = body(&source)
            var head = source.pick([
                "HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.0 200 OK", "HTTP/1.1 206 x",
                "HTTP/1.1 \(source.number()) x", "HTTP/9.9 200"
            ])
            head += "\r\n"
            for _ in 0..<source.below(4) { head += "Content-Encoding: \(source.coding().filter { $0 >= " " })\r\n" }
            if source.chance(2) {
                head += "Content-Encoding: \(source.pick(["gzip", "gzip, gzip", "deflate", "br", "zstd"]))\r\n"
            }
            switch source.below(8) {
            case 0: head += "Content-Length: \(source.number())\r\n"
            case 1: head += "Transfer-Encoding: \(source.coding().filter { $0 >= " " })\r\n"
            case 2: head += "Transfer-Encoding: chunked\r\n"
            case 3: head += "Content-Length: \(body.count)\r\nContent-Length: \(body.count + 1)\r\n"
            default: head += "Content-Length: \(body.count)\r\n"
            }
            if source.chance(20) {
                head += (0..<3000).map { "X-\($0): \(String(repeating: "v", count: 120))\r\n" }.joined()
            }
            return (head + "\r\n", body)
        }

        private static func body(_ source: inout HostileSource) -> [UInt8] {
            func zeros(_ count: Int) -> [UInt8] {
                var stream = EndlessZeros()
                return EndlessZeros.head + stream.next(count)
            }
            switch source.below(7) {
            case 0: return zeros(2_000)
            case 1: return zeros(200_000)
            case 2: return stored(zeros(60_000))
            case 3: return stored(stored(Array("hello".utf8)))
            case 4: return Array(stored(Array("hello, hello, hello".utf8)).prefix(source.below(40)))
            case 5:
                return Array(
                    "\(source.pick(["5", "FFFFFFFFFFFFFFFF", "7fffffffffffffff", "-1", "0", "5;x=\"y\""]))\r\nhello\r\n0\r\n\r\n"
                        .utf8)
            default: return (0..<source.below(3000)).map { _ in UInt8(truncatingIfNeeded: source.next()) }
            }
        }

        /// Bytes in gzip, in blocks that are not compressed (RFC 1951 §3.2.4); the sum at the end is wrong.
        private static func stored(_ bytes: [UInt8]) -> [UInt8] {
            var coded: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
            var rest = bytes[...]
            repeat {
                let block = rest.prefix(60_000)
                rest = rest.dropFirst(block.count)
                let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
                coded += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
            } while !rest.isEmpty
            return coded + [0, 0, 0, 0, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8 & 0xFF), 0, 0]
        }
    }
#endif
