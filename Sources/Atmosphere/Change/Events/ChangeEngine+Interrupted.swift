/// A process that ended while it was sending: with its sending mark an object says what may be on the server.
extension ChangeEngine {
    /// An object whose sending mark was left by a process that ended: a create may have happened, an update or delete
    /// can be sent again, for it says what shall be and not what to add.
    ///
    /// - Returns: nil where there is nothing to mend. Call it only in the object's own lane.
    func recovered(_ object: LocalObject) -> LocalObject? {
        guard var outgoing = object.meta.outgoing, case .sending(let attempt) = outgoing.phase else { return nil }
        var object = object
        let isLost = object.meta.isLocalOnly || !mayRepeat(attempt, of: object)
        outgoing.phase = isLost ? .unknown(attempt) : .waiting
        outgoing.evidence.lose()
        if !isLost, attempt.upload == nil { outgoing.remember(attempt) }
        // Also where the content is not wanted any more: deleted here since, or edited.
        if let member = attempt.member { makeStale(member, of: &object, at: attempt.sequence) }
        object.meta.outgoing = outgoing
        return object
    }
}
