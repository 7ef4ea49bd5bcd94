#if Curl
    import AtmosphereExchange

    /// A request that has been checked: nothing in it can change the framing of the message or add a header.
    struct PreparedRequest: Sendable {
        var url: RequestURL
        let method: String
        /// Lines as libcurl takes them.
        let headerLines: [String]
        let body: RequestBody
        let mayRepeat: Bool
        let maximumResponseBytes: Int
        /// What gives it its time, for messages.
        let timeoutKey: String
        /// Whether a coded body is decoded. A caller who asks for `identity` wants the bytes of the representation, and is
        /// told of a coding that the server chose all the same.
        let decodesContent: Bool

        /// For messages.
        var display: String { method + " " + url.display }

        /// - Throws: ``TransportError`` `invalidRequest`, which names the header but never quotes a value.
        init(_ request: Request) throws(TransportError) {
            url = try RequestURL(request.url)
            method = request.method
            body = request.body
            mayRepeat = request.mayRepeat
            maximumResponseBytes = max(0, request.maximumResponseBytes)
            timeoutKey = request.timeoutKey
            decodesContent = request.headers["Accept-Encoding"]?.lowercased() != "identity"
            try RequestRules.check(request, display: url.display)
            headerLines = Self.lines(of: request)
        }

        private static func lines(of request: Request) -> [String] {
            var lines: [String] = []
            lines.reserveCapacity(request.headers.fields.count + 3)
            var hasContentType = false
            // What is undone here. libcurl is not told of it, and hands a coded body over as it came.
            if request.headers["Accept-Encoding"] == nil {
                lines.append("Accept-Encoding: \(ContentDecoder.Coding.accepted)")
            }
            for field in request.headers.fields {
                if field.name.lowercased() == "content-type" { hasContentType = true }
                // libcurl takes `Name:` for a header to leave out, and `Name;` for one without a value.
                let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
                lines.append(isBlank ? field.name + ";" : field.name + ": " + field.value)
            }
            // libcurl would wait up to a second for `100 Continue`, and would call every body a form.
            lines.append("Expect:")
            if !hasContentType { lines.append("Content-Type:") }
            return lines
        }
    }
#endif
