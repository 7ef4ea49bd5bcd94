#if Curl
    import AtmosphereExchange
    import CLibcurl

    /// Turns what libcurl says into what the caller can act on.
    struct CurlFailure {
        let code: CURLcode
        let request: PreparedRequest
        /// Whether libcurl has begun to send the request itself: before that nobody has seen it.
        let hasBegun: Bool
        let hasHead: Bool
        let elapsed: Duration
        let timeout: Duration
        let wholeTimeout: Duration
        /// libcurl's own words. Quoted for TLS only: others may hold a proxy's password.
        let detail: String

        var transportError: TransportError {
            let (kind, reason) = verdict
            return TransportError(
                code: kind, message: "\(request.display): \(reason)", mayHaveArrived: hasBegun)
        }

        private var verdict: (TransportError.Code, String) {
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST:
                (.cannotConnect, "the name of the server does not resolve; check the address and the network")
            case CURLE_COULDNT_RESOLVE_PROXY:
                (.cannotConnect, "the name of the proxy does not resolve; check http_proxy, https_proxy and no_proxy")
            case CURLE_PROXY:
                (.cannotConnect, "the proxy refuses; check http_proxy, https_proxy and no_proxy")
            case CURLE_OPERATION_TIMEDOUT:
                (.timeout, timeoutReason)
            case CURLE_SSL_CONNECT_ERROR:
                (
                    .tls,
                    "TLS failed\(detail.isEmpty ? "" : " (\(detail))"); nothing was sent: where the server speaks plain HTTP "
                        + "at this port write http://, else check what TLS it offers"
                )
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND,
                CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
                (
                    .tls,
                    "TLS failed\(detail.isEmpty ? "" : " (\(detail))"); the connection is not trusted and nothing was sent "
                        + "over it: correct the server's certificate or this machine's certificate authorities"
                )
            case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
                (.invalidResponse, "the answer is not HTTP; check the port")
            case CURLE_URL_MALFORMAT:
                (.invalidRequest, "the URL is not usable; write https://host/path")
            case _ where isLineTooLong:
                (.invalidResponse, "a line of the response header is larger than \(Self.longestLine) bytes")
            case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT:
                (.cannotConnect, "the request cannot be set up (\(words))")
            case _ where !hasBegun:
                (
                    .cannotConnect,
                    "there is no connection to the server (\(words)); check the address, the network and, where the "
                        + "environment names one, the proxy"
                )
            default:
                (
                    .connectionLost,
                    hasHead
                        ? "the connection ended in the middle of the answer (\(words))"
                        : "the connection ended without an answer (\(words))"
                )
            }
        }

        /// What libcurl takes of one line (`CURL_MAX_HTTP_HEADER`).
        private static let longestLine = 100 << 10

        /// libcurl calls it a lack of memory where an answer has a longer line, and since 8.6 `CURLE_TOO_LARGE`. Memory that is
        /// lacking indeed is seldom missed first where the header arrives.
        private var isLineTooLong: Bool {
            hasBegun && !hasHead && (code == CURLE_OUT_OF_MEMORY || code.rawValue == 100)
        }

        private var timeoutReason: String {
            if !hasBegun {
                return "no connection within \(Self.words(elapsed)); check the address and the network"
            }
            // libcurl gives one code for both limits, and may be early by the grain of its clock.
            guard elapsed + .milliseconds(20) < timeout else {
                return "no whole answer within \(Self.words(wholeTimeout)); try later or raise \(request.timeoutKey)"
            }
            return "given up after \(Self.words(elapsed)), because nothing has moved for too long; try later"
        }

        private var words: String { String(cString: curl_easy_strerror(code)) }

        private static func words(_ duration: Duration) -> String {
            let (seconds, attoseconds) = duration.components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            return milliseconds % 1000 == 0 || milliseconds > 10_000 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
        }
    }

    extension CurlFailure {
        static func outOfMemory(_ request: PreparedRequest) -> TransportError {
            TransportError(
                code: .cannotConnect, message: "\(request.display): no memory is left for the request",
                mayHaveArrived: false)
        }

        static func bodyTooLarge(_ request: PreparedRequest, _ limit: Int) -> TransportError {
            TransportError(
                code: .bodyTooLarge,
                message:
                    "\(request.display): the response body is larger than \(limit) bytes; ask for smaller pages or "
                    + "raise limits.body", mayHaveArrived: true)
        }

        /// Each coding may make a thousand bytes of one, so that two make a million.
        static func codedTwice(_ request: PreparedRequest, _ count: Int) -> TransportError {
            TransportError(
                code: .invalidResponse,
                message:
                    "\(request.display): the response body is coded \(count) times (Content-Encoding), and no more "
                    + "than one coding is undone; let the server code it once", mayHaveArrived: true)
        }

        /// libcurl would undo it, and take a part for the whole.
        static func codedTransfer(_ request: PreparedRequest) -> TransportError {
            TransportError(
                code: .invalidResponse,
                message: "\(request.display): the response is compressed on its way (Transfer-Encoding), which nobody "
                    + "asked for; let the server compress by Content-Encoding, or not at all", mayHaveArrived: true)
        }

        static func unknownCoding(_ request: PreparedRequest, _ name: String) -> TransportError {
            TransportError(
                code: .invalidResponse,
                message: "\(request.display): the response body is coded with \(String(name.prefix(40)).quoted) "
                    + "(Content-Encoding), and only gzip and deflate are undone; let the server send one of them, or none",
                mayHaveArrived: true)
        }

        static func coding(
            _ request: PreparedRequest, _ coding: ContentDecoder.Coding, _ failure: ContentDecoder.Failure
        ) -> TransportError {
            switch failure {
            case .cut, .stopped:
                TransportError(
                    code: .connectionLost,
                    message:
                        "\(request.display): the response body ends before its coding (\(coding.rawValue)) does: it was "
                        + "cut; try again", mayHaveArrived: true)
            case .wrongSum:
                TransportError(
                    code: .invalidResponse,
                    message: "\(request.display): the response body is not what the sum at the end of its coding "
                        + "(\(coding.rawValue)) says: it was changed on its way; try again", mayHaveArrived: true)
            case .goesOn:
                TransportError(
                    code: .invalidResponse,
                    message: "\(request.display): the response body goes on behind the end of its coding "
                        + "(\(coding.rawValue)); let the server send nothing after it", mayHaveArrived: true)
            case .malformed:
                TransportError(
                    code: .invalidResponse,
                    message: "\(request.display): the response body is not coded as its Content-Encoding "
                        + "(\(coding.rawValue)) says; let the server send it without a coding", mayHaveArrived: true)
            }
        }

        static func headTooLarge(_ request: PreparedRequest) -> TransportError {
            TransportError(
                code: .invalidResponse,
                message: "\(request.display): the response header is larger than \(ResponseHeadParser.limit) bytes",
                mayHaveArrived: true)
        }

        static func noHead(_ request: PreparedRequest) -> TransportError {
            TransportError(
                code: .invalidResponse, message: "\(request.display): the answer has no status; check the port",
                mayHaveArrived: true)
        }

        /// The caller's own body failed; its error is not quoted, for it may hold anything.
        static func body(_ request: PreparedRequest, _ error: any Error, mayHaveArrived: Bool) -> any Error {
            if error is CancellationError { return error }
            if let error = error as? TransportError {
                return TransportError(
                    code: error.code, message: "\(request.display): \(error.message)", mayHaveArrived: mayHaveArrived)
            }
            return TransportError(
                code: .invalidRequest,
                message: "\(request.display): the request body cannot be read (\(type(of: error)))",
                mayHaveArrived: mayHaveArrived)
        }
    }
#endif
