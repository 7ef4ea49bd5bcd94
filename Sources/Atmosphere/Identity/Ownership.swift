/// Whose the objects of a store are: from which server they were pulled, and as whom.
struct Ownership: Sendable {
    private let synchronizer: Synchronizer

    private var routeFile: RouteFile { synchronizer.routeFile }
    private var store: any Store { synchronizer.store }

    init(_ synchronizer: Synchronizer) { self.synchronizer = synchronizer }

    /// Who the server takes us for; nil where the route file has no identity check.
    ///
    /// - Throws: ``SyncError`` `signInNeeded` where it takes us for nobody, `refused`, `unreachable`.
    func identity() async throws -> String? {
        let name = try await identity(through: synchronizer.client)
        if let name { synchronizer.identityTurns.note(name) }
        return name
    }

    /// The same for requests that somebody else signs.
    func identity(through client: ResourceClient) async throws -> String? {
        guard let check = routeFile.identity else { return nil }
        let answer = try await synchronizer.request(method: "GET", path: check.path, through: client)
        guard let value = answer.flatMap({ check.field.first(in: $0) }), !value.isNull else {
            throw SyncError(
                code: .signInNeeded,
                message: "GET \(check.path) answered without \(check.field), so the server takes us for nobody; check "
                    + "the credentials, or auth.identity")
        }
        return value.text
    }

    /// Who the server shows its lists to; nil where the route file has no identity check, and where everybody is shown the
    /// same.
    ///
    /// - Throws: as ``identity()``.
    func reader() async throws -> String? { routeFile.signsReads ? try await identity() : nil }

    /// Why nothing that the server says or takes now would be about this store: somebody else sees other objects.
    ///
    /// - Parameter consequence: what is therefore not done.
    /// - Returns: nil where the server takes us for who made what is here, or where nobody can tell.
    /// - Throws: as ``identity()``; ``StoreError``.
    func doubt(about resources: [Resource], _ consequence: String) async throws -> String? {
        guard let identity = try await identity() else { return nil }
        return try await doubt(about: resources, as: identity, consequence)
    }

    private func doubt(
        about resources: [Resource], as identity: String, _ consequence: String
    ) async throws -> String? {
        guard let other = try await stranger(to: identity, in: resources) else { return nil }
        let (now, reason) = (synchronizer.client.toldLine(identity), synchronizer.client.toldLine(other.reason))
        return "the server takes us for “\(now)”, and \(reason), so \(consequence); sign in as before, or "
            + "accept the new identity with pull --allow-deletes N"
    }

    /// Who else made some of what is here, if anybody did.
    ///
    /// An entity of which nobody has pulled anything yet is that of whoever pulled the others: its objects refer to
    /// theirs.
    ///
    /// - Parameter ofLists: views do not count.
    func stranger(
        to identity: String, in resources: [Resource], ofLists: Bool = false
    ) async throws -> KnownIdentity? {
        let all = routeFile.resources
        return try await store.read { snapshot in
            func known(_ resource: Resource) throws -> [KnownIdentity] {
                try snapshot.cursors(entity: resource.name).filter { !ofLists || !$0.scope.isView }.flatMap {
                    KnownIdentity.all(of: $0.scope, $0.cursor)
                }
            }
            for resource in resources {
                var found = try known(resource)
                if found.isEmpty { found = try all.flatMap(known) }
                if let other = found.first(where: { !$0.name.hasSameBytes(as: identity) }) { return other }
            }
            return nil
        }
    }

    /// Notes whom the server takes us for before anything that it says to us, or takes from us, is stored.
    func claim(_ scopes: [PullScope], as identity: String) async throws {
        guard !scopes.isEmpty else { return }
        try await store.write(.process, origin: .pull) { transaction in
            for scope in scopes {
                var cursor = try transaction.cursor(for: scope) ?? PullCursor()
                guard !cursor.identity.hasSameBytes(as: identity) || cursor.begunAs != nil,
                    !cursor.begunAs.hasSameBytes(as: identity)
                else { continue }
                cursor.begunAs = identity
                // Where somebody else's listing would go on, ours does not.
                cursor.underway = nil
                try transaction.put(cursor, for: scope)
            }
        }
    }

