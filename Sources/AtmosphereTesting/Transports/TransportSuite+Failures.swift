internal import Atmosphere

extension TransportSuite {
    var repetitionChecks: [ConformanceCheck] {
        [
            check("a POST that may not be repeated arrives once, also where a used connection dies under it") {
                connection in
                // Answers the first request of a connection, reads the second and closes without an answer.
                guard connection.read() != nil else { return }
                connection.write(FaultyServer.answer("200 OK", [], "first"))
                _ = connection.read()
            } _: { transport, server in
                for round in 1...5 {
                    _ = try? await transport.exchange(Request(method: "GET", url: server.url + "/get"))
                    var error: TransportError?
                    do {
                        let post = Request(
                            method: "POST", url: "\(server.url)/\(round)", headers: ["Content-Type": "text/plain"],
                            body: .bytes([1]), timeout: .seconds(10))
                        _ = try await transport.exchange(post)
                    } catch let failure as TransportError {
                        error = failure
                    }
                    let count = server.arrivals.count { $0.target == "/\(round)" }
                    try Expect.that(count <= 1, "the POST was sent \(count) times")
                    try Expect.that(
                        error.map { $0.mayHaveArrived || count == 0 } ?? (count == 1),
                        "a POST that arrived \(count) times ended with \(error.map { "\($0)" } ?? "an answer")")
                }
            },
            check("a POST without an answer is lost, may have arrived, and is not sent again") { connection in
                if connection.read() != nil, connection.number > 1 { connection.reset() }
            } _: { transport, server in
                for round in 1...3 {
                    let error = try await transport.failure(
                        Request(
                            method: "POST", url: "\(server.url)/\(round)?token=sesame",
                            headers: ["Content-Type": "text/plain"], body: .bytes([1, 2]), timeout: .seconds(10)),
                        "a POST without an answer")
                    try Expect.equal(error.code, .connectionLost, "the code")
                    try Expect.equal(error.mayHaveArrived, true, "whether it may have arrived")
                    try Expect.that(error.message.contains("/\(round)"), "the path stands in “\(error.message)”")
                    try Expect.that(!error.message.contains("sesame"), "the query stands in “\(error.message)”")
                    try Expect.equal(
                        server.arrivals.count { $0.target.hasPrefix("/\(round)") }, 1, "how often it arrived")
                }
            },
            check("where nobody listens, nothing has arrived") { _ in
            } _: { transport, server in
                server.stop()
                // The port may need a moment to be closed.
                var error: TransportError?
                for _ in 1...200 {
                    error = try await transport.failure(
                        Request(method: "POST", url: server.url, timeout: .seconds(5)), "a port without a server")
                    if error?.code == .cannotConnect { break }
                }
                try Expect.equal(error?.code, .cannotConnect, "the code")
                try Expect.equal(error?.mayHaveArrived, false, "whether it may have arrived")
            },
            check("an answer that is not HTTP is an error") { connection in
                _ = connection.read()
                connection.write("220 mail.example.com ESMTP\r\n\r\n")
            } _: { transport, server in
                let error = try await transport.failure(
                    Request(method: "POST", url: server.url, timeout: .seconds(10)), "an answer that is not HTTP")
                try Expect.that(
                    [.invalidResponse, .connectionLost].contains(error.code), "the code is \(error.code)")
                try Expect.equal(error.mayHaveArrived, true, "whether it may have arrived")
                try Expect.equal(server.arrivals.count, 1, "how often it arrived")
            }
        ]
    }

