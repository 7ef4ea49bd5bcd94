extension RouteFile {
    /// What a person should know of a file that is valid: secrets that would travel in the clear. One line each, with its
    /// place; empty where there is nothing.
    ///
    /// Servers on this machine are no matter: what goes there is on no network.
    package var warnings: [String] {
        var warnings: [String] = []
        func warn(_ path: String, _ url: String, _ secrets: [SecretName]) {
            let scheme = url.prefix { $0 != ":" }.lowercased()
            guard ["http", "ws"].contains(scheme), !secrets.isEmpty, !RequestOrigin(url).isLoopback else { return }
            let place = settings.first { $0.path == path }.map { "\($0.origin): " } ?? ""
            let names = secrets.map(\.description).joined(separator: " and ")
            warnings.append(
                "\(place)“\(path)” sends \(names) over \(scheme): in the clear, where everybody on the way can read it; write "
                    + "\(scheme == "ws" ? "wss" : "https"): where the server offers it")
        }
        warn("base", base, secretNames)
        if let live {
            warn("live.url", live.url, [live.key] + (live.publish == nil ? [live.publishKey].compactMap(\.self) : []))
            if let url = live.publish { warn("live.publish.url", url, [live.publishKey].compactMap(\.self)) }
        }
        return warnings
    }
}
