/// What can happen to one request between a simulated client and its server.
public enum NetworkFault: String, Sendable, CaseIterable {
    /// Nobody listens; the client knows that nothing was sent.
    case unreachable
    /// Lost on the way there.
    case lostRequest
    /// Lost on the way back.
    case lostAnswer
    /// Slow both ways, so that others overtake it.
    case delay
    /// Later than the client waits.
    case timeout
    /// Delivered twice; only what may be repeated.
    case duplicate
    /// The body ends early, and the connection with it.
    case reset
    /// The body ends early, and nobody says so.
    case truncated
    /// 401 before anything was done.
    case unauthorized
    /// 409 before anything was done.
    case conflict
    /// 412 before anything was done.
    case preconditionFailed
    /// 429 with `Retry-After`, before anything was done.
    case tooManyRequests
    /// 500 before anything was done.
    case errorBefore
    /// 500 after it was done.
    case errorAfter
    /// 503 before anything was done.
    case unavailableBefore
    /// 503 after it was done.
    case unavailableAfter
    /// 400 although it was done, or nothing wrong with it: a proxy.
    case webPage
    /// The answer repeats the credentials of the request.
    case echo
    /// A create that reaches the server when the client has given up waiting for its answer; where the server does not
    /// refuse a second one, before the time is over that a request may take.
    case late
    /// A write is refused for what it says (422), before anything was done.
    case refused
    /// 403 before anything was done.
    case forbidden
    /// A create, an update or an action is answered with 404, before anything was done, though the object can be read.
    case notFound
    /// A delete is answered with 200 and an error inside, and is not done.
    case hollow
    /// 503 with `Retry-After` after a write was done, whose next tries are answered in other ways.
    case comeAgain
    /// 410 before anything was done.
    case gone

    /// The server has done its work, and the client is not told.
    static let afterwards: [NetworkFault] = [
        .lostAnswer, .errorAfter, .unavailableAfter, .timeout, .reset, .truncated
    ]

    /// Those that were there from the first.
    static let plain = allCases.filter { ![.late, .refused, .comeAgain, .gone].contains($0) && !hostile.contains($0) }

    /// What servers do that say one thing and mean another.
    static let hostile: [NetworkFault] = [.forbidden, .notFound, .hollow]

    /// Whether it can happen to a request of this method.
    func applies(to method: String) -> Bool {
        switch self {
        case .refused, .comeAgain: method != "GET"
        case .notFound: !["GET", "DELETE"].contains(method)
        case .hollow: method == "DELETE"
        default: true
        }
    }
}
