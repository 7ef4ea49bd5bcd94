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
}
