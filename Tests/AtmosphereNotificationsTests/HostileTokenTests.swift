#if Notifications
    import Atmosphere
    import Crypto
    import Foundation
    import Testing

    @testable import AtmosphereNotifications

    /// Everybody on the network may send a token: whatever it is, the process goes on, and nobody gets in.
    @Suite("Hostile tokens")
    struct HostileTokenTests {
        private static let ecdsa = P256.Signing.PrivateKey()

        private static func authorizers() throws -> [TokenAuthorizer] {
            let public256 = TokenAuthorizer.Key.es256(pem: ecdsa.publicKey.pemRepresentation)
            let rsa = TokenAuthorizer.Key.rs256(
                pem: """
                    -----BEGIN PUBLIC KEY-----
                    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoBYf577NdX/r3OI22b36
                    qeFBoXc8JsNkEDBKwa2s/g3yD3v9bKmQnjrWk0bG/Def9YgU3jjX1JvM+gZcOwpM
                    p5X+vwveXaLrlaxNPck8Xgx60PYEZ9B3+x0bkuaIv4VIDNEzQE7viGLRpzdk2Vq1
                    KnmQBsOas4hn83hz9AZCi8N8dif2gL1Q7CC2P93lT/7rwilVA9fIuzCm4CTf1dPT
                    hV4HN7kyKWSYaltIoCgq9fh74x+9ZY59QCznurKchuyo/q05PH4BmXY8T5WRLiVD
                    p254nmBNSMLqRUF6KMIjUEdA6cWpe0EW8X5jSCQxqkrYy1ToPqtrZsY95tGSGRjV
                    owIDAQAB
                    -----END PUBLIC KEY-----
                    """)
            let hmac = TokenAuthorizer.Key.hs256(secret: TestToken.secret)
            return [
                try TokenAuthorizer([hmac]), try TokenAuthorizer([hmac, public256, rsa], audience: "push"),
                try TokenAuthorizer([public256, rsa], issuer: "id", scope: "publish")
            ]
        }

        private static let headers = [
            #"{"alg":"HS256"}"#, #"{"alg":"ES256"}"#, #"{"alg":"RS256"}"#, #"{"alg":"none"}"#,
            #"{"alg":"HS256","x":9223372036854775808}"#, #"{"alg":"HS256","x":18446744073709551616}"#,
            #"{"alg":"HS256","x":-9223372036854775809}"#, #"{"alg":"HS256","x":1e400}"#,
            #"{"alg":"HS256","x":1e-9999999999}"#, #"{"alg":"ES256","kid":null,"crit":[]}"#,
            #"{"alg":"HS256","x5c":[],"jwk":{},"jku":"https://127.0.0.1/"}"#, #"{"alg":"HS256","x":"\ud800"}"#,
            #"{"alg":9223372036854775808}"#, "{}", "[]", "null", "0", #""HS256""#, "", " ", "{", "\u{0}", "\u{FEFF}{}",
            String(repeating: "[", count: 8000), String(repeating: #"{"a":"#, count: 2000),
            #"{"alg":"HS256","a":"# + String(repeating: "9", count: 8000) + "}"
        ]

        private static let claims = [
            #"{"sub":"ann","exp":4000000000}"#, #"{"sub":"ann","exp":4000000000,"aud":[]}"#, #"{"aud":[]}"#,
            #"{"aud":{}}"#, #"{"aud":[[]]}"#, #"{"exp":1e400}"#, #"{"exp":-1e400}"#, #"{"exp":9223372036854775808}"#,
            #"{"exp":1e308,"nbf":-1e308}"#, #"{"iat":18446744073709551616}"#, #"{"sub":null,"exp":null}"#,
            #"{"rooms":{}}"#, #"{"rooms":[null]}"#, "{}", "[]", "null", "", "{", #"{"sub":"\ud800"}"#
        ]

        private static let signatures: [[UInt8]] = [
            [], [0], Array(repeating: 0, count: 32), Array(repeating: 0, count: 63), Array(repeating: 0, count: 64),
            Array(repeating: 255, count: 64), Array(repeating: 0, count: 65), Array(repeating: 0, count: 256),
            Array(repeating: 255, count: 256), Array(repeating: 255, count: 5000)
        ]

        private static func refused(_ token: String, by authorizers: [TokenAuthorizer]) async {
            for authorizer in authorizers {
                let identity = await authorizer.identity(of: token)
                #expect(identity == nil, "\(token.prefix(500))")
            }
        }

        @Test("nobody gets in by any header, claims and signature that nobody has signed")
        func parts() async throws {
            let authorizers = try Self.authorizers()
            for header in Self.headers {
                for (index, claims) in Self.claims.enumerated() {
                    // Claims are not read where the signature is wrong.
                    for signature in Self.signatures where index == 0 || signature.count == [0, 32, 64, 256][index % 4]
                    {
                        let token = TestToken.text(Array(header.utf8), Array(claims.utf8)) { _ in signature }
                        await Self.refused(token, by: authorizers)
                    }
                }
            }
        }

        @Test("claims that were signed by mistake end nothing either")
        func signedParts() async throws {
            let authorizers = try Self.authorizers().dropFirst()
            for header in Self.headers {
                for claims in Self.claims {
                    await Self.refused(
                        TestToken.hs256(Array(header.utf8), Array(claims.utf8)), by: Array(authorizers))
                }
            }
        }

        @Test("text that is no token is refused")
        func texts() async throws {
            let authorizers = try Self.authorizers()
            let right = TestToken.hs256(["sub": "ann", "exp": 4_000_000_000])
            #expect(await authorizers[0].identity(of: right)?.user == "ann")
            let parts = right.split(separator: ".").map(String.init)
            let texts = [
                "", ".", "..", "...", "a.b.c", "a..", ".a.", "..a", right + ".", "." + right, right + "=", " " + right,
                right + "\n", right + "\u{0}", right + "A", parts.joined(separator: ".."), parts[0] + "." + parts[1],
                parts[0] + "." + parts[1] + ".", "\(parts[0]).\(parts[1]).\(parts[2]).",
                right.replacing("e", with: "é"),
                parts[0] + "=." + parts[1] + "." + parts[2], parts[0] + ".\t" + parts[1] + "." + parts[2],
                // The last character of 32 bytes has two bits that nothing stands in.
                String(right.dropLast()) + Self.sibling(of: right.last!), String(repeating: "a", count: 16_385),
                String(repeating: "a.", count: 8000), String(repeating: ".", count: 16_384),
                "\u{1F600}.\u{1F600}.\u{1F600}"
            ]
            for text in texts { await Self.refused(text, by: authorizers) }
        }

        private static func sibling(of character: Character) -> String {
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            return String(alphabet[alphabet.firstIndex(of: character)! | 1])
        }

        @Test("a right token that was changed at one place or more is refused", arguments: 1...4)
        func mutations(seed: UInt64) async throws {
            let authorizers = try Self.authorizers()
            let claims: Value = [
                "sub": "ann", "exp": 4_000_000_000, "aud": ["push"], "iss": "id", "scope": "publish", "rooms": ["tasks"]
            ]
            let right = [
                Array(TestToken.hs256(claims).utf8), Array(try TestToken.es256(claims, Self.ecdsa).utf8)
            ]
            #expect(await authorizers[1].identity(of: String(decoding: right[0], as: UTF8.self)) != nil)
            #expect(await authorizers[1].identity(of: String(decoding: right[1], as: UTF8.self)) != nil)
            var numbers = SeededGenerator(seed: seed)
            for _ in 0..<250 {
                let original = right.randomElement(using: &numbers)!
                var bytes = original
                for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                    Self.change(&bytes, using: &numbers)
                }
                let text = String(decoding: bytes, as: UTF8.self)
                guard Array(text.utf8) != original else { continue }
                await Self.refused(text, by: authorizers)
            }
        }

        private static func change(_ bytes: inout [UInt8], using numbers: inout SeededGenerator) {
            let index = bytes.indices.randomElement(using: &numbers) ?? 0
            let other = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \u{0}\n".utf8)
            guard !bytes.isEmpty else { return bytes.append(0) }
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(other.randomElement(using: &numbers)!, at: index)
            case 2: bytes.removeSubrange(index...)
            case 3: bytes.append(contentsOf: bytes[index...])
            default: bytes[index] = other.randomElement(using: &numbers)!
            }
        }

        /// JSON inside that was changed, under a signature that fits nothing and under one that fits.
        @Test("headers and claims that were changed end nothing", arguments: 1...4)
        func innerMutations(seed: UInt64) async throws {
            let authorizers = try Self.authorizers()
            var numbers = SeededGenerator(seed: seed)
            for _ in 0..<250 {
                var header = Array(Self.headers.randomElement(using: &numbers)!.utf8)
                var claims = Array(Self.claims.randomElement(using: &numbers)!.utf8)
                Self.change(&header, using: &numbers)
                Self.change(&claims, using: &numbers)
                await Self.refused(TestToken.text(header, claims) { _ in [1, 2, 3] }, by: authorizers)
                // It may be right, by chance.
                _ = await authorizers[0].identity(of: TestToken.hs256(header, claims))
            }
        }
    }
#endif
