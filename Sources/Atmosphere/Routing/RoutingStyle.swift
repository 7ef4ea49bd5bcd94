/// The defaults of an API family: a document in the route file's vocabulary, plus code where a document is not enough.
public protocol RoutingStyle: Sendable {
    /// What the route file's `style` says to choose it.
    var name: String { get }
    /// JSON text in the route file's vocabulary: the keys of a resource, as defaults for every one.
    ///
    /// In every text the places `{name}`, `{singular}` and `{plural}` stand for the resource's name, and `{path}` for its
    /// `path`, or its name where it has none. A `/` behind `{path}` makes one with the path's own final slash.
    var document: String { get }
    /// The singular of a resource's name; the name itself by default.
    func singular(_ name: String) -> String
    /// The plural of a resource's name; the name itself by default.
    func plural(_ name: String) -> String
    /// A last look at every request; nothing by default.
    func rewrite(_ request: inout Request)
}

extension RoutingStyle {
    public func singular(_ name: String) -> String { name }
    public func plural(_ name: String) -> String { name }
    public func rewrite(_ request: inout Request) {}
}
