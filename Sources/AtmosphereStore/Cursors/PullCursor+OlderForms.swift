/// Cursors as form 1 has them: all fields side by side.
extension PullCursor {
    /// Of form 1, without the members of a view.
    ///
    /// What follows occurs in no store of form 1, because each field was always written with the other: the checkpoint and the
    /// position of a listing have its number, and the identity, the tag and the time of a complete pull have the time at which the
    /// pull ended. A field without the other one is read as if there were none, except for an identity, which says whose the
    /// objects may be. The flag and the number that a listing left behind when somebody else took it over mean nothing alone.
    init(flat fields: StoredFields) throws(StoreError) {
        self.init(
            checkpoint: try fields.optionalText("cursor"), begunAs: try fields.optionalText("begunAs"),
            server: try fields.optionalText("server"), request: try fields.optionalText("request"))
        let identity = try fields.optionalText("identity")
        let lastFull = try fields.optionalInteger("lastFull").map { Timestamp(milliseconds: $0) }
        let tag = try Tag(stored: fields)
        if let lastPull = try fields.optionalInteger("lastPull") {
            complete = Complete(
                ended: Timestamp(milliseconds: lastPull), fullEnded: lastFull, identity: identity, tag: tag)
        } else {
            begunAs = begunAs ?? identity
        }
        let (isFull, tentative) = (try fields.flag("full"), try fields.optionalText("candidate"))
        let position = try PullPosition(stored: fields)
        guard let number = try fields.optionalInteger("listing") else { return }
        underway = Underway(number: number, isFull: isFull, tentative: tentative, position: position)
    }
}
