/// The defaults of an API family: a document in the route file's vocabulary, plus code where a document is not enough.
///
/// To write one, see the guide "Writing a style" and run `RoutingStyleSuite` of AtmosphereTesting.
public protocol RoutingStyle: Sendable {
    /// What the route file's `style` says to choose it.
    var name: String { get }
    /// JSON text in the route file's vocabulary: the keys of a resource, as defaults for every one.
    ///
    /// In every text the places `{name}`, `{singular}` and `{plural}` stand for the resource's name, `{format}` for its
    /// format, and `{path}` for its `path`; where it has none, for the document's own `path`, else for the name. A `/`
    /// behind `{path}` makes one with the path's own final slash. `{id-field}` stands for the member that holds the
    /// identifier, as the resource calls it (`id: key`), and may be the name of a parameter, too:
    /// `"query": { "{id-field}": "eq.{id}" }`.
    var document: String { get }
    /// Keys of a resource that have no default in the family and must be said (`path`); none by default. A route file without
    /// one of them does not load, and the message names the resource.
    var needs: [String] { get }
    /// The singular of a resource's name; the name itself by default. A resource's own `singular` goes first.
    func singular(_ name: String) -> String
    /// The plural of a resource's name; the name itself by default. A resource's own `plural` goes first.
    func plural(_ name: String) -> String
    /// A last look at every request; nothing by default.
    func rewrite(_ request: inout Request)
}

extension RoutingStyle {
    /// None.
    public var needs: [String] { [] }
    /// The name itself.
    public func singular(_ name: String) -> String { name }
    /// The name itself.
    public func plural(_ name: String) -> String { name }
    /// Nothing.
    public func rewrite(_ request: inout Request) {}
}
