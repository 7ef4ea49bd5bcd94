/// Decides what becomes of one object when something happens to it. Pure: no clock, no randomness, no I/O; the caller passes
/// time and identifiers in and stores what comes out in the transaction that read the object.
struct ChangeEngine {
    let resource: Resource
    let merge: ThreeWayMerge
    /// What is here already under another identifier that an answer gives the object.
    var named: LocalObject?
    /// Another create of this client has become that.
    var isNamedByOther = false
    /// When the server said last that there is nothing under that identifier any more.
    var namedGone: Int64?
    /// Identifiers of what other creates of this client have become.
    var others: Set<ScalarText> = []
    /// Somebody waits for the answer, and is told what was left out: nothing of it is queued.
    var isSynchronous = false
    /// Another create of this client that was not answered has the same look-up value; false where that decides nothing.
    var hasTwin = false
    /// How long a request may be on its way.
    var timeout = Duration.zero

    init(_ resource: Resource) {
        self.resource = resource
        self.merge = ThreeWayMerge(resource)
    }
}
