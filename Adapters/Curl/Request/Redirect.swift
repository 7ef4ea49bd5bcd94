#if Curl
    import AtmosphereExchange

    /// Decides what a redirect (RFC 9110 §15.4) does to a request.
    enum Redirect {
        /// Where the answer sends the request; nil where the answer stands for itself.
        ///
        /// - Throws: ``TransportError`` `redirect`, which names the new place.
        static func target(
            of head: ResponseHead, for request: PreparedRequest, followed: Int
        ) throws(TransportError) -> RequestURL? {
            guard RequestRules.isRedirect(head.status), let location = head.headers["Location"] else { return nil }
            let target: RequestURL
            do {
                target = try request.url.resolving(location)
            } catch {
                throw RequestRules.refusedRedirect(
                    request.display, "the server redirects to an address that is not usable: \(error.message)")
            }
            try RequestRules.checkRedirect(
                head.status, request.method, from: (request.url.origin, request.url.path),
                to: (target.origin, target.path), followed: followed, display: request.display)
            return target
        }
    }
#endif
