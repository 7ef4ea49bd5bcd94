extension Synchronizer {
    /// Who the server takes us for; nil where the route file has no identity check.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where it takes us for nobody, `refused`, `unreachable`.
    package func identity() async throws -> String? {
        guard let check = routeFile.identity else { return nil }
        let answer = try await request(method: "GET", path: check.path)
        guard let value = answer.flatMap({ check.field.first(in: $0) }), !value.isNull else {
            throw SyncError(
                code: .signInNeeded,
                message: "GET \(check.path) answered without \(check.field), so the server takes us for nobody; check "
                    + "the credentials, or auth.identity")
        }
        return value.text
    }

    /// Why nothing that the server says or takes now would be about this store: somebody else sees other objects.
    ///
    /// - Parameter consequence: what is therefore not done.
    /// - Returns: nil where the server takes us for who made the last complete pulls, or where nobody can tell.
    /// - Throws: as ``identity()``; ``StoreError``.
    func doubt(about resources: [Resource], _ consequence: String) async throws -> String? {
        guard let identity = try await identity() else { return nil }
        let known = try await store.read { snapshot in
            try resources.flatMap { resource in
                try snapshot.cursors(entity: resource.name).filter { !$0.scope.isView }.compactMap { cursor in
                    cursor.cursor.identity.map { (entity: resource.name, identity: $0) }
                }
            }
        }
        guard let other = known.first(where: { $0.identity != identity }) else { return nil }
        return "the server takes us for “\(identity)”, and the last complete pull of \(other.entity) was made as "
            + "“\(other.identity)”, so \(consequence); sign in as before, or accept the new identity with "
            + "pull --allow-deletes N"
    }

    /// Nothing is written as somebody else, who may not see the objects or would own what is created.
    ///
    /// - Throws: ``SyncError`` `signInNeeded`; as ``identity()``.
    func checkSender(of resources: [Resource]) async throws {
        if let doubt = try await doubt(about: resources, "nothing is sent") {
            throw SyncError(code: .signInNeeded, message: doubt)
        }
    }
}
