#if Notifications
    internal import Crypto
    internal import CryptoExtras
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// A key that tokens are signed with, and the one algorithm it is for (RFC 8725 §3.1).
    enum TokenKey: Sendable {
        case hs256(SymmetricKey)
        case es256(P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)

        /// - Throws: `TokenAuthorizer.Failure` for a key that cannot be used.
        init(_ key: TokenAuthorizer.Key) throws(TokenAuthorizer.Failure) {
            do {
                switch key {
                case .hs256(let secret):
                    guard secret.utf8.count >= 32 else {
                        throw TokenAuthorizer.Failure(
                            description: "the secret of HS256 has fewer than 32 bytes (RFC 7518 §3.2)")
                    }
                    self = .hs256(SymmetricKey(data: Array(secret.utf8)))
                case .es256(let pem): self = .es256(try P256.Signing.PublicKey(pemRepresentation: pem))
                case .rs256(let pem): self = .rs256(try _RSA.Signing.PublicKey(pemRepresentation: pem))
                }
            } catch let failure as TokenAuthorizer.Failure { throw failure } catch {
                throw TokenAuthorizer.Failure(description: "the public key cannot be read; give it as PEM")
            }
        }

        /// As `alg` of a token's header names it (RFC 7518 §3.1).
        var algorithm: String {
            switch self {
            case .hs256: "HS256"
            case .es256: "ES256"
            case .rs256: "RS256"
            }
        }

        /// Whether the key belongs to whoever issues tokens, perhaps to many services, and not to one of them.
        var isPublic: Bool {
            switch self {
            case .hs256: false
            case .es256, .rs256: true
            }
        }

        func hasSigned(_ token: SignedToken) -> Bool {
            switch self {
            case .hs256(let key):
                return HMAC<SHA256>.isValidAuthenticationCode(
                    token.signature, authenticating: token.signedBytes, using: key)
            case .es256(let key):
                // R and S, 32 bytes each (RFC 7518 §3.4).
                guard token.signature.count == 64,
                    let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
                else { return false }
                return key.isValidSignature(signature, for: token.signedBytes)
            case .rs256(let key):
                // As long as the modulus (RFC 8017 §8.2.2).
                guard token.signature.count == (key.keySizeInBits + 7) / 8 else { return false }
                let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
                return key.isValidSignature(
                    signature, for: SHA256.hash(data: token.signedBytes), padding: .insecurePKCS1v1_5)
            }
        }
    }
#endif
