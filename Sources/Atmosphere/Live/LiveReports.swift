/// What a synchronizer tells of its live updates.
struct LiveReports: Sendable {
    let notifications = Broadcast<LiveNotification>(limit: 1000, repeatsLast: false)
    let status = Broadcast<LiveStatus>(limit: 16, repeatsLast: true)
    let rooms: LiveRooms

    /// Nothing has been told yet.
    init(_ routeFile: RouteFile) { rooms = LiveRooms(declared: routeFile.live?.rooms ?? []) }
}
