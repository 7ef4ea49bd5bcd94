/// Cursors as form 1 has them: all fields side by side.
extension PullCursor {
    /// Of form 1, without the members of a view.
    ///
    /// Form 1 was always written with the number of the listing beside its candidate and its position, and with the time of the
    /// last pull beside the identity, the tag and the time of the last full pull. Where the number or the time is missing all the
    /// same, the fields beside it are not read, for they mean nothing; an identity is kept as the one that the list was begun as.
    /// Both halves of a tag are written or none, but for a tag that was taken back: its target stayed.
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
