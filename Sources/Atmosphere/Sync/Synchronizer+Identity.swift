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

    /// Why a look-up would prove nothing now: somebody else sees other objects.
    ///
    /// - Returns: nil where the server takes us for who made the last complete pull, or where nobody can tell.
    /// - Throws: as ``identity()``; ``StoreError``.
    func doubt(about resource: Resource) async throws -> String? {
        guard let identity = try await identity() else { return nil }
        let known = try await store.read { snapshot in
            try snapshot.cursors(entity: resource.name).filter { !$0.scope.isView }.compactMap(\.cursor.identity)
        }
        guard let other = known.first(where: { $0 != identity }) else { return nil }
        return "the server takes us for “\(identity)”, and the last complete pull of \(resource.name) was made as "
            + "“\(other)”, so a look-up would not tell whether the create has happened; sign in as before, or accept the "
            + "new identity with pull --allow-deletes N"
    }
}
