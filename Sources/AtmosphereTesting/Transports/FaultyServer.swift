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
package final class FaultyServer: Sendable {
    /// A request as it arrived.
    package struct Arrival: Sendable {
        /// Counted from 1.
        package var connection: Int
        package var method: String
        package var target: String
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []

        package var text: String { String(decoding: body, as: UTF8.self) }

        package func values(_ name: String) -> [String] {
            headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        }

        /// The first of its values.
        package func header(_ name: String) -> String? { values(name).first }
    }

    private struct State {
        var connections = 0
        var arrivals: [Arrival] = []
        var clientHasClosed = false
        var open: Set<Int32> = []
        /// nil once it is closed, when its number may be another's.
        var listener: Int32?
    }

    private let state = Mutex(State())
    private let released = DispatchSemaphore(value: 0)
    package let port: Int

    package var url: String { "http://127.0.0.1:\(port)" }
    package var connections: Int { state.withLock { $0.connections } }
    package var arrivals: [Arrival] { state.withLock { $0.arrivals } }

    /// `serve` runs on a thread of its own for each connection; the connection is closed when it returns.
    package init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
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
        state.withLock { $0.listener = listener }
        port = Int(UInt16(bigEndian: address.sin_port))
        DispatchQueue(label: "FaultyServer").async { [self] in acceptAll(on: listener, serve) }
    }

    /// Serves requests one after another on each connection, until the client closes.
    package convenience init(answer: @escaping @Sendable (Arrival) -> String) throws {
        try self.init { connection in
            while let arrival = connection.read() { connection.write(answer(arrival)) }
        }
    }

    /// Returns when the client has closed a connection.
    func waitForClientClose() async throws {
        try await wait("the client to close its connection") { state.withLock { $0.clientHasClosed } }
    }

    /// Returns when a request is here.
    ///
    /// - Throws: what the task that is to send it threw before.
    func waitForArrival(from task: Task<some Sendable, any Error>) async throws {
        let hasEnded = Mutex(false)
        Task {
            _ = await task.result
            hasEnded.withLock { $0 = true }
        }
        try await wait("a request") { !arrivals.isEmpty || hasEnded.withLock { $0 } }
        if arrivals.isEmpty { _ = try await task.value }
    }

    private func wait(_ what: String, _ isTrue: () -> Bool) async throws {
        for _ in 1...4_000 {
            if isTrue() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw ConformanceFailure("20 s were not enough for \(what)")
    }

    /// Lets one connection that waits for it go on.
    package func release() { released.signal() }

    /// Ends the server with every connection.
    package func stop() {
        // Under the lock, for a number that was closed meanwhile may be another server's.
        state.withLock { state in
            if let listener = state.listener { shutdown(listener, Int32(SHUT_RDWR)) }
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func acceptAll(on listener: Int32, _ serve: @escaping @Sendable (Connection) -> Void) {
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
                let connection = Connection(accepted, number: number, released) { [self] arrival in
                    state.withLock { $0.arrivals.append(arrival) }
                }
                serve(connection)
                state.withLock { state in
                    state.open.remove(accepted)
                    if connection.clientHasClosed { state.clientHasClosed = true }
                    close(accepted)
                }
            }
        }
        state.withLock { state in
            state.listener = nil
            close(listener)
        }
    }

    /// One connection, used by its own thread only.
    package final class Connection {
        package let number: Int
        private(set) var clientHasClosed = false
        private let descriptor: Int32
        private var pending: [UInt8] = []
        private let released: DispatchSemaphore
        private let note: (Arrival) -> Void

        fileprivate init(
            _ descriptor: Int32, number: Int, _ released: DispatchSemaphore, note: @escaping (Arrival) -> Void
        ) {
            self.descriptor = descriptor
            self.number = number
            self.released = released
            self.note = note
        }

        /// The next request with its body; nil when the client has closed.
        package func read() -> Arrival? {
            guard var arrival = readHead() else { return nil }
            if arrival.header("Transfer-Encoding") == "chunked" {
                while let line = readLine(), let size = Int(line, radix: 16), let chunk = read(exactly: size) {
                    _ = readLine()
                    if size == 0 { break }
                    arrival.body += chunk
                }
            } else if let length = arrival.header("Content-Length").flatMap({ Int($0) }) {
                guard let body = read(exactly: length) else { return nil }
                arrival.body = body
            }
            note(arrival)
            return arrival
        }

        /// The next request's head alone; not noted as an arrival.
        package func readHead() -> Arrival? {
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
            return arrival
        }

        package func readLine() -> String? {
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

        package func read(exactly count: Int) -> [UInt8]? {
            while pending.count < count { guard fill() else { return nil } }
            defer { pending.removeSubrange(..<count) }
            return Array(pending[..<count])
        }

        /// Returns when ``FaultyServer/release()`` is called.
        package func waitForRelease() { released.wait() }

        /// Returns when the client has closed.
        package func waitForClose() { while fill() { pending = [] } }

        /// False when the client does not take it any more.
        @discardableResult
        package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        @discardableResult
        package func write(_ bytes: [UInt8]) -> Bool {
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
        package func reset() {
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
    package static func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }
}
