/// Asks the server whether it takes what a person has typed, before that is kept.
struct SignInProof: Sendable {
    private let synchronizer: Synchronizer
    /// Signs with what was typed.
    private let client: ResourceClient

    private var routeFile: RouteFile { synchronizer.routeFile }

    init(_ synchronizer: Synchronizer, _ client: ResourceClient) {
        self.synchronizer = synchronizer
        self.client = client
    }

    /// The request that the server has accepted, for a person; nil where none tells.
    ///
    /// - Throws: ``SyncError`` `signInNeeded`, `refused`, `unreachable` or `unexpectedAnswer`.
    func request() async throws -> String? {
        if let check = routeFile.identity, let name = try await Ownership(synchronizer).identity(through: client) {
            guard !client.holdsSecret(name) else {
                throw SyncError(
                    code: .unexpectedAnswer,
                    message: "GET \(check.path): \(check.field) shows a secret that was sent, and no name; check "
                        + "auth.identity.field")
            }
            return "GET \(check.path), as “\(client.toldLine(name))”"
        }
        guard let resource = routeFile.resources.first(where: { $0.list.isOffered && $0.list.parentEntities.isEmpty })
        else { return nil }
        let place = ObjectPlace()
        let target = try client.firstPage(of: resource, at: place, cursor: nil)
        let request = try client.listRequest(resource, target, at: place)
        let what = "\(request.method) \(target.path)"
        let reply = try await synchronizer.reply(to: .init(request: request), resource, through: client)
        guard reply.isSuccess, !client.isWebPage(reply) else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            throw SyncError(refused: failure, treatment, what, remedy: routeFile.signInRemedy)
        }
        // Where anybody may read, that one may says nothing; only a refusal does.
        return routeFile.signsReads ? what : nil
    }
}
