#if Curl
    import Atmosphere
    import Dispatch
    import Foundation
    import Synchronization

    #if canImport(Darwin)
        import Darwin

        private let streamType = SOCK_STREAM
        // SO_NOSIGPIPE does there what the flag does elsewhere.
        private let sendFlags: Int32 = 0
    #else
        #if canImport(Glibc)
            import Glibc
        #elseif canImport(Musl)
            import Musl
        #endif

        private let streamType = Int32(SOCK_STREAM.rawValue)
        private let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// A server on a real socket that does what a test tells it, with one thread per connection.
    final class Peer: Sendable {
        struct Arrival: Sendable {
            /// Counted from 1.
            var connection: Int
            var method: String
            var target: String
            var headers: [(name: String, value: String)]
            var body: [UInt8]

            func header(_ name: String) -> String? {
                headers.first { $0.name.lowercased() == name.lowercased() }?.value
            }
            var text: String { String(decoding: body, as: UTF8.self) }
        }

        private struct State {
            var connections = 0
            var closed = 0
            var arrivals: [Arrival] = []
        }
        private let state = Mutex(State())
        private let listener: Int32
        private let released = DispatchSemaphore(value: 0)
        let port: Int

        var url: String { "http://127.0.0.1:\(port)" }
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
            guard listener >= 0, code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            self.listener = listener
            port = Int(UInt16(bigEndian: address.sin_port))
            Thread.detachNewThread { [self] in serveAll(serve) }
        }

        /// Serves requests one after another on each connection, until the client closes.
        convenience init(answer: @escaping @Sendable (Arrival) -> String) throws {
            try self.init { connection in
                while let arrival = connection.read() { connection.write(answer(arrival)) }
            }
        }

        /// Nobody can connect any more; connections that are open go on.
        func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

        /// Lets one connection that waits for it go on.
        func release() { released.signal() }

        private func serveAll(_ serve: @escaping @Sendable (Connection) -> Void) {
            while true {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0 else { break }
                #if canImport(Darwin)
                    var option: Int32 = 1
                    setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &option, socklen_t(MemoryLayout<Int32>.size))
                #endif
                let number = state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
                Thread.detachNewThread { [self] in
                    let connection = Connection(accepted, number: number, released) { [self] arrival in
                        state.withLock { $0.arrivals.append(arrival) }
                    }
                    serve(connection)
                    connection.end()
                }
            }
            close(listener)
        }

        /// One connection, used by its own thread only.
        final class Connection {
            let number: Int
            private let descriptor: Int32
            private var pending: [UInt8] = []
            private let released: DispatchSemaphore
            private let note: (Arrival) -> Void

            init(_ descriptor: Int32, number: Int, _ released: DispatchSemaphore, note: @escaping (Arrival) -> Void) {
                self.descriptor = descriptor
                self.number = number
                self.released = released
                self.note = note
            }

            /// The next request with its body; nil when the client has closed.
            func read() -> Arrival? {
                guard var arrival = readHead() else { return nil }
                if arrival.header("Transfer-Encoding") == "chunked" {
                    while let line = readLine(), let size = Int(line, radix: 16), let chunk = read(exactly: size) {
                        _ = readLine()
                        if size == 0 { break }
                        arrival.body += chunk
                    }
                } else if let length = arrival.header("Content-Length").flatMap(Int.init) {
                    guard let body = read(exactly: length) else { return nil }
                    arrival.body = body
                }
                note(arrival)
                return arrival
            }

            /// The next request's head alone; not noted as an arrival.
            func readHead() -> Arrival? {
                guard let line = readLine(), !line.isEmpty else { return nil }
                let parts = line.split(separator: " ")
                guard parts.count == 3 else { return nil }
                var arrival = Arrival(
                    connection: number, method: String(parts[0]), target: String(parts[1]), headers: [], body: [])
                while let line = readLine(), !line.isEmpty {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                    arrival.headers.append((String(parts[0]), value))
                }
                return arrival
            }

            func readLine() -> String? {
                while true {
                    if let end = pending.firstIndex(of: 0x0A) {
                        let line = String(decoding: pending[..<end], as: UTF8.self)
                        pending.removeSubrange(...end)
                        return line.hasSuffix("\r") ? String(line.dropLast()) : line
                    }
                    guard fill() else { return nil }
                }
            }

            func read(exactly count: Int) -> [UInt8]? {
                while pending.count < count { guard fill() else { return nil } }
                defer { pending.removeSubrange(..<count) }
                return Array(pending[..<count])
            }

            /// Returns when the test calls ``Peer/release()``.
            func waitForRelease() { released.wait() }

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
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }

            /// Ends the connection with a reset instead of an orderly end.
            func reset() {
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            }

            fileprivate func end() { close(descriptor) }

            private func fill() -> Bool {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return false }
                pending += buffer[..<count]
                return true
            }
        }
    }

    /// An answer with a length.
    func answer(_ status: String = "200 OK", _ headers: [String] = [], _ body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }

    /// Tells an event from a peer's thread to a test.
    struct Signal: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func give() { continuation.yield() }

        /// Returns when it has been given once more than waited for; false where the task was cancelled.
        @discardableResult
        func wait() async -> Bool { await stream.first { _ in true } != nil }
    }

    extension TransportSettings {
        /// For tests that are not about time, on a machine that runs many at once.
        static var patient: TransportSettings {
            var settings = TransportSettings()
            settings.timeout = .seconds(600)
            return settings
        }
    }
#endif
