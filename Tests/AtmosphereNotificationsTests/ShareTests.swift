#if Notifications
    @testable import AtmosphereNotifications
    import NIOCore
    import Synchronization
    import Testing

    @Suite("What one address or one user may take")
    struct ShareTests {
        @Test(
            "an address is one, and so is a network of IPv6",
            arguments: [
                ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0::/64"),
                ("2001:db8:1:2::1", "2001:db8:1:2::/64"), ("2001:db8:1:2:ffff:eeee:dddd:cccc", "2001:db8:1:2::/64"),
                ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("fe80::1", "fe80::1"), ("fe80::2", "fe80::2")
            ])
        func peers(address: String, peer: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).peer == peer)
        }

        @Test("a user has so many places, and gets back what it has left")
        func places() async {
            let places = UserPlaces(limit: 2, waitLimit: 0, sleep: { _ in })
            func take(_ user: String, isBack: Bool = false) async -> Bool { await places.take(user, isBack: isBack) }
            for isTaken in [true, true, false] { #expect(await take("ann") == isTaken) }
            #expect(await take("bob"))
            // Those who are back may be counted twice for a while.
            for isTaken in [true, true, false] { #expect(await take("ann", isBack: true) == isTaken) }
            for _ in 0..<3 { places.give("ann") }
            for isTaken in [true, false] { #expect(await take("ann") == isTaken) }
        }

        /// A client that waits for a place; returns when it does.
        private func wait(
            _ places: UserPlaces, isBack: Bool = false, waits: @escaping @Sendable () -> Void = {}
        ) async -> Task<Bool, Never> {
            let before = places.waiting
            let task = Task { await places.take("ann", isBack: isBack, waits: waits) }
            while places.waiting == before { await Task.yield() }
            return task
        }

        @Test("who finds no place waits for one: those who were here before go first, and who has gone takes none")
        func turns() async {
            let places = UserPlaces(limit: 1, waitLimit: 4, sleep: { _ in })
            for _ in 0..<2 { #expect(await places.take("ann", isBack: true)) }
            let first = await wait(places)
            let gone = await wait(places)
            let last = await wait(places)
            let back = await wait(places, isBack: true)
            #expect(await !places.take("ann"), "too many wait")
            gone.cancel()
            #expect(await !gone.value)
            #expect(places.waiting == 3)
            // More are here than new ones may be.
            places.give("ann")
            #expect(await back.value)
            #expect(places.waiting == 2)
            places.give("ann")
            #expect(places.waiting == 2)
            places.give("ann")
            #expect(await first.value)
            #expect(places.waiting == 1)
            places.give("ann")
            #expect(await last.value)
            places.give("ann")
            #expect(await places.take("ann"), "all are free again")
        }

        /// Sleeps that end when they are told to, or cancelled.
        private final class Sleeps: Sendable {
            private let all = Mutex<[(pause: Duration, end: AsyncStream<Never>.Continuation)]>([])
            var pauses: [Duration] { all.withLock { $0.map(\.pause) } }

            func sleep(_ pause: Duration) async throws {
                let (stream, end) = AsyncStream<Never>.makeStream()
                all.withLock { $0.append((pause, end)) }
                for await _ in stream {}
                try Task.checkCancellation()
            }

            func end() { for each in all.withLock({ $0 }) { each.end.finish() } }
        }

        private final class Notes: Sendable {
            private let texts = Mutex<[String]>([])
            var all: [String] { texts.withLock { $0 } }
            func add(_ text: String) { texts.withLock { $0.append(text) } }
        }

        @Test(
            "who is beyond those who may wait is told so some seconds later, unless its turn comes before",
            arguments: [(0.0, Duration.seconds(4)), (0.5, .milliseconds(6500))])
        func beyond(random: Double, pause: Duration) async {
            let sleeps = Sleeps()
            let places = UserPlaces(limit: 1, waitLimit: 1, random: { random }, sleep: { try await sleeps.sleep($0) })
            let mayWait = Notes()
            func ask(_ name: String) async -> Task<Bool, Never> {
                await wait(places) { mayWait.add(name) }
            }
            func slept(_ count: Int) async { while sleeps.pauses.count < count { await Task.yield() } }
            #expect(await places.take("ann"))
            let second = await ask("second")
            let third = await ask("third")
            let gone = await ask("gone")
            await slept(2)
            gone.cancel()
            #expect(await !gone.value)
            #expect(mayWait.all == ["second"] && places.waiting == 2)
            places.give("ann")
            #expect(await second.value)
            #expect(mayWait.all == ["second", "third"], "its turn to wait has come")
            let fourth = await ask("fourth")
            await slept(3)
            sleeps.end()
            #expect(await !fourth.value)
            #expect(places.waiting == 1 && sleeps.pauses == [pause, pause, pause])
            places.give("ann")
            #expect(await third.value)
            places.give("ann")
            #expect(await places.take("ann"), "nobody else asks any more")
        }

        @Test("acknowledgements that wait are bounded for all together, and for each user")
        func acknowledgements() {
            let budget = AcknowledgementBudget(limit: 250, limitPerUser: 100)
            #expect(budget.take(60, for: "ann") && !budget.take(60, for: "ann") && budget.take(40, for: "ann"))
            #expect(budget.take(100, for: "bob"))
            #expect(!budget.take(60, for: "eve") && budget.take(50, for: "eve"))
            #expect(budget.count == 250)
            budget.give(100, for: "ann")
            #expect(budget.count == 150 && budget.take(100, for: "ann"))
        }

        @Test("a body counts as long as somebody holds it")
        func bodies() {
            let budget = BodyBudget()
            let bytes = BodyBudget.limitPerAddress
            #expect(budget.take(bytes, from: "a"))
            var hold: BodyHold? = BodyHold(bytes, from: "a", in: budget)
            #expect(!budget.take(1, from: "a") && budget.take(1, from: "b"))
            withExtendedLifetime(hold) {}
            hold = nil
            #expect(hold == nil && budget.take(bytes, from: "a"))
        }

        @Test("who waits for what is read is woken when it was, and those who wait for more are not")
        func waiters() async {
            var waiters = ReadingWaiters()
            let keys = (0..<4).map { _ in waiters.newKey() }
            var tasks: [Task<Void, Never>] = []
            for (key, number) in zip(keys, [5, 7, 7, 9] as [UInt64]) {
                let (started, start) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
                tasks.append(Task { await withCheckedContinuation { start.yield($0) } })
                var iterator = started.makeAsyncIterator()
                if let continuation = await iterator.next() { waiters.add(key, until: number, continuation) }
            }
            #expect(waiters.take(upTo: 4).isEmpty && waiters.count == 4)
            for waiter in waiters.take(upTo: 7) { waiter.resume() }
            #expect(waiters.count == 1)
            #expect(waiters.take(upTo: 8).isEmpty)
            #expect(waiters.remove(keys[0]) == nil)
            for waiter in waiters.take(upTo: nil) { waiter.resume() }
            for task in tasks { await task.value }
            #expect(waiters.count == 0)
        }
    }
#endif
