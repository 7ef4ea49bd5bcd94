#if Notifications
    import NIOCore
    package import NIOHTTP1

    /// One HTTP request with its whole body.
    package struct HTTPRequest: Sendable {
        package var method: String
        package var path: String
        /// Behind the question mark; empty where there is none.
        package var query: String
        package var headers: HTTPHeaders
        package var body: [UInt8]
        /// Of the peer, without its port: an IPv4 address, or a network of IPv6 with 64 bits.
        package var address: String
        /// Counts the body for as long as it, or what was made of it, is held.
        package var hold: BodyHold?

        /// The first value of a header field, without parameters behind a semicolon, in lowercase.
        package var contentType: String {
            let value = headers.first(name: "content-type") ?? ""
            return value.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        }
    }

    /// What is answered.
    package struct HTTPAnswer: Sendable {
        package var status: Int
        package var contentType: String
        package var body: [UInt8]
        package var headers: [(String, String)] = []

        package init(status: Int, contentType: String, body: [UInt8]) {
            self.status = status
            self.contentType = contentType
            self.body = body
        }
    }

    /// Where the answer to one request goes; may be used from any thread, and counts once.
    final class HTTPResponder: Sendable {
        let channel: any Channel
        let executor: any TaskExecutor
        private let number: UInt64
        private let handler: NIOLoopBound<HTTPHandler>
        private let gate: LoopGate

        init(
            _ channel: any Channel, _ handler: HTTPHandler, number: UInt64, executor: any TaskExecutor, gate: LoopGate
        ) {
            self.channel = channel
            self.gate = gate
            self.executor = executor
            self.number = number
            self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        }

        /// The connection does not count as new any more.
        func trust() { onLoop { $0.trust() } }

        func answer(_ answer: HTTPAnswer) { onLoop { [number] in $0.answer(answer, to: number) } }

        private func onLoop(_ body: @escaping @Sendable (HTTPHandler) -> Void) {
            if channel.eventLoop.inEventLoop {
                body(handler.value)
            } else {
                gate.execute(channel.eventLoop) { body(self.handler.value) }
            }
        }
    }
#endif
