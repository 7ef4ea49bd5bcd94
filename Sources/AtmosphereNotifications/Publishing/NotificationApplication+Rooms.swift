#if Notifications
    import Atmosphere
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
            if let acknowledgement, member.unkept >= Self.unkeptLimit {
                let problem: Value = ["error": "too many subscriptions wait to be remembered; try again"]
                return client.acknowledge("/", acknowledgement, [.json(problem)])
            }
            switch event.name.description {
            case "subscribe":
                for room in rooms.prefix(Self.roomLimit) {
                    let mayJoin = member.identity.mayJoin(room) && member.rooms.count < Self.roomLimit
                    if mayJoin, table(of: client).join(member, room) { isChanged = true }
                    // What waits to be told is bounded, so no name is longer than one that may be joined.
                    let name = Value.string(String(room.prefix(256)))
                    if mayJoin { joined.append(name) } else { refused.append(name) }
                }
            case "unsubscribe":
                for room in rooms.prefix(Self.roomLimit) where table(of: client).leave(member, room) {
                    isChanged = true
                }
            default:
                if let acknowledgement {
                    client.acknowledge("/", acknowledgement, [.json(["error": "unknown event"])])
                }
                return
            }
            if isChanged { remember(member, .changed) }
            guard let acknowledgement else { return }
            let answer: Value = ["joined": .array(joined), "refused": .array(refused)]
            whenRemembered(member) { client.acknowledge("/", acknowledgement, [.json(answer)]) }
        }

        /// Calls `answer` on the loop when a server to which the client comes back would know its rooms.
        private func whenRemembered(_ member: Member, _ answer: @escaping @Sendable () -> Void) {
            let loop = member.client.loop
            let bound = NIOLoopBound(member, eventLoop: loop)
            member.unkept += 1
            let done = { @Sendable in
                bound.value.unkept -= 1
                answer()
            }
            broker.whenRemembered(member.pid ?? "") {
                if loop.inEventLoop { done() } else { loop.execute(done) }
            }
        }
    }
#endif
