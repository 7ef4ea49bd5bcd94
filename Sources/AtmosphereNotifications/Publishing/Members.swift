#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import NIOCore

    /// A client that was let in; touched on its loop only.
    final class Member {
        let client: SocketClient
        var identity: ClientIdentity
        /// Kept where the authorizer may take it back.
        var token: String?
        var rooms: Set<ScalarText> = []
        /// The secret by which the client comes back; nil before it was let in.
        var pid: String? {
            didSet { sid = pid.map { RandomIdentifier.derived(from: $0) } ?? client.id }
        }
        /// What the client and other services call it. It stays the same as long as the pid does, as with the reference
        /// server, whose sockets keep their `id` when their connection is recovered.
        private(set) var sid: String
        /// How many connections have had the pid, with this one.
        var sequence: UInt64 = 1
        /// Its subscriptions that are not kept yet, and wait for their acknowledgement.
        var unkept = 0
        /// The bytes of these acknowledgements.
        var unkeptBytes = 0
        var expiry: Scheduled<Void>?
        /// The last event that was delivered or dropped; one that is addressed twice comes once.
        var lastNumber: UInt64 = 0
        /// What it was told that it has; what comes late and is not behind it is not for it.
        var floor: Offset?
        /// Whether something was dropped since the client was last told to catch up.
        var isBehind = false
        var lastDropped: Offset?
        /// How often missed events were asked for, or what was asked for came to nothing.
        var replays: UInt64 = 0
        /// Whether missed events are on their way; what comes meanwhile waits, to keep the order.
        var isReplaying = false
        var waiting: [Delivery] = []

        init(_ client: SocketClient, _ identity: ClientIdentity) {
            self.client = client
            self.identity = identity
            sid = client.id
        }

        var audiences: Set<Audience> { Set(rooms.map { .room($0.text) }).union([.user(identity.user)]) }

        func isIn(_ room: String) -> Bool { rooms.contains(ScalarText(room)) }

        /// With the room of its own identifier, which it cannot join or leave.
        var audiencesWithOwn: Set<Audience> { audiences.union([.room(sid)]) }

        /// Whether it is one of those.
        func isAmong(_ audiences: [Audience]) -> Bool {
            audiences.contains { audience in
                switch audience {
                case .user(let name): name.hasSameBytes(as: identity.user)
                case .room(let name): name.hasSameBytes(as: sid) || isIn(name)
                }
            }
        }
    }

    /// Who of one loop's clients listens to what.
    ///
    /// `@unchecked Sendable`: the table is touched on the loop only.
    final class Members: @unchecked Sendable {
        private let loop: any EventLoop
        /// What is to be done for them, in order.
        private let jobs: MemberJobs
        private var table: [Audience: Listeners] = [:]
        /// Each client is in the room of its own identifier, too, as with every Socket.IO server.
        private var byID: [ScalarText: Member] = [:]

        /// - Parameter missed: tells a member that events up to an offset were dropped for all; on the loop.
        init(
            _ loop: any EventLoop, limits: MemberJobs.Limits = MemberJobs.Limits(),
            missed: @escaping @Sendable (Member, Offset?) -> Void
        ) {
            self.loop = loop
            jobs = MemberJobs(loop, limits: limits)
            self.missed = missed
        }

        private let missed: @Sendable (Member, Offset?) -> Void

        /// Whether those who bring more should wait.
        var isBusy: Bool { jobs.isBusy }

        /// Does a job on the loop, after those before it.
        func execute(_ job: MemberJobs.Job) {
            jobs.execute(job) { [self] offset in
                eachMember { self.missed($0, offset) }
            }
        }

        /// For those who are here now: for so many at once, and for the others as the loop has time for them, before any
        /// other job. To be called from a job.
        func each(_ audiences: [Audience], _ body: @escaping (Member) -> Void) {
            loop.assertInEventLoop()
            var left = Self.atOnce
            var others: [Member] = []
            for audience in audiences {
                if let listeners = table[audience] {
                    if listeners.count <= left {
                        left -= listeners.count
                        listeners.each(body)
                    } else {
                        left = 0
                        listeners.each { others.append($0) }
                    }
                }
                if case .room(let id) = audience, let member = byID[ScalarText(id)] { body(member) }
            }
            goOn(others, body)
        }

        /// As ``each(_:_:)``, for all.
        func eachMember(_ body: @escaping (Member) -> Void) {
            loop.assertInEventLoop()
            if byID.count <= Self.atOnce { byID.values.forEach(body) } else { goOn(Array(byID.values), body) }
        }

        /// The most that are looked after without a look at the time.
        private static let atOnce = 1024
        private static let slice = 64

        private func goOn(_ others: [Member], _ body: @escaping (Member) -> Void) {
            guard !others.isEmpty else { return }
            var next = 0
            jobs.goOn { end in
                while next < others.count {
                    for member in others[next..<min(next + Self.slice, others.count)]
                    // Who has left meanwhile gets nothing.
                    where member.client.context === member { body(member) }
                    next += Self.slice
                    if NIODeadline.now() >= end { break }
                }
                return next >= others.count
            }
        }

        /// What tells a client to pull, encoded once for all who are told the same.
        ///
        /// - Parameter offset: where things go on.
        func resync(_ offset: Offset?) -> SharedMessage? {
            if let (last, message) = lastResync, last == offset { return message }
            var arguments: [SocketArgument] = [.json([:])]
            if let offset { arguments.append(.json(.string(offset.description))) }
            guard let message = try? SharedMessage(SocketPacket(.event(SocketEvent("resync", arguments), nil))) else {
                return nil
            }
            lastResync = (offset, message)
            return message
        }

        private var lastResync: (Offset?, SharedMessage)?

        /// The loop is about to end.
        func end() { jobs.end() }

        func add(_ member: Member) {
            byID[ScalarText(member.sid)] = member
            for audience in member.audiences { insert(member, audience) }
        }

        func remove(_ member: Member) {
            // A later connection of the client may be here already.
            let sid = ScalarText(member.sid)
            if byID[sid] === member { byID[sid] = nil }
            for audience in member.audiences { drop(member, audience) }
        }

        /// - Returns: whether the member was not in the room.
        func join(_ member: Member, _ room: String) -> Bool {
            guard member.rooms.insert(ScalarText(room)).inserted else { return false }
            insert(member, .room(room))
            return true
        }

        /// - Returns: whether the member was in the room.
        func leave(_ member: Member, _ room: String) -> Bool {
            guard member.rooms.remove(ScalarText(room)) != nil else { return false }
            drop(member, .room(room))
            return true
        }

        private func insert(_ member: Member, _ audience: Audience) {
            loop.assertInEventLoop()
            table[audience, default: .many([:])].insert(member)
        }

        private func drop(_ member: Member, _ audience: Audience) {
            loop.assertInEventLoop()
            if table[audience]?.remove(member) == true { table[audience] = nil }
        }
    }

    /// Who listens to one thing: for a user one client, most of the time, and that takes no room of its own.
    private enum Listeners {
        case one(Member)
        case many([ObjectIdentifier: Member])

        var count: Int {
            switch self {
            case .one: 1
            case .many(let members): members.count
            }
        }

        func each(_ body: (Member) -> Void) {
            switch self {
            case .one(let member): body(member)
            case .many(let members): members.values.forEach(body)
            }
        }

        mutating func insert(_ member: Member) {
            switch self {
            case .one(let other) where other !== member:
                self = .many([ObjectIdentifier(other): other, ObjectIdentifier(member): member])
            case .one: break
            case .many(var members):
                guard !members.isEmpty else {
                    self = .one(member)
                    return
                }
                // One owner, or the table would be copied.
                self = .many([:])
                members[ObjectIdentifier(member)] = member
                self = .many(members)
            }
        }

        /// - Returns: whether nobody is left.
        mutating func remove(_ member: Member) -> Bool {
            switch self {
            case .one(let other): return other === member
            case .many(var members):
                self = .many([:])
                members[ObjectIdentifier(member)] = nil
                self = .many(members)
                return members.isEmpty
            }
        }
    }
#endif
