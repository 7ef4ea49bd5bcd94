/// Whose some of the objects of an entity are.
struct KnownIdentity: Sendable {
    var name: String
    /// How that is known, as a clause.
    var reason: String

    static func all(of scope: PullScope, _ cursor: PullCursor) -> [KnownIdentity] {
        let what = scope.isView ? "a view of \(scope.entity)" : scope.entity
        let complete = cursor.identity.map {
            KnownIdentity(name: $0, reason: "the last complete pull of \(what) was made as “\($0)”")
        }
        let begun = cursor.begunAs.map {
            KnownIdentity(name: $0, reason: "what is here of \(what) was begun as “\($0)”")
        }
        return [complete, begun].compactMap { $0 }
    }
}
