#if Notifications
    import AtmosphereNotifications
    import Foundation
    import JWTKit
    import Testing

    @Suite("Tokens of clients")
    struct TokenTests {
        private struct Claims: JWTPayload {
            var sub: String
            var exp: Double?
            var aud: String?
            var rooms: [String]?
            var scope: String?
            func verify(using algorithm: some JWTAlgorithm) throws {}
        }

        private static let secret = "0123456789abcdef0123456789abcdef"

        private func sign(_ claims: Claims, secret: String = secret, header: JWTHeader = [:]) async throws -> String {
            let keys = JWTKeyCollection()
            await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            return try await keys.sign(claims, header: header)
        }

        @Test("a token that calls something critical is refused, however it is written (RFC 7515 §4.1.11)")
        func critical() async throws {
            let tokens = try await TokenAuthorizer([.hs256(secret: Self.secret)])
            let claims = Claims(sub: "ann")
            #expect(await tokens.identity(of: try await sign(claims, header: ["x": .string("y")])) != nil)
            for value in [JWTHeaderField.array([.string("x")]), .string("x"), .array([])] {
                let token = try await sign(claims, header: ["x": .string("y"), "crit": value])
                #expect(await tokens.identity(of: token) == nil)
            }
        }

        @Test("a token with the right signature says who its bearer is")
        func valid() async throws {
            let tokens = try await TokenAuthorizer([.hs256(secret: Self.secret)])
            let end = Date.now.timeIntervalSince1970.rounded() + 100
            let identity = await tokens.identity(of: try await sign(Claims(sub: "ann", exp: end, rooms: ["tasks/*"])))
            #expect(identity == ClientIdentity(user: "ann", rooms: ["tasks/*"], expiry: end))
        }

        @Test("another signature, an end in the past, another audience and anything else are refused")
        func invalid() async throws {
            let tokens = try await TokenAuthorizer([.hs256(secret: Self.secret)], audience: "push")
            let right = Claims(sub: "ann", aud: "push")
            #expect(await tokens.identity(of: try await sign(right)) != nil)
            #expect(await tokens.identity(of: try await sign(right, secret: String(Self.secret.reversed()))) == nil)
            #expect(await tokens.identity(of: try await sign(Claims(sub: "ann", exp: 1000, aud: "push"))) == nil)
            #expect(await tokens.identity(of: try await sign(Claims(sub: "ann", aud: "other"))) == nil)
            #expect(await tokens.identity(of: try await sign(Claims(sub: "ann"))) == nil)
            // {"alg":"none"} with the claims above, and no signature.
            let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJhbm4iLCJhdWQiOiJwdXNoIn0."
            for text in ["", "a.b.c", none, String(repeating: "a", count: 20_000)] {
                #expect(await tokens.identity(of: text) == nil)
            }
        }

        @Test("a scope must have its word, and a token names somebody")
        func scope() async throws {
            let tokens = try await TokenAuthorizer([.hs256(secret: Self.secret)], scope: "publish")
            for (scope, isRight) in [("publish", true), ("read publish", true), ("publishing", false), ("", false)] {
                let token = try await sign(Claims(sub: "app", scope: scope))
                #expect(await (tokens.identity(of: token) != nil) == isRight, "\(scope)")
            }
            #expect(await tokens.identity(of: try await sign(Claims(sub: "app"))) == nil)
            #expect(await tokens.identity(of: try await sign(Claims(sub: "", scope: "publish"))) == nil)
        }

        @Test("a second key is right beside the first")
        func rotation() async throws {
            let other = String(Self.secret.reversed())
            let tokens = try await TokenAuthorizer([.hs256(secret: Self.secret), .hs256(secret: other)])
            #expect(await tokens.identity(of: try await sign(Claims(sub: "ann"), secret: other))?.user == "ann")
        }

        @Test("ES256 tokens are checked with the public key, and not with its text as a secret")
        func publicKeys() async throws {
            let ecdsa = ES256PrivateKey()
            let ecdsaPublic = ecdsa.publicKey.pemRepresentation
            let ecdsaKeys = JWTKeyCollection()
            await ecdsaKeys.add(ecdsa: ecdsa)
            let es = try await TokenAuthorizer([.es256(pem: ecdsaPublic)])
            #expect(await es.identity(of: try await ecdsaKeys.sign(Claims(sub: "ann")))?.user == "ann")
            #expect(await es.identity(of: try await sign(Claims(sub: "ann"), secret: ecdsaPublic)) == nil)
        }

        @Test("RS256 tokens are checked with the public key: another signature, and its text as a secret, are refused")
        func rsa() async throws {
            // Made with OpenSSL; the token has the claims {"sub":"ann"}.
            let pem = """
                -----BEGIN PUBLIC KEY-----
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAoBYf577NdX/r3OI22b36
                qeFBoXc8JsNkEDBKwa2s/g3yD3v9bKmQnjrWk0bG/Def9YgU3jjX1JvM+gZcOwpM
                p5X+vwveXaLrlaxNPck8Xgx60PYEZ9B3+x0bkuaIv4VIDNEzQE7viGLRpzdk2Vq1
                KnmQBsOas4hn83hz9AZCi8N8dif2gL1Q7CC2P93lT/7rwilVA9fIuzCm4CTf1dPT
                hV4HN7kyKWSYaltIoCgq9fh74x+9ZY59QCznurKchuyo/q05PH4BmXY8T5WRLiVD
                p254nmBNSMLqRUF6KMIjUEdA6cWpe0EW8X5jSCQxqkrYy1ToPqtrZsY95tGSGRjV
                owIDAQAB
                -----END PUBLIC KEY-----
                """
            let token =
                "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm4ifQ.HKBbGpF36MvJMLJbgmd-TXwDtW0MRI3s1K"
                + "mmTgZvAtt8RGf0ykdKg0GjD-mg1Jd6hmjsJ552Au2nE5loJWf1GqxNURBk0yK6g-3-v1HVuLMtNHGs220k_L0xRzMY"
                + "wvquy_XKzpbxtxJ4L1KzwPXcPKuIcY6ktcUNK1KWzJV1BprqQUaV5OmiCamotFe96wH1xGaSTLqthxzkHNm743ZQ6P"
                + "TbiglPRQWMdfwSsWr6oNAuSijFV-yAFd69tBl4uEovlwoJ1tqdLVDdBm9GD7XhpctyQvg4iF05GhSujlTfIWo2yX74"
                + "GGFkSVLlQKNVpC-l6USdIRdQHrHdaZRuGGpQKQ"
            let tokens = try await TokenAuthorizer([.rs256(pem: pem)])
            #expect(await tokens.identity(of: token) == ClientIdentity(user: "ann"))
            #expect(await tokens.identity(of: String(token.dropLast(2)) + "AA") == nil)
            #expect(await tokens.identity(of: try await sign(Claims(sub: "ann"), secret: pem)) == nil)
        }

        @Test("a key that is too short or no PEM is refused")
        func brokenKeys() async {
            for key in [TokenAuthorizer.Key.hs256(secret: "short"), .es256(pem: "x"), .rs256(pem: "x")] {
                await #expect(throws: TokenAuthorizer.Failure.self) { try await TokenAuthorizer([key]) }
            }
        }
    }
#endif
