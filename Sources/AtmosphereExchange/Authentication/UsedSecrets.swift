internal import Synchronization

/// The secrets that an authenticator has sent; see ``Authenticator/usedSecrets``.
///
/// Tokens take the place of one another without end: the last ones are known, as requests on the wire show no older ones.
package final class UsedSecrets: Sendable {
    /// How many that do not last are known.
    private static let remembered = 64

    private struct Texts {
        var lasting: Set<ScalarText> = []
        /// The last to be used at the end.
        var passing: [ScalarText] = []
    }

    private let texts = Mutex(Texts())

    package init() {}

    package var all: [Secret] { texts.withLock { ($0.lasting + $0.passing).map { Secret($0.text) } } }

    /// Notes a secret that is sent now.
    package func insert(_ text: String) {
        let text = ScalarText(text)
        texts.withLock { texts in
            guard !text.text.isEmpty, text != texts.passing.last, !texts.lasting.contains(text) else { return }
            texts.passing.removeAll { $0 == text }
            texts.passing = (texts.passing + [text]).suffix(Self.remembered)
        }
    }

    /// Notes a secret that the route file names, and that few requests show.
    package func insert(lasting text: String) {
        if !text.isEmpty { texts.withLock { _ = $0.lasting.insert(ScalarText(text)) } }
    }
}
