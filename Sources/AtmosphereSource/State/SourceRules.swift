package import Atmosphere

/// How a source behaves where the route file says nothing.
package struct SourceRules: Sendable {
    /// Objects of each resource at the start.
    package var seed = 0
    /// Chooses the generated contents.
    package var randomSeed: UInt64 = 1
    /// The identifier of a resource's n-th object.
    package var makeID: (@Sendable (_ entity: String, _ number: Int) -> Value)?
    /// By the names that the route file gives them.
    package var secrets: [String: String] = [:]
    /// Who the identity check says is signed in.
    package var user = "demo"
    /// The page size where a request asks for none, and the largest one; a larger wish is cut.
    package var pageSize = 100
    package var maximumPageSize = 1000
    package var maximumBodyBytes = 1 << 20
    /// Where access tokens are given out; nil for none.
    package var oauth: RESTSource.OAuth?
    /// 404 or 410, for an object that was there.
    package var deletedStatus = 404

    package init() {}

    /// 1, 2, 3, …; as a string where the identifier is declared as one.
    @Sendable package static func number(_ resource: Resource, ordinal: Int) -> Value {
        guard case .member(let name)? = resource.id.steps.last, resource.fields.types[name] == .string else {
            return .number(JSONNumber(ordinal))
        }
        return .string(String(ordinal))
    }
}
