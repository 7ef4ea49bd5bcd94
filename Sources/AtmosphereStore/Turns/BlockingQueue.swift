/// Runs blocking work one piece at a time on a queue of its own, outside Swift's cooperative threads: the thread of a store.
///
/// The work may be a closure that does not escape, such as the body of ``Store/write(_:origin:_:)``: the caller's task waits
/// for it.
///
/// ```swift
/// func read<Result: Sendable>(_ body: @Sendable (any StoreSnapshot) throws -> Result) async throws -> Result {
///     try await queue.run { try connection.snapshot { try body($0) } }
/// }
/// ```
///
/// Cancelling the caller's task changes nothing: work that was handed over begins when its turn comes, and comes to its end.
/// That is what a ``Durability/power`` write needs; who comes first is for a ``WriteGate`` to say.
public actor BlockingQueue {
    private let executor: QueueExecutor

    /// A queue with nothing to do.
    ///
    /// - Parameter label: what the queue is called in a debugger.
    public init(label: String) { executor = QueueExecutor(label: label) }

    /// The queue, as Swift asks for it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs the work on the queue, behind what was handed over before, and hands on what it returns.
    ///
    /// - Parameter work: may block; must not wait for other work of the same queue.
    /// - Throws: what the work throws, and nothing else.
    public func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
}
