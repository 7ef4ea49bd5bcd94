#if Curl
    import AtmosphereExchange
    import CLibcurl
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// The door to the one thread on which everything of libcurl happens.
    ///
    /// Tasks leave commands and never wait here; the thread sleeps in `curl_multi_poll` and is woken by the first
    /// command that it has not seen.
    final class CurlLoop: Sendable {
        enum Command: Sendable {
            case start(Exchange)
            case cancel(Exchange)
            case resumeReceiving(Exchange)
            case resumeSending(Exchange)
        }

        /// Ends the loop when the transport and the last response body are gone.
        final class Owner: Sendable {
            let loop: CurlLoop
            init(_ loop: CurlLoop) { self.loop = loop }
            deinit { loop.stop() }
        }

        /// Sendable because `curl_multi_wakeup`, the only call made here, may be made from any thread.
        private struct Waker: @unchecked Sendable {
            let multi: UnsafeMutableRawPointer
            func wake() { curl_multi_wakeup(multi) }
        }

        private struct Shared {
            var commands: [Command] = []
            var hasStarted = false
            /// Set while the thread runs.
            var waker: Waker?
            var isStopping = false
            var hasEnded = false
            var waiters: [CheckedContinuation<Void, Never>] = []
        }
        private let shared = Mutex(Shared())
        let options: CurlTransport.Options
        let connectTimeout: Duration

        init(options: CurlTransport.Options, connectTimeout: Duration) {
            self.options = options
            self.connectTimeout = connectTimeout
        }

        /// Starts the thread before the first exchange: the global set-up of libcurl and its TLS library takes longer than
        /// all that a command does which sends nothing.
        ///
        /// - Throws: ``TransportError`` `cannotConnect` where the system gives no thread.
        func start() throws(TransportError) {
            try shared.withLock { shared throws(TransportError) in
                guard !shared.hasStarted, !shared.isStopping else { return }
                try startThread()
                shared.hasStarted = true
            }
        }

        func send(_ command: Command) {
            let isTaken = shared.withLock { shared in
                guard !shared.isStopping else { return false }
                shared.commands.append(command)
                if shared.commands.count == 1 { shared.waker?.wake() }
                return true
            }
            if !isTaken, case .start(let exchange) = command { exchange.finish(Self.closed, isDiscarding: true) }
        }

        /// Ends an exchange at once for whoever waits; the thread lets go of the connection when it gets to it.
        func cancel(_ exchange: Exchange) {
            exchange.finish(.failure(CancellationError()), isDiscarding: true)
            send(.cancel(exchange))
        }

        /// Tells the thread to end; what is under way fails.
        func stop() {
            shared.withLock { shared in
                shared.isStopping = true
                if !shared.hasStarted { shared.hasEnded = true }
                shared.waker?.wake()
            }
        }

        /// Returns when the thread has ended and every connection is closed.
        func waitForEnd() async {
            await withCheckedContinuation { continuation in
                let hasEnded = shared.withLock { shared in
                    if !shared.hasEnded { shared.waiters.append(continuation) }
                    return shared.hasEnded
                }
                if hasEnded { continuation.resume() }
            }
        }

        /// What an exchange gets when the transport is closed; false for `mayHaveArrived` only before it has begun.
        static let closed = Result<Void, any Error>.failure(
            TransportError(
                code: .offline, message: "the transport is closed; make a new one", mayHaveArrived: false))

        // MARK: The thread

        private func startThread() throws(TransportError) {
            // Once per process, before the first handle, and thread-safe in the versions that we need.
            guard Self.isLibraryReady else { throw Self.cannotStart("libcurl cannot be initialized") }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            let retained = Unmanaged.passRetained(self)
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let code = pthread_create(&thread, &attributes, threadBody, retained.toOpaque())
            guard code == 0 else {
                retained.release()
                throw Self.cannotStart(String(cString: strerror(code)))
            }
        }

        private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

        private static func cannotStart(_ reason: String) -> TransportError {
            TransportError(
                code: .cannotConnect, message: "the curl transport cannot start its thread: \(reason)",
                mayHaveArrived: false)
        }

        fileprivate func run() {
            atmosphere_name_thread("atmosphere-curl")
            if let multi = curl_multi_init() {
                let waker = Waker(multi: multi)
                shared.withLock { $0.waker = waker }
                let engine = CurlEngine(multi, options: options, connectTimeout: connectTimeout)
                while let commands = takeCommands() { engine.turn(commands) }
                shared.withLock { $0.waker = nil }
                engine.close()
                curl_multi_cleanup(multi)
            }
            end()
        }

        /// Nil when the thread must end.
        private func takeCommands() -> [Command]? {
            shared.withLock { shared in
                guard !shared.isStopping else { return nil }
                defer { shared.commands.removeAll() }
                return shared.commands
            }
        }

        private func end() {
            let (commands, waiters) = shared.withLock { shared in
                shared.isStopping = true
                shared.hasEnded = true
                defer { (shared.commands, shared.waiters) = ([], []) }
                return (shared.commands, shared.waiters)
            }
            for case .start(let exchange) in commands { exchange.finish(Self.closed, isDiscarding: true) }
            for waiter in waiters { waiter.resume() }
        }
    }

    #if canImport(Darwin)
        private func threadBody(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    #else
        private func threadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            if let context { Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }
    #endif
#endif
