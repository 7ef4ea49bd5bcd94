public import Atmosphere

/// What every ``Transport`` must do: checks for what the protocol promises.
///
/// Run each check as a test case of its own; every one makes a new transport and a server of its own on a free port of
/// this machine, which closes, cuts, delays and lies where the check wants it:
///
/// ```swift
/// let suite = TransportSuite { try MyTransport() }
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// TLS, proxies and other versions of HTTP need tests of the transport's own.
public struct TransportSuite: Sendable {
    /// What a transport may do besides.
    public struct Options: Sendable, Hashable {
        /// A body that nobody reads is held back on the wire instead of in memory.
        public var holdsBack = true
        /// An answer is handed on with its head, before its body is here. A transport that must have the body first, such as
        /// one that writes it down, sets false: the checks of a body that is half here are left out then.
        public var streams = true

        /// A transport that does both.
        public init() {}
    }

    let makeTransport: @Sendable () async throws -> any Transport
    let options: Options

    /// A suite for a transport.
    ///
    /// - Parameter makeTransport: makes a transport that shares no connection with those it made before.
    public init(options: Options = Options(), makeTransport: @escaping @Sendable () async throws -> any Transport) {
        self.options = options
        self.makeTransport = makeTransport
    }

    /// One for each rule; each makes a transport and a server on 127.0.0.1 of its own.
    public var checks: [ConformanceCheck] {
        requestChecks + answerChecks + repetitionChecks + limitChecks + redirectChecks + endChecks
    }

    /// A check with a transport and a server of its own.
    func check(
        _ name: String, server serve: @escaping @Sendable (FaultyServer.Connection) -> Void,
        _ body: @escaping @Sendable (any Transport, FaultyServer) async throws -> Void
    ) -> ConformanceCheck {
        let makeTransport = makeTransport
        return ConformanceCheck(name) {
            let server = try FaultyServer(serve)
            defer { server.stop() }
            try await body(try await makeTransport(), server)
        }
    }

    /// A check with a server that answers every request.
    func answered(
        _ name: String, answer: @escaping @Sendable (FaultyServer.Arrival) -> String,
        _ body: @escaping @Sendable (any Transport, FaultyServer) async throws -> Void
    ) -> ConformanceCheck {
        check(
            name,
            server: { connection in
                while let arrival = connection.read() { connection.write(answer(arrival)) }
            }, body)
    }
}

extension Transport {
    /// The whole exchange.
    func exchange(_ request: Request) async throws -> (status: Int, headers: HeaderFields, text: String) {
        let response = try await send(request)
        let body = try await response.body.collect(upTo: .max)
        return (response.status, response.headers, String(decoding: body, as: UTF8.self))
    }

    /// The error of an exchange that should have none but this end.
    func failure(_ request: Request, _ what: String) async throws -> TransportError {
        do {
            let answer = try await exchange(request)
            throw ConformanceFailure(
                "\(what): expected a TransportError, got status \(answer.status) with \(answer.text.utf8.count) bytes")
        } catch let error as TransportError {
            return error
        } catch let error as ConformanceFailure {
            throw error
        } catch {
            throw ConformanceFailure("\(what): expected a TransportError, got \(error)")
        }
    }
}

/// A body that is given chunk by chunk.
func streamed(_ chunks: [[UInt8]], length: Int64?) -> RequestBody {
    .stream(length: length) {
        let rest = ChunkQueue(chunks)
        return { rest.next() }
    }
}
