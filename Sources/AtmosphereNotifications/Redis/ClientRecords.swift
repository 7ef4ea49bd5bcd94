/// What is to be kept of clients and is not yet: for each secret the latest, however often it was told anew.
///
/// Those who are here are bounded by their own number. Of those who are gone before it could be kept, the oldest are
/// forgotten when there are too many: they are told to pull when they come back, never that they have everything.
struct ClientRecords {
    /// What is to be written of one client.
    struct Record: Sendable, Hashable {
        enum State: Sendable, Hashable {
            case here
            case gone
            /// What was kept of it is to be taken away.
            case forgotten
        }

        var pid: String
        var client: RememberedClient
        /// Whether its connection has begun since something was written.
        var isArrival: Bool
        var state: State
        /// Rises with everything that is told.
        fileprivate var version: UInt64 = 0
    }

    private struct Entry {
        var record: Record
        /// Whether nobody can have a record of it.
        var isFresh: Bool
        /// While it is being written it stands in no queue.
        var isWriting = false
        /// While it was refused, and is not to be tried yet, it stands in no queue, either.
        var isSetAside = false
        /// Of one who is gone.
        var weight = 0
        var waiting: [(version: UInt64, done: Done)] = []
    }

    typealias Done = @Sendable () -> Void

    private let bytes: Int
    private var entries: [String: Entry] = [:]
    private var queue = Queue<String>()
    private var setAside: Set<String> = []
    private var gone = Queue<(pid: String, version: UInt64)>()
    private var goneBytes = 0

    /// - Parameter bytes: about the most memory for those who are gone.
    init(bytes: Int = 64 << 20) { self.bytes = bytes }

    var count: Int { entries.count }

    mutating func put(_ client: RememberedClient, pid: String, _ moment: ClientMoment) {
        var entry: Entry
        if let known = entries[pid] {
            // The record belongs to the connection that arrived last.
            if moment != .arrived, known.record.client.owner != client.owner { return }
            entry = known
            goneBytes -= entry.weight
            // Nobody hears what an older connection is answered.
            if known.record.client.owner != client.owner { entry.waiting = [] }
            if known.isSetAside {
                entry.isSetAside = false
                queue.append(pid)
            }
            entry.record.client = client
            entry.record.isArrival = entry.record.isArrival || moment == .arrived
        } else {
            let isArrival = moment == .arrived
            entry = Entry(
                record: Record(pid: pid, client: client, isArrival: isArrival, state: .here),
                isFresh: isArrival && client.sequence == 1)
            queue.append(pid)
        }
        entry.record.version += 1
        entry.record.state = moment == .left ? .gone : .here
        // Nobody hears the answer any more.
        if moment == .left { entry.waiting = [] }
        entry.weight = moment == .left ? client.rooms.reduce(512) { $0 + 48 + $1.utf8.count } : 0
        goneBytes += entry.weight
        entries[pid] = entry
        if moment == .left {
            gone.append((pid, entry.record.version))
            forgetOldest()
        }
    }

    private func isGone(_ pid: String, _ version: UInt64) -> Bool {
        guard let record = entries[pid]?.record else { return false }
        return record.version == version && record.state == .gone
    }

    private mutating func forgetOldest() {
        while goneBytes > bytes, let (pid, version) = gone.popFirst() {
            guard isGone(pid, version), var entry = entries[pid] else { continue }
            goneBytes -= entry.weight
            entry.weight = 0
            entry.record.client.rooms = []
            entry.record.state = .forgotten
            entry.record.version += 1
            entries[pid] = entry.isFresh ? nil : entry
        }
        // Most of those who were here are written already.
        guard gone.count > 2 * entries.count + 1024 else { return }
        for _ in 0..<gone.count {
            if let (pid, version) = gone.popFirst(), isGone(pid, version) { gone.append((pid, version)) }
        }
    }

    /// - Returns: nil where `done` will be returned by ``written(_:)``, else what to call now.
    mutating func wait(for pid: String, _ done: @escaping Done) -> Done? {
        guard let version = entries[pid]?.record.version else { return done }
        entries[pid]?.waiting.append((version, done))
        return nil
    }

    /// What has waited longest; each is to be told to ``written(_:)``, ``failed(_:)`` or
    /// ``refused(_:)``.
    mutating func take(_ limit: Int) -> [Record] {
        var records: [Record] = []
        while records.count < limit, let pid = queue.popFirst() {
            guard let record = entries[pid]?.record, entries[pid]?.isWriting == false else { continue }
            entries[pid]?.isWriting = true
            // It may be written without anybody hearing of it.
            entries[pid]?.isFresh = false
            records.append(record)
        }
        return records
    }

    /// - Returns: what to call.
    mutating func written(_ record: Record) -> [Done] {
        guard var entry = entries[record.pid] else { return [] }
        let kept = entry.waiting.filter { $0.version <= record.version }
        if entry.record.version == record.version {
            goneBytes -= entry.weight
            entries[record.pid] = nil
        } else {
            entry.waiting.removeAll { $0.version <= record.version }
            entry.isWriting = false
            entries[record.pid] = entry
            queue.append(record.pid)
        }
        return kept.map(\.done)
    }

    mutating func failed(_ record: Record) {
        guard entries[record.pid] != nil else { return }
        entries[record.pid]?.isWriting = false
        queue.append(record.pid)
    }

    /// It is set aside, so that it keeps no other waiting: until it is told anew, or ``tryAgain()``.
    mutating func refused(_ record: Record) {
        guard entries[record.pid]?.record.version == record.version else { return failed(record) }
        entries[record.pid]?.isWriting = false
        entries[record.pid]?.isSetAside = true
        setAside.insert(record.pid)
    }

    /// What was set aside is in the queue again.
    mutating func tryAgain() {
        for pid in setAside where entries[pid]?.isSetAside == true {
            entries[pid]?.isSetAside = false
            queue.append(pid)
        }
        setAside = []
    }
}
