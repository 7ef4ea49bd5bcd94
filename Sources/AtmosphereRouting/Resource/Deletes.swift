/// How the server says that an object is gone, and when it may be deleted here.
package struct Deletes: Sendable, Hashable {
    /// Absence from a complete, unfiltered list means deleted; each case is confirmed where the list can shift.
    package var byAbsence = false
    /// A field that marks a deleted object; with `equals` nil any value but null and false marks it.
    package var field: JSONPath?
    /// What marks a deleted object at ``field``; nil for any value but null and false.
    package var equals: Value?
    /// A list of what was deleted, beside the list of what is there; nil where there is none.
    package var list: TombstoneList?
    /// A delete is refused while offline.
    package var onlineOnly = false

    /// Whether a pull tells that an object is gone.
    package var isTold: Bool { byAbsence || field != nil || list != nil }

    /// Nothing tells that an object is gone.
    package init() {}
}
