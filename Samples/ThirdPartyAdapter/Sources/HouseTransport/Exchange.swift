internal import AtmosphereExchange

/// One request and its answer (RFC 9112). Dropped before the end, it closes the connection.
actor Exchange {
    struct Head: Sendable {
        var status: Int
        var headers: HeaderFields
    }

    /// How the rest of the body is found.
    private enum Framing {
        case length(Int)
        /// Bytes that are left of a chunk.
        case chunk(Int)
        case untilClose
        case ended
    }

    private let request: Request
    private let place: Place
    private let connection: Connection
    private var pending: [UInt8] = []
    private var framing = Framing.ended
    private var received = 0
    /// Something of the request may be with the server.
    private var isSent = false

    init(_ request: Request, _ place: Place, deadline: ContinuousClock.Instant) {
        self.request = request
        self.place = place
        connection = Connection(deadline: deadline)
    }

    /// Sends the request and waits for the answer's head.
    func head() async throws -> Head {
        try await failing {
            try await connection.open(place.host, place.port)
            isSent = true
            do {
                try await sendRequest()
            } catch SocketFailure.ended {
                // A server may answer before it has read everything, and close.
            }
            while true {
                let head = try await readHead()
                // 1xx come before the answer (RFC 9110 §15.2).
                if head.status < 200 { continue }
                framing = try framing(of: head)
                return head
            }
        }
    }

    /// The next piece of the body; nil at its end.
    func next() async throws -> [UInt8]? {
        try await failing {
            switch framing {
            case .ended: return nil
            case .length(let left):
                if left == 0 { return end() }
                let bytes = try await take(atMost: left)
                framing = .length(left - bytes.count)
                return try counted(bytes)
            case .chunk(var left):
                if left == 0 {
                    left = try await chunkSize()
                    if left == 0 {
                        while !(try await line()).isEmpty {}
                        return end()
                    }
                }
                let bytes = try await take(atMost: left)
                left -= bytes.count
                if left == 0, !(try await line()).isEmpty { throw SocketFailure.notHTTP }
                framing = .chunk(left)
                return try counted(bytes)
            case .untilClose:
                let bytes = try await pending.isEmpty ? connection.read() : take(atMost: .max)
                return try bytes.isEmpty ? end() : counted(bytes)
            }
        }
    }

    private func end() -> [UInt8]? {
        framing = .ended
        connection.end()
        return nil
    }

    // MARK: Sending

    private func sendRequest() async throws {
        var lines = ["\(request.method) \(place.target) HTTP/1.1", "Connection: close"]
        if request.headers["Host"] == nil { lines.append("Host: \(place.authority)") }
        lines += request.headers.fields.map { "\($0.name): \($0.value)" }
        let start: (@Sendable () async throws -> @Sendable () async throws -> [UInt8]?)?
        var isChunked = false
        switch request.body {
        case .none:
            start = nil
            if ["POST", "PUT", "PATCH"].contains(request.method) { lines.append("Content-Length: 0") }
        case .bytes(let bytes):
            start = nil
            lines.append("Content-Length: \(bytes.count)")
        case .stream(let length, let begin):
            start = begin
            isChunked = length == nil
            lines.append(length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked")
        }
        var bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        if case .bytes(let body) = request.body { bytes += body }
        try await connection.write(bytes)
        guard let next = try await start?() else { return }
        while let piece = try await next() {
            if piece.isEmpty { continue }
            try await connection.write(
                isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10] : piece)
        }
        if isChunked { try await connection.write(Array("0\r\n\r\n".utf8)) }
    }

    // MARK: Reading

    private func readHead() async throws -> Head {
        let status = try await line().split(separator: " ", maxSplits: 2)
        guard status.count >= 2, status[0].hasPrefix("HTTP/1."), let code = Int(status[1]), (100...999).contains(code)
        else { throw SocketFailure.notHTTP }
        var headers = HeaderFields()
        while true {
            let line = try await line()
            if line.isEmpty { return Head(status: code, headers: headers) }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, headers.fields.count < 1_000 else { throw SocketFailure.notHTTP }
            headers.append(String(parts[0]), parts[1].trimmed)
        }
    }

    private func framing(of head: Head) throws -> Framing {
        if request.method == "HEAD" || head.status == 204 || head.status == 304 { return .ended }
        if let coding = head.headers["Transfer-Encoding"] {
            guard coding.lowercased() == "chunked" else { throw SocketFailure.notHTTP }
            return .chunk(0)
        }
        let lengths = Set(head.headers.values(of: "Content-Length"))
        if lengths.isEmpty { return .untilClose }
        guard lengths.count == 1, let length = lengths.first.flatMap({ Int($0) }), length >= 0 else {
            throw SocketFailure.notHTTP
        }
        return .length(length)
    }

    private func chunkSize() async throws -> Int {
        // What follows a `;` extends the chunk and means nothing here.
        let size = try await line().prefix { $0 != ";" }.trimmed
        guard let size = Int(size, radix: 16), size >= 0 else { throw SocketFailure.notHTTP }
        return size
    }

    /// A line without its end.
    private func line() async throws -> String {
        while true {
            if let end = pending.firstIndex(of: 10) {
                let line = pending[..<end].last == 13 ? pending[..<(end - 1)] : pending[..<end]
                let text = String(decoding: line, as: UTF8.self)
                pending.removeSubrange(...end)
                return text
            }
            guard pending.count < 65_536 else { throw SocketFailure.notHTTP }
            pending += try await more()
        }
    }

    private func take(atMost count: Int) async throws -> [UInt8] {
        if pending.isEmpty { pending = try await more() }
        let bytes = Array(pending.prefix(count))
        pending.removeFirst(bytes.count)
        return bytes
    }

    private func more() async throws -> [UInt8] {
        let bytes = try await connection.read()
        if bytes.isEmpty { throw SocketFailure.ended }
        return bytes
    }

    private func counted(_ bytes: [UInt8]) throws -> [UInt8] {
        received += bytes.count
        guard received <= request.maximumResponseBytes else { throw SocketFailure.tooLarge }
        return bytes
    }

    // MARK: Failing

    private func failing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch {
            connection.end()
            if Task.isCancelled { throw CancellationError() }
            guard let failure = error as? SocketFailure else { throw error }
            let (code, reason) = failure.told(of: request)
            throw TransportError(
                code: code, message: "\(request.method) \(place.display): \(reason)", mayHaveArrived: isSent)
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = self[...]
        while let first = text.first, " \t".contains(first) { text.removeFirst() }
        while let last = text.last, " \t".contains(last) { text.removeLast() }
        return String(text)
    }
}
