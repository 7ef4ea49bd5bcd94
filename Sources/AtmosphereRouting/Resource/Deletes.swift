/// How the server says that an object is gone, and when it may be deleted here.
public struct Deletes: Sendable, Hashable {
    /// Absence from a complete, unfiltered list means deleted; each case is confirmed where the list can shift.
    public var byAbsence = false
    /// A field that marks a deleted object; with `equals` nil any value but null and false marks it.
    public var field: JSONPath?
    /// What marks a deleted object at ``field``; nil for any value but null and false.
    public var equals: Value?
    /// A list of what was deleted, beside the list of what is there; nil where there is none.
    public var list: TombstoneList?
    /// A delete is refused while offline.
    public var onlineOnly = false

    /// Nothing tells that an object is gone.
    public init() {}
}
