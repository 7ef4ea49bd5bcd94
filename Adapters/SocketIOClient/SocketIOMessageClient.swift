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
        private let rooms: [String]
        private let key: @Sendable () throws -> Secret

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
            self.rooms = rooms
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
            var hasConnected = false
            /// The gap before this connection was told, and nothing has come over it.
            var hasToldGap = false
            var refusal: String?
        }

        /// Stays connected to the main namespace until the task is cancelled; looks the key up for each connection.
        ///
        /// - Throws: `CancellationError`; what looking the key up throws.
        public func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws {
            let progress = Mutex(Progress())
            let rooms = rooms
            let key = key
            try await client.run(auth: { _ in
                var auth: Value.Members = ["token": .string(try key().value)]
                if !rooms.isEmpty { auth["rooms"] = .array(rooms.map { .string($0) }) }
                return auth
            }) { signal in
                switch signal {
                case .connected(_, _, let isRecovered):
                    let continuity = progress.withLock { progress -> MessageEvent.Continuity in
                        defer { progress.hasConnected = true }
                        progress.refusal = nil
                        if !progress.hasConnected { return .new }
                        progress.hasToldGap = !isRecovered
                        return isRecovered ? .resumed : .gap
                    }
                    receive(.connected(continuity))
                case .refused(_, let message, let data):
                    let reason = Self.line(data?.members?["reason"]?.string.map { "\(message): \($0)" } ?? message)
                    guard Self.isOfKey(message) else {
                        progress.withLock { $0.refusal = "the server does not let this client in now (\(reason))" }
                        break
                    }
                    let refusal = MessageEvent.Refusal.key(reason: reason)
                    progress.withLock { $0.refusal = refusal.reason }
                    receive(.refused(refusal))
                case .event(_, let event, let id):
                    if let id { try? self.client.acknowledge(id) }
                    if let event = Self.event(event, progress) { receive(event) }
                case .lost(let reason):
                    let refusal = progress.withLock { $0.refusal }
                    receive(.disconnected(reason: refusal ?? Self.line(reason)))
                case .left, .acknowledged: break
                }
            }
        }

        /// Whether a refusal is of the key; any other (too many clients, maintenance) may pass by itself.
        private static func isOfKey(_ message: String) -> Bool { message.lowercased() == "unauthorized" }

        private static func event(_ event: SocketEvent, _ progress: borrowing Mutex<Progress>) -> MessageEvent? {
            if event.name == "ready" { return refusal(event) }
            let wasTold = progress.withLock { progress in
                defer { progress.hasToldGap = false }
                return progress.hasToldGap
            }
            switch event.name {
            case "resync": return wasTold ? nil : .connected(.gap)
            case "update", "notification":
                guard let value = event.arguments.first?.json else {
                    return .unusable(reason: "an \(event.name) has bytes in it, or nothing")
                }
                return event.name == "update" ? .update(value) : .notification(value)
            default: return nil
            }
        }

        /// Of a server of ours, which tells what of `rooms` this key may not listen to.
        private static func refusal(_ event: SocketEvent) -> MessageEvent? {
            let rooms = event.arguments.first?.json?.members?["refused"]?.array?.compactMap(\.string) ?? []
            return rooms.isEmpty ? nil : .roomsRefused(rooms.prefix(256).map(line))
        }

        /// What a server says, for one line of a log.
        private static func line(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(200).map { $0.value < 0x20 ? " " : $0 }))
        }
    }

    extension Adapter {
        /// Offers ``SocketIOMessageClient`` under `live.kind: socket.io`.
        public static var socketIO: Adapter {
            .messageClient("socket.io") { try SocketIOMessageClient($0) }
        }
    }
#endif
