#if Notifications
    @testable import AtmosphereNotifications
    import NIOCore
    import Testing

    @Suite("What one address or one user may take")
    struct ShareTests {
        @Test(
            "an address is one, and so is a network of IPv6",
            arguments: [
                ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0::/64"),
                ("2001:db8:1:2::1", "2001:db8:1:2::/64"), ("2001:db8:1:2:ffff:eeee:dddd:cccc", "2001:db8:1:2::/64"),
                ("2001:db8:1:3::1", "2001:db8:1:3::/64")
            ])
        func peers(address: String, peer: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).peer == peer)
        }

        @Test("a user has so many places, and gets back what it has left")
        func places() {
            let places = UserPlaces(limit: 2)
            #expect(places.take("ann") && places.take("ann") && !places.take("ann"))
            #expect(places.take("bob"))
            // Those who are back may be counted twice for a while.
            #expect(places.take("ann", isBack: true) && places.take("ann", isBack: true))
            #expect(!places.take("ann", isBack: true))
            for _ in 0..<3 { places.give("ann") }
            #expect(places.take("ann") && !places.take("ann"))
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