    /// What is here belongs to the server that it was pulled from: another one has other objects under the same identifiers.
    /// An entity of which nothing was pulled yet belongs to where the others came from.
    ///
    /// - Parameter consequence: what is therefore not done.
    /// - Throws: ``SyncError`` `wrongState` where the route file has another base by now; ``StoreError``.
    func checkServer(of resources: [Resource], _ consequence: String) async throws {
        let all = routeFile.resources
        let server = routeFile.server
        let other = try await store.read { snapshot -> (entity: String, server: String)? in
            func known(_ resource: Resource) throws -> [String] {
                try snapshot.cursors(entity: resource.name).compactMap(\.cursor.server)
            }
            for resource in resources {
                var found = try known(resource)
                if found.isEmpty { found = try all.flatMap(known) }
                if let other = found.first(where: { $0 != server }) { return (resource.name, other) }
            }
            return nil
        }
        guard let other else { return }
        throw SyncError(
            code: .wrongState,
            message: "what is here of \(other.entity) was pulled from \(other.server), and “base” leads to \(server) "
                + "now, so \(consequence); if that is the same service under another address, accept it with pull "
                + "--allow-deletes N; if not, give each its own store")
    }

    /// Nothing is written as somebody else, who may not see the objects or would own what is created, nor to an address that the
    /// route file may give to another object by now.
    ///
    /// - Throws: ``SyncError`` `signInNeeded`; `wrongState`; as ``identity()``.
    func checkSender(of resources: [Resource]) async throws {
        try await checkServer(of: resources, "nothing is sent")
        try await checkIdentity(of: resources)
        try await Readdressing.run(beforeSending: resources, synchronizer)
    }

    private func checkIdentity(of resources: [Resource]) async throws {
        guard let identity = try await identity() else { return }
        // Where everybody is shown the same, what is here is nobody's, but for what waits.
        guard routeFile.signsReads else { return try await requireAuthor(identity, of: resources) }
        if let doubt = try await doubt(about: resources, as: identity, "nothing is sent") {
            throw SyncError(code: .signInNeeded, message: doubt)
        }
        // What is created before the first pull is this one's too.
        let unclaimed = try await store.read { snapshot in
            try resources.map { PullScope(entity: $0.name) }.filter { scope in
                try snapshot.cursors(entity: scope.entity).allSatisfy {
                    KnownIdentity.all(of: $0.scope, $0.cursor).isEmpty
                }
            }
        }
        try await claim(unclaimed, as: identity)
    }

    // MARK: Where reads are not signed

    /// - Throws: ``SyncError`` `signInNeeded` where somebody else has made some of what waits.
    private func requireAuthor(_ identity: String, of resources: [Resource]) async throws {
        let authors = ChangeAuthors(synchronizer)
        if let other = try await authors.stranger(to: identity, in: resources) {
            let (now, maker) = (synchronizer.client.toldLine(identity), synchronizer.client.toldLine(other.name))
            throw SyncError(
                code: .signInNeeded,
                message: "the server takes us for “\(now)”, and what waits of \(other.entity) was changed as "
                    + "“\(maker)”, so nothing is sent; sign in as before, or accept the new identity with pull "
                    + "--allow-deletes N")
        }
        try await authors.become(identity)
    }

    /// Somebody has signed in, and makes the changes from here on. Where the server does not tell who, the next push asks.
    ///
    /// - Parameter accepted: entities of which what others have changed is taken over.
    func noteAuthor(accepting accepted: [Resource] = []) async throws {
        guard !routeFile.signsReads else { return }
        let name: String?
        do { name = try await identity() } catch is SyncError { return }
        if let name { try await ChangeAuthors(synchronizer).become(name, accepting: accepted) }
    }

    /// Nobody is signed in any more.
    func forgetAuthor() async throws {
        if !routeFile.signsReads { try await ChangeAuthors(synchronizer).become(nil) }
    }
}
