#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    /// A client that was let in; touched on its loop only.
    final class Member {
        let client: SocketClient
        var identity: ClientIdentity
        /// Kept where the authorizer may take it back.
        var token: String?
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

        /// Whether it is one of those.
        func isAmong(_ audiences: [Audience]) -> Bool {
            audiences.contains { audience in
                switch audience {
                case .user(let name): name == identity.user
                case .room(let name): name == client.id || rooms.contains(name)
                }
            }
        }
    }

    /// Who of one loop's clients listens to what.
    ///
    /// `@unchecked Sendable`: the table is touched on the loop only.
    final class Members: @unchecked Sendable {
        let loop: any EventLoop
        private var table: [Audience: [ObjectIdentifier: Member]] = [:]
        /// Each client is in the room of its own identifier, too, as with every Socket.IO server.
        private var byID: [String: Member] = [:]

        init(_ loop: any EventLoop) { self.loop = loop }

        func each(_ audiences: [Audience], _ body: (Member) -> Void) {
            loop.assertInEventLoop()
            for audience in audiences {
                table[audience]?.values.forEach(body)
                if case .room(let id) = audience, let member = byID[id] { body(member) }
            }
        }

        func eachMember(_ body: (Member) -> Void) {
            loop.assertInEventLoop()
            byID.values.forEach(body)
        }

        func add(_ member: Member) {
            byID[member.client.id] = member
            for audience in member.audiences { insert(member, audience) }
        }

        func remove(_ member: Member) {
            byID[member.client.id] = nil
            for audience in member.audiences { drop(member, audience) }
        }

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
#endif
