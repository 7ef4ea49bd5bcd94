package import Atmosphere
internal import Synchronization

/// What opens the gateway: a text that nobody can guess, and that only its digest is compared with.
package struct GatewayToken: Sendable {
    /// As it is sent.
    package let text: String
    private let digest: [UInt8]

    package init(_ text: String) {
        self.text = text
        digest = SHA256Digest.bytes(of: text)
    }

    /// A new one, with the randomness of two UUIDs (244 bits).
    package init(random environment: SyncEnvironment) {
        self.init((environment.makeUUID() + environment.makeUUID()).filter { $0 != "-" })
    }

    /// Another token that this one gives and that does not give this one.
    func derived(for use: String) -> GatewayToken {
        var digest = SHA256Digest()
        digest.update(Array("atmos gateway \(use)\n\(text)".utf8))
        return GatewayToken(digest.finish())
    }

    /// Takes the same time whatever the other text is.
    package func matches(_ other: String) -> Bool {
        let others = SHA256Digest.bytes(of: other)
        var difference: UInt8 = 0
        for index in digest.indices { difference |= digest[index] ^ others[index] }
        return difference == 0
    }
}

/// A token that opens the gateway once: for the command line of a browser, which others of this machine can read.
package final class OneTimeToken: Sendable {
    /// As it is sent.
    let text: String
    private let unspent: Mutex<GatewayToken?>

    package init(random environment: SyncEnvironment) {
        let token = GatewayToken(random: environment)
        text = token.text
        unspent = Mutex(token)
    }

    /// Whether the text is the token and it was not spent; it is now.
    func spend(_ given: String) -> Bool {
        unspent.withLock { token in
            guard token?.matches(given) == true else { return false }
            token = nil
            return true
        }
    }
}
