internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin

    private let streamType = SOCK_STREAM
    // SO_NOSIGPIPE does there what the flag does elsewhere.
    private let sendFlags: Int32 = 0
#else
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// An HTTP/1.1 server on a real socket of this machine that does what a check tells it, also what no server should.
final class FaultyServer: Sendable {
    /// A request as it arrived.
    struct Arrival: Sendable {
        /// Counted from 1.
        var connection: Int
        var method: String
        var target: String
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []

        func values(_ name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }
    }

    private struct State {
        var connections = 0
        var arrivals: [Arrival] = []
        var clientHasClosed = false
        var open: Set<Int32> = []
    }

    private let state = Mutex(State())
    private let listener: Int32
    let url: String

    var connections: Int { state.withLock { $0.connections } }
    var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// `serve` runs on a thread of its own for each connection; the connection is closed when it returns.
    init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, streamType, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) | listen(listener, 512) | getsockname(listener, address, &length)
            }
        }
        guard listener >= 0, code == 0 else { throw ConformanceFailure("no port of this machine can be used") }
        self.listener = listener
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        DispatchQueue(label: "FaultyServer").async { [self] in acceptAll(serve) }
    }

    /// Serves requests one after another on each connection, until the client closes.
    convenience init(answer: @escaping @Sendable (Arrival) -> String) throws {
        try self.init { connection in
            while let arrival = connection.read() { connection.write(answer(arrival)) }
        }
    }

    /// Returns when the client has closed a connection.
    func waitForClientClose() async throws {
        try await wait("the client to close its connection") { state.withLock { $0.clientHasClosed } }
    }

    /// Returns when a request is here.
    func waitForArrival() async throws { try await wait("a request") { !arrivals.isEmpty } }

    private func wait(_ what: String, _ isTrue: () -> Bool) async throws {
        for _ in 1...4_000 {
            if isTrue() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ConformanceFailure("20 s were not enough for \(what)")
    }

    /// Ends the server with every connection.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for descriptor in state.withLock({ $0.open }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private func acceptAll(_ serve: @escaping @Sendable (Connection) -> Void) {
        while true {
            let accepted = accept(listener, nil, nil)
            guard accepted >= 0 else { break }
            #if canImport(Darwin)
                var option: Int32 = 1
                setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &option, socklen_t(MemoryLayout<Int32>.size))
            #endif
            let number = state.withLock { state in
                state.connections += 1
                state.open.insert(accepted)
                return state.connections
            }
            DispatchQueue(label: "FaultyServer.\(number)").async { [self] in
                let connection = Connection(accepted, number: number) { [self] arrival in
                    state.withLock { $0.arrivals.append(arrival) }
                }
                serve(connection)
                state.withLock { state in
                    state.open.remove(accepted)
                    if connection.clientHasClosed { state.clientHasClosed = true }
                }
                close(accepted)
            }
        }
        close(listener)
    }

    /// One connection, used by its own thread only.
    final class Connection {
        let number: Int
        private(set) var clientHasClosed = false
        private let descriptor: Int32
        private var pending: [UInt8] = []
        private let note: (Arrival) -> Void

        init(_ descriptor: Int32, number: Int, note: @escaping (Arrival) -> Void) {
            self.descriptor = descriptor
            self.number = number
            self.note = note
        }

        /// The next request with its body; nil when the client has closed.
        func read() -> Arrival? {
            guard let line = readLine(), !line.isEmpty else { return nil }
            let parts = line.split(separator: " ")
            guard parts.count == 3 else { return nil }
            var arrival = Arrival(connection: number, method: String(parts[0]), target: String(parts[1]))
            while let line = readLine(), !line.isEmpty {
                let parts = line.split(separator: ":", maxSplits: 1)
                var value = parts.count > 1 ? parts[1] : ""
                while value.first == " " || value.first == "\t" { value.removeFirst() }
                while value.last == " " || value.last == "\t" { value.removeLast() }
                arrival.headers.append((String(parts[0]), String(value)))
            }
            if arrival.values("Transfer-Encoding").contains("chunked") {
                while let line = readLine(), let size = Int(line, radix: 16), let chunk = read(exactly: size) {
                    _ = readLine()
                    if size == 0 { break }
                    arrival.body += chunk
                }
            } else if let length = arrival.values("Content-Length").first.flatMap({ Int($0) }) {
                guard let body = read(exactly: length) else { return nil }
                arrival.body = body
            }
            note(arrival)
            return arrival
        }

        private func readLine() -> String? {
            while true {
                if let end = pending.firstIndex(of: 0x0A) {
                    var line = pending[..<end]
                    if line.last == 0x0D { line.removeLast() }
                    let text = String(decoding: line, as: UTF8.self)
                    pending.removeSubrange(...end)
                    return text
                }
                guard fill() else { return nil }
            }
        }

        private func read(exactly count: Int) -> [UInt8]? {
            while pending.count < count { guard fill() else { return nil } }
            defer { pending.removeSubrange(..<count) }
            return Array(pending[..<count])
        }

        /// Returns when the client has closed.
        func waitForClose() { while fill() { pending = [] } }

        /// False when the client does not take it any more.
        @discardableResult
        func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        @discardableResult
        func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, sendFlags) }
                guard count > 0 else {
                    clientHasClosed = true
                    return false
                }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// Ends the connection with a reset instead of an orderly end.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        private func fill() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                clientHasClosed = true
                return false
            }
            pending += buffer[..<count]
            return true
        }
    }

    /// An answer with a length.
    static func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }
}
