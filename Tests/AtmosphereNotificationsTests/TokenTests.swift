#if Notifications
    import Atmosphere
    import AtmosphereSocketIO
    import Crypto
    import CryptoExtras
    import Foundation
    import Testing

    @testable import AtmosphereNotifications

    @Suite("Tokens of clients")
    struct TokenTests {
        private static let now = 1_700_000_000.0
        private static let ecdsa = P256.Signing.PrivateKey()

        private func authorizer(
            _ keys: [TokenAuthorizer.Key] = [.hs256(secret: TestToken.secret)], audience: String? = nil,
            issuer: String? = nil, scope: String? = nil
        ) throws -> TokenAuthorizer {
            try TokenAuthorizer(
                keys, audience: audience, issuer: issuer, scope: scope, wallClock: { Self.now })
        }

        private func claims(_ others: Value.Members = [:]) -> Value {
            var claims: Value.Members = ["sub": "ann", "exp": .number(JSONNumber(Int(Self.now) + 100))]
            for member in others { claims[member.name] = member.value }
            return .object(claims)
        }

        @Test("a token with the right signature says who its bearer is")
        func valid() async throws {
            let identity = try await authorizer().identity(of: TestToken.hs256(claims(["rooms": ["tasks/*"]])))
            #expect(identity == ClientIdentity(user: "ann", rooms: ["tasks/*"], expiry: Self.now + 100))
        }

        @Test("a token that calls something critical is refused, however it is written (RFC 7515 §4.1.11)")
        func critical() async throws {
            let tokens = try authorizer()
            #expect(await tokens.identity(of: TestToken.hs256(claims(), header: ["x": "y"])) != nil)
            for value in [["x"], "x", [], nil] as [Value] {
                #expect(await tokens.identity(of: TestToken.hs256(claims(), header: ["x": "y", "crit": value])) == nil)
            }
        }

        @Test(
            "a token of another kind, algorithm or shape of header is refused",
            arguments: [
                (#"{"alg":"HS256"}"#, true), (#"{"alg":"HS256","typ":"JWT"}"#, true),
                (#"{"alg":"HS256","typ":"jwt","kid":"1"}"#, true), (#"{"alg":"HS256","typ":"at+jwt"}"#, true),
                (#"{"alg":"HS256","typ":"application/at+JWT"}"#, true),
                (#"{"alg":"HS256","typ":"logout+jwt"}"#, false), (#"{"alg":"HS256","typ":null}"#, false),
                (#"{"alg":"HS256","typ":["JWT"]}"#, false), (#"{"alg":"hs256"}"#, false),
                (#"{"alg":"HS512"}"#, false), (#"{"alg":"none"}"#, false), (#"{"alg":["HS256"]}"#, false),
                ("{}", false),
                (#"{"alg":"HS256","alg":"none"}"#, false), (#"{"alg":"none","alg":"HS256"}"#, false),
                (#"{"alg":"HS256","kid":"1","k\u0069d":"2"}"#, false), (#"["HS256"]"#, false), (" ", false),
                (#"{"alg":"HS256","x":[[[[[[[[1]]]]]]]]}"#, false), (#"{"alg":"HS256"} x"#, false),
                (#"{"alg":"HS256","x":9223372036854775808}"#, true), (#"{"alg":"HS256","x":1e999999999999}"#, true)
            ])
        func headers(header: String, isRight: Bool) async throws {
            let token = TestToken.hs256(Array(header.utf8), claims().json())
            #expect(try await (authorizer().identity(of: token) != nil) == isRight)
        }

        @Test(
            "claims that are not as RFC 7519 says are refused",
            arguments: [
                (["exp": nil], false), (["exp": "1700000100"], false), (["exp": 1_700_000_000], false),
                (["exp": 1_700_000_001], true), (["exp": -1], false), (["exp": []], false),
                (["exp": .number(JSONNumber("1e400")!)], false), (["exp": .number(JSONNumber("1700000000.5")!)], true),
                (["nbf": 1_700_000_000], true), (["nbf": 1_700_000_001], false), (["nbf": nil], false),
                (["nbf": "0"], false), (["sub": nil], false), (["sub": ""], false), (["sub": 1], false),
                (["sub": .string(String(repeating: "x", count: 257))], false), (["rooms": "tasks"], false),
                (["rooms": ["tasks", 1]], false), (["rooms": nil], false), (["aud": "other"], false),
                (["aud": []], false), (["aud": nil], false),
                (["iat": .number(JSONNumber("9223372036854775808")!)], true)
            ] as [(Value.Members, Bool)])
        func wrongClaims(others: Value.Members, isRight: Bool) async throws {
            #expect(try await (authorizer().identity(of: TestToken.hs256(claims(others))) != nil) == isRight)
        }

        @Test(
            "a user with characters that nobody sees, or that could not be read, is refused, and the client is told why",
            arguments: [
                (#"ann\u0000"#, "U+0000"), (#"an\u000an"#, "U+000A"), (#"ann\u007f"#, "U+007F"),
                (#"\u009bann"#, "U+009B"), (#"ann\u200b"#, "U+200B"), (#"\u202enna"#, "U+202E"),
                (#"ann\ufeff"#, "U+FEFF"), (#"ann\udb40\udc41"#, "U+E0041"), (#"ann\ud800"#, "single surrogate"),
                (#"ann\udc00\ud800"#, "single surrogate"), (#"ann\ufffd"#, "single surrogate"), ("", "is empty"),
                (String(repeating: "x", count: 257), "longer than 256 bytes")
            ])
        func unseen(user: String, reason: String) async throws {
            let tokens = try authorizer()
            let exp = Int(Self.now) + 100
            let token = TestToken.hs256(
                Array(#"{"alg":"HS256"}"#.utf8), Array(#"{"sub":"\#(user)","exp":\#(exp)}"#.utf8))
            #expect(await tokens.identity(of: token) == nil)
            let refusal = await #expect(throws: CredentialsRefused.self) {
                try await tokens.identity(of: token, from: "127.0.0.1")
            }
            #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "")")
        }

        @Test("a user of any script is let in", arguments: ["ann@example.com", "Größe", "می\u{200C}خواهم", "👩‍👩‍👧", "a b"])
        func seen(user: String) async throws {
            let token = TestToken.hs256(claims(["sub": .string(user)]))
            #expect(try await authorizer().identity(of: token, from: "127.0.0.1")?.user == user)
        }

        @Test("a token without an end, and one whose claims have a name twice, are refused")
        func claimsTwice() async throws {
            let tokens = try authorizer()
            let header = Array(#"{"alg":"HS256"}"#.utf8)
            for claims in [
                #"{"sub":"ann"}"#, #"{"sub":"ann","exp":1800000000,"sub":"bob"}"#,
                #"{"sub":"ann","exp":1800000000,"\u0073ub":"bob"}"#, #"["ann"]"#, "null", ""
            ] {
                #expect(await tokens.identity(of: TestToken.hs256(header, Array(claims.utf8))) == nil, "\(claims)")
            }
        }

        @Test("the audience must be among those of the token, the issuer the one that was asked for")
        func audience() async throws {
            let tokens = try authorizer(audience: "push", issuer: "https://id.example")
            let issuer: Value.Members = ["iss": "https://id.example"]
            for (aud, isRight) in [
                ("push", true), (["push"], true), (["a", "push"], true), ("other", false), ([], false), ("", false),
                (["push", 1], false), (["aud": "push"], false), (1, false)
            ] as [(Value, Bool)] {
                var others = issuer
                others["aud"] = aud
                #expect(await (tokens.identity(of: TestToken.hs256(claims(others))) != nil) == isRight, "\(aud)")
            }
            #expect(await tokens.identity(of: TestToken.hs256(claims(issuer))) == nil)
            for iss in ["https://id.example/", "", 1, ["https://id.example"]] as [Value] {
                #expect(
                    await tokens.identity(of: TestToken.hs256(claims(["aud": "push", "iss": iss]))) == nil, "\(iss)")
            }
            #expect(await tokens.identity(of: TestToken.hs256(claims(["aud": "push"]))) == nil)
        }

        @Test("a scope must have its word")
        func scope() async throws {
            let tokens = try authorizer(scope: "publish")
            for (scope, isRight) in [
                ("publish", true), ("read publish", true), ("publishing", false), ("", false), (["publish"], false)
            ] as [(Value, Bool)] {
                let token = TestToken.hs256(claims(["scope": scope]))
                #expect(await (tokens.identity(of: token) != nil) == isRight, "\(scope)")
            }
            #expect(await tokens.identity(of: TestToken.hs256(claims())) == nil)
        }

        @Test("another signature is refused; a second key is right beside the first")
        func rotation() async throws {
            let other = String(TestToken.secret.reversed())
            let token = TestToken.hs256(claims(), secret: other)
            #expect(try await authorizer().identity(of: token) == nil)
            let both = try authorizer([.hs256(secret: TestToken.secret), .hs256(secret: other)])
            #expect(await both.identity(of: token)?.user == "ann")
        }

        @Test("ES256 tokens are checked with the public key, and not with its text as a secret")
        func publicKeys() async throws {
            let pem = Self.ecdsa.publicKey.pemRepresentation
            let tokens = try authorizer([.es256(pem: pem)], audience: "push")
            let claims = claims(["aud": "push"])
            let right = try TestToken.es256(claims, Self.ecdsa)
            #expect(await tokens.identity(of: right)?.user == "ann")
            #expect(await tokens.identity(of: try TestToken.es256(claims, .init())) == nil)
            #expect(await tokens.identity(of: TestToken.hs256(claims, secret: pem)) == nil)
            let forged = TestToken.hs256(claims, header: ["alg": "ES256"], secret: pem)
            #expect(await tokens.identity(of: forged) == nil)
        }

        @Test("RS256 tokens are checked with the public key: its text as a secret is refused")
        func rsa() async throws {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let pem = key.publicKey.pemRepresentation
            let tokens = try authorizer([.rs256(pem: pem)], issuer: "id")
            let claims = claims(["iss": "id"])
            #expect(await tokens.identity(of: try TestToken.rs256(claims, key))?.user == "ann")
            #expect(await tokens.identity(of: try TestToken.rs256(self.claims(), key)) == nil)
            let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            #expect(await tokens.identity(of: try TestToken.rs256(claims, other)) == nil)
            #expect(await tokens.identity(of: TestToken.hs256(claims, header: ["alg": "RS256"], secret: pem)) == nil)
        }

        @Test("a key that is too short or no PEM is refused, and a public one for nobody in particular")
        func brokenKeys() throws {
            for key in [TokenAuthorizer.Key.hs256(secret: "short"), .es256(pem: "x"), .rs256(pem: "x")] {
                #expect(throws: TokenAuthorizer.Failure.self) { try TokenAuthorizer([key], audience: "push") }
            }
            let key = TokenAuthorizer.Key.es256(pem: Self.ecdsa.publicKey.pemRepresentation)
            #expect(throws: TokenAuthorizer.Failure.self) { try TokenAuthorizer([key]) }
            #expect(throws: TokenAuthorizer.Failure.self) {
                try TokenAuthorizer([.hs256(secret: TestToken.secret), key], scope: "publish")
            }
            #expect(throws: Never.self) { try TokenAuthorizer([key], issuer: "id") }
        }

        // MARK: Vectors of RFC 7515, appendix A

        private static let example =
            "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

        private func bytes(_ text: String) throws -> [UInt8] {
            try #require(Base64.decodeURL(Array(text.utf8)[...]))
        }

        private func check(_ key: TokenKey, _ header: String, _ signature: String) throws {
            let token = try #require(SignedToken("\(header).\(Self.example).\(signature)"))
            #expect(token.header["alg"] == .string(key.algorithm))
            #expect(key.hasSigned(token))
            #expect(token.claims()?["iss"] == "joe")
            let last = signature.hasSuffix("k") ? "A" : "Q"
            let other = try #require(
                SignedToken("\(header).\(Self.example).Z\(signature.dropFirst().dropLast())\(last)"))
            #expect(!key.hasSigned(other))
        }

        @Test("the HS256 example of RFC 7515 A.1 is right")
        func exampleOfHMAC() throws {
            let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
            try check(
                .hs256(SymmetricKey(data: bytes(secret))), "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9",
                "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        }

        @Test("the RS256 example of RFC 7515 A.2 is right")
        func exampleOfRSA() throws {
            let modulus =
                "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-"
                + "SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBd"
                + "QOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia"
                + "GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
            let key = try _RSA.Signing.PublicKey(n: bytes(modulus), e: bytes("AQAB"))
            try check(
                TokenKey(.rs256(pem: key.pemRepresentation)), "eyJhbGciOiJSUzI1NiJ9",
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
                    + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_e"
                    + "SN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq"
                    + "Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")
        }

        @Test("the ES256 example of RFC 7515 A.3 is right")
        func exampleOfECDSA() throws {
            let point =
                try [4] + bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
                + bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
            let key = try P256.Signing.PublicKey(x963Representation: point)
            try check(
                TokenKey(.es256(pem: key.pemRepresentation)), "eyJhbGciOiJFUzI1NiJ9",
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        }
    }
#endif
