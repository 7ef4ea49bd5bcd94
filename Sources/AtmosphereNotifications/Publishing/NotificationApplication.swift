#if Notifications
    import Atmosphere
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    /// What the notification server does with its clients: lets them in by their credentials, gives them what is
    /// addressed to them, and tells those to catch up who missed something.
    final class NotificationApplication: SocketApplication {
        let api: PublisherAPI
        private let authorizer: any ClientAuthorizer
        private let broker: any Broker
        private let wallClock: @Sendable () -> Double
        private let members = Mutex<[ObjectIdentifier: Members]>([:])
        private let memory: RoomMemory
        private let passed = Mutex(PassedEvents())
        /// How often the keys were taken back.
        private let checks = Atomic<UInt64>(0)
        let metrics = NotificationMetrics()

        /// The most rooms of one client.
        static let roomLimit = 256
        /// The most acknowledgements of one client that wait.
        private static let unkeptLimit = 64

        init(
            authorizer: any ClientAuthorizer, broker: any Broker, api: PublisherAPI, memory: RoomMemory,
            wallClock: @escaping @Sendable () -> Double
        ) {
            self.authorizer = authorizer
            self.broker = broker
            self.api = api
            self.memory = memory
            self.wallClock = wallClock
        }

        // MARK: Letting in

        func clientAsked(
            _ client: SocketClient, _ namespace: String, _ auth: Value.Members, _ recovery: SocketRecovery?
        ) {
            guard namespace == "/" else { return client.refuse(namespace, message: "Invalid namespace") }
            guard let token = auth["token"]?.string else {
                return client.refuse(namespace, message: "Unauthorized", data: ["reason": "auth.token is missing"])
            }
            // It may wait for long: longer names are kept as far as they have to be known again.
            let rooms = (auth["rooms"]?.array ?? []).prefix(Self.roomLimit).compactMap(\.string).map { room in
                room.utf8.count <= ClientIdentity.roomBytes
                    ? room : String(decoding: room.utf8.prefix(ClientIdentity.roomBytes), as: UTF8.self) + "…"
            }
            admit(client, token, rooms, recovery)
        }

        private func admit(
            _ client: SocketClient, _ token: String, _ rooms: [String], _ recovery: SocketRecovery?
        ) {
            let namespace = "/"
            let authorizer = authorizer
            let broker = broker
            let address = client.address
            let asked = checks.load(ordering: .acquiring)
            client.admission = Task {
                let found: ClientIdentity?
                do { found = try await authorizer.identity(of: token, from: address) } catch {
                    // It comes again, where one that is refused does not.
                    return client.loop.execute { client.leave() }
                }
                guard let identity = found else {
                    return client.loop.execute {
                        client.refuse(namespace, message: "Unauthorized", data: ["reason": "auth.token is not valid"])
                    }
                }
                // Before that nobody could be told what was missed.
                await broker.ready()
                // Another server of the group may know what this one does not, or not any more.
                var remembered: RememberedClient?
                var isSure = true
                if let recovery, !recovery.pid.isEmpty {
                    do { remembered = try await broker.recall(recovery.pid) } catch { isSure = false }
                }
                // Taken before the client is a member: what comes later reaches it live.
                let latest = try? await broker.latest()
                let back = recovery.map {
                    Return(pid: $0.pid, offset: Offset($0.offset), shared: remembered, isSure: isSure)
                }
                client.loop.execute {
                    // Keys that were taken back meanwhile were looked for among those who were in.
                    guard self.checks.load(ordering: .acquiring) == asked || client.hasEnded else {
                        return self.admit(client, token, rooms, recovery)
                    }
                    self.letIn(client, identity, token, rooms, back, latest)
                }
            }
        }

        /// A client that was here before.
        private struct Return {
            /// Empty where it brings the offset alone: it says itself what it listens to.
            var pid: String
            /// nil where it cannot be read.
            var offset: Offset?
            /// What all servers know of it.
            var shared: RememberedClient?
            /// Whether that could be asked. Otherwise another server may know of more.
            var isSure: Bool

            /// - Parameter own: what this server knows.
            /// - Returns: the younger one. This server knows what a connection of its own said before others do.
            func latest(_ own: RememberedClient?) -> RememberedClient? {
                guard let own, let shared else { return own ?? shared }
                if own.sequence == shared.sequence { return own.owner == shared.owner ? own : shared }
                return own.sequence > shared.sequence ? own : shared
            }
        }

        private func letIn(
            _ client: SocketClient, _ identity: ClientIdentity, _ token: String, _ rooms: [String], _ back: Return?,
            _ latest: Offset?
        ) {
            // It may have ended while its key was looked up.
            guard !client.hasEnded else { return }
            client.admission = nil
            let member = Member(client, identity)
            if authorizer.takesBack { member.token = token }
            var remembered = back.flatMap { $0.latest(memory.record($0.pid)) }
            if remembered?.user != identity.user { remembered = nil }
            let isKnown = remembered != nil && back?.isSure == true
            let pid = isKnown ? back?.pid ?? RandomIdentifier.make() : RandomIdentifier.make()
            member.pid = pid
            member.sequence = isKnown ? (remembered?.sequence ?? 0) + 1 : 1
            for room in Set(rooms).union(remembered?.rooms ?? [])
            where identity.mayJoin(room) && member.rooms.count < Self.roomLimit {
                member.rooms.insert(room)
            }
            client.accept("/", sid: client.id, pid: pid)
            guard client.isConnected(to: "/") else { return }
            client.context = member
            // The loss of the old connection was not noticed yet: it must not wait for its ping.
            if let old = memory.arrive(
                pid, identity.user, member.rooms, owner: client.id, sequence: member.sequence, client)
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
            if !rooms.allSatisfy(member.rooms.contains) { tellReady(member, asked: rooms, nil) }
            // What it listened to is not known any more, or something without an offset may have been missed: it is told
            // to pull, and gets what was addressed to it all the same.
            let isWhole =
                (isKnown || back.pid.isEmpty) && back.offset.map { !missedPassing(member, after: $0) } == true
            replay(member, after: back.offset, isWhole: isWhole)
        }

        private func missedPassing(_ member: Member, after offset: Offset) -> Bool {
            passed.withLock { $0.mayHaveBeenMissed(by: member.audiences, after: offset.number) }
        }

        private func remember(_ member: Member, _ moment: ClientMoment) {
            guard let pid = member.pid else { return }
            let owner = member.client.id
            switch moment {
            case .arrived: break
            case .changed: memory.change(pid, member.rooms, owner: owner)
            case .left: memory.leave(pid, owner: owner)
            }
            let client = RememberedClient(
                user: member.identity.user, rooms: Array(member.rooms), owner: owner, sequence: member.sequence)
            broker.remember(client, pid: pid, moment)
        }

        /// Tells a client which rooms it has not joined, and gives it an offset before anything was addressed to it, so
        /// that it can come back from a loss.
        private func tellReady(_ member: Member, asked: [String], _ latest: Offset?) {
            var told: Value.Members = [:]
            for name in ["joined", "refused"] {
                told[name] = .array(
                    asked.filter { member.rooms.contains($0) == (name == "joined") }.map { .string($0) })
            }
            var arguments: [SocketArgument] = [.json(.object(told))]
            if let latest { arguments.append(.json(.string(latest.description))) }
            member.client.emit("/", SocketEvent("ready", arguments))
        }

        private func endLater(_ member: Member, _ expiry: Double) {
            let left = min(max(0, expiry - wallClock()), 86_400 * 365)
            let bound = NIOLoopBound(member, eventLoop: member.client.loop)
            member.expiry = member.client.loop.scheduleTask(in: .milliseconds(Int64(left * 1000))) {
                Self.expire(bound.value)
            }
        }

        private static func expire(_ member: Member) {
            member.client.emit("/", SocketEvent("expired", [.json([:])]))
            member.client.disconnect("/")
        }

        /// Asks again who the clients are, where keys may be taken back: whose key is gone is disconnected as one whose
        /// token has ended, and who may listen to less leaves those rooms.
        func checkAgain() {
            guard authorizer.takesBack else { return }
            checks.add(1, ordering: .acquiringAndReleasing)
            eachMember { member in
                guard let token = member.token else { return }
                let client = member.client
                Task {
                    let identity = await self.authorizer.identity(of: token)
                    client.loop.execute { self.update(client, identity) }
                }
            }
        }

        private func update(_ client: SocketClient, _ identity: ClientIdentity?) {
            guard let member = client.context as? Member else { return }
            guard let identity, identity.user == member.identity.user else { return Self.expire(member) }
            member.identity = identity
            let lost = member.rooms.filter { !identity.mayJoin($0) }
            guard !lost.isEmpty else { return }
            for room in lost { _ = table(of: client).leave(member, room) }
            remember(member, .changed)
        }

        // MARK: Missed events

        /// - Parameter isWhole: whether nothing else may have been missed.
        private func replay(_ member: Member, after offset: Offset?, isWhole: Bool = true) {
            member.isReplaying = true
            member.floor = offset
            let audiences = member.audiences
            let bound = NIOLoopBound(member, eventLoop: member.client.loop)
            let loop = member.client.loop
            let broker = broker
            Task {
                var replay = Replay.gap
                if let offset, let found = try? await broker.replay(audiences, after: offset) { replay = found }
                let latest = try? await broker.latest()
                // Where something else was missed its offset stays what it was until the events have come.
                let told = isWhole || replay == .gap ? nil : offset
                loop.execute { [replay] in self.finishReplay(bound.value, replay, latest, resyncAt: told) }
            }
        }

        private func finishReplay(_ member: Member, _ replay: Replay, _ latest: Offset?, resyncAt told: Offset?) {
            // It may have left meanwhile.
            guard member.client.context === member else { return }
            member.isReplaying = false
            if let told { resync(member, told) }
            let waiting = member.waiting
            member.waiting = []
            switch replay {
            case .events(let deliveries):
                for delivery in deliveries { deliver(delivery, to: member) }
                metrics.replayed.add(UInt64(deliveries.count), ordering: .relaxed)
            case .gap:
                member.floor = nil
                resync(member, latest)
            }
            for delivery in waiting { deliver(delivery, to: member) }
            if member.isBehind, member.client.isReady { resync(member, member.lastDropped ?? latest) }
        }

        /// Tells the client that something was missed which cannot be sent: it must pull.
        private func resync(_ member: Member, _ latest: Offset?) {
            metrics.resyncs.add(1, ordering: .relaxed)
            member.isBehind = false
            member.lastDropped = nil
            var arguments: [SocketArgument] = [.json([:])]
            if let latest { arguments.append(.json(.string(latest.description))) }
            member.client.emit("/", SocketEvent("resync", arguments))
        }

        func clientBecameReady(_ client: SocketClient) {
            guard let member = client.context as? Member, member.isBehind, client.isReady else { return }
            resync(member, member.lastDropped)
        }

        // MARK: Delivery

        /// Called by the broker, in order.
        func take(_ signal: BrokerSignal) {
            switch signal {
            case .event(let delivery):
                passed.withLock { $0.last = delivery.offset }
                deliver(delivery)
            case .lost(let offset):
                passed.withLock { $0.last = offset }
                eachMember { member in
                    // The numbers may begin again.
                    member.lastNumber = 0
                    member.floor = nil
                    self.miss(member, offset)
                }
            case .passing(let event): pass(event)
            case .passingLost:
                let last = passed.withLock { passed in
                    passed.note(nil)
                    return passed.last
                }
                eachMember { self.miss($0, last) }
            }
        }

        /// Whether more is to be handed over than should be; those who bring it are to wait.
        var isBusy: Bool { members.withLock { $0.values.contains { $0.isBusy } } }

        /// Tells a client that something will not come: now, or when it can take it.
        private func miss(_ member: Member, _ offset: Offset?) {
            guard !member.isReplaying, member.client.isReady else {
                member.isBehind = true
                member.lastDropped = offset ?? member.lastDropped
                return
            }
            resync(member, offset)
        }

        private func eachMember(_ body: @escaping @Sendable (Member) -> Void) {
            for members in members.withLock({ Array($0.values) }) {
                members.execute(.init(kind: .duty) { _ in members.eachMember(body) })
            }
        }

        /// Hands an event that has no offset to those who are here; who cannot take it now is told to pull later.
        private func pass(_ passing: PassingEvent) {
            metrics.passed.add(1, ordering: .relaxed)
            passed.withLock { $0.note(passing.audiences) }
            // One that no client could take, with too many attachments for example, is one that all of them missed.
            let shared = try? SharedMessage(SocketPacket(.event(passing.event, nil)))
            let last = passed.withLock { $0.last }
            for members in members.withLock({ Array($0.values) }) {
                members.execute(.init(kind: .event(nil), bytes: shared?.bytes ?? 0) { isAlone in
                    var seen: Set<ObjectIdentifier> = []
                    let hand = { (member: Member) in
                        guard seen.insert(ObjectIdentifier(member)).inserted,
                            !member.isAmong(passing.exceptions)
                        else { return }
                        guard let shared else {
                            self.metrics.dropped.add(1, ordering: .relaxed)
                            if !member.isBehind { self.miss(member, last) }
                            return
                        }
                        guard !member.isReplaying, !member.isBehind, member.client.isReady else {
                            member.isBehind = true
                            self.metrics.dropped.add(1, ordering: .relaxed)
                            return
                        }
                        self.metrics.delivered.add(1, ordering: .relaxed)
                        member.client.send(shared, isAlone: isAlone)
                    }
                    if let audiences = passing.audiences {
                        members.each(audiences, hand)
                    } else {
                        members.eachMember(hand)
                    }
                })
            }
        }

        /// Hands an event to the clients of all loops.
        private func deliver(_ delivery: Delivery) {
            metrics.published.add(1, ordering: .relaxed)
            guard let shared = try? Self.message(delivery) else { return }
            for members in members.withLock({ Array($0.values) }) {
                members.execute(.init(kind: .event(delivery.offset), bytes: shared.bytes) { isAlone in
                    members.each(delivery.event.audiences) {
                        self.deliver(delivery, to: $0, shared: shared, isAlone: isAlone)
                    }
                })
            }
        }

        private func deliver(
            _ delivery: Delivery, to member: Member, shared: SharedMessage? = nil, isAlone: Bool = false
        ) {
            guard delivery.offset.number > member.lastNumber else { return }
            if let floor = member.floor {
                if delivery.offset.epoch == floor.epoch, delivery.offset.number <= floor.number { return }
                member.floor = nil
            }
            if member.isReplaying {
                if member.waiting.count < 1000 { member.waiting.append(delivery) } else { member.isBehind = true }
                return
            }
            member.lastNumber = delivery.offset.number
            guard !member.isBehind, member.client.isReady else {
                member.isBehind = true
                member.lastDropped = delivery.offset
                metrics.dropped.add(1, ordering: .relaxed)
                return
            }
            guard let shared = shared ?? (try? Self.message(delivery)) else { return }
            metrics.delivered.add(1, ordering: .relaxed)
            member.client.send(shared, isAlone: isAlone)
        }

        private static func message(_ delivery: Delivery) throws(SocketIOError) -> SharedMessage {
            // The offset is the last argument, where stock clients look for it.
            let event = SocketEvent(
                .text(delivery.event.kind.rawValue),
                [.json(delivery.event.data), .json(.string(delivery.offset.description))])
            return try SharedMessage(SocketPacket(.event(event, nil)))
        }

        // MARK: Rooms

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
                    if mayJoin { joined.append(.string(room)) } else { refused.append(.string(room)) }
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

        func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument]
        ) {}

        func clientLeft(_ client: SocketClient, _ namespace: String) {
            guard let member = client.context as? Member else { return }
            client.context = nil
            member.expiry?.cancel()
            table(of: client).remove(member)
            remember(member, .left)
        }

        func answer(_ request: HTTPRequest, to responder: any Answering) { api.answer(request, to: responder) }

        private func table(of client: SocketClient) -> Members {
            members.withLock { members in
                let key = ObjectIdentifier(client.loop)
                if let table = members[key] { return table }
                let table = Members(client.loop) { [weak self] in self?.miss($0, $1) }
                members[key] = table
                return table
            }
        }
    }

    /// Counts that only grow.
    final class NotificationMetrics: Sendable {
        let joined = Atomic<UInt64>(0)
        let published = Atomic<UInt64>(0)
        let delivered = Atomic<UInt64>(0)
        let dropped = Atomic<UInt64>(0)
        let replayed = Atomic<UInt64>(0)
        let resyncs = Atomic<UInt64>(0)
        let passed = Atomic<UInt64>(0)
    }
#endif
