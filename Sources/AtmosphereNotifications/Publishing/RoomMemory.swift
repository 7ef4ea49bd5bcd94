#if Notifications
    import AtmosphereExchange
    import Synchronization

    /// Who the clients are and what they listen to, by their private identifier: while they are here, and for two minutes
    /// after.
    ///
    /// There is one record for each identifier, and it belongs to the connection that arrived last. A client may be back
    /// long before its old connection is seen to be gone; what that one still says changes nothing then.
    final class RoomMemory: Sendable {
        fileprivate struct Entry {
            var user: String
            var rooms: [String]
            var owner: String
            var sequence: UInt64
            /// While it is here.
            var client: SocketClient?
            /// When it is forgotten; nil while it is here.
            var end: Duration?

            /// About the memory that it takes.
            var weight: Int { rooms.reduce(256 + user.utf8.count) { $0 + 48 + $1.utf8.count } }
        }

        fileprivate struct State {
            var entries: [ScalarText: Entry] = [:]
            /// Those who are gone, in the order in which they left.
            var order: [(end: Duration, pid: ScalarText, owner: String)] = []
            var head = 0
            /// Of those who are gone.
            var weight = 0
        }

        private let time: Duration
        private let limit: Int
        private let bytes: Int
        private let clock: @Sendable () -> Duration
        private let state = Mutex(State())

        /// - Parameters:
        ///   - limit: the most clients that are gone and remembered.
        ///   - bytes: about the most memory for them; those who left first are forgotten first.
        init(
            time: Duration, limit: Int = 100_000, bytes: Int = 64 << 20, clock: @escaping @Sendable () -> Duration
        ) {
            self.time = time
            self.limit = limit
            self.bytes = bytes
            self.clock = clock
        }

        /// From now on the record is this connection's.
        ///
        /// - Returns: the connection that had it before and is still here; it is to be closed.
        func arrive(
            _ pid: String, _ user: String, _ rooms: [String], owner: String, sequence: UInt64 = 1,
            _ client: SocketClient?
        ) -> SocketClient? {
            let pid = ScalarText(pid)
            return state.withLock { state in
                let before = state.entries[pid]
                if let before, before.end != nil { state.weight -= before.weight }
                state.entries[pid] = Entry(
                    user: user, rooms: rooms, owner: owner, sequence: sequence, client: client)
                return before?.owner == owner ? nil : before?.client
            }
        }

        /// The client listens to other rooms; nothing where the record is not this connection's.
        func change(_ pid: String, _ rooms: [String], owner: String) {
            let pid = ScalarText(pid)
            state.withLock { state in
                guard let entry = state.entries[pid], entry.owner == owner, entry.end == nil else { return }
                state.entries[pid]?.rooms = rooms
            }
        }

        /// The client is gone; nothing where the record is not this connection's.
        func leave(_ pid: String, owner: String) {
            let pid = ScalarText(pid)
            let now = clock()
            state.withLock { state in
                guard var entry = state.entries[pid], entry.owner == owner, entry.end == nil else { return }
                entry.end = now + time
                entry.client = nil
                state.entries[pid] = entry
                state.weight += entry.weight
                state.order.append((now + time, pid, owner))
                state.forget(before: now, limit: limit, bytes: bytes)
            }
        }

        /// Who the client was and what it listened to; it may be asked for again, by a client whose answer was lost for example.
        ///
        /// - Returns: nil where nothing is known any more.
        func record(_ pid: String) -> RememberedClient? {
            let now = clock()
            return state.withLock { state in
                state.forget(before: now, limit: limit, bytes: bytes)
                return state.entries[ScalarText(pid)].map { entry in
                    RememberedClient(
                        user: entry.user, rooms: entry.rooms, owner: entry.owner, sequence: entry.sequence)
                }
            }
        }
    }

    extension RoomMemory.State {
        fileprivate mutating func forget(before now: Duration, limit: Int, bytes: Int) {
            while head < order.count, order[head].end <= now || order.count - head > limit || weight > bytes {
                let (end, pid, owner) = order[head]
                if let entry = entries[pid], entry.end == end, entry.owner == owner {
                    weight -= entry.weight
                    entries[pid] = nil
                }
                head += 1
            }
            if head > 1024, head * 2 > order.count {
                order.removeFirst(head)
                head = 0
            }
        }
    }
#endif
