#if Curl
    import Atmosphere

    /// Decides what a redirect (RFC 9110 §15.4) does to a request.
    enum Redirect {
        /// Redirects followed in a row.
        static let limit = 10

        /// Where the answer sends the request; nil where the answer stands for itself.
        ///
        /// A redirect is followed only within the origin, and only where method and body stay what they are: the
        /// caller would otherwise lose a write, or its credentials.
        ///
        /// - Throws: ``TransportError`` `redirect`, which names the new place.
        static func target(
            of head: ResponseHead, for request: PreparedRequest, followed: Int
        ) throws(TransportError) -> RequestURL? {
            guard [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["Location"] else {
                return nil
            }
            func refused(_ reason: String) -> TransportError {
                TransportError(code: .redirect, message: "\(request.display): \(reason)", mayHaveArrived: true)
            }
            let target: RequestURL
            do {
                target = try request.url.resolving(location)
            } catch {
                throw refused("the server redirects to an address that is not usable: \(error.message)")
            }
            guard target.origin == request.url.origin else {
                throw refused(
                    "the server redirects from \(request.url.origin) to \(target.origin); requests and credentials "
                        + "stay with the origin they are declared for: write the new address into the route file's base"
                )
            }
            let keepsMethod = head.status == 307 || head.status == 308
            guard keepsMethod || request.method == "GET" || request.method == "HEAD" else {
                let remedy =
                    if target.path == request.url.path + "/" {
                        "put the trailing slash into the route file"
                    } else if target.path + "/" == request.url.path {
                        "take the trailing slash out of the route file"
                    } else {
                        "write the new path into the route file"
                    }
                throw refused(
                    "the server redirects \(request.method) \(request.url.path) to \(target.path) with status "
                        + "\(head.status), which would lose the method and the body; \(remedy)")
            }
            guard followed < limit else {
                throw refused("more than \(limit) redirects, the last one to \(target.path); check the path")
            }
            return target
        }
    }
#endif
