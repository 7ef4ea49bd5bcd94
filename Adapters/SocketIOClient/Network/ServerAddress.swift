#if SocketIO
    internal import Atmosphere

    /// Where a server is: a URL taken apart.
    struct ServerAddress: Sendable, Equatable {
        var isSecure: Bool
        var host: String
        var port: Int
        /// With a slash at its end, as Engine.IO servers want it.
        var path: String
        /// What stood before `@`, percent-decoded.
        var credentials: String?

        /// - Parameter schemes: each with whether it is secure, and its port.
        /// - Throws: ``SocketIOClientError``; the URL is not repeated, for it may hold a password.
        init(
            _ text: String, schemes: [String: (isSecure: Bool, port: Int)] = Self.live, name: String = "the URL"
        ) throws {
            let known = schemes.keys.sorted().map { $0 + "://" }.joined(separator: ", ")
            let word = text.prefix { $0 != ":" }
            guard text.dropFirst(word.count).hasPrefix("://"), let scheme = schemes[word.lowercased()] else {
                throw SocketIOClientError("\(name) must begin with one of \(known)")
            }
            let rest = text.dropFirst(word.count + 3)
            var authority = rest.prefix { !"/?#".contains($0) }
            let tail = rest.dropFirst(authority.count)
            guard !tail.contains("?"), !tail.contains("#") else {
                throw SocketIOClientError("\(name) must not hold a query or a fragment")
            }
            if let at = authority.lastIndex(of: "@") {
                credentials = PercentEncoding.decode(String(authority[..<at]))
                authority = authority[authority.index(after: at)...]
            }
            isSecure = scheme.isSecure
            port = scheme.port
            var name = authority
            if authority.hasPrefix("[") {
                guard let end = authority.firstIndex(of: "]") else { throw SocketIOClientError("a host has no “]”") }
                name = authority[authority.index(after: authority.startIndex)..<end]
                authority = authority[authority.index(after: end)...]
            } else {
                name = authority.prefix { $0 != ":" }
                authority = authority.dropFirst(name.count)
            }
            if !authority.isEmpty {
                guard authority.hasPrefix(":"), let number = UInt16(authority.dropFirst()), number > 0 else {
                    throw SocketIOClientError("a port must be a number from 1 to 65535")
                }
                port = Int(number)
            }
            let isHost = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            guard !name.isEmpty, isHost else { throw SocketIOClientError("there is no usable host in the URL") }
            host = String(name)
            path = tail.isEmpty || tail == "/" ? "/socket.io/" : String(tail) + (tail.hasSuffix("/") ? "" : "/")
            guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw SocketIOClientError("the path of the URL must be percent-encoded")
            }
        }

        static let live: [String: (isSecure: Bool, port: Int)] = [
            "ws": (false, 80), "http": (false, 80), "wss": (true, 443), "https": (true, 443)
        ]
        static let proxy: [String: (isSecure: Bool, port: Int)] = ["http": (false, 3128)]

        /// As in a `Host` field (RFC 9110 §7.2).
        var authority: String {
            let name = host.contains(":") ? "[\(host)]" : host
            return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
        }

        /// With the port always, as CONNECT wants it (RFC 9110 §9.3.6).
        var target: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

        /// The proxy for this server; nil for none.
        ///
        /// As curl reads the environment: `https_proxy` for what is secure, else `http_proxy` (in lower case alone, for
        /// CGI sets the other), then `all_proxy`; `no_proxy` lists hosts and their domains, `*` for all.
        ///
        /// - Parameter setting: a URL or `none`, which count before the environment.
        func proxy(setting: String?, environment: [String: String]) throws -> ServerAddress? {
            func variable(_ name: String) -> String? {
                let value = environment[name] ?? (name == "http_proxy" ? nil : environment[name.uppercased()])
                return value?.isEmpty == false ? value : nil
            }
            if setting == "none" { return nil }
            if let setting { return try ServerAddress(setting, schemes: Self.proxy, name: "the proxy") }
            let exceptions = (variable("no_proxy") ?? "").split(whereSeparator: { $0 == "," || $0 == " " })
            for exception in exceptions {
                let name = exception.drop { $0 == "." }.lowercased()
                let host = host.lowercased()
                if exception == "*" || host == name || host.hasSuffix("." + name) { return nil }
            }
            guard let text = variable(isSecure ? "https_proxy" : "http_proxy") ?? variable("all_proxy") else {
                return nil
            }
            return try ServerAddress(
                text.contains("://") ? text : "http://" + text, schemes: Self.proxy, name: "the environment's proxy")
        }
    }
#endif
