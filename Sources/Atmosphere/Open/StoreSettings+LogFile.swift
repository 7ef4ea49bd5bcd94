extension StoreSettings {
    /// Where the log of what was sent, merged or skipped is kept, beside the store; nil for a store in memory.
    func logPath(beside routeFile: String) -> String? {
        kind == "memory" ? nil : location(beside: routeFile).path + ".log"
    }
}
