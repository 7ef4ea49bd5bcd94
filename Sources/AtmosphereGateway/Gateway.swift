public import Atmosphere
internal import Synchronization

/// The local copy as a service on the person's own machine: everything that a ``Synchronizer`` does, over HTTP, JSON and
/// server-sent events, for programs and pages in any language.
///
/// Closed by default: it listens on this machine alone, and asks for a token that is made when it starts. Pages of other
/// origins, other names that lead here and requests without the token are refused. `/v1/openapi.json` describes all of it.
///
/// ```swift
/// let gateway = try Gateway(synchronizer)
/// try await gateway.run { print($0.link) }
/// ```
public final class Gateway: Sendable {
    /// Where a gateway is reached.
    public struct Address: Sendable, Hashable {
        /// Such as `http://127.0.0.1:8770`.
        public var url: String
        /// The same with the token, for a browser: it opens the gateway once, and the address then shows no token.
        public var link: String
        /// Studio, for a browser: opens the gateway once, for others of this machine can read its command line.
        public var studio: String
        /// Where events are told over Socket.IO; nil where ``Options/socketIO`` asks for none.
        public var socketIO: String?
        /// What programs send as `Authorization: Bearer`.
        public var token: String
    }

    let synchronizer: Synchronizer
    let options: Options
    let network: OfflineSwitch?
    let environment: SyncEnvironment
    let token: GatewayToken
    private let once: OneTimeToken
    /// Told when somebody has signed in.
    let signedIn = Wakeup()

    /// Makes a gateway; nothing is bound yet.
    ///
    /// - Parameters:
    ///   - network: what the synchronizer's transport was wrapped with (`wrapping: { $0.switchable() }`), for the offline
    ///     switch; nil for none.
    ///   - environment: time and randomness.
    /// - Throws: ``GatewayError`` for options that would let other machines read what goes over the network, or that mean
    ///   nothing.
    public init(
        _ synchronizer: Synchronizer, options: Options = Options(), network: OfflineSwitch? = nil,
        environment: SyncEnvironment = .live
    ) throws(GatewayError) {
        try options.check()
        self.synchronizer = synchronizer
        self.options = options
        self.network = network
        self.environment = environment
        token = options.token.map { GatewayToken($0) } ?? GatewayToken(random: environment)
        once = OneTimeToken(random: environment)
    }

    /// What answers requests, once the port is known.
    package func service(port: Int) -> GatewayService {
        GatewayService(
            synchronizer, options: options, port: port, token: token, once: once, network: network,
            environment: environment,
            onSignIn: { [signedIn] in signedIn.wake() })
    }

    /// - Parameter socketPort: the one that was bound for Socket.IO; nil for none.
    func address(port: Int, socketPort: Int? = nil) -> Address {
        let host = HostName.isAnywhere(options.host) ? "127.0.0.1" : HostName.written(options.host)
        let place = "\(options.isTLS ? "https" : "http")://\(options.names.first ?? host)"
        let url = "\(place):\(port)"
        return Address(
            url: url, link: "\(url)/?token=\(token.text)", studio: "\(url)/studio/?token=\(once.text)",
            socketIO: socketPort.map { "\(place):\($0)" }, token: token.text)
    }

    // MARK: In the background

    /// Works offline where the gateway before this one did.
    func takeUpSwitch() async throws {
        guard let network, try await KeptSwitch.isOffline(in: synchronizer.store) else { return }
        network.isOffline = true
        synchronizer.pause()
    }

    /// What happens beside the requests, until the task is cancelled.
    ///
    /// - Throws: ``StoreError`` where the store cannot be used any more; `CancellationError`.
    package func work(_ service: GatewayService, _ commits: AsyncStream<CommitSet>) async throws {
        let notifications = synchronizer.notifications()
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let triggers = options.triggers {
                group.addTask { try await self.rounds(triggers) }
                if synchronizer.routeFile.live != nil { group.addTask { try await self.followLive() } }
            }
            group.addTask { try await EventFeed(service: service).run(commits, notifications) }
            // The first that fails ends the others: a gateway that answers while its copy no longer synchronizes looks well.
            while try await group.next() != nil {}
        }
    }

    /// Where live updates cannot be followed the rounds go on alone; the status says so.
    private func followLive() async throws {
        do {
            try await synchronizer.follow(catchUp: { [synchronizer] in
                synchronizer.requestSynchronization()
                return true
            })
        } catch let error as StoreError {
            throw error
        } catch {
            // The server does not take the key, say.
        }
    }

    /// Synchronizes by itself; where the credentials are not accepted, again once somebody has signed in.
    private func rounds(_ triggers: Synchronizer.Triggers) async throws {
        while true {
            do {
                return try await synchronizer.run(triggers)
            } catch let error as SyncError where error.code == .signInNeeded {
                await signedIn.wait()
                try Task.checkCancellation()
            }
        }
    }
}

/// Somebody waits, somebody wakes; what was woken before the wait counts.
final class Wakeup: Sendable {
    private let signs: AsyncStream<Void>
    private let sign: AsyncStream<Void>.Continuation

    init() { (signs, sign) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func wake() { sign.yield() }

    func wait() async {
        var iterator = signs.makeAsyncIterator()
        _ = await iterator.next()
    }
}
