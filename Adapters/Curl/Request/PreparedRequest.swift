#if Curl
    import Atmosphere

    /// A request that has been checked: nothing in it can change the framing of the message or add a header.
    struct PreparedRequest: Sendable {
        var url: RequestURL
        let method: String
        /// Lines as libcurl takes them.
        let headerLines: [String]
        let body: RequestBody
        let mayRepeat: Bool
        let maximumResponseBytes: Int

        /// For messages.
        var display: String { method + " " + url.display }

        /// - Throws: ``TransportError`` `invalidRequest`, which names the header but never quotes a value.
        init(_ request: Request) throws(TransportError) {
            url = try RequestURL(request.url)
            method = request.method
            body = request.body
            mayRepeat = request.mayRepeat
            maximumResponseBytes = max(0, request.maximumResponseBytes)
            headerLines = try Self.lines(of: request, url)

            guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte), method != "CONNECT" else {
                throw Self.refused(url, "the method is not one that can be sent; use GET, POST, PUT, PATCH or DELETE")
            }
            if method == "HEAD" {
                guard case .none = body else { throw Self.refused(url, "a HEAD request carries no body; leave it out") }
            }
            if case .stream(let length?, _) = body, length < 0 {
                throw Self.refused(url, "the length of the request body is negative; give nil where it is not known")
            }
        }

        private static func lines(of request: Request, _ url: RequestURL) throws(TransportError) -> [String] {
            var lines: [String] = []
            lines.reserveCapacity(request.headers.fields.count + 2)
            var hasContentType = false
            for field in request.headers.fields {
                guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenByte) else {
                    throw refused(url, "a header name is empty or holds a character that no name may hold")
                }
                guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                    throw refused(
                        url, "the value of the header \(field.name) holds a line break or a control character")
                }
                let name = field.name.lowercased()
                guard !ownHeaders.contains(name) else {
                    throw refused(url, "the header \(field.name) belongs to the transport; leave it out")
                }
                if name == "content-type" { hasContentType = true }
                // libcurl takes `Name:` for a header to leave out, and `Name;` for one without a value.
                let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                lines.append(isBlank ? field.name + ";" : field.name + ": " + field.value)
            }
            // libcurl would wait up to a second for `100 Continue`, and would call every body a form.
            lines.append("Expect:")
            if !hasContentType { lines.append("Content-Type:") }
            return lines
        }

        private static func refused(_ url: RequestURL, _ reason: String) -> TransportError {
            TransportError(code: .invalidRequest, message: "\(url.display): \(reason)", mayHaveArrived: false)
        }

        /// Headers that frame the message or belong to the connection (RFC 9110 §7.6.1, RFC 9112 §6).
        private static let ownHeaders: Set<String> = [
            "connection", "content-length", "expect", "keep-alive", "proxy-authorization", "proxy-connection", "te",
            "trailer", "transfer-encoding", "upgrade"
        ]

        /// `tchar` of RFC 9110 §5.6.2.
        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default:
                "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
#endif
