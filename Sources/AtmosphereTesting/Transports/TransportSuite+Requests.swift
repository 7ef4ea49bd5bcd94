internal import Atmosphere

extension TransportSuite {
    var requestChecks: [ConformanceCheck] {
        [
            answered("a request arrives with its method, target and headers as they were given") { _ in
                FaultyServer.answer()
            } _: { transport, server in
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
                    _ = try await transport.exchange(
                        Request(
                            method: method, url: server.url + "/a%2Fb/c%20d?x=%26y&z=1+2&x=2",
                            headers: ["X-One": "a; b:c", "Accept": "text/x", "Content-Type": "application/x"]))
                }
                try Expect.equal(
                    server.arrivals.map(\.method), ["GET", "POST", "PUT", "PATCH", "DELETE"], "the methods")
                for arrival in server.arrivals {
                    try Expect.equal(arrival.target, "/a%2Fb/c%20d?x=%26y&z=1+2&x=2", "the target")
                    try Expect.equal(arrival.values("X-One"), ["a; b:c"], "a header")
                    try Expect.equal(arrival.values("Accept"), ["text/x"], "the header Accept")
                }
            },
            answered("a body of bytes arrives as it is, also from methods that seldom have one") { _ in
                FaultyServer.answer("201 Created")
            } _: { transport, server in
                let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
                for method in ["POST", "PUT", "PATCH", "DELETE"] {
                    let request = Request(
                        method: method, url: server.url, headers: ["Content-Type": "application/x"],
                        body: .bytes(bytes))
                    try await Expect.equal(transport.exchange(request).status, 201, "the status of \(method)")
                }
                for arrival in server.arrivals {
                    try Expect.that(arrival.body == bytes, "the body of \(arrival.method) arrives as it is")
                    try Expect.equal(arrival.values("Content-Type"), ["application/x"], "its type")
                }
            },
            answered("a streamed body arrives whole, with and without a known length") { _ in
                FaultyServer.answer()
            } _: { transport, server in
                let chunks = (0..<40).map { [UInt8](repeating: UInt8($0), count: 5_000) }
                for length in [Int64(200_000), nil] {
                    _ = try await transport.exchange(
                        Request(
                            method: "PUT", url: server.url, headers: ["Content-Type": "application/x"],
                            body: streamed(chunks, length: length)))
                }
                try Expect.equal(server.arrivals.count, 2, "the number of requests")
                for arrival in server.arrivals {
                    try Expect.that(arrival.body == Array(chunks.joined()), "the streamed body arrives whole")
                }
            },
            answered("what cannot be sent is refused before anything is sent, and a header's value is not quoted") {
                _ in
                FaultyServer.answer()
            } _: { transport, server in
                let wrong: [Request] = [
                    Request(method: "GET", url: server.url, headers: ["X": "sesame\r\nInjected: 1"]),
                    Request(method: "GET", url: server.url, headers: ["X\r\nInjected": "sesame"]),
                    Request(method: "GET", url: server.url, headers: ["Content-Length": "5"]),
                    Request(method: "GET /x HTTP/1.1\r\nHost: x\r\n\r\nGET", url: server.url),
                    Request(method: "GET", url: server.url + "/a b"),
                    Request(method: "GET", url: server.url + "/a\r\nInjected: 1"),
                    Request(method: "GET", url: "/tasks"), Request(method: "GET", url: "file:///etc/hostname")
                ]
                for request in wrong {
                    let error = try await transport.failure(request, "\(request.method) \(request.url)")
                    try Expect.equal(error.code, .invalidRequest, "the code for \(request.url) \(request.headers)")
                    try Expect.equal(error.mayHaveArrived, false, "whether it may have arrived")
                    try Expect.that(!error.message.contains("sesame"), "a header's value stands in \(error.message)")
                }
                try Expect.equal(server.arrivals.count, 0, "the number of requests that arrived")
            },
            answered("many requests at once get their own answers") { arrival in
                FaultyServer.answer("200 OK", ["X-Echo: \(arrival.target)"], "for \(arrival.target)")
            } _: { transport, server in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<60 {
                        group.addTask {
                            let answer = try await transport.exchange(
                                Request(method: "GET", url: "\(server.url)/\(number)"))
                            try Expect.equal(answer.text, "for /\(number)", "the body for /\(number)")
                            try Expect.equal(answer.headers["x-echo"], "/\(number)", "the header for /\(number)")
                        }
                    }
                    try await group.waitForAll()
                }
            },
            answered("cookies are not kept") { _ in
                FaultyServer.answer("200 OK", ["Set-Cookie: a=1; Path=/"])
            } _: { transport, server in
                for _ in 1...2 { _ = try await transport.exchange(Request(method: "GET", url: server.url)) }
                try Expect.equal(server.arrivals.map { $0.values("Cookie") }, [[], []], "the cookies that were sent")
            }
        ]
    }

    var answerChecks: [ConformanceCheck] {
        [
            answered("an answer comes with its status, its headers and its body") { _ in
                FaultyServer.answer("203 Fine", ["X-One: 1", "ETag: W/\"e\"", "Content-Type: text/plain"], "grüße")
            } _: { transport, server in
                let answer = try await transport.exchange(Request(method: "GET", url: server.url))
                try Expect.equal(answer.status, 203, "the status")
                try Expect.equal(answer.headers["x-one"], "1", "a header")
                try Expect.equal(answer.headers["etag"], "W/\"e\"", "the entity tag")
                try Expect.equal(answer.text, "grüße", "the body")
            },
            answered("a header that stands twice comes with both values, in a request and in an answer") { _ in
                FaultyServer.answer(
                    "200 OK",
                    [
                        "Link: <https://api.example/?page=2>; rel=\"next\"", "Set-Cookie: a=1; Path=/",
                        "Link: <https://api.example/?page=9>; rel=\"last\"", "Set-Cookie: b=2; Path=/"
                    ])
            } _: { transport, server in
                var request = Request(method: "GET", url: server.url)
                request.headers.append("X-Two", "one")
                request.headers.append("X-Two", "two")
                let answer = try await transport.exchange(request)
                // Apart, or as one list (RFC 9110 §5.3): without the one the next page is lost, and objects seem to be gone.
                let links = answer.headers.values(of: "Link").joined(separator: ", ")
                for page in ["page=2", "page=9"] {
                    try Expect.that(links.contains(page), "the header Link of the answer lacks \(page): \(links)")
                }
                let cookies = answer.headers.values(of: "Set-Cookie").joined(separator: ", ")
                for cookie in ["a=1", "b=2"] {
                    try Expect.that(cookies.contains(cookie), "the header Set-Cookie of the answer lacks \(cookie)")
                }
                let sent = server.arrivals.first?.values("X-Two").joined(separator: ",") ?? ""
                try Expect.equal(sent.filter { $0 != " " }, "one,two", "the header X-Two of the request")
            },
            answered("no status is an error, and its body can be read") { arrival in
                let status = String(arrival.target.dropFirst())
                return FaultyServer.answer("\(status) X", ["WWW-Authenticate: Basic realm=\"x\""], "because")
            } _: { transport, server in
                for status in [400, 401, 403, 404, 409, 410, 412, 422, 429, 500, 503] {
                    let answer = try await transport.exchange(Request(method: "PUT", url: "\(server.url)/\(status)"))
                    try Expect.equal(answer.status, status, "the status")
                    try Expect.equal(answer.text, "because", "the body of \(status)")
                }
                try Expect.equal(server.arrivals.count, 11, "requests: one for each, also where a 401 asks for a name")
            },
            answered("answers without a body end at their header") { arrival in
                let status = arrival.method == "HEAD" ? "200 OK" : String(arrival.target.dropFirst()) + " X"
                return "HTTP/1.1 \(status)\r\nETag: \"e\"\r\nContent-Length: 999\r\n\r\n"
            } _: { transport, server in
                for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304), ("HEAD", 200)] {
                    let answer = try await transport.exchange(
                        Request(method: method, url: "\(server.url)/\(status)", timeout: .seconds(10)))
                    try Expect.equal(answer.status, status, "the status of \(method)")
                    try Expect.equal(answer.text, "", "the body of \(method) with \(status)")
                    try Expect.equal(answer.headers["ETag"], "\"e\"", "its entity tag")
                }
            },
            check("a body in chunks is put together, whatever the chunks are") { connection in
                while connection.read() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
                    connection.write("A;x=y\r\n0123456789\r\n0\r\nX-Trailer: late\r\n\r\n")
                }
            } _: { transport, server in
                for _ in 1...2 {
                    let answer = try await transport.exchange(Request(method: "GET", url: server.url))
                    try Expect.equal(answer.text, "a0123456789", "the body")
                }
            },
            check("a coded body that the transport has asked for arrives decoded, without its coding and length") {
                connection in
                while let arrival = connection.read() {
                    guard arrival.values("Accept-Encoding").contains(where: { $0.contains("gzip") }) else {
                        connection.write(FaultyServer.answer("200 OK", [], "hello"))
                        continue
                    }
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.helloInGzip.count)\r\n\r\n"
                    )
                    connection.write(Self.helloInGzip)
                }
            } _: { transport, server in
                let answer = try await transport.exchange(Request(method: "GET", url: server.url))
                try Expect.equal(answer.text, "hello", "the body")
                try Expect.equal(answer.headers["Content-Encoding"], nil, "the coding")
            }
        ]
    }

    /// RFC 1952, with one stored block.
    private static let helloInGzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x01, 5, 0, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x86, 0xA6, 0x10,
        0x36, 5, 0, 0, 0
    ]
}
