extension RouteFile {
    /// What a person should know of a file that is valid: secrets that would travel in the clear. One line each, with its
    /// place; empty where there is nothing.
    ///
    /// Servers on this machine are no matter: what goes there is on no network.
    package var warnings: [String] {
        var warnings: [String] = []
        func warn(_ path: String, _ url: String, _ secrets: [String]) {
            let scheme = url.prefix { $0 != ":" }.lowercased()
            guard ["http", "ws"].contains(scheme), !secrets.isEmpty, !RequestOrigin(url).isLoopback else { return }
            let place = settings.first { $0.path == path }.map { "\($0.origin): " } ?? ""
            let names = secrets.joined(separator: " and ")
            warnings.append(
                "\(place)“\(path)” sends \(names) over \(scheme): in the clear, where everybody on the way can read it; write "
                    + "\(scheme == "ws" ? "wss" : "https"): where the server offers it")
        }
        var typed: [String] = []
        if case .asked = auth { typed = ["what is typed at atmos login"] }
        warn("base", base, secretNames.map(\.description) + typed)
        if let live {
            let publishKey = [live.publishKey].compactMap { $0?.description }
            warn("live.url", live.url, [live.key.description] + (live.publish == nil ? publishKey : []))
            if let url = live.publish { warn("live.publish.url", url, publishKey) }
        }
        return warnings
    }
}
