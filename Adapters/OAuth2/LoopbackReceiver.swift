#if OAuth2
    package import AtmosphereExchange

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    /// Waits for the browser on the loopback address of this machine (RFC 8252 §7.3), on a port that nobody else has.
    ///
    /// One answer is taken, and the port is closed. Whatever else comes meanwhile (a browser's request for an icon, a
    /// connection that says nothing, an answer with another `state`) is turned away and ends nothing. Nothing of a request
    /// is put into a page.
    package struct LoopbackReceiver: RedirectReceiver {
        private let redirect: OAuth2Redirect

        /// A receiver at the place that a route file says; any free port by default.
        package init(at redirect: OAuth2Redirect = OAuth2Redirect()) { self.redirect = redirect }

        /// Listens, says where, and waits for the one answer with this state.
        ///
        /// - Throws: ``SyncError`` `signInNeeded` where the port is taken; `CancellationError`.
        package func receive(
            state: String, onReady: (_ redirectURI: String) async throws -> Void
        ) async throws -> RedirectAnswer {
            let listener = try LoopbackListener(port: redirect.port)
            let redirectURI = "http://\(redirect.host):\(listener.port)\(redirect.path)"
            try await onReady(redirectURI)
            let parameters = try await withTaskCancellationHandler {
                try await BlockingCall.run { listener.wait(path: redirect.path, state: state) }
            } onCancel: {
                listener.wake()
            }
            guard let parameters else { throw CancellationError() }
            return RedirectAnswer(redirectURI: redirectURI, parameters: parameters)
        }
    }

    /// A listening socket and a pipe that wakes whoever waits for it.
    final class LoopbackListener: Sendable {
        let port: Int
        private let socket: CInt
        private let wakeRead: CInt
        private let wakeWrite: CInt

        private static let longestRequest = 16 << 10
        private static let mostConnections = 16

        init(port: Int) throws {
            let descriptor = makeSocket()
            guard descriptor >= 0 else { throw Self.failure(port) }
            var reuse: CInt = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<CInt>.size))
            prepare(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(UInt16(port).bigEndian)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
            }
            guard isBound, listen(descriptor, 16) == 0 else {
                let failure = Self.failure(port)
                close(descriptor)
                throw failure
            }
            var length = size
            _ = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else {
                let failure = Self.failure(port)
                close(descriptor)
                throw failure
            }
            for end in ends { prepare(end) }
            socket = descriptor
            (wakeRead, wakeWrite) = (ends[0], ends[1])
            self.port = Int(UInt16(bigEndian: address.sin_port))
        }

        deinit { for descriptor in [socket, wakeRead, wakeWrite] { close(descriptor) } }

        /// Ends ``wait(path:state:)``, also one that has not begun.
        func wake() {
            var byte: UInt8 = 1
            _ = systemWrite(wakeWrite, &byte, 1)
        }

        /// Blocks until the answer is here.
        ///
        /// - Returns: its parameters; nil where it was woken.
        func wait(path: String, state: String) -> [NamedText]? {
            var connections: [(descriptor: CInt, bytes: [UInt8])] = []
            defer { for connection in connections { close(connection.descriptor) } }
            while true {
                var polled = ([socket, wakeRead] + connections.map(\.descriptor)).map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return nil }
                if polled[1].revents != 0 { return nil }
                var index = 0
                for each in polled.dropFirst(2) {
                    guard each.revents != 0 else {
                        index += 1
                        continue
                    }
                    guard let request = read(&connections[index]) else {
                        index += 1
                        continue
                    }
                    let (page, parameters) = Self.answer(request, path: path, state: state)
                    let descriptor = connections.remove(at: index).descriptor
                    send(page, to: descriptor)
                    guard let parameters else { continue }
                    // Nobody else is let in, even before the socket itself goes.
                    shutdown(socket, CInt(SHUT_RDWR))
                    return parameters
                }
                if polled[0].revents != 0 { accept(into: &connections) }
            }
        }

        /// - Returns: the head of the request when it is whole, empty where the connection is of no use; nil where more is
        ///   to come.
        private func read(_ connection: inout (descriptor: CInt, bytes: [UInt8])) -> [UInt8]? {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = systemRead(connection.descriptor, &chunk, chunk.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return nil }
            guard count > 0 else { return [] }
            connection.bytes += chunk[..<count]
            guard connection.bytes.count <= Self.longestRequest else { return [] }
            let bytes = connection.bytes
            let isWhole = bytes.indices.dropLast(3).contains { bytes[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
            return isWhole ? connection.bytes : nil
        }

        private func accept(into connections: inout [(descriptor: CInt, bytes: [UInt8])]) {
            let descriptor = systemAccept(socket)
            guard descriptor >= 0 else { return }
            prepare(descriptor)
            connections.append((descriptor, []))
            // Whoever says nothing makes room for those who do.
            if connections.count > Self.mostConnections { close(connections.removeFirst().descriptor) }
        }

        private func send(_ page: [UInt8], to descriptor: CInt) {
            var page = page
            // It fits into any socket's buffer; a browser that has gone needs no page.
            if !page.isEmpty { _ = systemSend(descriptor, &page, page.count) }
            shutdown(descriptor, CInt(SHUT_WR))
            close(descriptor)
        }

        private static func failure(_ port: Int) -> SyncError {
            let reason = String(cString: strerror(errno))
            return SyncError(
                code: .signInNeeded,
                message: "cannot wait for the browser on 127.0.0.1\(port == 0 ? "" : ":\(port)"): \(reason)"
                    + (port == 0
                        ? "" : "; end the program that has the port, or declare another in “auth.oauth2.redirect”"))
        }

        // MARK: Pages

        /// What a request is answered with, and its parameters where it is the one.
        static func answer(_ request: [UInt8], path: String, state: String) -> (page: [UInt8], [NamedText]?) {
            let line = request.prefix { $0 != 13 && $0 != 10 }.split(separator: 32)
            guard line.count == 3, line[0].elementsEqual("GET".utf8) else { return ([], nil) }
            let target = String(decoding: line[1], as: UTF8.self).split(
                separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard target[0] == path else { return (page(404, "Not found", "There is nothing here."), nil) }
            let parameters = target.count < 2 ? [] : query(String(target[1]))
            let states = parameters.filter { $0.name == "state" }
            guard states.count == 1, isSame(states[0].value, state) else {
                let text = "This answer does not belong to the sign-in that waits here. Start again from the program."
                return (page(400, "Not this sign-in", text), nil)
            }
            let isRefused = parameters.contains { $0.name == "error" }
            // Whose answer it is, and whether its code is worth anything, is seen after this page.
            let title = isRefused ? "Not signed in" : "Back to the program"
            let text =
                isRefused
                ? "The server refused the sign-in; the program says why. You can close this page."
                : "The program has the answer, checks it, and says whether you are signed in. You can close this page."
            return (page(200, title, text), parameters)
        }

        private static func query(_ text: String) -> [NamedText] {
            PercentEncoding.pairs(in: text).prefix(100).map { NamedText(name: $0.name, value: $0.value) }
        }

        /// In a time that does not tell how much of it fits.
        private static func isSame(_ left: String, _ right: String) -> Bool {
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            guard left.count == right.count else { return false }
            return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }

        private static func page(_ status: Int, _ title: String, _ text: String) -> [UInt8] {
            let body = """
                <!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>\(title)</title>\
                <style>body{font:1.1em sans-serif;margin:15vh auto;max-width:30em;padding:0 1em}</style>\
                <h1>\(title)</h1><p>\(text)</p></html>

                """
            let reason = [200: "OK", 400: "Bad Request"][status] ?? "Not Found"
            let head = [
                "HTTP/1.1 \(status) \(reason)", "Content-Type: text/html; charset=utf-8",
                "Content-Length: \(body.utf8.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
                "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'", "Connection: close"
            ]
            return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        }
    }

    // MARK: What systems call differently

    private func makeSocket() -> CInt {
        #if canImport(Glibc)
            socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    /// Not inherited by programs that are run, and never waited for.
    private func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    private func systemAccept(_ descriptor: CInt) -> CInt { accept(descriptor, nil, nil) }
    private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        read(descriptor, buffer, count)
    }
    private func systemWrite(_ descriptor: CInt, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
        write(descriptor, buffer, count)
    }
    /// Without the signal that ends a process whose peer has gone.
    private func systemSend(_ descriptor: CInt, _ buffer: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Darwin)
            var on: CInt = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
            return send(descriptor, buffer, count, 0)
        #else
            return send(descriptor, buffer, count, CInt(MSG_NOSIGNAL))
        #endif
    }
#endif
