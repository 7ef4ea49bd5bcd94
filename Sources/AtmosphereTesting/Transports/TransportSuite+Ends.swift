internal import Atmosphere

extension TransportSuite {
    var endChecks: [ConformanceCheck] {
        cancellationChecks + (options.streams ? streamChecks : [])
            + (options.streams && options.holdsBack ? [holdsBackCheck] : [])
    }

    private var cancellationChecks: [ConformanceCheck] {
        [
            answered("a task that is cancelled already sends nothing", answer: { _ in FaultyServer.answer() }) {
                transport, server in
                let gate = Gate()
                let task = Task {
                    try? await gate.pass()
                    _ = try await transport.exchange(Request(method: "GET", url: server.url))
                }
                task.cancel()
                gate.open()
                try await expectCancellation(task, "a cancelled task")
                try Expect.equal(server.arrivals.count, 0, "the number of requests that arrived")
            },
            check("cancelling while the answer is awaited ends the exchange") { connection in
                _ = connection.read()
                connection.waitForClose()
            } _: { transport, server in
                let task = Task {
                    _ = try await transport.exchange(
                        Request(method: "POST", url: server.url, timeout: .seconds(10)))
                }
                try await server.waitForArrival(from: task)
                task.cancel()
                try await expectCancellation(task, "cancelling before the header")
                try await server.waitForClientClose()
            }
        ]
    }

    private var streamChecks: [ConformanceCheck] {
        [
            check("cancelling while the body is read ends the exchange") { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                connection.waitForClose()
            } _: { transport, server in
                let hasBegun = Gate()
                hasBegun.open()
                let task = Task {
                    let response = try await transport.send(
                        Request(method: "GET", url: server.url, timeout: .seconds(10)))
                    for try await _ in response.body { try await hasBegun.pass() }
                }
                try await hasBegun.waitForArrival(of: task, "the exchange")
                task.cancel()
                try await expectCancellation(task, "cancelling in the body")
                try await server.waitForClientClose()
            },
            check("dropping a body that was not read to its end closes the connection") { connection in
                _ = connection.read()
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                connection.waitForClose()
            } _: { transport, server in
                _ = try await transport.send(Request(method: "GET", url: server.url))
                try await server.waitForClientClose()
            }
        ]
    }

    private var holdsBackCheck: ConformanceCheck {
        let written = Meter()
        return check("a body that nobody reads is held back, and comes whole when it is read") { connection in
            guard connection.read() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(60 << 20)\r\n\r\n")
            let chunk = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<60 where connection.write(chunk) { written.add(chunk.count) }
        } _: { transport, server in
            let response = try await transport.send(Request(method: "GET", url: server.url))
            // Until nothing has been taken for a while.
            var (taken, still) = (0, 0)
            while still < 30, taken < 60 << 20 {
                try await Task.sleep(for: .milliseconds(10))
                let now = written.total
                still = now == taken ? still + 1 : 0
                taken = now
            }
            try Expect.that(taken < 30 << 20, "\(taken) bytes were taken while nobody read")
            try await Expect.equal(response.body.collect(upTo: .max).count, 60 << 20, "the length of the body")
        }
    }

    private func expectCancellation(_ task: Task<Void, any Error>, _ what: String) async throws {
        do {
            try await task.value
        } catch is CancellationError {
            return
        } catch {
            throw ConformanceFailure("\(what): expected CancellationError, got \(error)")
        }
        throw ConformanceFailure("\(what): expected CancellationError, got an answer")
    }
}
