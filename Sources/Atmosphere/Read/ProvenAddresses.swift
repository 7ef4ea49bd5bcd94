import Synchronization

/// The addresses of the route file that the server has answered for an object since this process began. Elsewhere a 404 may
/// be about the address as well as about the object.
final class ProvenAddresses: Sendable {
    private struct Address: Hashable {
        var entity: String
        /// nil for the read.
        var verb: Verb?
    }

    private let known = Mutex<Set<Address>>([])

    func insert(_ verb: Verb?, of entity: String) {
        known.withLock { _ = $0.insert(Address(entity: entity, verb: verb)) }
    }

    func contains(_ verb: Verb?, of entity: String) -> Bool {
        known.withLock { $0.contains(Address(entity: entity, verb: verb)) }
    }
}
