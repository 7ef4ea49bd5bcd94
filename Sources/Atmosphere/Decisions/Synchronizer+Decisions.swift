extension Synchronizer {
    /// How a person ends a conflict, or a create whose outcome is not known.
    public enum Resolution: Sendable {
        /// Mine for the members that clash; an object deleted there is created anew.
        case mine
        /// Theirs for the members that clash, of which contents that wait are dropped; an object deleted on one side takes
        /// theirs. Where somebody else has the edit lease, all that waits is dropped.
        case theirs
        /// These values, nil removing one, and theirs for the other members that clash; content that waits for one of those
        /// stays, and is uploaded over theirs. At least one value must be of a member that clashes, unless content waits for
        /// all of them, and none of a member that neither side has and the route file does not name. Not for an object that
        /// the server has deleted.
        case set([(name: String, value: Value?)])
        /// Both texts for each member that clashes, line by line: what the two have in common once, and where they differ
        /// mine behind theirs. For a member that is no text on both sides there must be a value. Otherwise as ``set(_:)``.
        case both(setting: [(name: String, value: Value?)])
        /// The create has happened: the server's object is the one with this identifier.
        case adopt(ObjectID)
        /// The create, or the action, has not happened: send it again. A create that has an idempotency key and is still
        /// repeated by itself is repeated now; one that was deleted here meanwhile vanishes.
        case resend

        /// What was decided, for the log; values are left out, for they may be anything.
        var word: String {
            switch self {
            case .mine: "mine"
            case .theirs: "theirs"
            case .set(let changes): "set \(changes.map(\.name).joined(separator: ", "))"
            case .both: "both texts"
            case .adopt(let id): "it is \(id)"
            case .resend: "to be sent again"
            }
        }
    }

    /// Objects that a push would still send, that a person must decide, or that were refused, in order of address.
    ///
    /// - Parameter entity: nil for all entities.
    public func pending(entity: String? = nil) async throws -> [LocalObject] {
        if let entity { _ = try resource(entity) }
        return try await store.read { snapshot in
            try snapshot.changed(entity: entity, after: nil, limit: .max)
                .compactMap { try snapshot.object(at: $0.uri) }.map(self.viewed)
        }
    }

    /// Whether a push finds out by itself what has become of a change whose outcome is unknown.
    package func findsOut(_ object: LocalObject) -> Bool {
        guard case .unknown = object.meta.outgoing?.phase, let resource = try? resource(object.uri.entity) else {
            return false
        }
        let next = ChangeEngine(resource).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        return next != .hold(.needsPerson)
    }

    /// The operation that the route file does not offer and that the waiting change needs; nil where nothing waits, or it can
    /// be sent.
    package func missingOperation(_ object: LocalObject) -> String? {
        guard case .waiting = object.meta.outgoing?.phase, let resource = try? resource(object.uri.entity) else {
            return nil
        }
        let next = ChangeEngine(resource).next(
            object, now: .distantFuture, sequence: 0, hasCompared: true, hasLease: true)
        guard case .hold(.notOffered(let verb)) = next else { return nil }
        return verb.word
    }

    /// Ends a conflict or an unknown outcome. The decision is sent with the next push.
    ///
    /// What does not clash is merged whatever the decision is: their edits of other members come, mine stay.
    ///
    /// - Throws: ``SyncError`` `notFound`; `wrongState` where there is nothing of the kind to decide; `invalidRecord` for
    ///   set values that decide nothing, or of a member that there is not. Nothing is changed then.
    public func resolve(_ uri: ObjectURI, _ resolution: Resolution) async throws {
        try await resolve(uri, resolution, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where it is not to be decided.
    package func resolve(
        _ uri: ObjectURI, _ resolution: Resolution, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await Decisions(self, where: condition).resolve(uri, resolution)
    }

    /// Gives a refused or failed change another try with the next push.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` where nothing waits or a person must decide first.
    public func retry(_ uri: ObjectURI) async throws {
        try await retry(uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where it is not to be tried again.
    package func retry(
        _ uri: ObjectURI, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await Decisions(self, where: condition).retry(uri)
    }

    /// Drops what was edited here and goes back to the base; an object the server does not know vanishes.
    ///
    /// - Throws: ``SyncError`` `notFound`, or `wrongState` for a create that is on the wire: the server may have it.
    public func discard(_ uri: ObjectURI) async throws {
        try await discard(uri, where: { _ in })
    }

    /// - Parameter condition: looks at the object inside the transaction, and throws where nothing of it is to be dropped.
    package func discard(
        _ uri: ObjectURI, where condition: @escaping @Sendable (LocalObject) throws -> Void
    ) async throws {
        try await Decisions(self, where: condition).discard(uri)
    }

    /// Objects that may be what became of a create whose outcome is unknown: the server has shown them since it was sent,
    /// and they say all that it said; not one that the server has deleted since, and none that another create of this
    /// client has become. A person adopts one of them, or sends the create again.
    ///
    /// Looks through the whole entity, so it is for a person who decides and not for a loop.
    ///
    /// - Returns: in order of address, 20 at most; none where the object is not such a create, or of an entity that the
    ///   route file does not have any more.
    /// - Throws: ``SyncError`` `notFound`; ``StoreError``.
    public func candidates(for uri: ObjectURI) async throws -> [ObjectURI] {
        guard let resource = routeFile.resource(uri.entity) else { return [] }
        return try await Candidates(synchronizer: self, resource: resource).find(for: uri)
    }
}
