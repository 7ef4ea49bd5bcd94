package import Atmosphere
internal import Synchronization

/// Tells a notification server what changes on a source: in order, and without any request of the source waiting for it.
///
/// While the server is away the changes wait, within limits, and are sent again with growing pauses. Each has an identifier of its
/// own, so that one that arrives twice is delivered once.
package final class ChangePublisher: Sendable {
    /// Whom to tell, and how.
    package struct Options: Sendable {
        /// The notification server's address, `https://push.example.com`.
        package var url: String
        /// A publisher's key.
        package var key: Secret
        /// Users who are told of each change, beside the rooms `ENTITY`, `ENTITY/ID` and those of what the object stands below.
        package var users: [String] = []
        /// What tells one change from others.
        package var makeID: @Sendable () -> String = SyncEnvironment.live.makeUUID
        /// Waits between two tries.
        package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        /// In 0..<1.
        package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

        /// Tells the rooms of each change.
        package init(url: String, key: Secret) {
            self.url = url
            self.key = key
        }
    }

    private enum Outcome {
        case published
        /// Sending it again would be of no use.
        case refused(String)
        /// It may be taken later.
        case failed(String)
    }

    /// The longest name of a room, in bytes.
    private static let roomLimit = 256

    private let options: Options
    private let transport: any Transport
    private let warn: @Sendable (String) -> Void
    private let queue = Mutex(PublishQueue())
    private let signs: AsyncStream<Void>
    private let sign: AsyncStream<Void>.Continuation

    /// - Parameter warn: told, for people, what is not published and why; the same reason once.
    package init(_ options: Options, transport: any Transport, warn: @escaping @Sendable (String) -> Void) {
        self.options = options
        self.transport = transport
        self.warn = warn
        (signs, sign) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Takes a change; returns at once.
    package func publish(_ change: RESTSource.Change) {
        let event = PublishQueue.Event(members(of: change))
        queue.withLock { $0.put(event) }
        sign.yield()
    }

    /// Publishes until the task is cancelled; what waits then is not published. Called once.
    package func run() async {
        var attempts = 0
        var told: String?
        for await _ in signs {
            while !Task.isCancelled, let batch = queue.withLock({ $0.next() }) {
                switch await send(batch) {
                case .published:
                    let lost = queue.withLock { $0.published() }
                    if lost > 0 {
                        warn("the notification server was away for long: \(lost) changes were not published")
                    }
                    if told != nil { warn("changes are published again") }
                    (attempts, told) = (0, nil)
                case .refused(let reason):
                    guard let given = queue.withLock({ $0.refused() }) else { break }
                    let uri = given.members["uri"]?.members
                    let name = "\(uri?["entity"]?.string ?? "")/\(uri?["id"]?.string ?? "")"
                    warn("\(name): its change is not published: \(reason)")
                case .failed(let reason):
                    let isFull = queue.withLock { $0.lost > 0 }
                    let text =
                        "changes wait to be published: \(reason)"
                        + (isFull ? "; they are too many to keep, and the oldest will not be published" : "")
                    if told != text, !Task.isCancelled { warn(text) }
                    told = text
                    attempts += 1
                    let longest = Duration.seconds(min(30, 1 << min(attempts - 1, 5)))
                    do { try await options.sleep(longest / 2 + longest / 2 * options.random()) } catch { return }
                }
            }
        }
    }

    private func send(_ batch: [PublishQueue.Event]) async -> Outcome {
        let events = batch.map { Value.object($0.members) }
        var request = Request(method: "POST", url: "\(options.url)/events", timeout: .seconds(30))
        request.headers["Content-Type"] = "application/json"
        request.headers["Authorization"] = "Bearer \(options.key.value)"
        request.body = .bytes(Value.object(["events": .array(events)]).json())
        // The identifiers make a second one harmless.
        request.mayRepeat = true
        request.followsRedirects = false
        do {
            let redaction = Redaction([options.key])
            let reply = try await request.reply(over: transport, redaction, upTo: 1 << 20)
            let detail = reply.message(redaction).map { ": \($0)" } ?? ""
            let reason = "the notification server answered \(reply.status)\(detail)"
            switch reply.status {
            case 200..<300: return .published
            case 400, 413, 415, 422: return .refused(reason)
            case 401, 403:
                return .failed(
                    "\(reason); start the source again with a publisher's key that the notification server takes")
            default: return .failed(reason)
            }
        } catch let error as TransportError {
            return .failed(error.message)
        } catch {
            return .failed("\(error)")
        }
    }

    /// The event of a change, as `POST /events` takes it.
    private func members(of change: RESTSource.Change) -> Value.Members {
        let own = [change.uri.entity, "\(change.uri.entity)/\(change.uri.id)"]
        let rooms = (own + change.parents.map { "\($0.entity)/\($0.id)" }).filter { $0.utf8.count <= Self.roomLimit }
        var members: Value.Members = [
            "type": "update", "id": .string(options.makeID()),
            "to": [
                "users": .array(options.users.map { .string($0) }), "rooms": .array(rooms.map { .string($0) })
            ],
            "uri": ["entity": .string(change.uri.entity), "id": .string(change.uri.id)]
        ]
        if let record = change.record {
            members["attributes"] = .object(record.members)
            members["whole"] = true
        } else {
            members["deleted"] = true
        }
        if let version = change.version { members["version"] = .string(version) }
        return members
    }
}
