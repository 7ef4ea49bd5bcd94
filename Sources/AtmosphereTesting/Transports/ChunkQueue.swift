internal import Synchronization

/// Gives chunks one after another, then nil.
final class ChunkQueue: Sendable {
    private let rest: Mutex<ArraySlice<[UInt8]>>

    init(_ chunks: [[UInt8]]) { rest = Mutex(chunks[...]) }

    func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
}
