internal import AtmosphereStore
internal import Synchronization

/// Does everything that touches the folder, one thing at a time, on a thread of its own.
actor StoreKeeper {
    /// What readers see, and what they compare with the journal to notice other processes.
    struct Shared: Sendable {
        /// Nil once closed.
        var state: StoreState?
        var journal: FileAccess.Extent
        /// What this store is about to make of the journal; not another process's doing either.
        var expected: FileAccess.Extent?
        var notes: [StoreNote] = []
        var listeners: [@Sendable (StoreNote) -> Void] = []

        func isOwn(_ extent: FileAccess.Extent?) -> Bool {
            guard let extent else { return false }
            if extent == journal { return true }
            guard let expected, extent.inode == expected.inode else { return false }
            return extent.inode != journal.inode
                || (journal.size...max(journal.size, expected.size)).contains(extent.size)
        }
    }

    /// What a write did.
    struct Commit<Result: Sendable>: Sendable {
        var result: Result
        var touched: [String: Set<String>]
        /// What other processes had done before.
        var foreign: [String: Set<String>]
    }

    nonisolated let shared: Mutex<Shared>
    private let executor: QueueExecutor
    private let folder: StoreFolder
    private let lock: FolderLock
    private let limits: JournalLimits
    private var journal: Journal
    private var files: [String: EntityFile]
    private var commit: Int64
    /// The bytes of the files beside the journal.
    private var baseSize: Int
    /// Entities with something that is in the journal only.
    private var pending: Set<String>
    /// The journal's size at which it is time to write the other files; put off after a failure.
    private var compactionSize: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String, limits: JournalLimits) throws {
        executor = QueueExecutor(label: "Atmosphere.JSONFileStore")
        let folder = try StoreFolder(creating: path)
        let lock = try FolderLock(folder)
        let (loading, journal) = try lock.hold { try Self.open(folder, lock) }
        self.folder = folder
        self.lock = lock
        self.limits = limits
        self.journal = journal
        files = loading.files
        commit = loading.commit
        baseSize = loading.baseSize
        pending = loading.pending
        compactionSize = limits.compactionSize(base: loading.baseSize)
        shared = Mutex(
            Shared(
                state: loading.state, journal: .init(inode: journal.inode, size: journal.size), notes: loading.notes))
    }

    // MARK: Opening

    /// Reads what is there, writes anew what was damaged, and opens the journal.
    private static func open(_ folder: StoreFolder, _ lock: FolderLock) throws -> (StoreLoading, Journal) {
        var loading = try StoreLoading(folder)
        if loading.isNew {
            // In this order: a journal without commits beside nothing else is a store that was never used.
            try FileAccess.replace(folder.journal, with: Journal.text(after: 0))
            try FileAccess.replace(folder.meta, with: CheckedFile.text(StoreState().metaLines(files: [:], commit: 0)))
            try folder.synchronize()
            try lock.acknowledge(0)
            loading = try StoreLoading(folder)
        } else if loading.isDamaged || loading.journalSize == nil {
            let writing = StoreWriting(
                folder, loading.state, files: loading.files, commit: loading.commit, pending: loading.pending)
            let written = try writing.run { _ in }
            loading.replaced(files: written.files, size: written.size)
        }
        let size = loading.journalSize ?? Journal.text(after: loading.commit).count
        return (loading, try Journal(folder.journal, size: size))
    }

    // MARK: Reading

    /// Takes over what other processes have written.
    ///
    /// - Returns: the objects they changed.
    func refresh() throws -> [String: Set<String>] {
        try checkOpen()
        return try lock.hold { try catchUp() }
    }

    private func catchUp() throws -> [String: Set<String>] {
        guard let extent = FileAccess.extent(of: folder.journal), extent.inode == journal.inode,
            extent.size >= journal.size
        else { return try reload() }
        guard extent.size > journal.size else { return [:] }
        var state = try checkOpen()
        var changed = CommitSet(origin: .otherProcess, objects: [:])
        var count = 0
        for line in CheckedLines(try journal.readOn()) {
            // The end of a process that was killed while it wrote.
            if line.isTorn { break }
            if line.isUnended { return try reload() }
            guard let fields = line.fields.flatMap({ try? StoredFields($0, of: folder.journal) }),
                (try? fields.integer("commit")) == commit + 1, (try? state.apply(record: fields)) != nil
            else { return try reload() }
            commit += 1
            count = line.end
            for each in (try? fields.list("objects")) ?? [] {
                guard let entity = each.members?["entity"]?.string, let id = each.members?["id"]?.string else {
                    continue
                }
                changed.insert([id], of: entity)
                pending.insert(entity)
            }
            for each in (try? fields.list("listings")) ?? [] {
                if let entity = each.members?["entity"]?.string { pending.insert(entity) }
            }
        }
        journal.advance(by: count)
        if extent.size > journal.size { try journal.cut() }
        publish(state)
        return changed.objects
    }

    /// Another process has written the other files, and begun a new journal.
    private func reload() throws -> [String: Set<String>] {
        let (loading, journal) = try Self.open(folder, lock)
        self.journal = journal
        files = loading.files
        commit = loading.commit
        baseSize = loading.baseSize
        pending = loading.pending
        compactionSize = limits.compactionSize(base: baseSize)
        let before = try checkOpen()
        publish(loading.state, notes: loading.notes)
        let names = Set(before.entities.keys).union(loading.state.entities.keys)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, []) })
    }

    // MARK: Writing

    func write<Result: Sendable>(
        _ durability: Durability, _ body: @Sendable (any StoreTransaction) throws -> Result
    ) throws -> Commit<Result> {
        try checkOpen()
        return try lock.hold {
            let foreign = try catchUp()
            let transaction = MemoryTransaction(try checkOpen(), isWritable: true)
            defer { transaction.end() }
            let result = try body(transaction)
            guard transaction.isDirty else { return Commit(result: result, touched: [:], foreign: foreign) }
            let (changes, touched) = (transaction.changes, transaction.touched)
            let new = transaction.end()
            var line: [UInt8] = []
            CheckedLine.append(new.record(of: changes, commit: commit + 1), to: &line)
            expect(journal.inode, journal.size + line.count)
            do {
                try journal.append(line, durability)
            } catch {
                shared.withLock { $0.expected = nil }
                throw error
            }
            commit += 1
            pending.formUnion(changes.entities)
            publish(new)
            // Without it only a journal that is cut later would be taken for one that was being written.
            if durability == .power { try? lock.acknowledge(commit) }
            // A save rather leaves the work to the next page of a pull.
            let limit = durability == .power ? 2 * compactionSize : compactionSize
            if journal.size > limit { compactIfPossible(new) }
            return Commit(result: result, touched: touched, foreign: foreign)
        }
    }

    func close() throws {
        guard let state = shared.withLock({ $0.state }) else { return }
        if journal.size > Journal.text(after: 0).count + 32, baseSize <= limits.smallBase {
            try? lock.hold {
                // Where another process has written meanwhile, it is its turn.
                if FileAccess.extent(of: folder.journal) == FileAccess.Extent(journal) { compactIfPossible(state) }
            }
        }
        shared.withLock { $0.state = nil }
    }

    /// Everything is in the journal already, so a failure costs nothing but the journal's length.
    private func compactIfPossible(_ state: StoreState) {
        do {
            try journal.flush()
            let writing = StoreWriting(folder, state, files: files, commit: commit, pending: pending)
            let written = try writing.run { expect($0.inode, $0.size) }
            files = written.files
            baseSize = written.size
            pending = []
            journal = try Journal(folder.journal, size: Journal.text(after: commit).count)
            compactionSize = limits.compactionSize(base: baseSize)
            publish(state)
        } catch {
            compactionSize = 2 * journal.size
            shared.withLock { $0.expected = nil }
            add([StoreNote(isWarning: false, message: "the journal grows on for now: \(error)")])
        }
    }

    // MARK: Shared with readers

    @discardableResult
    private func checkOpen() throws -> StoreState {
        guard let state = shared.withLock({ $0.state }) else { throw StoreError.closed(folder.path) }
        return state
    }

    private func expect(_ inode: UInt64, _ size: Int) {
        shared.withLock { $0.expected = FileAccess.Extent(inode: inode, size: size) }
    }

    private func publish(_ state: StoreState, notes: [StoreNote] = []) {
        let extent = FileAccess.Extent(journal)
        shared.withLock {
            $0.state = state
            $0.journal = extent
            $0.expected = nil
        }
        add(notes)
    }

    private func add(_ notes: [StoreNote]) {
        let listeners = shared.withLock { shared in
            shared.notes += notes
            return shared.listeners
        }
        for note in notes { for tell in listeners { tell(note) } }
    }
}

extension FileAccess.Extent {
    fileprivate init(_ journal: Journal) { self.init(inode: journal.inode, size: journal.size) }
}

/// When the journal is long enough to write the other files, in bytes.
struct JournalLimits: Sendable {
    /// Never sooner.
    var least = 1 << 20
    /// Up to this size of the other files, closing writes them, so that people find everything in its place.
    var smallBase = 1 << 20

    /// As much as the other files together: so each byte is written twice or so in the long run, however large they are.
    func compactionSize(base: Int) -> Int { max(least, base) }
}
