internal import Atmosphere

/// One device: its clock, its network, and the store that outlives its processes, of which there may be two at a time.
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
    /// An edit with which the person goes on as soon as the next process is there.
    var goesOnWith: [Int]?
    /// The end is a loss of power, which takes what was not flushed.
    var losesPower = false
    /// The processes that live now: one, or two on the same store.
    private var processes: [SimulatedProcess?]
    /// Those that have ended and whose calls may not all have returned.
    private var ended: [SimulatedProcess] = []
    /// The one that the next call is made in.
    var acting = 0
    private var lives = 0
    /// The store in memory, as long as a process has it open.
    private var shared: MemoryStore?
    private var generation = 0
    let live: SimulatedLive?
    /// States that a loss of power may leave: the last that was flushed, and those since.
    private var kept = [StoreState()]
    private let openStore: (@Sendable (Int) async throws -> any Store)?
    private let secret: String
    /// Without what was added to the simulation later.
    let isPlain: Bool
    /// Its person sends a create again at times, though it may be there.
    let isImpatient: Bool
    /// nil where it is not looked at what each commit leaves.
    let watch: CommitWatch?

    init(
        _ number: Int, network: SimulatedNetwork, routeFile: RouteFile, seed: UInt64, secret: String,
        openStore: (@Sendable (Int) async throws -> any Store)?, isPair: Bool = false,
        isPlain: Bool = false, isImpatient: Bool = false
    ) {
        self.number = number
        self.isPlain = isPlain
        self.isImpatient = isImpatient
        watch = openStore == nil ? CommitWatch(client: number, server: network.server) : nil
        processes = Array(repeating: nil, count: isPair ? 2 : 1)
        live = network.server.live
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
    /// The process that acts now; nil while it is not there.
    var process: SimulatedProcess? { processes[acting] }
    var isPair: Bool { processes.count > 1 }
    var allProcesses: [SimulatedProcess?] { processes }

    /// Runs a call of the application in the present process; nothing happens while there is none.
    func run(_ what: String, _ body: @escaping @Sendable (SimulatedProcess, Synchronizer) async throws -> Void) {
        guard let process, let synchronizer = process.synchronizer else { return }
        world.note("\(process.name) \(what)")
        let sends = ["pushes", "synchronizes"].contains(what)
        start(process, sends: sends) { try await body(process, synchronizer) }
    }

    private func start(
        _ process: SimulatedProcess, sends: Bool = false, _ body: @escaping @Sendable () async throws -> Void
    ) {
        process.begins(sends: sends)
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
            process.ended(sends: sends)
        }
        process.tasks.append(task)
    }

    // MARK: Lives

    func open() { for slot in processes.indices { open(slot) } }

    private func open(_ slot: Int) {
        lives += 1
        let process = SimulatedProcess(self, slot: slot, life: lives)
        processes[slot] = process
        world.note("\(process.name) opens its store; its clock is off by \(skew) ms")
        start(process) {
            // The simulation may have ended before this runs.
            guard !process.isDead else { return }
            let synchronizer = try await self.synchronizer(process)
            guard !process.isDead else { return }
            process.synchronizer = synchronizer
            if let choices = self.goesOnWith { try await self.goOn(choices, process, synchronizer) }
            if let live = self.live { self.follow(live, process, synchronizer) }
        }
    }

    /// Follows live updates as long as the process lives.
    private func follow(_ live: SimulatedLive, _ process: SimulatedProcess, _ synchronizer: Synchronizer) {
        process.isFollowing = true
        _ = Task(executorPreference: world.executor) {
            do {
                try await synchronizer.follow(SimulatedMessages(live, process))
            } catch is ProcessEnded {
            } catch  where !process.isDead {
                self.world.violated("\(process.name) follows live updates no longer: \(error)")
            } catch {}
            process.isFollowing = false
        }
    }

    private func synchronizer(_ process: SimulatedProcess) async throws -> Synchronizer {
        let store: SimulatedStore
        if let openStore {
            let inner = try await world.executor.outside { try await openStore(number) }
            store = SimulatedStore(inner, process, isOutside: true)
        } else {
            store = SimulatedStore(memory(), process, isOutside: false)
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
                self.checkRemoval(entry, by: process.name)
                if !entry.isRoutine { world.note("\(process.name)   \(entry.subject): \(entry.message)") }
            })
    }

    /// What is removed here was deleted on the server.
    private func checkRemoval(_ entry: SyncLogEntry, by process: String) {
        guard entry.message.hasPrefix("removed: absent") || entry.message == "deleted on the server",
            let uri = ObjectURI(entry.subject), let id = uri.segments.last
        else { return }
        let same = network.server.rows.filter { row in
            row.entity == uri.entity && row.id == id
                && (!network.server.model.isPerParent || uri.segments.count < 2 || row.list == uri.segments[0])
        }
        let server = network.server
        // A row that slides past two listings is taken for deleted where nothing can be read, and comes with the next pull.
        if server.model.hasNoRead, let row = same.last, server.slidTwice(row, for: process) { return }
        // So is one that a delete has left as it was, and that somebody else has changed before it was read.
        if let row = same.last, server.hollowDeletes[number]?[uri].map({ $0 != row.version }) == true { return }
        if !same.isEmpty, !same.contains(where: { $0.isDeleted || $0.isLeaving }) {
            world.violated("\(name) removed \(uri), which the server has: \(entry.message)")
        }
    }

    private func memory() -> MemoryStore {
        if let shared { return shared }
        generation += 1
        let mine = generation
        let store = MemoryStore(name: "the simulated store", state: kept[kept.count - 1]) { state, durability in
            // Who had it open before the last process ended commits nothing any more.
            guard mine == self.generation else { throw ProcessEnded() }
            self.keep(state, durability)
        }
        shared = store
        return store
    }

    private func keep(_ state: StoreState, _ durability: Durability) {
        if durability == .power { kept = [] }
        kept.append(state)
    }

    /// The process ends here and now, and with a loss of power all of the device; new ones open the store later.
    func crash(_ process: SimulatedProcess, at point: String) {
        guard processes[process.slot] === process else { return }
        world.note("\(process.name) \(losesPower ? "loses power" : "is killed") \(point)")
        world.count(losesPower ? "losses of power" : "kills")
        let ending = losesPower ? processes.compactMap(\.self) : [process]
        ledger.lostMemory(number)
        watch?.lostMemory()
        if losesPower {
            kept = Array(kept.prefix(1 + random.below(kept.count)))
            watch?.lostPower(leaving: kept[kept.count - 1])
        }
        losesPower = false
        for each in ending { processes[each.slot] = nil }
        ended += ending
        if processes.allSatisfy({ $0 == nil }) {
            shared = nil
            generation += 1
        }
        for each in ending { each.die() }
        for each in ending { world.after(random.within(1...2000)) { self.reopen(after: each, tries: 0) } }
    }

    /// Its processes end with the simulation, and nothing comes after.
    func end() {
        let ending = ended + processes.compactMap(\.self)
        (processes, ended, shared, kept) = (processes.map { _ in nil }, [], nil, [])
        for each in ending { each.die() }
        // The synchronizer holds the process by its transport and its store.
        for each in ending { each.synchronizer = nil }
    }

    private func reopen(after process: SimulatedProcess, tries: Int) {
        guard process.running == 0, !process.isFollowing else {
            if tries > 50 { return world.violated("a call of \(process.name) still runs after its process has ended") }
            return world.after(10) { self.reopen(after: process, tries: tries + 1) }
        }
        let store = process.synchronizer?.store
        process.synchronizer = nil
        ended.removeAll { $0 === process }
        guard let store, openStore != nil else { return open(process.slot) }
        Task(executorPreference: world.executor) {
            try? await store.close()
            self.open(process.slot)
        }
    }
}
