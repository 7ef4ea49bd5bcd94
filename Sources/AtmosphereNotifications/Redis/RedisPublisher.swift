#if Notifications
    import AtmosphereExchange
    import NIOSSL

    /// The connection that events are published over; made when it is needed, shared by all who publish.
    actor RedisPublisher {
        private let address: RedisAddress
        private let tls: NIOSSLContext?
        private let keys: RedisKeys
        private let newIdentifier: @Sendable () -> String
        private var connecting: Task<Ready, any Error>?
        private var isClosed = false

        private struct Ready {
            var connection: RedisConnection
            var run: String
        }

        /// A day and a bit: longer than most clients stay; who stays longer and comes back elsewhere is told to pull.
        private static let presentMilliseconds = 26 * 3_600_000
        private static let goneMilliseconds = 120_000

        init(
            _ address: RedisAddress, _ tls: NIOSSLContext?, keys: RedisKeys,
            newIdentifier: @escaping @Sendable () -> String
        ) {
            self.address = address
            self.tls = tls
            self.keys = keys
            self.newIdentifier = newIdentifier
        }

        func close() async {
            isClosed = true
            if let ready = try? await connecting?.value { ready.connection.close() }
            connecting = nil
        }

        private func ready() async throws -> Ready {
            if let connecting { return try await connecting.value }
            guard !isClosed else { throw RedisFailure("the broker has ended") }
            let address = address
            let tls = tls
            let task = Task {
                let connection = try await RedisConnection.connect(to: address, tls: tls)
                do {
                    let process = try await self.process(connection)
                    _ = try await self.begin(connection, process, epoch: "", number: 0)
                    return Ready(connection: connection, run: process.run)
                } catch {
                    connection.close()
                    throw error
                }
            }
            connecting = task
            do { return try await task.value } catch {
                if connecting == task { connecting = nil }
                throw error
            }
        }

        /// The connection has failed; the next who needs one makes another.
        private func drop(_ ready: Ready) async {
            ready.connection.close()
            guard let now = try? await connecting?.value, now.connection === ready.connection else { return }
            connecting = nil
        }

        // MARK: Events

        /// Tries until `patience` is over; what was carried out without an answer is recognised by its word.
        func publish(
            _ events: [PublishedEvent], window: ReplayWindow, patience: Duration
        ) async throws -> [Publication] {
            let word = newIdentifier()
            let clock = ContinuousClock()
            let end = clock.now + patience
            while true {
                do { return try await attempt(events, window, word) } catch {
                    guard clock.now < end, !isClosed else { throw error }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
        }

        private func attempt(
            _ events: [PublishedEvent], _ window: ReplayWindow, _ word: String
        ) async throws -> [Publication] {
            let ready = try await ready()
            let names = [keys.log, keys.state] + events.map { keys.id($0.id) }
            var words = ["EVAL", RedisScripts.publish, String(names.count)].map { Array($0.utf8) }
            words += names.map { Array($0.utf8) }
            let age = max(1, window.age.nanoseconds / 1_000_000)
            words += [
                newIdentifier(), ready.run, String(window.events), String(age), word, String(window.bytes)
            ].map { Array($0.utf8) }
            words += events.map(EventEnvelope.encode)
            let answer: RESPValue
            do { answer = try await ready.connection.send(words) } catch {
                if !error.isRefusal || error.isOfServer { await drop(ready) }
                throw error
            }
            let places = answer.elements ?? []
            guard places.count == events.count else { throw RedisFailure("Redis answered EVAL in an odd form") }
            var seen: Set<ScalarText> = []
            return try zip(events, places).map { event, place in
                let parts = (place.text ?? "").split(separator: " ")
                guard parts.count == 2, let offset = Offset(String(parts[0])) else {
                    throw RedisFailure("an identifier of an event that no server wrote")
                }
                let isFirst = seen.insert(ScalarText(event.id)).inserted
                return Publication(offset: offset, isDuplicate: parts[1] != word || !isFirst)
            }
        }

        // MARK: Epochs

        private struct Process {
            var run: String
            /// Whether it writes everything down before it answers.
            var isDurable: Bool
        }

        private func process(_ connection: RedisConnection) async throws -> Process {
            let server = Self.fields(try await connection.send(["INFO", "server"]))
            let replication = Self.fields(try await connection.send(["INFO", "replication"]))
            guard replication["role"] != "slave" else {
                throw RedisFailure("\(address): is a replica; name the one that takes writes")
            }
            // One that was a replica before may lack what its predecessor had.
            let wasReplica = (replication["second_repl_offset"].flatMap { Int64($0) } ?? -1) != -1
            // May be forbidden; then a restart counts as a loss.
            let settings = try? await connection.send(["CONFIG", "GET", "append*"]).elements?.map { $0.text ?? "" }
            let pairs = settings ?? []
            func setting(_ name: String) -> String? {
                pairs.firstIndex(of: name).flatMap { pairs.indices.contains($0 + 1) ? pairs[$0 + 1] : nil }
            }
            let isDurable = setting("appendonly") == "yes" && setting("appendfsync") == "always" && !wasReplica
            guard let run = server["run_id"], !run.isEmpty else {
                throw RedisFailure("\(address): INFO does not name the process")
            }
            return Process(run: run, isDurable: isDurable)
        }

        private static func fields(_ answer: RESPValue) -> [String: String] {
            var fields: [String: String] = [:]
            for line in (answer.text ?? "").split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
            }
            return fields
        }

        /// The epoch and its last number; a new one where Redis has less than was seen of it.
        func begin(
            _ connection: RedisConnection, epoch: String, number: UInt64
        ) async throws -> (epoch: String, number: UInt64) {
            try await begin(connection, process(connection), epoch: epoch, number: number)
        }

        private func begin(
            _ connection: RedisConnection, _ process: Process, epoch: String, number: UInt64
        ) async throws -> (epoch: String, number: UInt64) {
            let answer = try await connection.send([
                "EVAL", RedisScripts.begin, "2", keys.log, keys.state, newIdentifier(), process.run,
                process.isDurable ? "1" : "0", epoch, String(number)
            ])
            guard let parts = answer.elements, parts.count == 2, let found = parts[0].text,
                let last = parts[1].text.flatMap(UInt64.init), Offset("\(found)-\(last)") != nil
            else { throw RedisFailure("an epoch that no server wrote; is its key used otherwise?") }
            return (found, last)
        }

        // MARK: Clients

        /// What became of one record.
        enum Outcome: Sendable {
            case written
            /// Redis does not take it, and why.
            case refused(String)
            /// Nobody knows.
            case lost
        }

        /// Writes them all at once; what becomes of one does not matter for the others.
        ///
        /// - Returns: nil where there is no connection, else what became of each.
        func remember(_ records: [ClientRecords.Record]) async -> [Outcome]? {
            guard let ready = try? await ready() else { return nil }
            let answers = await withTaskGroup(of: (Int, Outcome, isOver: Bool).self) { group in
                for (index, record) in records.enumerated() {
                    let words = words(record)
                    group.addTask {
                        do throws(RedisFailure) { _ = try await ready.connection.send(words) } catch {
                            guard error.isRefusal else { return (index, .lost, isOver: true) }
                            return (index, .refused(error.description), isOver: error.isOfServer)
                        }
                        return (index, .written, isOver: false)
                    }
                }
                var answers = Array(repeating: (Outcome.lost, isOver: true), count: records.count)
                for await (index, outcome, isOver) in group { answers[index] = (outcome, isOver: isOver) }
                return answers
            }
            // All who publish share it: what Redis refuses of one record is no reason to end it.
            if answers.contains(where: \.isOver) { await drop(ready) }
            return answers.map(\.0)
        }

        private static func value(_ client: RememberedClient) -> String {
            let value: Value = [
                "user": .string(client.user), "rooms": .array(client.rooms.map { .string($0) })
            ]
            return String(decoding: value.json(), as: UTF8.self)
        }

        private func words(_ record: ClientRecords.Record) -> [String] {
            let client = record.client
            let time =
                switch record.state {
                case .here: Self.presentMilliseconds
                case .gone: Self.goneMilliseconds
                case .forgotten: 0
                }
            return [
                "EVAL", RedisScripts.remember, "1", keys.pid(record.pid), record.isArrival ? "1" : "0",
                String(client.sequence), client.owner, Self.value(client), String(time)
            ]
        }

        /// Tries once more where a connection that stood was lost: what others sent over it may be why.
        private func ask(_ words: [String]) async throws -> RESPValue {
            var mayTry = true
            while true {
                let ready = try await ready()
                do { return try await ready.connection.send(words) } catch {
                    if !error.isRefusal || error.isOfServer { await drop(ready) }
                    guard mayTry, !error.isRefusal else { throw error }
                    mayTry = false
                }
            }
        }

        /// - Throws: ``RedisFailure`` where Redis cannot be asked.
        func claim(
            _ pid: String, for user: String, owner: String, known: RememberedClient?
        ) async throws -> ClientClaim? {
            guard pid.utf8.count <= 64 else { return nil }
            let answer = try await ask([
                "EVAL", RedisScripts.claim, "1", keys.pid(pid), user, owner, String(known?.sequence ?? 0),
                known?.owner ?? "-", known.map(Self.value) ?? "", String(Self.goneMilliseconds)
            ])
            guard case .bulk(let bytes) = answer, let client = Self.client(bytes) else { return nil }
            return ClientClaim(client: client, sequence: client.sequence + 1)
        }

        /// - Throws: ``RedisFailure`` where Redis cannot be asked.
        func recall(_ pid: String) async throws -> RememberedClient? {
            guard pid.utf8.count <= 64, case .bulk(let bytes) = try await ask(["GET", keys.pid(pid)]) else {
                return nil
            }
            return Self.client(bytes)
        }

        private static func client(_ bytes: [UInt8]) -> RememberedClient? {
            let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
            // Beyond that Lua does not count.
            guard parts.count == 3, let sequence = UInt64(String(decoding: parts[0], as: UTF8.self)),
                sequence < 1 << 52, let owner = String(validating: parts[1], as: UTF8.self),
                let members = try? Value(json: Array(parts[2]), limits: JSONLimits(depth: 4, bytes: 1 << 20)).members,
                let user = members["user"]?.string
            else { return nil }
            let rooms = members["rooms"]?.array?.compactMap(\.string) ?? []
            return RememberedClient(user: user, rooms: rooms, owner: owner, sequence: sequence)
        }
    }
#endif
