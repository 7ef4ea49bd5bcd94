extension TokenSettings {
    /// Where a route file's tokens are kept: the declared file or commands, else a file beside the store.
    ///
    /// - Parameters:
    ///   - source: the route file's path; relative paths count from its folder.
    ///   - timeout: of a request for tokens, which another process may be waiting for.
    package func storage(
        beside source: String, store: StoreSettings, timeout: Duration = .seconds(60)
    ) -> any TokenStorage {
        let patience = timeout + .seconds(30)
        let folder = source.throughLastSlash
        var usual = store.location(beside: source).path
        // A store in memory has no file to stand beside.
        if store.kind == "memory", usual.hasSuffix(".memory") { usual.removeLast(".memory".count) }
        usual += ".tokens"
        switch self {
        case .file(let path?): return TokenFile(path: path.beginsWithSlash ? path : folder + path, patience: patience)
        case .file(nil): return TokenFile(path: usual, patience: patience)
        case .commands(let load, let save, let remove):
            return TokenCommands(
                load: load, save: save, remove: remove, lockFile: usual + ".lock", patience: patience)
        }
    }
}
