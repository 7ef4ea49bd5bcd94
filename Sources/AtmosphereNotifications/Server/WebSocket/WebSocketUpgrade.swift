#if Notifications
    import AtmosphereSocketIO
    import Crypto
    import NIOCore
    import NIOHTTP1
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// A request that makes its connection a WebSocket (RFC 6455 §4.2).
    struct WebSocketUpgrade {
        /// nil where the WebSocket opens a session.
        let sid: String?
        private let key: String

        fileprivate init(sid: String?, key: String) {
            self.sid = sid
            self.key = key
        }

        /// Of the answer.
        var headers: HTTPHeaders {
            var accept: [UInt8] = []
            let digest = Insecure.SHA1.hash(data: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
            Base64.append(Array(digest), to: &accept)
            return [
                "upgrade": "websocket", "connection": "upgrade",
                "sec-websocket-accept": String(decoding: accept, as: UTF8.self)
            ]
        }

        /// Takes over the connection; its other handlers are on their way out.
        func open(_ channel: any Channel, _ hub: Hub) {
            let client: SocketClient
            if let sid {
                // The session may have ended since the request was looked at.
                guard let known = hub.core.client(sid) else { return channel.close(promise: nil) }
                client = known
                if hub.core.hasJoined(sid) { hub.core.connections.trust(channel) }
            } else {
                client = hub.open(.webSocket, address: channel.peer)
            }
            // From now on the session's own limits and times count.
            hub.core.connections.keep(channel)
            let output = WebSocketOutput(channel, client: client)
            let options = hub.core.options
            let link = WebSocketLink(
                output, limit: options.engine.limits.payloadBytes, isPlain: options.tls == nil)
            do { try channel.pipeline.syncOperations.addHandler(link) } catch { return channel.close(promise: nil) }
            output.opened()
        }
    }

    extension ServerCore {
        /// - Returns: nil where it is another request, or the upgrade is refused: it is answered as any request then.
        func upgrade(_ head: HTTPRequestHead, _ target: Target, _ channel: any Channel) -> WebSocketUpgrade? {
            let headers = head.headers
            guard target.path == options.path, head.method == .GET, headers.contains(name: "upgrade"),
                Self.has("websocket", headers[canonicalForm: "upgrade"]),
                Self.has("upgrade", headers[canonicalForm: "connection"]),
                headers[canonicalForm: "sec-websocket-version"] == ["13"], allows(headers),
                let query = try? EngineQuery(target.query[...]), query.transport == .webSocket
            else { return nil }
            // A session opens with the request's end, which must not come later than the look at the limits.
            guard !head.hasBody else { return nil }
            let keys = headers[canonicalForm: "sec-websocket-key"]
            guard keys.count == 1, Self.isKey(keys[0]), query.sid.map({ client($0) != nil }) ?? (admit(channel) != nil)
            else { return nil }
            return WebSocketUpgrade(sid: query.sid, key: String(keys[0]))
        }

        /// Sixteen bytes in base64 (RFC 6455 §4.2.1).
        private static func isKey(_ key: Substring) -> Bool {
            key.utf8.count == 24 && key.hasSuffix("==")
                && key.utf8.dropLast(2).allSatisfy {
                    switch $0 {
                    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                        true
                    default: false
                    }
                }
        }

        private static func has(_ word: String, _ values: [Substring]) -> Bool {
            values.contains { $0.lowercased() == word }
        }
    }
#endif
