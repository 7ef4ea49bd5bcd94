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
#endif
