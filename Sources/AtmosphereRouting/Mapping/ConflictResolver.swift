/// Decides in code about members that both sides changed, before they become a conflict that a person must decide.
///
/// It is given by entity to `Synchronizer.open`, and asked for each member that both sides have changed to another
/// meaning and that `merge` of the route file does not combine; members that win or lose as one (`together`) are asked
/// for at once. What it chooses goes before the policies of `conflict`. An object that one side has deleted is none of
/// its cases: `deleted-here` and `deleted-there` decide there.
///
/// It must be quick and pure: it is called inside a transaction of the store, more than once for one clash, and the same
/// clash has to get the same choice each time.
///
/// ```swift
/// let higher = ConflictResolver { clash in
///     guard clash.fields == ["count"], let mine = clash.mine["count"]?.number?.int64,
///         let theirs = clash.theirs["count"]?.number?.int64
///     else { return .declared }
///     return mine > theirs ? .mine : .theirs
/// }
/// ```
public struct ConflictResolver: Sendable, Hashable {
    /// Members that both sides changed, and the objects that they stand in.
    public struct Clash: Sendable, Hashable {
        /// The entity of the object.
        public var entity: String
        /// One member, or those that win or lose as one.
        public var fields: [String]
        /// All members of the object as the server last confirmed it, under the route file's names.
        public var base: Value.Members
        /// All members as they are here.
        public var mine: Value.Members
        /// All members as the server has them now.
        public var theirs: Value.Members

        package init(
            entity: String, fields: [String], base: Value.Members, mine: Value.Members, theirs: Value.Members
        ) {
            self.entity = entity
            self.fields = fields
            self.base = base
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// What becomes of the members that clash.
    public enum Choice: Sendable, Hashable {
        /// The values that are here.
        case mine
        /// The values that the server has.
        case theirs
        /// These values; a member of ``Clash/fields`` that has none here is absent then, and others are left out of account.
        case set(Value.Members)
        /// As `conflict` in the route file says.
        case declared
    }

    /// Two are equal when one is a copy of the other: closures cannot be compared.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let choose: @Sendable (Clash) -> Choice

    /// A resolver that a closure makes the choices of; equal to its copies alone.
    ///
    /// - Parameter choose: asked for members that both sides changed and that no `merge` of theirs puts together.
    public init(_ choose: @escaping @Sendable (Clash) -> Choice) { self.choose = choose }

    package func callAsFunction(_ clash: Clash) -> Choice { choose(clash) }

    public static func == (left: Self, right: Self) -> Bool { left.identity === right.identity }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
