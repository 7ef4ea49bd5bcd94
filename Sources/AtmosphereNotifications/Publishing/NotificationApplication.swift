#if Notifications
    import AtmosphereExchange
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    /// What the notification server does with its clients: lets them in by their credentials, gives them what is
    /// addressed to them, and tells those to catch up who missed something.
    final class NotificationApplication: HTTPApplication {
        let api: PublisherAPI
        let authorizer: any ClientAuthorizer
        let broker: any Broker
        private let wallClock: @Sendable () -> Double
        private let members = Mutex<[ObjectIdentifier: Members]>([:])
        let memory: RoomMemory
        let passed = Mutex(PassedEvents())
        /// How often the keys were taken back.
        let checks = Atomic<UInt64>(0)
        let metrics = NotificationMetrics()
        let unkept = AcknowledgementBudget()
        let places: UserPlaces
        let loopGate = LoopGate()

        /// The most rooms of one client.
        static let roomLimit = 256

        init(
            authorizer: any ClientAuthorizer, broker: any Broker, api: PublisherAPI, memory: RoomMemory,
            clientsPerUser: Int, wallClock: @escaping @Sendable () -> Double
        ) {
            self.authorizer = authorizer
            self.broker = broker
            self.api = api
            self.memory = memory
            places = UserPlaces(limit: clientsPerUser)
            self.wallClock = wallClock
        }

        // MARK: What is known of clients

        func missedPassing(_ member: Member, after offset: Offset) -> Bool {
            passed.withLock { $0.mayHaveBeenMissed(by: member.audiencesWithOwn, after: offset.number) }
        }

        func remember(_ member: Member, _ moment: ClientMoment) {
            guard let pid = member.pid else { return }
            let owner = member.client.id
            let rooms = member.rooms.map(\.text)
            switch moment {
            case .arrived: break
            case .changed: memory.change(pid, rooms, owner: owner)
            case .left: memory.leave(pid, owner: owner)
            }
            let client = RememberedClient(
                user: member.identity.user, rooms: rooms, owner: owner, sequence: member.sequence)
            broker.remember(client, pid: pid, moment)
        }

        /// Tells a client which rooms it has not joined, and gives it an offset before anything was addressed to it, so
        /// that it can come back from a loss.
        func tellReady(_ member: Member, asked: [String], _ latest: Offset?) {
            var told: Value.Members = [:]
            for name in ["joined", "refused"] {
                told[name] = .array(
                    asked.filter { member.isIn($0) == (name == "joined") }.map { .string($0) })
            }
            var arguments: [SocketArgument] = [.json(.object(told))]
            if let latest { arguments.append(.json(.string(latest.description))) }
            member.client.emit("/", SocketEvent("ready", arguments))
        }

        func endLater(_ member: Member, _ expiry: Double) {
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
                    self.loopGate.execute(client.loop) { self.update(client, identity) }
                }
            }
        }

        private func update(_ client: SocketClient, _ identity: ClientIdentity?) {
            guard let member = client.context as? Member else { return }
            guard let identity, identity.user.hasSameBytes(as: member.identity.user) else { return Self.expire(member) }
            member.identity = identity
            let lost = member.rooms.map(\.text).filter { !identity.mayJoin($0) }
            guard !lost.isEmpty else { return }
            for room in lost { _ = table(of: client).leave(member, room) }
            remember(member, .changed)
        }

        // MARK: Missed events

        /// - Parameter isWhole: whether nothing else may have been missed.
        func replay(_ member: Member, after offset: Offset?, isWhole: Bool = true) {
            member.isReplaying = true
            member.replays += 1
            member.floor = offset
            let number = member.replays
            let audiences = member.audiencesWithOwn
            let bound = NIOLoopBound(member, eventLoop: member.client.loop)
            let loop = member.client.loop
            let broker = broker
            Task {
                var replay = Replay.gap
                if let offset, let found = try? await broker.replay(audiences, after: offset) { replay = found }
                let latest = try? await broker.latest()
                // Where something else was missed its offset stays what it was until the events have come.
                let told = isWhole || replay == .gap ? nil : offset
                self.loopGate.execute(loop) { [replay] in
                    // Something may have been lost since, and what was asked for means nothing any more.
                    guard bound.value.replays == number else { return }
                    self.finishReplay(bound.value, replay, latest, resyncAt: told)
                }
            }
        }

        private func finishReplay(_ member: Member, _ replay: Replay, _ latest: Offset?, resyncAt told: Offset?) {
            // It may have left meanwhile.
            guard member.client.context === member else { return }
            member.isReplaying = false
            if let told { resync(member, told) }
            // What it was fallen behind with meanwhile is told behind what can be sent.
            var wasBehind = member.isBehind
            let dropped = member.lastDropped
            member.isBehind = false
            let waiting = member.waiting
            member.waiting = []
            var last = latest
            switch replay {
            case .events(let deliveries):
                for delivery in deliveries { deliver(delivery, to: member) }
                metrics.replayed.add(UInt64(deliveries.count), ordering: .relaxed)
                last = deliveries.last?.offset ?? latest
            case .gap:
                member.floor = nil
                wasBehind = false
                resync(member, latest)
            }
            for delivery in waiting { deliver(delivery, to: member) }
            guard wasBehind || member.isBehind else { return }
            member.isBehind = true
            member.lastDropped = [member.lastDropped, dropped, waiting.last?.offset, last].compactMap(\.self)
                .max { $0.number < $1.number }
            if member.client.isReady { resync(member, member.lastDropped) }
        }

        /// Tells the client that something was missed which cannot be sent: it must pull.
        private func resync(_ member: Member, _ latest: Offset?) {
            metrics.resyncs.add(1, ordering: .relaxed)
            member.isBehind = false
            member.lastDropped = nil
            if let message = table(of: member.client).resync(latest) { member.client.send(message, isAlone: false) }
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
                    // What is being fetched for it, or waits behind that, is of what was before.
                    member.replays += 1
                    member.isReplaying = false
                    member.waiting = []
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

        func ended() {
            loopGate.close()
            for members in members.withLock({ Array($0.values) }) { members.end() }
        }

        /// Hands an event that has no offset to those who are here; who cannot take it now is told to pull later.
        private func pass(_ passing: PassingEvent) {
            metrics.passed.add(1, ordering: .relaxed)
            passed.withLock { $0.note(passing.audiences) }
            // One that no client could take, with too many attachments for example, is one that all of them missed.
            let shared = try? SharedMessage(SocketPacket(.event(passing.event, nil)))
            let last = passed.withLock { $0.last }
            for members in members.withLock({ Array($0.values) }) {
                members.execute(
                    .init(kind: .event(nil), bytes: shared?.bytes ?? 0) { isAlone in
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
                members.execute(
                    .init(kind: .event(delivery.offset), bytes: shared.bytes) { isAlone in
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
                if member.waiting.count < 1000 {
                    member.waiting.append(delivery)
                } else {
                    member.isBehind = true
                    member.lastDropped = delivery.offset
                }
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

        func clientAcknowledged(
            _ client: SocketClient, _ namespace: String, _ number: UInt64, _ arguments: [SocketArgument]
        ) {}

        func clientLeft(_ client: SocketClient, _ namespace: String) {
            guard let member = client.context as? Member else { return }
            client.context = nil
            member.expiry?.cancel()
            settleAll(of: member)
            places.give(member.identity.user)
            table(of: client).remove(member)
            remember(member, .left)
        }

        func answer(_ request: HTTPRequest, to responder: any Answering) { api.answer(request, to: responder) }

        func table(of client: SocketClient) -> Members {
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
