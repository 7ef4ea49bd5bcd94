extension Synchronizer {
    /// Who the server takes us for; nil where the route file has no identity check.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where it takes us for nobody, `refused`, `unreachable`.
    package func identity() async throws -> String? { try await Ownership(self).identity() }

    func doubt(about resources: [Resource], _ consequence: String) async throws -> String? {
        try await Ownership(self).doubt(about: resources, consequence)
    }

    func stranger(
        to identity: String, in resources: [Resource], ofLists: Bool = false
    ) async throws -> KnownIdentity? {
        try await Ownership(self).stranger(to: identity, in: resources, ofLists: ofLists)
    }

    func claim(_ scopes: [PullScope], as identity: String) async throws {
        try await Ownership(self).claim(scopes, as: identity)
    }

    func checkServer(of resources: [Resource], _ consequence: String) async throws {
        try await Ownership(self).checkServer(of: resources, consequence)
    }

    func checkSender(of resources: [Resource]) async throws { try await Ownership(self).checkSender(of: resources) }
}
