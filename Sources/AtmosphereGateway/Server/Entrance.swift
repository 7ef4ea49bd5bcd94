#if Gateway
    internal import Atmosphere
    internal import AtmosphereServing
    internal import HTTPTypes
    internal import HummingbirdCore
    internal import NIOCore
    internal import Synchronization

    /// Brings requests from connections to the service, and its answers back.
    final class Entrance: Sendable {
        private struct ConnectionClosed: Error {}

        private struct Opened {
            var service: GatewayService
            var work: Task<Void, Never>
        }

        /// What is read of a body that was refused, so that its sender sees the answer.
        private static let drained = 1 << 20
        private let requests: OpenRequests
        private let opened = Mutex<Opened?>(nil)
        private let failures: AsyncThrowingStream<Never, any Error>
        private let failure: AsyncThrowingStream<Never, any Error>.Continuation

        init(_ requests: OpenRequests) {
            self.requests = requests
            (failures, failure) = AsyncThrowingStream<Never, any Error>.makeStream()
        }

        /// Requests are answered from now on.
        func open(_ service: GatewayService, _ commits: AsyncStream<CommitSet>, _ gateway: Gateway) {
            let work = Task { [failure] in
                do {
                    try await gateway.work(service, commits)
                } catch {
                    if !Task.isCancelled { failure.finish(throwing: error) }
                }
            }
            opened.withLock { $0 = Opened(service: service, work: work) }
        }

        /// Runs the body, and cancels it where what goes on beside the requests fails.
        ///
        /// - Throws: what the first of the two has failed with.
        func untilWorkFails(_ body: @escaping @Sendable () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await body() }
                group.addTask { [failures] in for try await _ in failures {} }
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        /// nil before the gateway is open and after its end.
        var service: GatewayService? { opened.withLock { $0?.service } }

        /// Ends what goes on beside the requests.
        func close() {
            let opened = opened.withLock { $0.take() }
            opened?.service.end()
            opened?.work.cancel()
        }

        func answer(
            _ received: HummingbirdCore.Request, _ writer: consuming ResponseWriter, _ channel: any Channel
        ) async throws {
            guard let service else { throw ConnectionClosed() }
            let number = try requests.enter(channel)
            defer { requests.leave(number) }
            let body = ReceivedBody(received.body)
            let request = GatewayRequest(received, body)
            let waitsToSend = received.headers[.expect]?.lowercased() == "100-continue"
            let isHeldBack = waitsToSend && !service.wantsBody(of: request)
            if waitsToSend, !isHeldBack {
                try await writer.writeInformationalHead(HTTPResponse(status: .continue))
            }
            // What the server is asked for ends with the gateway; edits of the local copy are done by then.
            let answer = try await requests.untilStopped { await service.answer(request) }
            try await write(answer, writer, channel, ofHead: received.method == .head)
            guard answer.closes else { return }
            if !isHeldBack { try await body.drain(upTo: Self.drained) }
            throw ConnectionClosed()
        }

        private func write(
            _ answer: GatewayAnswer, _ writer: consuming ResponseWriter, _ channel: any Channel, ofHead isHead: Bool
        ) async throws {
            var head = answer.head
            switch answer.body {
            case .none:
                if !isHead, answer.status != 204, answer.status != 304 { head.headerFields[.contentLength] = "0" }
                try await writer.writeResponse(head)
            case .bytes(let bytes):
                head.headerFields[.contentLength] = String(bytes.count)
                try await writer.write(response: head, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
            case .stream(let length, let stream):
                if let length { head.headerFields[.contentLength] = String(length) }
                let body = HummingbirdCore.ResponseBody(contentLength: length.map(Int.init)) { writer in
                    var sent: Int64 = 0
                    for try await chunk in stream {
                        sent += Int64(chunk.count)
                        // A server that says less than it sends breaks no framing here.
                        guard sent <= length ?? .max else { throw ConnectionClosed() }
                        try await writer.write(ByteBuffer(bytes: chunk))
                    }
                    guard sent == length ?? sent else { throw ConnectionClosed() }
                    try await writer.finish(nil)
                }
                try await writer.write(response: head, body: body)
            case .events(let client):
                defer { client.end() }
                client.onOverdue { channel.close(promise: nil) }
                let body = HummingbirdCore.ResponseBody { writer in
                    while let bytes = await client.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(nil)
                }
                try await writer.write(response: head, body: body)
                // A reader that comes back shall not wait behind this one.
                throw ConnectionClosed()
            }
        }
    }

    extension GatewayRequest {
        fileprivate init(_ received: HummingbirdCore.Request, _ body: ReceivedBody) {
            var headers = HeaderFields(received.headers.map { NamedText(name: $0.name.rawName, value: $0.value) })
            if let host = received.head.authority { headers.append("Host", host) }
            self.init(
                method: received.method.rawValue, target: received.head.path ?? "", headers: headers,
                body: { each in
                    while let chunk = try await body.next() { try await each(Array(chunk.readableBytesView)) }
                })
        }
    }

    /// The body of a request, which can be read once: what a route leaves of it is read behind its answer.
    ///
    /// `@unchecked Sendable`: one task reads at a time, the one that answers and then the one that drains.
    private final class ReceivedBody: @unchecked Sendable {
        private var chunks: HummingbirdCore.RequestBody.AsyncIterator

        init(_ body: HummingbirdCore.RequestBody) { chunks = body.makeAsyncIterator() }

        /// - Throws: ``Problem`` 400 for a body that breaks its framing, such as a chunk without a length (RFC 9112 §7.1).
        func next() async throws -> ByteBuffer? {
            do {
                return try await chunks.next()
            } catch let error as CancellationError {
                throw error
            } catch {
                var problem = Problem(.badRequest, "badBody", "the body cannot be read: \(error); send it again")
                problem.closes = true
                throw problem
            }
        }

        func drain(upTo most: Int) async throws {
            var left = most
            while left >= 0, let chunk = try await next() { left -= chunk.readableBytes }
        }
    }

    extension GatewayAnswer {
        fileprivate var head: HTTPResponse {
            var fields = HTTPFields()
            for header in headers.fields {
                guard let name = HTTPField.Name(header.name) else { continue }
                fields.append(HTTPField(name: name, value: header.value))
            }
            if closes { fields[.connection] = "close" }
            return HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
        }
    }
#endif
