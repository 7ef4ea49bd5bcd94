/// What ``Synchronizer/fetch(_:)`` gives.
public struct FetchSequence: AsyncSequence, Sendable {
    let entity: String
    let local: @Sendable () async throws -> [(uri: ObjectURI, record: ObjectRecord)]
    let pull: @Sendable () async throws -> PullReport
    let readDetails: @Sendable () async throws -> Void

    /// One set of results.
    public struct Element: Sendable {
        /// What the query holds for in the local copy, with each object's address.
        public var records: [(uri: ObjectURI, record: ObjectRecord)]
        /// The server was asked before.
        public var isRemote: Bool
    }

    /// Gives what is here, pulls the entity, and gives what is here then.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let sequence: FetchSequence
        var round = 0

        /// What is here, then, after a pull of the entity, what is here by then, then nil.
        ///
        /// - Throws: ``StoreError``; `CancellationError`; ``SyncError`` with the pull's reason where it was not complete
        ///   (`unreachable`, `signInNeeded`, `tooManyDeletes`, `unexpectedAnswer`), or what reading the rest of partial
        ///   objects throws.
        public mutating func next() async throws -> Element? {
            defer { round += 1 }
            switch round {
            case 0:
                return Element(records: try await sequence.local(), isRemote: false)
            case 1:
                let pulled = try await sequence.pull().entities[sequence.entity]
                if let problem = pulled?.problem {
                    throw SyncError(code: pulled?.problemKind?.code ?? .unreachable, message: problem)
                }
                try await sequence.readDetails()
                return Element(records: try await sequence.local(), isRemote: true)
            default: return nil
            }
        }
    }

    /// An iterator that begins with what is here; each one pulls for itself.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}
