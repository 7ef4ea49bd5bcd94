#if Curl
    import AtmosphereExchange
    import CLibcurl

    /// An exchange while libcurl works on it. Lives on the loop's thread and nowhere else.
    final class Transfer {
        let easy: UnsafeMutableRawPointer
        let exchange: Exchange
        /// Called when something has arrived since the last announcement.
        var onNews: ((Transfer) -> Void)?
        /// Why a callback ended the transfer.
        private(set) var failure: (any Error)?
        /// Whether libcurl has begun to send the request itself: a connection stood, TLS included.
        var hasBegun: Bool { timesBegun > 0 }

        private let bufferLimit: Int
        private let begun = ContinuousClock.now
        private var timesBegun = 0
        /// In use by libcurl until the handle is reset.
        var headers: UnsafeMutablePointer<curl_slist>?
        private var parser = ResponseHeadParser()
        private var head: ResponseHead?
        /// Of the body, decoded.
        private var receivedBytes = 0
        /// Of the body, as it came.
        private var codedBytes = 0
        /// Of the body, decoded, that the reader had not taken when the last came.
        private var waitingBytes = 0
        private var decoder: ContentDecoder?
        private var hasNews = false
        private var isReceivingPaused = false
        private var isSendingPaused = false
        /// What is being sent of a streamed body.
        private var chunk: ArraySlice<UInt8> = []
        /// libcurl's own words on what went wrong.
        let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

        /// - Parameter bufferLimit: see ``CurlTransport/Options/bufferedBytes``.
        init(_ easy: UnsafeMutableRawPointer, _ exchange: Exchange, bufferLimit: Int) {
            self.easy = easy
            self.exchange = exchange
            self.bufferLimit = bufferLimit
            detail.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        }

        deinit {
            curl_slist_free_all(headers)
            detail.deallocate()
        }

        /// The transfer that a handle belongs to; the engine keeps it alive while the handle is in use.
        static func of(_ easy: UnsafeMutableRawPointer) -> Transfer? {
            var pointer: UnsafeMutableRawPointer?
            guard atmosphere_easy_get_pointer(easy, CURLINFO_PRIVATE, &pointer) == CURLE_OK, let pointer else {
                return nil
            }
            return Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
        }

        // MARK: Called by libcurl

        /// Called before each time the request goes out. libcurl begins again on its own when a reused connection dies
        /// or an HTTP/2 server refuses the stream; here a request that may not be repeated stops it in time.
        func begins() -> Bool {
            guard !hasBegun || exchange.request.mayRepeat else {
                failure = TransportError(
                    code: .connectionLost,
                    message: "\(exchange.request.display): the connection ended without an answer, and the request may "
                        + "not be repeated; find out whether it arrived before sending it again", mayHaveArrived: true)
                return false
            }
            timesBegun += 1
            return true
        }

        func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
            switch parser.consume(line) {
            case .more: return true
            case .tooLarge:
                failure = CurlFailure.headTooLarge(exchange.request)
                return false
            case .complete(var head):
                let hasBody = exchange.request.method != "HEAD" && head.status != 204 && head.status != 304
                let length = hasBody ? head.bodyLength : 0
                let limit = exchange.request.maximumResponseBytes
                if let length, length > limit {
                    failure = CurlFailure.bodyTooLarge(exchange.request, limit)
                    return false
                }
                if hasBody {
                    let decodes = exchange.request.decodesContent
                    let codings = head.codings(ofContent: decodes)
                    guard codings.count <= 1 else {
                        failure = CurlFailure.codedTwice(exchange.request, codings.count)
                        return false
                    }
                    guard head.codings(ofContent: false).isEmpty else {
                        failure = CurlFailure.codedTransfer(exchange.request)
                        return false
                    }
                    if let name = codings.first {
                        guard let coding = ContentDecoder.Coding(name) else {
                            failure = CurlFailure.unknownCoding(exchange.request, name)
                            return false
                        }
                        decoder = ContentDecoder(coding)
                    }
                    if decodes { head.removeCoding() }
                }
                head.timesSent = max(1, timesBegun)
                self.head = head
                let room = min(length ?? 0, limit, CurlTransport.Options.largestReservation)
                exchange.arrived(head, capacity: room)
                noteNews()
                return true
            }
        }

        /// - Returns: the number of bytes, or one of libcurl's signals.
        func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
            // Any other number than what was given ends the transfer.
            let refused = bytes.count + 1
            guard let decoder else {
                guard take(bytes) else { return refused }
                holdBackAtLimit()
                return bytes.count
            }
            // The rest of a read of the socket comes all the same, and is a thousand times as much when it is decoded.
            if isReceivingPaused { return Int(CURL_WRITEFUNC_PAUSE) }
            // Codings can go on for ever without anything coming out.
            codedBytes += bytes.count
            let limit = exchange.request.maximumResponseBytes
            guard codedBytes - Self.codingBytes <= limit else {
                failure = CurlFailure.bodyTooLarge(exchange.request, limit)
                return refused
            }
            do throws(ContentDecoder.Failure) {
                try decoder.decode(bytes) { take($0) }
            } catch {
                failure = failure ?? CurlFailure.coding(exchange.request, decoder.coding, error)
                return refused
            }
            holdBackAtLimit()
            return bytes.count
        }

        /// What the wrapping of a coded body may have beside what it stands for.
        private static let codingBytes = 64 << 10

        private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            receivedBytes += bytes.count
            let limit = exchange.request.maximumResponseBytes
            guard receivedBytes <= limit else {
                failure = CurlFailure.bodyTooLarge(exchange.request, limit)
                return false
            }
            waitingBytes = exchange.receive(bytes)
            noteNews()
            return true
        }

        private func holdBackAtLimit() { if waitingBytes >= bufferLimit { holdBack() } }

        /// - Returns: the number of bytes, or one of libcurl's signals.
        func supply(_ room: UnsafeMutableRawBufferPointer) -> Int {
            if chunk.isEmpty {
                guard let upload = exchange.upload else { return 0 }
                switch upload.take() {
                case .chunk(let bytes): chunk = bytes[...]
                case .end: return 0
                case .later:
                    isSendingPaused = true
                    return Int(CURL_READFUNC_PAUSE)
                case .failed(let error):
                    failure = CurlFailure.body(exchange.request, error, mayHaveArrived: hasBegun)
                    return Int(CURL_READFUNC_ABORT)
                }
            }
            let part = chunk.prefix(room.count)
            room.copyBytes(from: part)
            chunk = chunk.dropFirst(part.count)
            return part.count
        }

        // MARK: Called by the engine

        /// Tells the reader what has arrived.
        func announce() {
            hasNews = false
            holdBack()
            // A server that refuses does not want the rest of the body: libcurl then stops sending, but does not count
            // a paused side as done.
            if isSendingPaused, let head, head.status >= 300 { resumeSending() }
        }

        func resumeReceiving() {
            guard isReceivingPaused else { return }
            isReceivingPaused = false
            applyPauses()
        }

        func resumeSending() {
            guard isSendingPaused else { return }
            isSendingPaused = false
            applyPauses()
        }

        /// What is missing of an answer that libcurl takes for a whole one.
        func missingPart() -> TransportError? {
            guard head != nil else { return CurlFailure.noHead(exchange.request) }
            guard let decoder else { return nil }
            do throws(ContentDecoder.Failure) {
                try decoder.finish()
                return nil
            } catch {
                return CurlFailure.coding(exchange.request, decoder.coding, error)
            }
        }

        func error(for code: CURLcode) -> TransportError {
            CurlFailure(
                code: code, request: exchange.request, hasBegun: hasBegun, hasHead: head != nil,
                elapsed: ContinuousClock.now - begun, timeout: exchange.timeout, wholeTimeout: exchange.wholeTimeout,
                detail: String(cString: detail)
            ).transportError
        }

        /// Wakes the reader, and stops receiving where it lags behind.
        private func holdBack() {
            exchange.wake()
            guard exchange.pause(at: bufferLimit) else { return }
            isReceivingPaused = true
            applyPauses()
        }

        private func noteNews() {
            guard !hasNews else { return }
            hasNews = true
            onNews?(self)
        }

        private func applyPauses() {
            let receiving = isReceivingPaused ? CURLPAUSE_RECV : CURLPAUSE_RECV_CONT
            let sending = isSendingPaused ? CURLPAUSE_SEND : CURLPAUSE_SEND_CONT
            let code = curl_easy_pause(easy, receiving | sending)
            // What libcurl still held is delivered by this call, and may have been refused.
            if code != CURLE_OK, failure == nil { failure = error(for: code) }
        }
    }
#endif
