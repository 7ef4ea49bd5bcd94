extension StoreSettings {
    /// The log of what was sent, merged or skipped, beside the store; nil for a store in memory.
    package func logFile(beside routeFile: String) -> SyncLogFile? {
        kind == "memory" ? nil : SyncLogFile(path: location(beside: routeFile).path + ".log")
    }
}
