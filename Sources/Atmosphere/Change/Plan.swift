/// What becomes of an object, and what follows from that.
struct Plan: Equatable {
    /// What it becomes; as it is, unless told otherwise.
    var outcome: Outcome = .keep
    /// What has to be asked of the server next.
    var next: ObjectRequest?
    /// For the log and for people: why.
    var note: String?
    /// The server has done what this says.
    var confirmed: Verb?
    /// Members of the change that the server took note of and left as they were.
    var ignored: [String] = []
    /// What carried those.
    var ignoredBy = Verb.update
    /// A create that was taken for done is not known to be, or an update has changed nothing.
    var isDisproved = false
    /// The base is the answer to a create: whatever else the server has shown of the object is as new, or newer.
    var isAsCreated = false

    /// Another object, which stands from now on at the address that the object has given up.
    var other: LocalObject?

    /// What an object becomes.
    enum Outcome: Equatable {
        case keep
        case put(LocalObject)
        case remove
    }

    /// The same for an object that has another identifier from now on.
    ///
    /// - Parameter object: as it is where the plan keeps it.
    func naming(_ id: ObjectID, _ object: LocalObject?) -> Plan {
        var plan = self
        switch outcome {
        case .keep:
            guard var object else { return self }
            object.meta.id = id
            plan.outcome = .put(object)
        case .put(var object):
            object.meta.id = id
            plan.outcome = .put(object)
        case .remove: break
        }
        return plan
    }
}
