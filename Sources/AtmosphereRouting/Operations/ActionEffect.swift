/// What an action sets in a member here as soon as it waits, until the server says what it has made of it.
package struct ActionEffect: Sendable, Hashable {
    /// Where the value comes from.
    package enum Source: Sendable, Hashable {
        /// The route file has it.
        case value(Value)
        /// The moment of the edit, as the member's type writes it.
        case now
        /// The member is removed.
        case absent
        /// Another member has it.
        case member(String)
        /// A value behind that of the object to which `behind` refers, and before the next one of the objects that are alike in
        /// `among`; before all of these where `behind` is absent or null.
        case place(behind: String, among: [String])
    }

    package var member: String
    package var source: Source

    package init(_ member: String, _ source: Source) {
        self.member = member
        self.source = source
    }
}

extension Resource {
    /// Members that actions set here (`sets`). No edit sets them, and no create or update carries them.
    package var effects: MemberNames { MemberNames(actions.flatMap { $0.sets.map(\.member) }) }

    /// What each `behind` looks through, in this order: the members of `among`, then the one that has the place.
    package var rowsOfPlaces: [[String]] {
        actions.flatMap(\.sets).compactMap { effect in
            if case .place(_, let among) = effect.source { among + [effect.member] } else { nil }
        }
    }

    /// The type that a member of `among` is compared by: without a declared one as a text, for `1` and `"1"` are one identifier.
    package func typeAmong(_ name: String) -> FieldType { fields.types[name] ?? .string }
}
