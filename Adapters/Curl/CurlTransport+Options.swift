#if Curl
    extension CurlTransport {
        /// What a program may choose beside the route file's transport settings.
        public struct Options: Sendable {
            /// A transfer in which nothing moves for this long is given up, a server that computes for this long
            /// included; in whole seconds, 60 by default.
            public var stallTimeout = Duration.seconds(60)
            /// A file of certificate authorities in PEM form in place of the system's; nil for the system's.
            public var certificateAuthorities: String?
            /// Bytes of one response body that wait for a reader before receiving stops; 1 MiB by default. What 16 KiB of a
            /// coded body become may come on top, which is 17 MiB at most, and never more than the request's size limit.
            public var bufferedBytes = 1 << 20
            /// Connections that are kept for later; 32 by default.
            public var idleConnections = 32

            /// Bytes per read of a socket.
            package var receiveBytes = 128 << 10
            /// For tests with a peer that speaks HTTP/2 without TLS.
            package var speaksHTTP2WithoutAsking = false
            /// The most that is reserved on a server's word.
            package static let largestReservation = 1 << 20

            /// The defaults, as each option says of itself.
            public init() {}
        }
    }
#endif
