/// What ends a pull whose page was refused.
struct ListRefusal: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?

    /// - Parameter index: the number of the request in its listing.
    func error(
        of index: Int, _ target: RequestTarget, _ request: Request, _ reply: ResourceClient.Reply, _ listing: PulledList
    ) -> any Error {
        let client = synchronizer.client
        let (failure, treatment) = client.failure(in: reply, of: resource)
        let asked = "\(resource.list.method) \(client.told(target.text))"
        if index == 0, treatment == .gone || treatment == .reject {
            if listing.underway.position != nil { return ResumeRefused(scope: listing.scope) }
            // A list that is not there says 404, under the same parent too.
            if treatment == .gone, view == nil, !listing.underway.isFull, reply.status != 404 || listing.parent == nil {
                return CursorExpired(
                    scope: listing.scope,
                    message: "\(listing.scope): the server does not tell changes since the last pull any more "
                        + "(\(failure.message), \(reply.status))")
            }
        }
        // A parent may go while the pages of its list are read.
        if treatment == .gone, let parent = listing.parent {
            return ParentGone(parent: parent, message: "\(asked): \(failure.message) (\(reply.status))")
        }
        if treatment == .unauthorized {
            return SyncError(code: .signInNeeded, message: client.signInMessage(failure, resource.name))
        }
        return SyncError(
            code: treatment == .wait || treatment == .retry ? .unreachable : .refused,
            message: "\(asked): \(failure.message) (\(reply.status))"
                + (reply.status == 404
                    ? "; asked for was \(client.told(URLText.display(request.url))): compare “base” and “path”" : "")
                + (index == 0 && treatment == .reject && !listing.underway.isFull ? refusedCursorRemedy(reply) : ""),
            failure: failure)
    }

    /// A server that has forgotten what a cursor stands for may say so with any status.
    private func refusedCursorRemedy(_ reply: ResourceClient.Reply) -> String {
        "; this asks for what has changed since the last pull: if the server does not know that any more, atmos pull "
            + "\(resource.name.shellWord) --full asks for everything, and "
            + resource.goneSetting(
                reply.status, method: reply.method, sign: synchronizer.client.sign(in: reply, of: resource))
            + " makes each such pull ask for everything by itself"
    }
}

/// The page with which an interrupted listing would go on is not there any more: its token or link has expired. Or rows
/// have moved since.
struct ResumeRefused: Error {
    var scope: PullScope

    var message: String {
        "\(scope): the server does not go on from where the last pull stopped, or rows have moved since; listed from "
            + "the start"
    }
}

/// The server has given up what the cursor stands for.
struct CursorExpired: Error {
    var scope: PullScope
    /// What has become of it; names the scope.
    var message: String
}

/// The list of one parent is not there.
struct ParentGone: Error {
    var parent: ObjectURI
    var message: String
}
