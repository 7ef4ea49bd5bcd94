/// What ``Synchronizer/fetch(_:)`` gives: what is here, and behind it, once the entity was pulled, what is here then.
///
/// It is its own iterator; each iteration pulls for itself.
public struct FetchSequence: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let entity: String
    let local: @Sendable () async throws -> [(uri: ObjectURI, record: ObjectRecord)]
    let pull: @Sendable () async throws -> PullReport
    let readDetails: @Sendable () async throws -> Void
    private var round = 0

    init(
        entity: String, local: @escaping @Sendable () async throws -> [(uri: ObjectURI, record: ObjectRecord)],
        pull: @escaping @Sendable () async throws -> PullReport,
        readDetails: @escaping @Sendable () async throws -> Void
    ) {
        self.entity = entity
        self.local = local
        self.pull = pull
        self.readDetails = readDetails
    }

    /// What the query holds for in the local copy, with each object's address, and whether the server was asked before.
    public typealias Element = (records: [(uri: ObjectURI, record: ObjectRecord)], isRemote: Bool)

    /// What is here, then, after a pull of the entity, what is here by then, then nil.
    ///
    /// - Throws: ``StoreError``; `CancellationError`; ``SyncError`` with the pull's reason where it was not complete
    ///   (`unreachable`, `signInNeeded`, `tooManyDeletes`, `unexpectedAnswer`), or what reading the rest of partial
    ///   objects throws.
    public mutating func next() async throws -> Element? {
        defer { round += 1 }
        switch round {
        case 0:
            return (records: try await local(), isRemote: false)
        case 1:
            let pulled = try await pull().entities[entity]
            if let problem = pulled?.problem {
                throw SyncError(code: pulled?.problemKind?.code ?? .unreachable, message: problem)
            }
            try await readDetails()
            return (records: try await local(), isRemote: true)
        default: return nil
        }
    }

    /// The sequence from its beginning.
    public func makeAsyncIterator() -> FetchSequence {
        FetchSequence(entity: entity, local: local, pull: pull, readDetails: readDetails)
    }
}
