internal import Synchronization

/// A value of the local copy and then each later one: the present value comes first, values that nobody waited for are
/// skipped, and the last is never lost.
///
/// Each iteration is a reader of its own, so several can read one sequence. Iterating ends when its task is cancelled and
/// when the synchronizer is closed; it throws where the store cannot be read, and ends with that. It costs nothing while
/// nothing changes, and nothing is kept for a slow reader but what it has not seen of the present state.
public struct Changes<Element: Sendable>: AsyncSequence, Sendable {
    /// What an iteration throws where the store or a record cannot be read.
    public typealias Failure = any Error

    /// Gives the present value first. One that is dropped ends its subscription.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let step: @Sendable () async throws -> Element?

        /// The present value at first, then the next one that shows something new; nil when the task is cancelled or
        /// the synchronizer closed.
        ///
        /// - Throws: ``StoreError``, or what reading the value threw; the iteration is over then.
        public mutating func next() async throws -> Element? { try await step() }
    }

    private let begin: @Sendable () -> @Sendable () async throws -> Element?

    /// - Parameter begin: starts an iteration and gives what makes its next value.
    init(_ begin: @escaping @Sendable () -> @Sendable () async throws -> Element?) { self.begin = begin }

    /// A reader of its own, which begins with the present value.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: begin()) }

    /// The same with each value made into another.
    ///
    /// - Parameter makeConverter: gives each iteration a converter of its own, which returns nil for a value that shows
    ///   nothing new.
    func converted<New: Sendable>(
        _ makeConverter: @escaping @Sendable () -> @Sendable (Element) throws -> New?
    ) -> Changes<New> {
        let begin = begin
        return Changes<New> {
            let step = begin()
            let convert = makeConverter()
            return {
                while let value = try await step() {
                    if let new = try convert(value) { return new }
                }
                return nil
            }
        }
    }
}

extension Changes where Element: Equatable {
    /// Asks anew whenever the subscription has news, and skips what is the same as before.
    static func evaluated(
        _ subscribe: @escaping @Sendable () -> ChangeSubscription,
        _ evaluate: @escaping @Sendable (ChangeSubscription, CommitSet) async throws -> Element?
    ) -> Changes {
        Changes {
            let subscription = subscribe()
            let last = LastValue<Element>()
            return {
                while let news = await subscription.news() {
                    do {
                        if let value = try await evaluate(subscription, news), last.isNew(value) { return value }
                    } catch {
                        subscription.finish()
                        throw error
                    }
                }
                return nil
            }
        }
    }
}

/// What an iteration gave last.
private final class LastValue<Element: Sendable & Equatable>: Sendable {
    private let last = Mutex<Element?>(nil)

    func isNew(_ value: Element) -> Bool {
        last.withLock { last in
            defer { last = value }
            return last != value
        }
    }
}
