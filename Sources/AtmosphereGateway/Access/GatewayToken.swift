package import Atmosphere

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

    /// Takes the same time whatever the other text is.
    package func matches(_ other: String) -> Bool {
        let others = SHA256Digest.bytes(of: other)
        var difference: UInt8 = 0
        for index in digest.indices { difference |= digest[index] ^ others[index] }
        return difference == 0
    }
}
