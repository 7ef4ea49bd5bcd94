#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    /// A client that was let in; touched on its loop only.
    final class Member {
        let client: SocketClient
        let identity: ClientIdentity
        var rooms: Set<String> = []
        var pid: String?
        var expiry: Scheduled<Void>?
        /// The last event that was delivered or dropped; one that is addressed twice comes once.
        var lastNumber: UInt64 = 0
        /// Whether something was dropped since the client was last told to catch up.
        var isBehind = false
        var lastDropped: Offset?
        /// Whether missed events are on their way; what comes meanwhile waits, to keep the order.
        var isReplaying = false
        var waiting: [Delivery] = []

        init(_ client: SocketClient, _ identity: ClientIdentity) {
            self.client = client
            self.identity = identity
        }

        var audiences: Set<Audience> { Set(rooms.map { .room($0) }).union([.user(identity.user)]) }
    }

    /// Who of one loop's clients listens to what.
    ///
    /// `@unchecked Sendable`: the table is touched on the loop only.
    final class Members: @unchecked Sendable {
        let loop: any EventLoop
        private var table: [Audience: [ObjectIdentifier: Member]] = [:]

        init(_ loop: any EventLoop) { self.loop = loop }

        func each(_ audiences: [Audience], _ body: (Member) -> Void) {
            loop.assertInEventLoop()
            for audience in audiences { table[audience]?.values.forEach(body) }
        }

        func eachMember(_ body: (Member) -> Void) {
            loop.assertInEventLoop()
            var seen: Set<ObjectIdentifier> = []
            for members in table.values {
                for (id, member) in members where seen.insert(id).inserted { body(member) }
            }
        }

        func add(_ member: Member) { for audience in member.audiences { insert(member, audience) } }

        func remove(_ member: Member) { for audience in member.audiences { drop(member, audience) } }

        func join(_ member: Member, _ room: String) {
            if member.rooms.insert(room).inserted { insert(member, .room(room)) }
        }

        func leave(_ member: Member, _ room: String) {
            if member.rooms.remove(room) != nil { drop(member, .room(room)) }
        }

        private func insert(_ member: Member, _ audience: Audience) {
            loop.assertInEventLoop()
            table[audience, default: [:]][ObjectIdentifier(member)] = member
        }

        private func drop(_ member: Member, _ audience: Audience) {
            loop.assertInEventLoop()
            table[audience]?[ObjectIdentifier(member)] = nil
            if table[audience]?.isEmpty == true { table[audience] = nil }
        }
    }

    /// The rooms of clients that lost their connection, by their private identifier, for two minutes.
    final class RoomMemory: Sendable {
        fileprivate struct Entry {
            var user: String
            var rooms: [String]
            var end: Duration
        }

        fileprivate struct State {
            var entries: [String: Entry] = [:]
            var order: [(end: Duration, pid: String)] = []
            var head = 0
        }

        private let time: Duration
        private let limit: Int
        private let clock: @Sendable () -> Duration
        private let state = Mutex(State())

        init(time: Duration, limit: Int = 100_000, clock: @escaping @Sendable () -> Duration) {
            self.time = time
            self.limit = limit
            self.clock = clock
        }

        func keep(_ pid: String, _ user: String, _ rooms: [String]) {
            let now = clock()
            state.withLock { state in
                state.forget(before: now, limit: limit - 1)
                state.entries[pid] = Entry(user: user, rooms: rooms, end: now + time)
                state.order.append((now + time, pid))
            }
        }

        /// - Returns: nil where nothing is known any more, or another user had that identifier.
        func take(_ pid: String, of user: String) -> [String]? {
            let now = clock()
            return state.withLock { state in
                state.forget(before: now, limit: limit)
                guard let entry = state.entries[pid], entry.user == user, entry.end > now else { return nil }
                state.entries[pid] = nil
                return entry.rooms
            }
        }
    }

    extension RoomMemory.State {
        fileprivate mutating func forget(before now: Duration, limit: Int) {
            while head < order.count, order[head].end <= now || order.count - head > limit {
                let (end, pid) = order[head]
                if entries[pid]?.end == end { entries[pid] = nil }
                head += 1
            }
            if head > 1024, head * 2 > order.count {
                order.removeFirst(head)
                head = 0
            }
        }
    }
#endif
