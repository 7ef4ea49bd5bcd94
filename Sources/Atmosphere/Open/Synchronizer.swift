import Synchronization

/// The entry point: reads and edits the local copy at once, and keeps it in step with the server.
///
/// Local reads and writes never wait for the network. Nothing is sent until ``push(entities:)``,
/// ``pull(entities:options:)`` or ``synchronize(options:)`` is called, or a call asks for the server itself; all of these
/// run in the caller's task and end with it.
///
/// ```swift
/// let tasks = try await Synchronizer.open("atmosphere.yaml", adapters: [.yaml, .djangoREST, .curl, .sqlite])
/// try await tasks.synchronize()
/// let uri = try await tasks.save(["title": "Buy milk"], as: "tasks")
/// try await tasks.push()
/// ```
public final class Synchronizer: Sendable {
    /// The description of the API, with the resolvers that the program passed.
    public let routeFile: RouteFile
    /// The local copy. What is written to it past this synchronizer is not sent.
    public let store: any Store
    let client: ResourceClient
    let environment: SyncEnvironment
    /// Lines for the log: what was sent, merged or skipped, and why.
    let log: @Sendable (SyncLogEntry) -> Void
    /// The same lines, kept beside the store.
    package let logFile: SyncLogFile?
    let lanes = LaneLocks()
    /// For contents whose member an edit sets behind them. Who holds one of these may take a lane of ``lanes``; who holds a lane takes none of these.
    let contentLanes = LaneLocks()
    let pushTurn = PushTurn()
    let leases: HeldLeases
    let openPages = OpenPages()
    let sentValues = SentValues()
    let addresses = ProvenAddresses()
    let identityTurns = IdentityTurns()
    let live: LiveReports
    let hub: ChangeHub
    let activity: SyncActivities
    let triggers = TriggerBox()
    let unreadable = UnreadableRecords()
    let messageClient: (any MessageClient)?
    private let sequence: Mutex<Int64>

    /// Puts the parts together.
    ///
    /// - Parameters:
    ///   - extractors: by format; JSON is always there.
    ///   - writers: by coding; JSON and forms are always there.
    ///   - authenticator: nil where requests are not signed.
    ///   - messageClient: what ``follow(_:catchUp:)`` uses where it is given none.
    ///   - resolvers: by entity, what decides in code about members that both sides changed.
    ///   - logPath: the file in which the log is kept (``logEntries()``); nil for nowhere.
    ///   - log: called from any task; must return quickly.
    /// - Throws: ``SyncError`` `unknownName` for a resolver of no entity; ``StoreError`` where the store cannot be read.
    ///   Indexes that the route file declares anew are made first, which takes some seconds for a million objects.
    public init(
        routeFile: RouteFile, store: any Store, transport: any Transport, style: any RoutingStyle,
        extractors: [any ResponseExtractor] = [], writers: [any BodyWriter] = [],
        authenticator: (any Authenticator)? = nil, messageClient: (any MessageClient)? = nil,
        resolvers: [String: ConflictResolver] = [:], environment: SyncEnvironment = .live,
        logPath: String? = nil, log: @escaping @Sendable (SyncLogEntry) -> Void = { _ in }
    ) async throws {
        let routeFile = try routeFile.using(resolvers)
        self.routeFile = routeFile
        live = LiveReports(routeFile)
        self.store = store
        self.environment = environment
        self.log = log
        logFile = logPath.map { SyncLogFile(path: $0) }
        self.messageClient = messageClient
        let hub = ChangeHub(store)
        self.hub = hub
        leases = HeldLeases { [weak hub] in hub?.noteActivity() }
        activity = SyncActivities { [weak hub] in hub?.noteActivity() }
        client = ResourceClient(
            routeFile: routeFile, transport: transport, authenticator: authenticator, extractors: extractors,
            writers: writers, style: style, environment: environment,
            note: { log(SyncLogEntry(time: environment.now(), subject: routeFile.base, message: $0)) },
            pauses: SharedPauses(in: store))
        try await store.prepare(for: routeFile)
        sequence = Mutex(Self.countable(try await store.read { try $0.highestSequence() }))
        for each in store.notes { note(each) }
        store.tellNotes { [weak self] in self?.note($0) }
        await WaitingContents(self).removeUnused()
    }

    /// What was sent, merged or skipped, and why, the oldest first: the newest ten thousand entries or so, those of other
    /// processes on the store among them. Nothing where no log is kept, as for a store in memory.
    public func logEntries() -> [SyncLogEntry] { logFile?.entries() ?? [] }

    /// Writes what is still in memory and closes the store. Later calls throw ``StoreError`` `closed`.
    public func close() async throws { try await store.close() }

    /// A number greater than every one before it in this process, and across restarts as far as one was stored.
    ///
    /// It follows the clock where that is ahead, so that processes on one store agree on what came first: a page that
    /// one requested before another's push was answered is older than the answer.
    func nextSequence() -> Int64 {
        let clock = (environment.now().milliseconds - Self.sequenceEpoch) << 4
        return sequence.withLock {
            $0 = max($0 + 1, clock)
            return $0
        }
    }

    /// How many sequences there are in a time at the most.
    static func sequences(in time: Duration) -> Int64 { Int64(time / .milliseconds(1)) << 4 }

    /// Goes on from what other processes have stored: where the clock was set back they may be ahead.
    func learnSequence() async throws { learn(sequence: try await store.read { try $0.highestSequence() }) }

    func learn(sequence stored: Int64) { sequence.withLock { $0 = max($0, Self.countable(stored)) } }

    /// A store is a file, in which any number may stand; this one is counted on from.
    private static func countable(_ stored: Int64) -> Int64 { min(max(0, stored), StoredFields.countable.upperBound) }

    /// 2026-01-01T00:00:00Z in milliseconds: keeps sequences, which are stored with each object, short.
    private static let sequenceEpoch: Int64 = 1_767_225_600_000

    func resource(_ entity: String) throws -> Resource {
        if let resource = routeFile.resource(entity) { return resource }
        let known = routeFile.resources.map(\.name).joined(separator: ", ")
        throw SyncError(
            code: .unknownName, message: "\(routeFile.source) has no entity “\(entity)”; it has \(known)")
    }

    /// The resources of a call: the named ones in the order of dependence, or all.
    func resources(_ entities: [String]) throws -> [Resource] {
        guard !entities.isEmpty else { return routeFile.resources }
        let named = Set(try entities.map { try resource($0).name })
        return routeFile.resources.filter { named.contains($0.name) }
    }

    private func note(_ note: StoreNote) { self.note("store", note.message, isRoutine: !note.isWarning) }

    func note(_ uri: ObjectURI, _ message: String?, isRoutine: Bool = false) {
        if let message { note(uri.description, message, isRoutine: isRoutine) }
    }

    /// An object has the address `uri` from now on, and its story until now stands under `old`.
    func note(_ uri: ObjectURI, named old: ObjectURI) {
        guard uri != old else { return }
        note(
            uri.description, "has its identifier from the server now; it was \(old)", former: old.description)
    }

    /// - Parameters:
    ///   - isRoutine: see ``SyncLogEntry/isRoutine``.
    ///   - former: see ``SyncLogEntry/former``.
    func note(_ subject: String, _ message: String, isRoutine: Bool = false, former: String? = nil) {
        var entry = SyncLogEntry(
            time: environment.now(), subject: subject, message: message, isRoutine: isRoutine)
        entry.former = former
        log(entry)
        logFile?.append(entry)
    }
}
