internal import Synchronization

/// The secrets that an authenticator has sent; see ``Authenticator/usedSecrets``.
package final class UsedSecrets: Sendable {
    private let texts = Mutex<Set<String>>([])

    package init() {}

    package var all: [Secret] { texts.withLock { $0.map { Secret($0) } } }

    package func insert(_ text: String) {
        if !text.isEmpty { texts.withLock { _ = $0.insert(text) } }
    }
}
