#if Curl
    import AtmosphereTesting
    import Synchronization

    enum HTTP2Refusal: Sendable, CaseIterable {
        /// RST_STREAM with REFUSED_STREAM.
        case refusedStream
        /// RST_STREAM with HTTP_1_1_REQUIRED.
        case versionRequired
        /// GOAWAY that says that no stream was processed.
        case goAway
        /// The connection closes.
        case close
    }

    /// Speaks just enough HTTP/2 (RFC 9113) without TLS to refuse every request, and counts them.
    final class HTTP2Peer: Sendable {
        private let peer: FaultyServer
        private let count: Counter

        final class Counter: Sendable {
            let value = Mutex(0)
        }

        var url: String { peer.url }
        /// HEADERS frames that have arrived.
        var heads: Int { count.value.withLock { $0 } }

        init(_ refusal: HTTP2Refusal) throws {
            let count = Counter()
            self.count = count
            peer = try FaultyServer { connection in
                // Nothing at all: the client made a connection and thought better of it.
                guard let preface = connection.read(exactly: 24) else { return }
                guard preface.starts(with: "PRI * HTTP/2.0".utf8) else {
                    // After HTTP_1_1_REQUIRED a client may come back with HTTP/1.1.
                    count.value.withLock { $0 += 1 }
                    return
                }
                connection.write(Self.frame(type: 4, stream: 0, []))
                while let head = connection.read(exactly: 9) {
                    let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                    let stream = head[8]
                    guard connection.read(exactly: length) != nil else { return }
                    if head[3] == 4, head[4] & 1 == 0 { connection.write(Self.frame(type: 4, flags: 1, stream: 0, [])) }
                    guard head[3] == 1 else { continue }
                    count.value.withLock { $0 += 1 }
                    switch refusal {
                    case .refusedStream: connection.write(Self.frame(type: 3, stream: stream, [0, 0, 0, 0x7]))
                    case .versionRequired: connection.write(Self.frame(type: 3, stream: stream, [0, 0, 0, 0xD]))
                    case .goAway: connection.write(Self.frame(type: 7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]))
                    case .close: return
                    }
                }
            }
        }

        private static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
        }
    }
#endif
