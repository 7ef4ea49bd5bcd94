internal import Atmosphere

/// One device: its clock, its network, and the store that outlives its processes.
final class SimulatedClient: @unchecked Sendable {
    // Used from the simulation's thread only; the store's thread asks for identifiers while that one waits.
    let number: Int
    let world: SimulatedWorld
    let network: SimulatedNetwork
    let ledger: Ledger
    let routeFile: RouteFile
    var random: SimulationRandom
    /// How far its clock is off.
    var skew: Int64 = 0
    var isOnline = true
    /// Points until the process ends; nil while it is not to.
    var crashAfter: Int?
    /// The end is a loss of power, which takes what was not flushed.
    var losesPower = false
    private(set) var process: SimulatedProcess?
    private var lives = 0
    /// States that a loss of power may leave: the last that was flushed, and those since.
    private var kept = [StoreState()]
    private let openStore: (@Sendable (Int) async throws -> any Store)?
    private let secret: String

    init(
        _ number: Int, network: SimulatedNetwork, routeFile: RouteFile, seed: UInt64, secret: String,
        openStore: (@Sendable (Int) async throws -> any Store)?
    ) {
        self.number = number
        self.network = network
        self.routeFile = routeFile
        self.openStore = openStore
        self.secret = secret
        world = network.world
        ledger = network.server.ledger
        random = SimulationRandom(seed, "client \(number)")
        skew = Int64(random.within(-5000...5000))
    }

    var name: String { process?.name ?? "c\(number).-" }

    /// Runs a call of the application in the present process; nothing happens while there is none.
    func run(_ what: String, _ body: @escaping @Sendable (SimulatedProcess, Synchronizer) async throws -> Void) {
        guard let process, let synchronizer = process.synchronizer else { return }
        world.note("\(process.name) \(what)")
        start(process) { try await body(process, synchronizer) }
    }

    private func start(_ process: SimulatedProcess, _ body: @escaping @Sendable () async throws -> Void) {
        process.running += 1
        let task = Task(executorPreference: world.executor) {
            do {
                try await body()
            } catch let error as SyncError {
                self.world.note("\(process.name) was told: \(error.message)")
            } catch is CancellationError {
                self.world.note("\(process.name) was cancelled")
            } catch  where !process.isDead {
                self.world.violated("\(process.name) met \(error)")
            } catch {}
            process.running -= 1
        }
        process.tasks.append(task)
    }

    // MARK: Lives

    func open() {
        lives += 1
        let process = SimulatedProcess(self, life: lives)
        self.process = process
        world.note("\(process.name) opens its store")
        start(process) {
            let synchronizer = try await self.synchronizer(process)
            if !process.isDead { process.synchronizer = synchronizer }
        }
    }

    private func synchronizer(_ process: SimulatedProcess) async throws -> Synchronizer {
        let store: SimulatedStore
        if let openStore {
            let inner = try await world.executor.outside { try await openStore(number) }
            store = SimulatedStore(inner, process, isOutside: true)
        } else {
            let inner = MemoryStore(name: "the simulated store", state: kept[kept.count - 1]) { state, durability in
                self.keep(state, durability)
            }
            store = SimulatedStore(inner, process, isOutside: false)
        }
        let world = world
        let secret = secret
        return try await Synchronizer(
            routeFile: routeFile, store: store, transport: SimulatedTransport(process), style: SimulatedStyle(),
            authenticator: network.server.model.hasIdentity
                ? SimulatedAuthenticator(secret: secret, refreshes: number % 2 == 0) : nil,
            environment: process.environment,
            log: { entry in
                if entry.message.contains(secret) { world.violated("the log holds the secret: \(entry.subject)") }
                self.checkRemoval(entry)
                if !entry.isRoutine { world.note("\(process.name)   \(entry.subject): \(entry.message)") }
            })
    }

    /// What is removed here was deleted on the server.
    private func checkRemoval(_ entry: SyncLogEntry) {
        guard entry.message.hasPrefix("removed: absent") || entry.message == "deleted on the server",
            let uri = ObjectURI(entry.subject), let id = uri.segments.last
        else { return }
        let same = network.server.rows.filter { row in
            row.entity == uri.entity && row.id == id
                && (!network.server.model.isPerParent || uri.segments.count < 2 || row.list == uri.segments[0])
        }
        if !same.isEmpty, !same.contains(where: \.isDeleted) {
            world.violated("\(name) removed \(uri), which the server has: \(entry.message)")
        }
    }

    private func keep(_ state: StoreState, _ durability: Durability) {
        if durability == .power { kept = [] }
        kept.append(state)
    }

    /// The process ends here and now; a new one opens the store later.
    func crash(at point: String) {
        guard let process else { return }
        world.note("\(process.name) \(losesPower ? "loses power" : "is killed") \(point)")
        world.count(losesPower ? "losses of power" : "kills")
        if losesPower { kept = Array(kept.prefix(1 + random.below(kept.count))) }
        losesPower = false
        self.process = nil
        process.die()
        world.after(random.within(1...2000)) { self.reopen(after: process, tries: 0) }
    }

    private func reopen(after process: SimulatedProcess, tries: Int) {
        guard process.running == 0 else {
            if tries > 50 { return world.violated("a call of \(process.name) still runs after its process has ended") }
            return world.after(10) { self.reopen(after: process, tries: tries + 1) }
        }
        guard let store = process.synchronizer?.store, openStore != nil else { return open() }
        Task(executorPreference: world.executor) {
            try? await store.close()
            self.open()
        }
    }
}
