/// The right to push, held until released.
public struct PushLock: Sendable {
    package let once: Once

    /// A lock that the closure gives back.
    ///
    /// - Parameter onRelease: gives the right back; called once at most.
    public init(onRelease: @escaping @Sendable () -> Void) { once = Once(onRelease) }

    /// Gives the right back; a second call does nothing.
    public func release() { once.run() }
}
