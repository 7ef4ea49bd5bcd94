internal import Synchronization

/// Keys that can be exchanged while the server runs.
public final class KeyRing: ClientAuthorizer {
    private let keys: Mutex<KeyFile>

    /// Begins with these keys.
    public init(_ keys: KeyFile) { self.keys = Mutex(keys) }

    /// True: ``replace(by:)`` may make a key wrong.
    public var takesBack: Bool { true }

    /// From now on these keys are right, and no others. Who is connected stays so until the server is told to check its
    /// clients again.
    public func replace(by keys: KeyFile) { self.keys.withLock { $0 = keys } }

    /// Who has this key now; nil where no present key is it.
    public func identity(of token: String) -> ClientIdentity? { keys.withLock { $0.identity(of: token) } }
}
