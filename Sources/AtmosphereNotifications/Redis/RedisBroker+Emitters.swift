#if Notifications
    import NIOCore
    import Synchronization

    extension RedisBroker {
        func keepListening() async {
            // What passes is placed among what is numbered.
            await ready()
            await keepUp("emitters") { attempts in
                let signs = SignsOfLife()
                let start = self.clock()
                let connection = try await RedisConnection.connect(to: self.options.address, tls: self.tls) { value in
                    signs.count.add(1, ordering: .relaxed)
                    self.heard(value)
                }
                connection.listen(self.options.emitters.map(\.subscription))
                // What subscribers get for a PING tells a quiet connection from one that is half open.
                await withTaskGroup { group in
                    group.addTask { await connection.untilClosed() }
                    group.addTask {
                        var seen: UInt64 = 0
                        while (try? await Task.sleep(for: .seconds(10))) != nil {
                            let now = signs.count.load(ordering: .relaxed)
                            if now == seen { return connection.close() }
                            seen = now
                            connection.listen([["PING"]])
                        }
                    }
                    await group.next()
                    group.cancelAll()
                }
                self.state.withLock { $0.subscriptions = 0 }
                // One that is closed at once is not tried again at once.
                if self.clock() - start > .seconds(5) { attempts.reset() }
            }
        }

        private func heard(_ value: RESPValue) {
            if case .error(let message) = value {
                return log("\(options.address): emitters cannot be heard: \(RedisConnection.told(message))")
            }
            guard let parts = value.elements, let kind = parts.first?.text else { return refuse() }
            switch (kind, parts.count) {
            case ("message", 3), ("pmessage", 4):
                guard let channel = parts[parts.count - 2].text, case .bulk(let payload) = parts[parts.count - 1] else {
                    return refuse()
                }
                for emitter in options.emitters {
                    guard let message = emitter.read(channel: channel, payload) else { continue }
                    switch message {
                    case .event(let event): send(.passing(event))
                    case .elsewhere: break
                    case .unreadable: refuse()
                    }
                }
            // From now on everything comes; nobody knows what was before.
            case ("subscribe", _), ("psubscribe", _):
                state.withLock { $0.subscriptions += 1 }
                send(.passingLost)
            default: break
            }
        }

        private func refuse() { state.withLock { $0.refusals += 1 } }

        private func send(_ signal: BrokerSignal) {
            state.withLock { state in for receive in state.receivers { receive(signal) } }
        }
    }

    /// How often a connection was heard of.
    private final class SignsOfLife: Sendable {
        let count = Atomic<UInt64>(0)
    }
#endif
