internal import AtmosphereExchange
internal import Foundation
internal import Synchronization

/// What goes wrong with a socket.
enum SocketFailure: Error {
    case unknownHost
    case cannotConnect(String)
    case timeout
    /// The other side has closed.
    case ended
    case notHTTP
    case tooLarge

    /// The code, the reason and the remedy.
    func told(of request: Request) -> (TransportError.Code, String) {
        switch self {
        case .unknownHost: (.cannotConnect, "the name of the server does not resolve; check the address")
        case .cannotConnect(let reason): (.cannotConnect, "no connection to the server (\(reason)); does it run?")
        case .timeout: (.timeout, "no whole answer in time; try later or raise transport.timeout")
        case .ended: (.connectionLost, "the connection ended before the whole answer was here; try later")
        case .notHTTP: (.invalidResponse, "the answer is not HTTP; check the port")
        case .tooLarge:
            (
                .bodyTooLarge,
                "the response body is larger than \(request.maximumResponseBytes) bytes; ask for smaller pages or raise "
                    + "limits.body"
            )
        }
    }
}

/// A socket. Its calls come one after another; one that has to wait does so on a thread of its own, until something moves,
/// time is up or ``end()`` is called.
final class Connection: Sendable {
    private let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        var descriptor: Int32?
        var isEnded = false
    }

    init(deadline: ContinuousClock.Instant) { self.deadline = deadline }

    deinit { if let descriptor = state.withLock({ $0.descriptor }) { _ = close(descriptor) } }

    /// Ends every call, now and later.
    func end() {
        state.withLock { state in
            state.isEnded = true
            // Closed in `deinit` only: a call may still wait on it, and the number would be given out again.
            if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    func open(_ host: String, _ port: Int) async throws {
        try await blocking { connection in
            var hints = addrinfo()
            hints.ai_socktype = streamType
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &found) == 0 else { throw SocketFailure.unknownHost }
            defer { freeaddrinfo(found) }
            var failure = SocketFailure.unknownHost
            var next = found
            while let address = next?.pointee {
                next = address.ai_next
                do {
                    return try connection.connect(to: address)
                } catch SocketFailure.cannotConnect(let reason) {
                    failure = .cannotConnect(reason)
                }
            }
            throw failure
        }
    }

    private func connect(to address: addrinfo) throws {
        let descriptor = socket(address.ai_family, streamType, 0)
        guard descriptor >= 0 else { throw SocketFailure.cannotConnect(String(cString: strerror(errno))) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        try state.withLock { state in
            if let earlier = state.descriptor { _ = close(earlier) }
            state.descriptor = descriptor
            if state.isEnded { throw SocketFailure.ended }
        }
        if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
            guard errno == EINPROGRESS else {
                throw SocketFailure.cannotConnect(String(cString: strerror(errno)))
            }
            try wait(descriptor, for: Int16(POLLOUT))
            var code: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
            guard code == 0 else { throw SocketFailure.cannotConnect(String(cString: strerror(code))) }
        }
    }

    /// - Throws: ``SocketFailure`` `ended` where the other side takes nothing any more.
    func write(_ bytes: [UInt8]) async throws {
        try await blocking { connection in
            let descriptor = try connection.descriptor()
            var rest = bytes[...]
            while !rest.isEmpty {
                try connection.wait(descriptor, for: Int16(POLLOUT))
                var failure: Int32 = 0
                let count = rest.withUnsafeBytes { bytes in
                    let sent = Foundation.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
                    if sent < 0 { failure = errno }
                    return sent
                }
                if failure == EAGAIN || failure == EINTR { continue }
                guard count > 0 else { throw SocketFailure.ended }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// What has arrived; empty where the other side has closed.
    func read() async throws -> [UInt8] {
        try await blocking { connection in
            let descriptor = try connection.descriptor()
            while true {
                try connection.wait(descriptor, for: Int16(POLLIN))
                var failure: Int32 = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                    let got = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                    if got < 0 { failure = errno }
                    count = max(0, got)
                }
                if failure == EAGAIN || failure == EINTR { continue }
                if failure != 0 { throw SocketFailure.ended }
                return bytes
            }
        }
    }

    private func descriptor() throws -> Int32 {
        try state.withLock { state in
            guard let descriptor = state.descriptor, !state.isEnded else { throw SocketFailure.ended }
            return descriptor
        }
    }

    private func wait(_ descriptor: Int32, for events: Int16) throws {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw SocketFailure.timeout }
            var one = pollfd(fd: descriptor, events: events, revents: 0)
            let milliseconds = min(left / .milliseconds(1) + 1, 60_000)
            let count = poll(&one, 1, Int32(milliseconds))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw SocketFailure.ended }
        }
    }

    private func blocking<Result: Sendable>(
        _ work: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                // No queue: those of Dispatch share a few threads on Linux, and all of them could be waiting.
                Thread.detachNewThread { continuation.resume(with: Swift.Result { try work(self) }) }
            }
        } onCancel: {
            end()
        }
    }
}

#if canImport(Darwin)
    private let streamType = SOCK_STREAM
    // SO_NOSIGPIPE does there what the flag does elsewhere.
    private let sendFlags: Int32 = 0
#else
    private let streamType = Int32(SOCK_STREAM.rawValue)
    private let sendFlags = Int32(MSG_NOSIGNAL)
#endif
