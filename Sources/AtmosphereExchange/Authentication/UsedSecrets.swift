internal import Synchronization

/// The secrets that an authenticator has sent; see ``Authenticator/usedSecrets``.
package final class UsedSecrets: Sendable {
    private let texts = Mutex<Set<ScalarText>>([])

    package init() {}

    package var all: [Secret] { texts.withLock { $0.map { Secret($0.text) } } }

    package func insert(_ text: String) {
        if !text.isEmpty { texts.withLock { _ = $0.insert(ScalarText(text)) } }
    }
}
