/// A lock until it is released: the right to push from a store, the turn of one process at the tokens that several use.
public struct HeldLock: Sendable {
    private let once: Once

    /// A lock that the closure gives back.
    ///
    /// - Parameter onRelease: lets the next one go on; called once at most.
    public init(onRelease: @escaping @Sendable () -> Void) { once = Once(onRelease) }

    /// Lets the next one go on; a second call does nothing.
    public func release() { once.run() }
}