    var limitChecks: [ConformanceCheck] {
        [
            check("a body that ends before its length is an error, never a short body") { connection in
                guard let arrival = connection.read() else { return }
                connection.write(
                    arrival.target == "/length"
                        ? "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":"
                        : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"half\":\r\n")
            } _: { transport, server in
                for target in ["/length", "/chunked"] {
                    let error = try await transport.failure(
                        Request(method: "POST", url: server.url + target, timeout: .seconds(10)), "a cut body")
                    try Expect.equal(error.code, .connectionLost, "the code for \(target)")
                    try Expect.equal(error.mayHaveArrived, true, "whether it may have arrived")
                }
            },
            check("a body longer than the limit is an error, one of just that length is not") { connection in
                while let arrival = connection.read() {
                    let body = String(repeating: "x", count: 50_000)
                    if arrival.target.hasPrefix("/length") {
                        connection.write(FaultyServer.answer("200 OK", [], body))
                    } else {
                        connection.write(
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nC350\r\n\(body)\r\n0\r\n\r\n")
                    }
                }
            } _: { transport, server in
                for target in ["/length", "/chunked"] {
                    let whole = try await transport.exchange(
                        Request(method: "GET", url: server.url + target, maximumResponseBytes: 50_000))
                    try Expect.equal(whole.text.utf8.count, 50_000, "the length of \(target)")
                    let error = try await transport.failure(
                        Request(method: "GET", url: server.url + target, maximumResponseBytes: 49_999),
                        "a body over the limit")
                    try Expect.equal(error.code, .bodyTooLarge, "the code for \(target)")
                }
            },
            check("a body that never ends is stopped at the limit") { connection in
                guard connection.read() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
                while connection.write(chunk) {}
            } _: { transport, server in
                let error = try await transport.failure(
                    Request(method: "GET", url: server.url, maximumResponseBytes: 3_000_000), "an endless body")
                try Expect.equal(error.code, .bodyTooLarge, "the code")
                try await server.waitForClientClose()
            },
            check("a server that does not answer in time is a timeout, and the request may have arrived") {
                connection in
                _ = connection.read()
                connection.waitForClose()
            } _: { transport, server in
                let started = ContinuousClock.now
                let error = try await transport.failure(
                    Request(method: "POST", url: server.url, timeout: .milliseconds(300)), "no answer in time")
                try Expect.equal(error.code, .timeout, "the code")
                try Expect.equal(error.mayHaveArrived, true, "whether it may have arrived")
                try Expect.that(ContinuousClock.now - started < .seconds(10), "the timeout took far too long")
                try await server.waitForClientClose()
            },
            check("the timeout counts to the last byte of the body") { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                connection.waitForClose()
            } _: { transport, server in
                let error = try await transport.failure(
                    Request(method: "GET", url: server.url, timeout: .milliseconds(400)), "half a body in time")
                try Expect.equal(error.code, .timeout, "the code")
            }
        ]
    }

    var redirectChecks: [ConformanceCheck] {
        [
            answered("redirects within the origin are followed where method and body are kept") { arrival in
                switch arrival.target {
                case "/done": FaultyServer.answer("200 OK", [], "done")
                case "/relative": FaultyServer.answer("302 Found", ["Location: done"])
                default: FaultyServer.answer("307 Temporary Redirect", ["Location: /done"], "moved")
                }
            } _: { transport, server in
                let get = try await transport.exchange(Request(method: "GET", url: server.url + "/relative"))
                try Expect.equal(get.text, "done", "what a GET got")
                let put = Request(
                    method: "PUT", url: server.url + "/put", headers: ["Content-Type": "text/plain", "X-Key": "1"],
                    body: .bytes([1, 2, 3]))
                try await Expect.equal(transport.exchange(put).text, "done", "what a PUT got")
                let post = Request(
                    method: "POST", url: server.url + "/post", headers: ["Content-Type": "text/plain"],
                    body: streamed([[4], [5]], length: nil))
                try await Expect.equal(transport.exchange(post).text, "done", "what a POST got")
                let ends = server.arrivals.filter { $0.target == "/done" }
                try Expect.equal(ends.map(\.method), ["GET", "PUT", "POST"], "the methods after the redirect")
                try Expect.equal(ends.map(\.body), [[], [1, 2, 3], [4, 5]], "the bodies after the redirect")
                try Expect.equal(ends[1].values("X-Key"), ["1"], "a header after the redirect")
            },
            answered(
                "a redirect that would lose a write is an error, and nothing else is sent",
                answer: { arrival in
                    let place = arrival.target == "/301" ? "/301/" : "/other"
                    return FaultyServer.answer("\(arrival.target.dropFirst()) Elsewhere", ["Location: \(place)"])
                }
            ) { transport, server in
                for (status, place) in [("301", "/301/"), ("302", "/other"), ("303", "/other")] {
                    let error = try await transport.failure(
                        Request(method: "POST", url: "\(server.url)/\(status)", timeout: .seconds(10)), "a \(status)")
                    try Expect.equal(error.code, .redirect, "the code for \(status)")
                    try Expect.equal(
                        error.mayHaveArrived, status != "301", "whether a \(status) may have done something")
                    try Expect.equal(
                        error.redirection, .init(status: Int(status) ?? 0, path: place), "where a \(status) leads")
                }
                try Expect.equal(
                    server.arrivals.map { $0.target }, ["/301", "/302", "/303"], "everything that was sent")
            },
            answered(
                "a redirect to another origin is an error, and nothing goes there",
                answer: { arrival in
                    let query = arrival.target.drop { $0 != "=" }.dropFirst()
                    return FaultyServer.answer("307 Elsewhere", ["Location: \(query)/taken"])
                }
            ) { transport, server in
                let other = try FaultyServer { _ in FaultyServer.answer() }
                defer { other.stop() }
                let error = try await transport.failure(
                    Request(
                        method: "GET", url: "\(server.url)/?to=\(other.url)", headers: ["Authorization": "sesame"]),
                    "a redirect to another port")
                try Expect.equal(error.code, .redirect, "the code")
                try Expect.equal(other.connections, 0, "connections to the other server")
            },
            answered(
                "a redirect is the answer where none is to be followed, and nothing else is sent",
                answer: { arrival in
                    FaultyServer.answer("\(arrival.target.dropFirst()) Elsewhere", ["Location: /other"], "moved")
                }
            ) { transport, server in
                for method in ["GET", "POST"] {
                    for status in [302, 307] {
                        var request = Request(
                            method: method, url: "\(server.url)/\(status)",
                            headers: method == "POST" ? ["Content-Type": "text/plain"] : [:],
                            body: method == "POST" ? .bytes([1]) : .none, mayRepeat: method == "GET")
                        request.followsRedirects = false
                        let answer = try await transport.exchange(request)
                        try Expect.equal(answer.status, status, "the status of a \(method)")
                        try Expect.equal(answer.headers["Location"], "/other", "where a \(method) is sent to")
                        try Expect.equal(answer.text, "moved", "the body of the answer to a \(method)")
                    }
                }
                try Expect.equal(
                    server.arrivals.map { $0.target }, ["/302", "/307", "/302", "/307"], "everything that was sent")
            },
            answered(
                "redirects in a circle end",
                answer: { _ in
                    FaultyServer.answer("302 Found", ["Location: /again"])
                }
            ) { transport, server in
                let error = try await transport.failure(
                    Request(method: "GET", url: server.url + "/again", timeout: .seconds(20)), "a circle")
                try Expect.equal(error.code, .redirect, "the code")
                try Expect.that(server.arrivals.count <= 50, "\(server.arrivals.count) requests were sent")
            }
        ]
    }
}
