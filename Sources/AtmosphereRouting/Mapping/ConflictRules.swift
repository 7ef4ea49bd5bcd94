/// What happens when both sides changed.
package struct ConflictRules: Sendable, Hashable {
    /// Who wins where both sides changed.
    package enum Policy: String, Sendable, Hashable, CaseIterable {
        /// Members changed on one side only are combined; `clash` decides the others.
        case merge
        /// Decides members that both sides changed, as ``merge`` does for the others: what is here wins; what the
        /// server has; what has the later ``ConflictRules/time``, or what a person decides where the edit has not set that,
        /// or it cannot be compared; a person decides, and the object is conflicted until then.
        case mine, theirs, newest, ask
    }
    /// What wins where one side deleted what the other edited.
    package enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// The delete wins; the edit wins, and the object is created anew or kept here; a person decides.
        case delete, recreate, ask
    }

    /// For a member that both sides changed; ``Policy/merge`` by default.
    package var policy = Policy.merge
    /// For a member that both sides changed, under `merge`.
    package var clash = Policy.ask
    /// For single members.
    package var fields: [String: Policy] = [:]
    /// Deleted there, edited here.
    package var deletedThere = DeleteRule.ask
    /// Deleted here, edited there.
    package var deletedHere = DeleteRule.ask
    /// For `newest`: the member in which the application writes the time of each edit.
    package var time: String?
    /// Asked in code for members that both sides changed, before the policies; no route file can name one.
    package var resolver: ConflictResolver?

    /// Members are merged, and a person decides what both sides changed.
    package init() {}
}
