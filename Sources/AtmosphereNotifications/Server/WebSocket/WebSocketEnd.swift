#if Notifications
    import AtmosphereSocketIO

    /// Why the server ends a WebSocket, as its peer is told (RFC 6455 §7.4). No client of Socket.IO minds it: all connect
    /// again, as after any loss. Proxies, and people who look at the traffic, can tell what has happened.
    struct WebSocketEnd: Sendable, Hashable {
        let code: UInt16
        /// For people; holds nothing of what the peer sent, and is cut to what a close frame takes.
        let reason: String

        /// A control frame has 125 bytes at most, two of them for the code (RFC 6455 §5.5).
        private static let reasonBytes = 123

        init(_ code: UInt16, _ reason: String = "") {
            self.code = code
            var text = reason
            while text.utf8.count > Self.reasonBytes { text.removeLast() }
            self.reason = text
        }

        /// What the peer did wrong.
        init(_ error: SocketIOError) {
            let code: UInt16 =
                switch error.code {
                case .tooLarge: 1009
                case .timeout, .tooManyNamespaces: 1008
                default: 1002
                }
            self.init(code, error.message)
        }

        /// What it was for is over.
        static let done = WebSocketEnd(1000)
        /// The server ends.
        static let goingAway = WebSocketEnd(1001, "the server ends")
        /// “Try Again Later”, of IANA's registry of close codes.
        static func notNow(_ reason: String) -> WebSocketEnd { WebSocketEnd(1013, reason) }
    }
#endif
