/// A request beyond create, read, update and delete.
package struct Action: Sendable, Hashable {
    /// What the application and the command call it.
    package var name: String
    /// In capitals: `POST`.
    package var method: String
    /// Below the base; `{id}` is the object.
    package var path: PathTemplate
    /// The members whose change is sent by this action instead of by the update (`when`), with the values of all of
    /// them. Empty for an action that is only called by name.
    package var arguments: [String]
    /// Arguments sent in the query; all others go into the body.
    package var query: [String]
    /// Arguments sent in the body; nil for any. A name that is declared nowhere is refused then, and a member of `when`
    /// that stands neither here nor in `query` is not sent.
    package var body: [String]?
    /// The member around the body; nil for none.
    package var root: String?
    /// Entities whose objects below this one the action changes on the server: what waits of them goes first, and they are
    /// pulled behind it.
    package var changes: [String] = []
    /// What it sets here while it waits.
    package var sets: [ActionEffect] = []
    /// Whether it may be sent again after a lost answer.
    package var mayRepeat: Bool

    /// An action that takes any argument in its body, and is not repeated after a lost answer unless `mayRepeat` says
    /// so.
    package init(
        name: String, method: String, path: PathTemplate, arguments: [String] = [], query: [String] = [],
        mayRepeat: Bool = false
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.arguments = arguments
        self.query = query
        self.mayRepeat = mayRepeat
    }

    /// Whether it goes behind other changes that wait: those of what it changes below its object, and moves that come before it.
    package var isOrdered: Bool {
        !changes.isEmpty || sets.contains { if case .place = $0.source { true } else { false } }
    }

    /// What a queued action is called with: the present values of its members; what is absent or null is left out.
    package func arguments(of record: ObjectRecord?, _ mapping: FieldMapping) -> Value.Members {
        Value.Members(
            arguments.compactMap { name in
                guard let value = record.flatMap({ mapping.value(name, in: $0) }), !value.isNull else { return nil }
                return Value.Member(name: name, value: value)
            })
    }
}
