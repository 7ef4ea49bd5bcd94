/// Where a store keeps its data.
public struct StoreLocation: Sendable, Hashable {
    /// An absolute path, or one relative to the working directory. No meaning for a store in memory.
    public var path: String
    /// What the route file says under `store.settings`, as the adapter's check has let it through; empty where it says
    /// nothing. A text such as `secret:NAME` is that text: no store gets secrets.
    public var settings: Value.Members

    /// A place with the settings for it.
    ///
    /// - Parameter settings: what the adapter's check has let through.
    package init(path: String, settings: Value.Members = [:]) {
        self.path = path
        self.settings = settings
    }
}
