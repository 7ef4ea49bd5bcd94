#if Source
    internal import Atmosphere
    internal import AtmosphereServing
    internal import HTTPTypes
    internal import HummingbirdCore
    internal import NIOCore
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    extension RESTSource {
        /// Serves until the calling task is cancelled, and returns then; open connections are closed.
        ///
        /// It may be called again afterwards: the data stays.
        ///
        /// - Parameter onReady: called once, with the URL that stands for the route file's `base`.
        /// - Throws: ``RESTSourceError`` `cannotBind`.
        public func run(onReady: @escaping @Sendable (String) async -> Void) async throws {
            let address = options.host.contains(":") ? "[\(options.host)]" : options.host
            let requests = OpenRequests()
            let channel = HTTP1Channel { [self] request, writer, channel in
                // Whatever is thrown here closes the connection without a byte of an answer.
                let number = try requests.enter(channel)
                defer { requests.leave(number) }
                let port = channel.localAddress?.port ?? options.port
                let origin = "http://\(request.head.authority ?? "\(address):\(port)")"
                let received = try await receive(request)
                let action = try await requests.untilStopped { await self.held(received) }
                switch answer(received, action, origin: origin) {
                case .answer(let answer):
                    try await writer.write(response: answer.head, body: HummingbirdCore.ResponseBody(answer))
                case .half(let answer):
                    try await writer.write(response: answer.head, body: .half(of: answer))
                case .reset:
                    try await Self.reset(channel)
                    throw ConnectionClosed()
                case .close: throw ConnectionClosed()
                }
            }
            let server = LocalServer(
                host: options.host, port: options.port, requests: requests, name: "AtmosphereSource")
            do {
                try await server.run(channel) { [self] channel in
                    await onReady(baseURL(origin: "http://\(address):\(channel.localAddress?.port ?? options.port)"))
                }
            } catch let error as LocalServer.CannotBind {
                throw RESTSourceError(
                    code: .cannotBind,
                    message:
                        "cannot serve on \(address):\(options.port): \(error.reason); choose another port, or 0 for any"
                )
            }
        }

        /// Serves while the body runs.
        ///
        /// - Parameter body: gets the URL that stands for the route file's `base`.
        /// - Throws: ``RESTSourceError`` `cannotBind`, or what the body throws.
        public func withServer<Result>(_ body: (String) async throws -> Result) async throws -> Result {
            let (urls, ready) = AsyncStream<String>.makeStream()
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [self] in
                    defer { ready.finish() }
                    try await run { ready.yield($0) }
                }
                var iterator = urls.makeAsyncIterator()
                guard let url = await iterator.next(isolation: #isolation) else {
                    try await group.waitForAll()
                    throw CancellationError()
                }
                let result = try await body(url)
                group.cancelAll()
                try await group.waitForAll()
                return result
            }
        }

        /// Waits as long as each answer is held back, and asks the hook.
        private func held(_ request: SourceRequest) async -> Intercept? {
            if options.latency > .zero { try? await Task.sleep(for: options.latency) }
            let request = RequestInfo(request)
            if let action = await intercept?(request) { return action }
            guard let fault = fault(for: request) else { return nil }
            if fault == .delay { try? await Task.sleep(for: options.faults?.delay ?? .zero) }
            return .fault(fault)
        }

        /// The next close sends RST instead of FIN.
        private static func reset(_ channel: any Channel) async throws {
            let now = linger(l_onoff: 1, l_linger: 0)
            try await (channel as? any SocketOptionProvider)?.setSoLinger(now).get()
        }

        /// - Throws: where the client goes away meanwhile.
        private func receive(_ request: HummingbirdCore.Request) async throws -> SourceRequest {
            var body: [UInt8] = []
            for try await chunk in request.body {
                // One byte more than allowed is enough for the answer to be 413; the server drains the rest.
                body.append(contentsOf: chunk.readableBytesView.prefix(options.maximumBodyBytes + 1 - body.count))
                if body.count > options.maximumBodyBytes { break }
            }
            let headers = request.headers.map { NamedText(name: $0.name.rawName, value: $0.value) }
            return SourceRequest(
                method: request.method.rawValue, target: request.head.path ?? "/", headers: HeaderFields(headers),
                body: body)
        }
    }

    private struct ConnectionClosed: Error {}

    extension SourceAnswer {
        fileprivate var head: HTTPResponse {
            var fields = HTTPFields()
            for header in headers.fields {
                guard let name = HTTPField.Name(header.name) else { continue }
                fields.append(HTTPField(name: name, value: header.value))
            }
            // A 204 has neither a body nor a length (RFC 9110 §8.6).
            if status != 204, status != 304 { fields[.contentLength] = String(body.count) }
            return HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
        }
    }

    extension HummingbirdCore.ResponseBody {
        /// Half of the body that the head has announced, and the end of the connection.
        fileprivate static func half(of answer: SourceAnswer) -> Self {
            let part = ByteBuffer(bytes: answer.body.prefix(answer.body.count / 2))
            return Self(contentLength: answer.body.count) { writer in
                try await writer.write(part)
                throw ConnectionClosed()
            }
        }

        fileprivate init(_ answer: SourceAnswer) {
            self = answer.body.isEmpty || answer.omitsBody ? .init() : .init(byteBuffer: ByteBuffer(bytes: answer.body))
        }
    }
#endif
