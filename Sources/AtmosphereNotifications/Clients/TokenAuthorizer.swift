#if Notifications
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    internal import JWTKit

    /// Takes signed JSON Web Tokens (RFC 7519): `sub` is the user, `rooms` the rooms that may be joined, `exp` the end.
    ///
    /// The algorithm belongs to the key, not to the token: a token that names another one is refused.
    public struct TokenAuthorizer: ClientAuthorizer {
        /// A key that tokens are signed with.
        public enum Key: Sendable {
            /// At least 32 bytes.
            case hs256(secret: String)
            /// A public key in PEM.
            case es256(pem: String)
            /// A public key in PEM, for RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
            case rs256(pem: String)
        }

        /// A key that cannot be used.
        public struct Failure: Error, Sendable, CustomStringConvertible {
            public let description: String
        }

        private struct Claims: JWTPayload {
            var sub: SubjectClaim
            var exp: ExpirationClaim?
            var nbf: NotBeforeClaim?
            var aud: AudienceClaim?
            var rooms: [String]?
            var scope: String?

            func verify(using algorithm: some JWTAlgorithm) throws {
                try exp?.verifyNotExpired()
                try nbf?.verifyNotBefore()
            }
        }

        private let keys: [JWTKeyCollection]
        private let audience: String?
        private let scope: String?

        /// Takes tokens that one of the keys has signed.
        ///
        /// - Parameters:
        ///   - keys: any of which may have signed, so that keys can be exchanged.
        ///   - audience: what `aud` must have, where it is given.
        ///   - scope: a word that `scope` must have, where it is given.
        /// - Throws: ``Failure`` for a key that cannot be read.
        public init(_ keys: [Key], audience: String? = nil, scope: String? = nil) async throws {
            var collections: [JWTKeyCollection] = []
            for key in keys {
                let collection = JWTKeyCollection()
                do {
                    switch key {
                    case .hs256(let secret):
                        guard secret.utf8.count >= 32 else {
                            throw Failure(description: "the secret of HS256 has fewer than 32 bytes (RFC 7518 §3.2)")
                        }
                        await collection.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
                    case .es256(let pem): await collection.add(ecdsa: try ES256PublicKey(pem: pem))
                    case .rs256(let pem):
                        await collection.add(rsa: try Insecure.RSA.PublicKey(pem: pem), digestAlgorithm: .sha256)
                    }
                } catch let failure as Failure { throw failure } catch {
                    throw Failure(description: "the public key cannot be read; give it as PEM")
                }
                collections.append(collection)
            }
            self.keys = collections
            self.audience = audience
            self.scope = scope
        }

        /// Who the token names; nil where no key verifies it, its time is over or has not come, `aud` or `scope` lacks
        /// what was asked for, `crit` is there, the user is empty or longer than 256 bytes, or the token is longer than
        /// 16,384 bytes.
        public func identity(of token: String) async -> ClientIdentity? {
            guard token.utf8.count <= 16_384 else { return nil }
            // What a token calls critical has to be understood (RFC 7515 §4.1.11), and nothing beyond the basics is.
            guard let header = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self).header,
                header.fields["crit"] == nil
            else { return nil }
            for key in keys {
                guard let claims = try? await key.verify(token, as: Claims.self) else { continue }
                if let audience, claims.aud?.value.contains(audience) != true { return nil }
                if let scope, claims.scope?.split(separator: " ").contains(scope[...]) != true { return nil }
                // Nothing can be addressed to such a user.
                guard !claims.sub.value.isEmpty, claims.sub.value.utf8.count <= 256 else { return nil }
                return ClientIdentity(
                    user: claims.sub.value, rooms: claims.rooms ?? [],
                    expiry: claims.exp?.value.timeIntervalSince1970)
            }
            return nil
        }
    }
#endif
