/// The server's clock, which can be wrong, and set right.
struct ServerClock: Sendable {
    let resource: Resource

    /// How far ahead of the server's clock a time may be that the server has written.
    static let farAhead = Duration.seconds(24 * 60 * 60)

    /// The server's time, as the first page of a list says it.
    ///
    /// - Parameter isTrial: nothing is stored, so a cursor that is too late does no harm.
    /// - Throws: ``CursorExpired`` where it is earlier than the cursor: what was changed between the two, before the clock was
    ///   set back or on another machine, would never be asked for.
    func time(of reply: ResourceClient.Reply, _ listing: PulledList, isTrial: Bool) throws -> Instant? {
        guard let since = resource.since, let time = reply.headers["Date"].flatMap(HTTPDate.parse) else { return nil }
        let mayBeAhead: Duration
        switch since.origin {
        case .responseDate: mayBeAhead = since.overlap
        case .field: mayBeAhead = max(since.overlap, Self.farAhead)
        case .header, .body: return time
        }
        guard !listing.underway.isFull, listing.underway.position == nil, !isTrial,
            let checkpoint = listing.known.checkpoint.flatMap({ since.start(of: $0) }),
            time.moved(by: mayBeAhead) < checkpoint
        else { return time }
        throw CursorExpired(
            scope: listing.scope,
            message: "\(listing.scope): the last pull went up to \(checkpoint), and the server’s clock says \(time) "
                + "now: it was ahead, or was set back")
    }
}
