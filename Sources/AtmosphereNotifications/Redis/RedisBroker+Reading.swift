#if Notifications
    import AtmosphereExchange
    import NIOCore
    import Synchronization

    extension RedisBroker {
        /// Reads what is published until the task is cancelled; connects again, with growing pauses, whenever the
        /// connection is lost.
        public func run() async {
            await withTaskGroup { group in
                group.addTask { await self.keepReading() }
                group.addTask { await self.keepRemembering() }
                group.addTask { await self.keepTryingAgain() }
                if !options.emitters.isEmpty { group.addTask { await self.keepListening() } }
                await group.waitForAll()
            }
            await writeRest()
            await publisher.close()
        }

        func keepReading() async {
            await keepUp("Redis") { attempt in
                let connection = try await RedisConnection.connect(to: self.options.address, tls: self.tls)
                await withTaskCancellationHandler {
                    do { try await self.read(connection, attempt) } catch { self.note(error) }
                    self.state.withLock { $0.isConnected = false }
                } onCancel: {
                    connection.close()
                }
                connection.close()
            }
        }

        /// Runs `body` again and again.
        func keepUp(_ name: String, _ body: (Attempts) async throws -> Void) async {
            let attempts = Attempts()
            while !Task.isCancelled {
                do { try await body(attempts) } catch { note(error) }
                guard !Task.isCancelled else { return }
                let pause = attempts.next() * Double.random(in: 0.5...1)
                try? await Task.sleep(for: .seconds(pause))
            }
        }

        /// Says why there is no connection, once for each reason.
        private func note(_ error: any Error) {
            guard !Task.isCancelled else { return }
            let isNew = state.withLock { state in
                defer { state.problem = "\(error)" }
                return state.problem != "\(error)"
            }
            if isNew { log("\(error)") }
        }

        private func read(_ connection: RedisConnection, _ attempts: Attempts) async throws {
            let (known, last) = state.withLock { ($0.epoch, $0.number) }
            let (epoch, number) = try await publisher.begin(connection, epoch: known ?? "", number: last)
            if epoch != known {
                do { try await load(connection, epoch, number) } catch {
                    // So many long ones together may be more than an answer may have.
                    state.withLock { $0.page = Self.leastPage }
                    throw error
                }
            }
            // A stream that cannot be read is no connection.
            let entry = state.withLock { $0.entry }
            _ = try await connection.send(
                ["XREAD", "COUNT", "1", "STREAMS", RedisKeys(prefix: options.prefix).log, entry])
            attempts.reset()
            state.withLock { state in
                state.isConnected = true
                state.problem = nil
                state.connections += 1
            }
            log("\(options.address): connected\(known == nil ? "" : " again")")
            try await follow(connection)
        }

        private func follow(_ connection: RedisConnection) async throws {
            let keys = RedisKeys(prefix: options.prefix)
            var suspicions = 0
            while !Task.isCancelled {
                let (entry, isBusy) = state.withLock { ($0.entry, $0.isBusy) }
                if isBusy() {
                    try await Task.sleep(for: .milliseconds(5))
                    continue
                }
                let answer = try await connection.send(
                    ["XREAD", "COUNT", "32", "BLOCK", "1000", "STREAMS", keys.log, entry], timeout: .seconds(6))
                if answer == .null {
                    let now = try await connection.send(["HMGET", keys.state, "epoch", "n"]).elements ?? []
                    let (epoch, last) = state.withLock { ($0.epoch, $0.number) }
                    let number = now.last?.text.flatMap(UInt64.init) ?? 0
                    // What is numbered but does not come was taken out of the stream.
                    suspicions = number > last ? suspicions + 1 : 0
                    guard now.first?.text == epoch, number >= last, suspicions < 3 else {
                        let (epoch, number) = try await publisher.begin(connection, epoch: epoch ?? "", number: last)
                        try await load(connection, epoch, number)
                        suspicions = 0
                        continue
                    }
                    continue
                }
                guard let entries = answer.elements?.first?.elements?.last?.elements else {
                    throw RedisFailure("Redis answered XREAD in a form that is not known")
                }
                suspicions = 0
                for entry in entries { try await take(entry, connection) }
            }
        }

        private func take(_ value: RESPValue, _ connection: RedisConnection) async throws {
            let entry = try LogEntry(value)
            let isOther = state.withLock { state in
                if entry.isForeign {
                    state.entry = entry.name
                    state.refusals += 1
                    return false
                }
                return state.epoch != entry.epoch
            }
            if entry.isForeign { return }
            if isOther {
                let (epoch, number) = try await publisher.begin(connection, epoch: "", number: 0)
                return try await load(connection, epoch, number)
            }
            let time = clock()
            let waiters = state.withLock { state in
                state.entry = entry.name
                guard entry.number > state.number else { return [CheckedContinuation<Void, Never>]() }
                if entry.number != state.number + 1 { lose(&state, before: entry.number) }
                guard let event = entry.event else {
                    state.refusals += 1
                    lose(&state, before: entry.number + 1)
                    return state.waiters.take(upTo: entry.number)
                }
                state.number = entry.number
                let delivery = Delivery(event: event, offset: Offset(epoch: entry.epoch, number: entry.number))
                state.log.append(delivery, at: time)
                for receive in state.receivers { receive(.event(delivery)) }
                return state.waiters.take(upTo: entry.number)
            }
            for waiter in waiters { waiter.resume() }
        }

        /// Something before `next` will never come.
        private func lose(_ state: inout State, before next: UInt64) {
            state.log = ReplayLog(options.window, start: next)
            state.number = next - 1
            state.losses += 1
            guard let epoch = state.epoch else { return }
            for receive in state.receivers { receive(.lost(Offset(epoch: epoch, number: next - 1))) }
        }

        /// As many events of the longest kind as one answer takes.
        private static let leastPage = 32
        /// The bytes of an answer that is long enough.
        private static let pageBytes = 1 << 20

        /// Reads the whole stream of an epoch, and tells everyone to pull: nobody knows what was before.
        private func load(_ connection: RedisConnection, _ epoch: String, _ number: UInt64) async throws {
            let keys = RedisKeys(prefix: options.prefix)
            var log = ReplayLog(options.window, start: number + 1)
            var last = number
            var isFirst = true
            var from = "-"
            var name = "0-0"
            let time = clock()
            let most = state.withLock { $0.page }
            var count = Self.leastPage
            while true {
                let answer = try await connection.send(["XRANGE", keys.log, from, "+", "COUNT", String(count)])
                guard let values = answer.elements else { throw RedisFailure("Redis answered XRANGE in an odd form") }
                var bytes = 0
                for value in values {
                    let entry = try LogEntry(value)
                    bytes += entry.bytes
                    name = entry.name
                    from = "(\(name)"
                    guard !entry.isForeign, entry.epoch == epoch, isFirst || entry.number > last else { continue }
                    if isFirst || entry.number != last + 1 { log = ReplayLog(options.window, start: entry.number) }
                    isFirst = false
                    last = entry.number
                    if let event = entry.event {
                        log.append(
                            Delivery(event: event, offset: Offset(epoch: epoch, number: entry.number)), at: time)
                    } else {
                        log = ReplayLog(options.window, start: entry.number + 1)
                    }
                }
                if values.count < count { break }
                count = bytes < Self.pageBytes ? min(most, count * 2) : max(Self.leastPage, count / 2)
            }
            let waiters = state.withLock { state in
                let isNew = state.epoch == nil
                state.log = log
                state.epoch = epoch
                state.number = last
                state.entry = name
                if !isNew { state.losses += 1 }
                for receive in state.receivers { receive(.lost(Offset(epoch: epoch, number: last))) }
                return state.waiters.take(upTo: nil)
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Seconds to wait before the next attempt; touched by one task.
    final class Attempts {
        private var seconds = 0.1
        func next() -> Double {
            defer { seconds = min(2, seconds * 2) }
            return seconds
        }
        func reset() { seconds = 0.1 }
    }
#endif
