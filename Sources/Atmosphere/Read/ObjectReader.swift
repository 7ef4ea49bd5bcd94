/// Asks the server for one object, for a caller who waits.
struct ObjectReader: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource

    /// GETs the object at a place.
    ///
    /// - Parameters:
    ///   - sequence: the start sequence of the request, where what it shows is stored.
    ///   - uri: whose story it is; nil for nobody's.
    /// - Throws: ``SyncError`` `unreachable` or `unexpectedAnswer` where there is no answer.
    func read(
        at place: ObjectPlace, sequence: Int64 = 0, about uri: ObjectURI? = nil
    ) async throws -> (finding: Finding, reply: ResourceClient.Reply) {
        let client = synchronizer.client
        let reply = try await synchronizer.reply(to: client.readRequest(resource, at: place), resource, about: uri)
        return (client.finding(in: reply, of: resource, at: place, sequence: sequence), reply)
    }

    /// The error for a caller who was told nothing of an object.
    func refusal(_ failure: MetaObject.Failure, _ treatment: ErrorRules.Treatment, of uri: ObjectURI) -> SyncError {
        SyncError(refused: failure, treatment, "GET \(uri)", remedy: synchronizer.routeFile.signInRemedy)
    }
}
