#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import NIOCore

    extension NotificationApplication {
        /// The most acknowledgements of one client that wait.
        private static let unkeptLimit = 64

        func clientEmitted(
            _ client: SocketClient, _ namespace: String, _ event: SocketEvent, acknowledgement: UInt64?
        ) {
            guard let member = client.context as? Member, namespace == "/" else { return }
            let rooms = event.arguments.first?.json?.array?.compactMap(\.string) ?? []
            var joined: [Value] = []
            var refused: [Value] = []
            var isChanged = false
            let weight = rooms.prefix(Self.roomLimit).reduce(512) {
                $0 + 64 + min($1.utf8.count, ClientIdentity.roomBytes)
            }
            if let acknowledgement {
                guard member.unkept < Self.unkeptLimit, unkept.take(weight, for: member.identity.user) else {
                    let problem: Value = [
                        "error": "too many subscriptions of this user wait to be remembered; try again later"
                    ]
                    return client.acknowledge("/", acknowledgement, [.json(problem)])
                }
                member.unkept += 1
                member.unkeptBytes += weight
            }
            switch event.name.description {
            case "subscribe":
                for room in rooms.prefix(Self.roomLimit) {
                    let mayJoin = member.identity.mayJoin(room) && member.rooms.count < Self.roomLimit
                    if mayJoin, table(of: client).join(member, room) { isChanged = true }
                    // What waits to be told is bounded, so no name is longer than one that may be joined.
                    let name = Value.string(Self.told(room))
                    if mayJoin { joined.append(name) } else { refused.append(name) }
                }
            case "unsubscribe":
                for room in rooms.prefix(Self.roomLimit) where table(of: client).leave(member, room) {
                    isChanged = true
                }
            default:
                if let acknowledgement {
                    settle(member, weight)
                    client.acknowledge("/", acknowledgement, [.json(["error": "unknown event"])])
                }
                return
            }
            if isChanged { remember(member, .changed) }
            guard let acknowledgement else { return }
            let answer: Value = ["joined": .array(joined), "refused": .array(refused)]
            whenRemembered(member) {
                self.settle($0, weight)
                client.acknowledge("/", acknowledgement, [.json(answer)])
            }
        }

        /// An acknowledgement of this weight waits no more.
        private func settle(_ member: Member, _ weight: Int) {
            member.unkept -= 1
            member.unkeptBytes -= weight
            unkept.give(weight, for: member.identity.user)
        }

        /// No acknowledgement of a client that has left waits any more.
        func settleAll(of member: Member) {
            unkept.give(member.unkeptBytes, for: member.identity.user)
            member.unkept = 0
            member.unkeptBytes = 0
        }

        /// A room's name as it is told, and kept until then: no longer than one that may be joined, or a little.
        static func told(_ room: String) -> String {
            room.utf8.count <= ClientIdentity.roomBytes
                ? room : String(decoding: room.utf8.prefix(ClientIdentity.roomBytes), as: UTF8.self) + "…"
        }

        /// Calls `answer` on the loop when a server to which the client comes back would know its rooms.
        private func whenRemembered(_ member: Member, _ answer: @escaping @Sendable (Member) -> Void) {
            let loop = member.client.loop
            let bound = NIOLoopBound(member, eventLoop: loop)
            let gate = loopGate
            let done = { @Sendable in
                // It may have left meanwhile.
                let member = bound.value
                if member.client.context === member { answer(member) }
            }
            broker.whenRemembered(member.pid ?? "") {
                if loop.inEventLoop { done() } else { gate.execute(loop, done) }
            }
        }
    }
#endif
