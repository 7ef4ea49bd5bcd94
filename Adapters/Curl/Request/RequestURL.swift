#if Curl
    import AtmosphereExchange
    import CLibcurl

    /// An absolute http or https URL, taken apart by libcurl's own parser, so that both see the same origin in it.
    struct RequestURL: Sendable {
        /// What is given to libcurl.
        let text: String
        /// Scheme, host and port, in lowercase: what a redirect must not leave (RFC 6454 §4).
        let origin: String
        let path: String
        let isSecure: Bool

        /// For messages: no query, no user, no fragment.
        var display: String { origin + path }

        /// - Throws: ``TransportError`` `invalidRequest`.
        init(_ text: String) throws(TransportError) {
            try self.init(text, relativeTo: nil)
        }

        /// The URL that a `Location` header names, seen from here (RFC 3986 §5).
        ///
        /// - Throws: ``TransportError`` `invalidRequest`.
        func resolving(_ location: String) throws(TransportError) -> RequestURL {
            try RequestURL(location, relativeTo: text)
        }

        private init(_ text: String, relativeTo base: String?) throws(TransportError) {
            func refused(_ reason: String) -> TransportError {
                TransportError(
                    code: .invalidRequest, message: "\(Self.scrubbed(text)): \(reason)", mayHaveArrived: false)
            }
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw refused("the URL holds a space, a control or a non-ASCII character; percent-encode it")
            }
            guard let handle = curl_url() else { throw refused("no memory is left to read the URL") }
            defer { curl_url_cleanup(handle) }
            if let base { _ = curl_url_set(handle, CURLUPART_URL, base, 0) }
            let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
            guard code == CURLUE_OK else {
                throw refused(
                    "not an absolute URL (\(String(cString: curl_url_strerror(code)))); write https://host/path")
            }
            func part(_ what: CURLUPart, _ flags: Int32 = 0) -> String? {
                var pointer: UnsafeMutablePointer<CChar>?
                guard curl_url_get(handle, what, &pointer, UInt32(flags)) == CURLUE_OK, let pointer else { return nil }
                defer { curl_free(pointer) }
                return String(cString: pointer)
            }
            guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
                throw refused("the URL holds a user name or password; declare them under auth instead")
            }
            let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
            guard scheme == "http" || scheme == "https" else {
                throw refused("only http and https are supported")
            }
            guard let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty else {
                throw refused("the URL has no host; write https://host/path")
            }
            let port = part(CURLUPART_PORT, CURLU_NO_DEFAULT_PORT)
            // A fragment never leaves the client (RFC 9110 §7.1).
            if part(CURLUPART_FRAGMENT) != nil { _ = curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }
            // Without a base the text is sent as it was written, dot segments and all: the server decides what it means.
            let written = text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
            self.text = base == nil ? written : part(CURLUPART_URL) ?? written
            origin = scheme + "://" + host + (port.map { ":" + $0 } ?? "")
            path = part(CURLUPART_PATH) ?? "/"
            isSecure = scheme == "https"
        }

        /// What may be shown of a text that is not a usable URL.
        private static func scrubbed(_ text: String) -> String {
            var shown = text.prefix { $0 != "?" && $0 != "#" }
            if let at = shown.lastIndex(of: "@") {
                let start = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
                if start <= at { shown = shown[..<start] + shown[shown.index(after: at)...] }
            }
            return shown.isEmpty ? "(no URL)" : String(shown.prefix(200))
        }
    }
#endif
