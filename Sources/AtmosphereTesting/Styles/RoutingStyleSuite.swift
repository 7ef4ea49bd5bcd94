public import Atmosphere

/// What every ``RoutingStyle`` must do: checks for what its protocol promises.
///
/// Run each check as a test case of its own:
///
/// ```swift
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// The checks know no API family. What is particular to one (which paths, which pages, which error bodies) needs tests of
/// its own, best against a server.
public struct RoutingStyleSuite: Sendable {
    let style: any RoutingStyle
    let adapters: [Adapter]
    let entity: String

    /// A suite for a style.
    ///
    /// - Parameters:
    ///   - style: the style.
    ///   - adapters: what its defaults need beside JSON, such as the extractor of another format.
    ///   - entity: a resource as the family would call it.
    public init(style: any RoutingStyle, adapters: [Adapter] = [], entity: String = "tasks") {
        self.style = style
        self.adapters = adapters
        self.entity = entity
    }

    /// One for each rule; they need no network.
    public var checks: [ConformanceCheck] { documentChecks + resourceChecks + hookChecks + requestChecks }

    func check(
        _ name: String, _ body: @escaping @Sendable (RoutingStyleSuite) async throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(name) { try await body(self) }
    }

    static let base = "https://api.example/v1"

    /// A route file with this style.
    ///
    /// - Parameter keys: of the resource.
    func routeFile(_ keys: Value = [:]) throws -> RouteFile {
        var members = keys.members ?? [:]
        for key in style.needs where members[key] == nil { members[key] = .string(entity) }
        let text: Value = [
            "atmosphere": 1, "style": .string(style.name), "base": .string(Self.base),
            "resources": [entity: .object(members)]
        ]
        do {
            return try RouteFile.load(
                bytes: text.json(), source: "routes.json", adapters: [.style(style)] + adapters)
        } catch {
            throw ConformanceFailure("a route file with the style “\(style.name)” does not load: \(error)")
        }
    }

    func resource(_ keys: Value = [:]) throws -> Resource {
        guard let resource = try routeFile(keys).resource(entity) else {
            throw ConformanceFailure("the route file lost its resource “\(entity)”")
        }
        return resource
    }
}
