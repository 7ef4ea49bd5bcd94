#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    extension NotificationApplication {
        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/" else { return client.refuse(namespace, message: "Invalid namespace") }
            guard let token = auth["token"]?.string else {
                return client.refuse(namespace, message: "Unauthorized", data: ["reason": "auth.token is missing"])
            }
            // It may wait for long: longer names are kept as far as they have to be known again.
            let rooms = (auth["rooms"]?.array ?? []).prefix(Self.roomLimit).compactMap(\.string).map(Self.told)
            admit(client, token, rooms, recovery)
        }

        private func admit(
            _ client: SocketClient, _ token: String, _ rooms: [String], _ recovery: SocketRecovery?
        ) {
            let namespace = "/"
            let authorizer = authorizer
            let broker = broker
            let address = client.address
            let gate = loopGate
            let asked = checks.load(ordering: .acquiring)
            client.admission = Task {
                let found: ClientIdentity?
                do {
                    found = try await authorizer.identity(of: token, from: address)
                    if let user = found?.user, let problem = ClientIdentity.problem(ofUser: user) {
                        throw CredentialsRefused(reason: "the user of auth.token \(problem)")
                    }
                } catch let refusal as CredentialsRefused {
                    gate.execute(client.loop) {
                        client.refuse(namespace, message: "Unauthorized", data: ["reason": .string(refusal.reason)])
                    }
                    return
                } catch {
                    // It comes again, where one that is refused does not.
                    gate.execute(client.loop) { client.leave(.notNow("who this client is cannot be asked now")) }
                    return
                }
                guard let identity = found else {
                    gate.execute(client.loop) {
                        client.refuse(namespace, message: "Unauthorized", data: ["reason": "auth.token is not valid"])
                    }
                    return
                }
                // Before that nobody could be told what was missed.
                await broker.ready()
                // Another server of the group may know what this one does not, or not any more.
                var claim: ClientClaim?
                if let pid = recovery?.pid, !pid.isEmpty {
                    var known = self.memory.record(pid)
                    if known?.user.hasSameBytes(as: identity.user) != true { known = nil }
                    claim = try? await broker.claim(pid, for: identity.user, owner: client.id, known: known)
                }
                // Who it is is known: it keeps nobody at its address waiting while it waits for a place. Those beyond
                // who may wait do, for nothing else bounds how many there are.
                let user = identity.user
                let waits: @Sendable () -> Void = { gate.execute(client.loop) { client.trust() } }
                guard await self.places.take(user, isBack: claim != nil, waits: waits) else {
                    // Places get free again, so it may come again, where one that is refused does not.
                    gate.execute(client.loop) { client.leave(self.tooMany) }
                    return
                }
                // Taken before the client is a member: what comes later reaches it live.
                let latest = try? await broker.latest()
                let back = recovery.map {
                    Return(pid: $0.pid, offset: Offset($0.offset), claim: claim)
                }
                gate.execute(client.loop) {
                    // Keys that were taken back meanwhile were looked for among those who were in.
                    guard self.checks.load(ordering: .acquiring) == asked || client.hasEnded else {
                        self.places.give(user)
                        return self.admit(client, token, rooms, recovery)
                    }
                    self.letIn(client, identity, token, rooms, back, latest)
                }
            }
        }

        private var tooMany: WebSocketEnd {
            .notNow("the places of this user (\(places.limit)) are taken, and more clients wait for one")
        }

        /// A client that was here before.
        private struct Return {
            /// Empty where it brings the offset alone: it says itself what it listens to.
            var pid: String
            /// nil where it cannot be read.
            var offset: Offset?
            /// What all servers know of it; nil where nobody does, and where they could not be asked: another one may know
            /// of more then.
            var claim: ClientClaim?

            /// - Parameter own: what this server knows.
            /// - Returns: the younger one. This server knows what a connection of its own said before others do.
            func latest(_ own: RememberedClient?) -> RememberedClient? {
                guard let own, let shared = claim?.client else { return own ?? claim?.client }
                if own.sequence == shared.sequence { return own.owner == shared.owner ? own : shared }
                return own.sequence > shared.sequence ? own : shared
            }
        }

        /// Lets a client in that has taken a place.
        private func letIn(
            _ client: SocketClient, _ identity: ClientIdentity, _ token: String, _ rooms: [String], _ back: Return?,
            _ latest: Offset?
        ) {
            // It may have ended while its key was looked up.
            guard !client.hasEnded else { return places.give(identity.user) }
            client.admission = nil
            let member = Member(client, identity)
            if authorizer.takesBack { member.token = token }
            var own = back.flatMap { memory.record($0.pid) }
            if own?.user.hasSameBytes(as: identity.user) != true { own = nil }
            // A later connection of the client was let in meanwhile.
            if let own, let claim = back?.claim, own.sequence > claim.sequence {
                places.give(identity.user)
                return client.leave(WebSocketEnd(1000, "a later connection of this client is here"))
            }
            let remembered = back?.latest(own)
            let isKnown = back?.claim != nil
            let pid = isKnown ? back?.pid ?? RandomIdentifier.make() : RandomIdentifier.make()
            member.pid = pid
            member.sequence = back?.claim?.sequence ?? 1
            for room in Set((rooms + (remembered?.rooms ?? [])).map { ScalarText($0) })
            where identity.mayJoin(room.text) && member.rooms.count < Self.roomLimit {
                member.rooms.insert(room)
            }
            client.accept("/", sid: member.sid, pid: pid)
            guard client.isConnected(to: "/") else { return places.give(identity.user) }
            client.context = member
            // The loss of the old connection was not noticed yet: it must not wait for its ping.
            if let old = memory.arrive(
                pid, identity.user, member.rooms.map(\.text), owner: client.id, sequence: member.sequence, client)
            {
                old.loop.execute { old.close() }
            }
            table(of: client).add(member)
            metrics.joined.add(1, ordering: .relaxed)
            if let expiry = identity.expiry { endLater(member, expiry) }
            remember(member, .arrived)
            guard let back else {
                tellReady(member, asked: rooms, latest)
                // Something may have been published since the offset was read.
                if latest != nil { replay(member, after: latest) }
                return
            }
            // Who comes back has its offset already.
            if !rooms.allSatisfy(member.isIn) { tellReady(member, asked: rooms, nil) }
            // What it listened to is not known any more, or something without an offset may have been missed: it is told
            // to pull, and gets what was addressed to it all the same.
            let isWhole =
                (isKnown || back.pid.isEmpty) && back.offset.map { !missedPassing(member, after: $0) } == true
            replay(member, after: back.offset, isWhole: isWhole)
        }
    }
#endif
