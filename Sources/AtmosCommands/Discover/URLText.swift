#if Command
    internal import Atmosphere

    /// Parts of URLs.
    enum URLText {
        /// `https://host:port`; nil for anything but an absolute URL.
        static func origin(_ url: String) -> String? {
            guard let match = url.firstMatch(of: #/^https?://[^/?#]+/#) else { return nil }
            return String(match.output)
        }

        static func trimmed(_ url: String) -> String {
            var url = url
            while url.hasSuffix("/") { url.removeLast() }
            return url
        }

        /// A reference as an absolute URL (RFC 3986 §5.2, without dot segments); nil where there is nothing to add it to.
        static func resolved(_ reference: String, against base: String?) -> String? {
            if origin(reference) != nil { return reference }
            guard let base, let origin = origin(base) else { return nil }
            if reference.hasPrefix("/") { return origin + reference }
            let path = base.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            return origin + folder + (reference.hasPrefix("./") ? String(reference.dropFirst(2)) : reference)
        }

        /// Whether a URL that a server gave can be asked for: printable ASCII alone, as RFC 3986 §2 has it.
        static func isClean(_ url: String) -> Bool { url.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

        /// The segments of a URL's path.
        static func segments(_ url: String) -> [String] {
            let rest = url.dropFirst(origin(url)?.count ?? 0).prefix { $0 != "?" && $0 != "#" }
            return rest.split(separator: "/").map(String.init)
        }

        /// A URL as messages and comments show it: without the values that look like secrets.
        static func shown(_ url: String) -> String {
            let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return String(parts.first ?? "") }
            let query = Query(of: url).parameters.map { $0.isSecret ? "\($0.name)=…" : $0.text }
            return "\(parts[0])?\(query.joined(separator: "&"))"
        }

        /// The query of a URL.
        struct Query {
            struct Parameter {
                var name: String
                var value: String
                /// As it is written.
                var text: String
            }

            let parameters: [Parameter]

            init(of url: String) {
                let parts = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1)
                let query = parts.count == 2 ? parts[1] : ""
                parameters = query.split(separator: "&").compactMap { text in
                    PercentEncoding.pairs(in: text).first.map {
                        Parameter(name: $0.name, value: $0.value, text: String(text))
                    }
                }
            }

            var secrets: [Parameter] { parameters.filter(\.isSecret) }

            /// The way to sign in that the URL holds; nil where it has no secret.
            var signIn: APIDescription.SignIn? {
                secrets.first.map {
                    APIDescription.SignIn(
                        setting: ["key": ["query": .string($0.name), "value": "secret:API_TOKEN"]],
                        remark: "What the URL said as \($0.name.quoted).")
                }
            }
        }

        /// The base that a person named, with the texts that all paths begin with. A person may have written these, or a
        /// part of them, already: nothing is repeated.
        ///
        /// - Parameter paths: of the lists, from the root of the server as the description sees it.
        static func base(_ url: String, below prefix: [String], paths: [[String?]]) -> String {
            let own = segments(url)
            let most = min(own.count, prefix.count)
            let shared = (0...most).last { own.suffix($0).elementsEqual(prefix.prefix($0)) } ?? 0
            if shared == 0, !own.isEmpty, let origin = origin(url),
                paths.contains(where: { $0.count > own.count && zip($0, own).allSatisfy { $0 == $1 } })
            {
                // The paths go on from the root, and not all of them through what was named.
                return ([origin] + prefix).joined(separator: "/")
            }
            return ([trimmed(url)] + prefix.dropFirst(shared)).joined(separator: "/")
        }
    }

    extension URLText.Query.Parameter {
        private var plain: String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

        /// Whether it looks like a secret, by its name.
        var isSecret: Bool {
            let names: Set = ["key", "auth", "pass", "pwd", "sig", "sid", "jwt", "appid"]
            let ends = [
                "token", "secret", "password", "passwd", "passphrase", "signature", "credential", "credentials",
                "authorization", "sessionid", "apikey", "appkey", "accesskey", "authkey", "secretkey", "privatekey",
                "clientkey", "subscriptionkey", "licensekey", "userkey"
            ]
            return !isPlace && (names.contains(plain) || ends.contains { plain.hasSuffix($0) })
        }

        /// Whether “query” of a route file would take it for something else.
        var isUnspeakable: Bool { value.contains { "{}".contains($0) } || value.hasPrefix("secret:") }

        /// Whether it says where in a list a page begins.
        var isPlace: Bool {
            let tokens: Set = [
                "cursor", "pagetoken", "nextpagetoken", "nexttoken", "continuationtoken", "synctoken"
            ]
            let numbers: Set = [
                "page", "pagenumber", "pageno", "pageindex", "offset", "pageoffset", "skip", "start", "startat",
                "startindex"
            ]
            return tokens.contains(plain) || numbers.contains(plain) && Int64(value) != nil
        }

        /// Whether it says how many objects a page has at the most: without the others, these would be taken for all.
        var isPageSize: Bool {
            let names: Set = [
                "limit", "perpage", "pagesize", "pagelimit", "itemsperpage", "size", "top", "take", "first", "count",
                "rows", "max", "maxresults", "maxitems", "maxkeys"
            ]
            return names.contains(plain) && Int64(value) != nil
        }
    }
#endif
