#if Curl
    import AtmosphereExchange
    import CLibcurl

    extension Transfer {
        /// Tells libcurl everything about the request; the handle is fresh or reset.
        ///
        /// - Returns: the first refusal.
        func configure(_ options: CurlTransport.Options, connectTimeout: Duration) -> CURLcode {
            var setup = Setup(easy: easy)
            let request = exchange.request
            setup.text(CURLOPT_URL, request.url.text)
            configureMethod(&setup)
            configureHeaders(&setup)
            configureProtocol(&setup, options)

            setup.number(CURLOPT_TIMEOUT_MS, exchange.timeout.clampedMilliseconds)
            setup.number(CURLOPT_CONNECTTIMEOUT_MS, min(connectTimeout, exchange.timeout).clampedMilliseconds)
            // Less than one byte a second for this long.
            setup.number(CURLOPT_LOW_SPEED_LIMIT, 1)
            setup.number(CURLOPT_LOW_SPEED_TIME, max(1, (options.stallTimeout.clampedMilliseconds + 999) / 1000))

            let context = Unmanaged.passUnretained(self).toOpaque()
            setup.pointer(CURLOPT_PRIVATE, context)
            setup.pointer(CURLOPT_ERRORBUFFER, detail)
            setup.pointer(CURLOPT_PREREQDATA, context)
            setup.add(atmosphere_easy_set_prerequest_callback(easy, prerequestCallback))
            setup.pointer(CURLOPT_HEADERDATA, context)
            setup.add(atmosphere_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION, headerCallback))
            setup.pointer(CURLOPT_WRITEDATA, context)
            setup.add(atmosphere_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION, writeCallback))
            return setup.code
        }

        private func configureMethod(_ setup: inout Setup) {
            let method = exchange.request.method
            switch exchange.request.body {
            case .none where ["POST", "PUT", "PATCH"].contains(method):
                // A content length of zero (RFC 9110 §8.6).
                setup.body([])
            case .none where method == "HEAD":
                setup.number(CURLOPT_NOBODY, 1)
                return
            case .none:
                setup.number(CURLOPT_HTTPGET, 1)
            case .bytes(let bytes):
                setup.body(bytes)
            case .stream(let length, _):
                setup.number(CURLOPT_UPLOAD, 1)
                setup.add(atmosphere_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1)))
                setup.pointer(CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
                setup.add(atmosphere_easy_set_data_callback(easy, CURLOPT_READFUNCTION, readCallback))
            }
            setup.text(CURLOPT_CUSTOMREQUEST, method)
        }

        private func configureHeaders(_ setup: inout Setup) {
            for line in exchange.request.headerLines {
                guard let longer = curl_slist_append(headers, line) else {
                    setup.add(CURLE_OUT_OF_MEMORY)
                    return
                }
                headers = longer
            }
            setup.add(atmosphere_easy_set_list(easy, CURLOPT_HTTPHEADER, headers))
            // Never to a proxy that only makes the tunnel.
            setup.number(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
            setup.number(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            setup.text(CURLOPT_USERAGENT, "Atmosphere/0.1")
        }

        private func configureProtocol(_ setup: inout Setup, _ options: CurlTransport.Options) {
            let request = exchange.request
            setup.text(CURLOPT_PROTOCOLS_STR, "http,https")
            setup.number(CURLOPT_FOLLOWLOCATION, 0)
            setup.number(CURLOPT_PATH_AS_IS, 1)
            setup.number(CURLOPT_NOSIGNAL, 1)
            // Otherwise a cancelled transfer would hold up all others until the name server answers.
            setup.number(CURLOPT_QUICK_EXIT, 1)
            setup.number(CURLOPT_TCP_KEEPALIVE, 1)
            // Refused, without harm, while a used handle still holds the buffer of its last HTTP/2 stream.
            _ = atmosphere_easy_set_long(easy, CURLOPT_BUFFERSIZE, options.receiveBytes)
            setup.number(CURLOPT_SSL_VERIFYPEER, 1)
            setup.number(CURLOPT_SSL_VERIFYHOST, 2)
            if let file = options.certificateAuthorities { setup.text(CURLOPT_CAINFO, file) }
            let version =
                options.speaksHTTP2WithoutAsking
                ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS
            setup.number(CURLOPT_HTTP_VERSION, version)

            // A connection that was idle may be dying; a request that can be sent only once, and a body that can be
            // read only once, get a new one. It serves others afterwards.
            let isStream = exchange.upload != nil
            setup.number(CURLOPT_FRESH_CONNECT, request.mayRepeat && !isStream ? 0 : 1)
            // Rather wait for the first handshake to see whether streams can share the connection.
            setup.number(CURLOPT_PIPEWAIT, request.url.isSecure || options.speaksHTTP2WithoutAsking ? 1 : 0)
        }
    }

    /// Sets options until one is refused.
    private struct Setup {
        let easy: UnsafeMutableRawPointer
        private(set) var code = CURLE_OK

        init(easy: UnsafeMutableRawPointer) {
            self.easy = easy
        }

        mutating func add(_ next: CURLcode) { if code == CURLE_OK { code = next } }

        mutating func number(_ option: CURLoption, _ value: Int) {
            add(atmosphere_easy_set_long(easy, option, value))
        }

        mutating func text(_ option: CURLoption, _ value: String) {
            add(atmosphere_easy_set_text(easy, option, value))
        }

        mutating func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
            add(atmosphere_easy_set_pointer(easy, option, value))
        }

        /// libcurl keeps a copy, from which it can send again.
        mutating func body(_ bytes: [UInt8]) {
            add(atmosphere_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count)))
            bytes.withUnsafeBytes { bytes in
                // An empty array has no address, which would mean a body from the read callback.
                if let start = bytes.baseAddress, !bytes.isEmpty {
                    add(
                        atmosphere_easy_set_pointer(
                            easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start)))
                } else {
                    text(CURLOPT_COPYPOSTFIELDS, "")
                }
            }
        }
    }

    extension Duration {
        /// At least one, at most what libcurl takes (24 days).
        fileprivate var clampedMilliseconds: Int {
            let (seconds, attoseconds) = components
            guard seconds < 2_147_483 else { return 2_147_483_000 }
            return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        }
    }

    // The engine keeps the transfer alive while libcurl knows its address, and all calls come on the loop's thread.

    private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private let prerequestCallback: curl_prereq_callback = { context, _, _, _, _ in
        guard let context else { return CURL_PREREQFUNC_ABORT }
        return transfer(context).begins() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private let headerCallback: curl_write_callback = { bytes, size, count, context in
        guard let context else { return 0 }
        let length = size * count
        // Any other number than what was given ends the transfer.
        return transfer(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: length))
            ? length : length + 1
    }

    private let writeCallback: curl_write_callback = { bytes, size, count, context in
        guard let context else { return 0 }
        return transfer(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private let readCallback: curl_write_callback = { bytes, size, count, context in
        guard let context else { return Int(CURL_READFUNC_ABORT) }
        return transfer(context).supply(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }
#endif
