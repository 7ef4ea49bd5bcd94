#if SocketIO
    public import Atmosphere
    internal import AtmosphereSocketIO
    internal import Synchronization
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Live updates from a notification server (`atmos serve`), or from any Socket.IO v5 server that emits `update` and
    /// `notification` as that does.
    ///
    /// The key travels in the connect packet alone, as `token`; a server that refuses it answers `Unauthorized`, and any
    /// other refusal is told as a lost connection. What was missed during a loss is asked for by the
    /// server's own offsets; where the server cannot give it, a gap is reported.
    public final class SocketIOMessageClient: MessageClient {
        private let client: SocketIOClient
        private let key: @Sendable () throws -> Secret
        private let used = UsedSecrets()
        private let progress: Mutex<Progress>

        /// A message client of one server; connects to nothing yet.
        ///
        /// - Parameters:
        ///   - rooms: topics to follow beside what is addressed to the user.
        ///   - key: looked up for each connection.
        /// - Throws: ``SocketIOClientError`` for a URL, proxy or certificates that cannot be used.
        public init(
            _ options: SocketIOClientOptions, rooms: [String] = [], key: @escaping @Sendable () throws -> Secret
        ) throws {
            client = try SocketIOClient(options)
            progress = Mutex(Progress(rooms: RoomSession(own: rooms)))
            self.key = key
        }

        /// As `live` of a route file describes it.
        ///
        /// - Throws: ``SocketIOClientError``.
        public convenience init(_ connection: LiveConnection) throws {
            let settings = connection.settings
            var options = SocketIOClientOptions(url: settings.url)
            switch settings.transports {
            case .both: options.transports = [.webSocket, .polling]
            case .webSocket: options.transports = [.webSocket]
            case .polling: options.transports = [.polling]
            }
            options.proxy = settings.proxy
            options.environment = ProcessInfo.processInfo.environment
            options.certificates = connection.certificates
            try self.init(options, rooms: settings.rooms, key: connection.key)
        }

        /// What a connection has to do with the one before.
        private struct Progress {
            var rooms: RoomSession
            var hasConnected = false
            /// The gap before this connection was told, and nothing has come over it.
            var hasToldGap = false
            var refusal: String?
            /// The number of the change of rooms that is on its way.
            var change: UInt64?
        }

        /// Stays connected to the main namespace until the task is cancelled; looks the key up for each connection.
        ///
        /// - Throws: `CancellationError`; what looking the key up throws.
        public func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws {
            try await client.run(auth: { _ in
                let token = try self.key().value
                self.used.insert(token)
                var auth: Value.Members = ["token": .string(token)]
                let rooms = self.progress.withLock { $0.rooms.asked() }
                if !rooms.isEmpty { auth["rooms"] = .array(rooms.map { .string($0) }) }
                return auth
            }) { signal in
                switch signal {
                case .connected(_, _, let isRecovered):
                    let (continuity, news) = self.connected(isRecovered: isRecovered)
                    receive(.connected(continuity))
                    self.tell(news, receive)
                    self.tellRooms()
                case .refused(_, let message, let data):
                    let reason = self.line(data?.members?["reason"]?.string.map { "\(message): \($0)" } ?? message)
                    guard Self.isOfKey(message) else {
                        self.progress.withLock { $0.refusal = "the server does not let this client in now (\(reason))" }
                        break
                    }
                    let refusal = MessageEvent.Refusal.key(reason: reason)
                    self.progress.withLock { $0.refusal = refusal.reason }
                    receive(.refused(refusal))
                case .event(_, let event, let id):
                    if let id { try? self.client.acknowledge(id) }
                    self.take(event, receive)
                case .lost(let reason):
                    let refusal = self.progress.withLock { progress in
                        progress.rooms.lost()
                        return progress.refusal
                    }
                    receive(.disconnected(reason: refusal ?? self.line(reason)))
                case .acknowledged(let number, _, let arguments):
                    let news = self.progress.withLock { progress -> RoomSession.News? in
                        guard progress.change == number else { return nil }
                        progress.change = nil
                        return progress.rooms.answered(arguments.first?.json)
                    }
                    guard let news else { break }
                    self.tell(news, receive)
                    if news.isGap { receive(.connected(.gap)) }
                    self.tellRooms()
                case .left: self.progress.withLock { $0.rooms.lost() }
                }
            }
        }

        /// Listens to these rooms beside those that the client was made with. The server is told by the events `subscribe` and
        /// `unsubscribe`, with the names in an array, and acknowledges with `{joined, refused}`; where it never does, a later
        /// change waits for the next connection.
        public func listen(to rooms: [String]) {
            progress.withLock { $0.rooms.want(rooms) }
            tellRooms()
        }

        private func connected(isRecovered: Bool) -> (MessageEvent.Continuity, RoomSession.News) {
            progress.withLock { progress in
                let news = progress.rooms.connected(isRecovered: isRecovered)
                progress.change = nil
                progress.refusal = nil
                guard progress.hasConnected else {
                    progress.hasConnected = true
                    return (.new, news)
                }
                progress.hasToldGap = !isRecovered
                return (isRecovered && !news.isGap ? .resumed : .gap, news)
            }
        }

        /// Tells the server what has changed of the rooms, where there is a connection and no answer is awaited.
        private func tellRooms() {
            progress.withLock { progress in
                let event: SocketEvent
                switch progress.rooms.next() {
                case nil: return
                case .join(let rooms)?: event = SocketEvent("subscribe", [Self.names(rooms)])
                case .leave(let rooms)?: event = SocketEvent("unsubscribe", [Self.names(rooms)])
                }
                // Where the connection has just ended, the next one tells.
                progress.change = try? client.emit(event, isAcknowledged: true)
            }
        }

        private static func names(_ rooms: [String]) -> SocketArgument { .json(.array(rooms.map { .string($0) })) }

        private func tell(_ news: RoomSession.News, _ receive: (MessageEvent) -> Void) {
            if !news.joined.isEmpty { receive(.roomsJoined(news.joined)) }
            if !news.refused.isEmpty { receive(.roomsRefused(news.refused)) }
        }

        /// Whether a refusal is of the key; any other (too many clients, maintenance) may pass by itself.
        private static func isOfKey(_ message: String) -> Bool { message.lowercased() == "unauthorized" }

        private func take(_ event: SocketEvent, _ receive: (MessageEvent) -> Void) {
            if event.name == "ready" {
                // Of a server of ours, which tells what of `rooms` this key may not listen to.
                return tell(progress.withLock { $0.rooms.ready(event.arguments.first?.json) }, receive)
            }
            let wasTold = progress.withLock { progress in
                defer { progress.hasToldGap = false }
                return progress.hasToldGap
            }
            switch event.name {
            case "resync": if !wasTold { receive(.connected(.gap)) }
            case "update", "notification":
                guard let value = event.arguments.first?.json else {
                    return receive(.unusable(reason: "an \(event.name) has bytes in it, or nothing"))
                }
                receive(event.name == "update" ? .update(value) : .notification(value))
            default: break
            }
        }

        /// What a server says, without the keys that it was sent.
        private func line(_ text: String) -> String { Redaction(used.all).line(text) }
    }

    extension Adapter {
        /// Offers ``SocketIOMessageClient`` under `live.kind: socket.io`.
        public static var socketIO: Adapter {
            .messageClient("socket.io") { try SocketIOMessageClient($0) }
        }
    }
#endif
