#if Curl
    public import AtmosphereExchange

    /// Sends requests with libcurl (7.88 or newer).
    ///
    /// One thread of its own drives all transfers; no task ever waits on a lock or a socket. Connections are kept and
    /// used again, HTTP/2 is spoken where a TLS server offers it, bodies arrive decompressed, and proxies come from the
    /// environment (`http_proxy`, `https_proxy`, `no_proxy`). There are no cookies, and no URL, header or body is ever
    /// logged.
    ///
    /// A request whose ``Request/mayRepeat`` is false goes out on a new connection, and libcurl's own second try is
    /// stopped before its first byte. A body that is read slower than it arrives is held back on the wire; over HTTP/2 in
    /// libcurl 7.88 that may hold back other answers of the same connection too, until it is read or dropped.
    ///
    /// The thread and the connections end with the transport and the last response body, or with ``close()``.
    public final class CurlTransport: Transport {
        private let owner: CurlLoop.Owner
        private let timeout: Duration

        /// Costs next to nothing: the thread that the transfers run on starts with the first request, and ends with the
        /// transport.
        public init(
            settings: TransportSettings = TransportSettings(), options: Options = Options()
        ) throws(TransportError) {
            owner = CurlLoop.Owner(CurlLoop(options: options, connectTimeout: settings.connectTimeout))
            timeout = settings.timeout
        }

        /// Returns when the header of the final answer has arrived.
        ///
        /// Redirects are followed within the origin: up to ten, for GET and HEAD, and for every method where the status
        /// is 307 or 308. The timeout spans all of them. A body that the server coded with gzip (RFC 1952, of one member or
        /// several) or deflate (RFC 1950, or 1951 alone) is given decoded, without `Content-Encoding` and `Content-Length`;
        /// where it ends before its coding does, or is not what the sum at the end says, the end of the body throws. Other
        /// codings, and more than one, are errors. A request with `Accept-Encoding: identity` gets the body as it came, with
        /// both fields.
        ///
        /// - Throws: ``TransportError``, or `CancellationError`. ``TransportError/mayHaveArrived`` is false as long as
        ///   no connection, TLS included, stood. `cannotConnect` also where the system gives no thread.
        public func send(_ request: Request) async throws -> Response {
            try Task.checkCancellation()
            let timeout = request.timeout ?? timeout
            let deadline = ContinuousClock.now + timeout
            var prepared = try PreparedRequest(request)
            try owner.loop.start()
            var followed = 0
            while true {
                let exchange = Exchange(prepared, timeout: deadline - .now, of: timeout)
                let ticket = ExchangeTicket(exchange, on: owner)
                ticket.start()
                let head = try await ticket.head()
                guard request.followsRedirects,
                    let target = try Redirect.target(of: head, for: prepared, followed: followed)
                else {
                    var response = Response(status: head.status, headers: head.headers, body: body(ticket))
                    response.timesSent = head.timesSent
                    return response
                }
                prepared.url = target
                followed += 1
                try await drain(ticket)
            }
        }

        /// Ends the thread, and with it what is under way, and returns when it has ended. Requests after that throw
        /// ``TransportError`` `offline`.
        public func close() async {
            owner.loop.stop()
            await owner.loop.waitForEnd()
        }

        private func body(_ ticket: ExchangeTicket) -> ResponseBody {
            if let whole = ticket.wholeBody() { return ResponseBody(whole) }
            return ResponseBody { try await ticket.nextChunk() }
        }

        /// Reads a redirect's short body, so that its connection serves the next request; a long one is dropped, and one
        /// that fails changes nothing.
        private func drain(_ ticket: ExchangeTicket) async throws(CancellationError) {
            var count = 0
            do {
                while count < 64 << 10, let chunk = try await ticket.nextChunk() { count += chunk.count }
            } catch let error as CancellationError {
                throw error
            } catch {}
        }
    }
#endif
