#if Notifications
    import AtmosphereSocketIO
    import Crypto
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// What all connections of one server share.
    final class ServerCore: Sendable {
        let options: SocketIOServerOptions
        /// Each session has these, as one word.
        let engineOptions: Shared<EngineServerOptions>
        let socketOptions: Shared<SocketServerOptions>
        let application: any SocketApplication
        let metrics = ServerMetrics()
        let connections: Connections
        let bodies = BodyBudget()
        let loopGate = LoopGate()
        private let start = ContinuousClock.now
        private let table = Mutex(Table())
        private let hubs = Mutex<[ObjectIdentifier: Hub]>([:])
        private let draining = Atomic(false)

        private struct Table {
            var clients: [String: SocketClient] = [:]
            /// Who was not let in yet: few at a time, where those who were are many.
            var waiting: Set<String> = []
            /// Of those, who still counts against its address.
            var newByAddress: [String: Newcomers<String>] = [:]

            mutating func forgetNew(_ client: SocketClient) {
                newByAddress[client.address]?.remove(client.sid)
                newByAddress.settle(client.address)
            }
        }

        init(_ options: SocketIOServerOptions, _ application: any SocketApplication) {
            self.options = options
            engineOptions = Shared(options.engine)
            socketOptions = Shared(options.socket)
            self.application = application
            // A client that polls has two; who has too many sessions is told so.
            connections = Connections(newPerAddress: 2 * options.newClientsPerAddress + 64)
        }

        /// Time since the server was made.
        func clock() -> Duration { start.duration(to: .now) }

        var isDraining: Bool { draining.load(ordering: .relaxed) }

        func drain() { draining.store(true, ordering: .relaxed) }

        var clients: [SocketClient] { table.withLock { Array($0.clients.values) } }

        /// Whether the session's client was let into a namespace.
        func hasJoined(_ sid: String) -> Bool { table.withLock { $0.clients[sid] != nil && !$0.waiting.contains(sid) } }

        func client(_ sid: String) -> SocketClient? { table.withLock { $0.clients[sid] } }

        func hub(of channel: any Channel) -> Hub {
            hubs.withLock { hubs in
                let key = ObjectIdentifier(channel.eventLoop)
                if let hub = hubs[key] { return hub }
                let hub = Hub(channel.eventLoop, core: self)
                hubs[key] = hub
                return hub
            }
        }

        /// Where the address has too many sessions whose clients were not let in, the one that has not asked for longest
        /// gives way.
        ///
        /// - Returns: nil where no more clients are taken.
        func admit(_ channel: any Channel) -> Hub? {
            guard !isDraining else { return nil }
            let address = channel.peer
            var replaced: SocketClient?
            let isFull = table.withLock { table in
                guard table.clients.count < options.clients else { return true }
                guard table.newByAddress[address]?.count ?? 0 >= options.newClientsPerAddress else { return false }
                guard let first = table.newByAddress[address]?.removeFirst() else { return true }
                replaced = table.clients[first]
                return false
            }
            if let replaced { replaced.loop.execute { replaced.leave(.notNow("others of this address wait")) } }
            return isFull ? nil : hub(of: channel)
        }

        func register(_ client: SocketClient) {
            metrics.opened.add(1, ordering: .relaxed)
            table.withLock { table in
                table.clients[client.sid] = client
                table.waiting.insert(client.sid)
                table.newByAddress[client.address, default: Newcomers()].insert(client.sid)
            }
        }

        /// The client was let into a namespace, and no longer counts as new.
        func joined(_ client: SocketClient) {
            table.withLock { table in
                guard table.waiting.remove(client.sid) != nil else { return }
                table.forgetNew(client)
            }
        }

        /// The client has asked to be let in, and is not answered yet: it gives way to no other.
        func asked(_ client: SocketClient) { table.withLock { $0.newByAddress[client.address]?.keep(client.sid) } }

        /// The client was refused.
        func refused(_ client: SocketClient) { table.withLock { $0.newByAddress[client.address]?.release(client.sid) } }

        /// The session is over but for its last words, was too slow to ask for anything, or waits for no key.
        func noLongerNew(_ client: SocketClient) { table.withLock { $0.forgetNew(client) } }

        func unregister(_ client: SocketClient) {
            table.withLock { table in
                guard table.clients.removeValue(forKey: client.sid) != nil else { return }
                table.waiting.remove(client.sid)
                table.forgetNew(client)
            }
        }

        var counts: (clients: Int, joined: Int) {
            table.withLock { ($0.clients.count, $0.clients.count - $0.waiting.count) }
        }

        /// 120 random bits as 20 characters that need no escape in a query.
        func newIdentifier() -> String { RandomIdentifier.make() }

        func refusal(_ refusal: EngineRefusal) -> HTTPAnswer {
            HTTPAnswer(status: refusal.status, contentType: "application/json", body: refusal.body)
        }

        // MARK: Names and origins

        /// Whether the server may be asked under the name that a request says (RFC 9110 §7.2).
        func isNamed(_ headers: HTTPHeaders) -> Bool {
            guard let names = options.names else { return true }
            let hosts = headers["host"]
            guard hosts.count == 1, let host = hosts.first?.lowercased() else { return false }
            return names.contains { name in
                guard host.utf8.starts(with: name.utf8) else { return false }
                let port = host.utf8.dropFirst(name.utf8.count)
                return port.isEmpty
                    || port.first == UInt8(ascii: ":")
                        && port.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        }

        /// Whether a web page may make this request (Fetch Standard, “CORS protocol”; RFC 6455 §10.2 for WebSockets,
        /// which CORS does not cover).
        func allows(_ headers: HTTPHeaders) -> Bool {
            let origins = headers["origin"]
            guard origins.count <= 1 else { return false }
            if options.origins.contains("*") { return true }
            if let origin = origins.first {
                if options.origins.contains(origin) { return true }
                guard isOwn(origin, headers) else { return false }
            }
            // A page of another site need not say its origin, for an image for example (Fetch Metadata, §2.3).
            return headers["sec-fetch-site"].allSatisfy { $0 == "same-origin" || $0 == "none" }
        }

        private func isOwn(_ origin: String, _ headers: HTTPHeaders) -> Bool {
            guard let host = headers.first(name: "host") else { return false }
            return origin == (options.tls == nil ? "http://\(host)" : "https://\(host)")
        }

        func addCORS(to headers: inout HTTPHeaders, for head: HTTPRequestHead) {
            guard let origin = head.headers.first(name: "origin"), allows(head.headers) else { return }
            headers.add(name: "access-control-allow-origin", value: options.origins.contains("*") ? "*" : origin)
            headers.add(name: "vary", value: "origin")
            guard head.method == .OPTIONS else { return }
            headers.add(name: "access-control-allow-methods", value: "GET, POST")
            headers.add(name: "access-control-allow-headers", value: "authorization, content-type, idempotency-key")
            headers.add(name: "access-control-max-age", value: "600")
        }
    }

    enum RandomIdentifier {
        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

        /// As many bits of a hash: the same for the same secret on every server, and the secret cannot be had from it.
        static func derived(from secret: String) -> String {
            let digest = SHA256.hash(data: Array("sid:\(secret)".utf8))
            return String(decoding: digest.prefix(20).map { alphabet[Int($0 & 63)] }, as: UTF8.self)
        }

        static func make() -> String {
            var generator = SystemRandomNumberGenerator()
            var text: [UInt8] = []
            for _ in 0..<2 {
                var word: UInt64 = generator.next()
                for _ in 0..<10 {
                    text.append(alphabet[Int(word & 63)])
                    word >>= 6
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Counts that only grow.
    final class ServerMetrics: Sendable {
        let opened = Atomic<UInt64>(0)
        let upgrades = Atomic<UInt64>(0)
        let protocolErrors = Atomic<UInt64>(0)
    }
#endif
