#if Notifications
    import Atmosphere
    import Crypto
    import CryptoExtras
    import Foundation

    /// Writes tokens, right ones and others.
    enum TestToken {
        static let secret = "0123456789abcdef0123456789abcdef"

        static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
            Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }

        static func text(_ header: [UInt8], _ claims: [UInt8], sign: (Data) throws -> some Sequence<UInt8>) rethrows
            -> String
        {
            let signed = base64URL(header) + "." + base64URL(claims)
            return signed + "." + base64URL(try sign(Data(signed.utf8)))
        }

        static func hs256(_ header: [UInt8], _ claims: [UInt8], secret: String = secret) -> String {
            let key = SymmetricKey(data: Data(secret.utf8))
            return text(header, claims) { Array(HMAC<SHA256>.authenticationCode(for: $0, using: key)) }
        }

        /// - Parameter header: members in front of `alg`; one of that name counts.
        static func hs256(_ claims: Value, header: Value.Members = [:], secret: String = secret) -> String {
            let members = Value.Members(Array(header) + [Value.Member(name: "alg", value: "HS256")])
            return hs256(Value.object(members).json(), claims.json(), secret: secret)
        }

        static func es256(_ claims: Value, _ key: P256.Signing.PrivateKey) throws -> String {
            try text(Array(#"{"alg":"ES256"}"#.utf8), claims.json()) { try key.signature(for: $0).rawRepresentation }
        }

        static func rs256(_ claims: Value, _ key: _RSA.Signing.PrivateKey) throws -> String {
            try text(Array(#"{"alg":"RS256"}"#.utf8), claims.json()) {
                try key.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5).rawRepresentation
            }
        }
    }
#endif
