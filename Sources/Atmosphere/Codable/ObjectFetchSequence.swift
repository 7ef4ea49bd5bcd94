/// What ``Objects/fetch(_:order:limit:offset:)`` gives: what is here, and behind it, once the entity was pulled, what is here
/// then.
///
/// It is its own iterator; each iteration pulls for itself.
public struct ObjectFetchSequence<Model: Codable & Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private var rounds: FetchSequence
    private let read: @Sendable () async throws -> [TypedObject<Model>]

    /// - Parameters:
    ///   - rounds: when to read, and what comes before; its records are of no use.
    ///   - read: what is here.
    init(rounds: FetchSequence, read: @escaping @Sendable () async throws -> [TypedObject<Model>]) {
        self.rounds = rounds
        self.read = read
    }

    /// What the query holds for in the local copy, and whether the server was asked before.
    public typealias Element = (objects: [TypedObject<Model>], isRemote: Bool)

    /// What is here, then, after a pull of the entity, what is here by then, then nil.
    ///
    /// - Throws: as ``FetchSequence/next()``; ``ModelError``, see ``RecordCoding/unreadable``.
    public mutating func next() async throws -> Element? {
        guard let round = try await rounds.next() else { return nil }
        return (objects: try await read(), isRemote: round.isRemote)
    }

    /// The sequence from its beginning.
    public func makeAsyncIterator() -> ObjectFetchSequence<Model> {
        ObjectFetchSequence(rounds: rounds.makeAsyncIterator(), read: read)
    }
}
