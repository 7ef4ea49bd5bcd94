#if OAuth2
    internal import AtmosphereExchange

    /// A successful answer of a token endpoint (RFC 6749 §5.1): input from outside, checked for size, nesting and types.
    struct TokenAnswer: Sendable, Equatable {
        var access: String
        /// nil where the server does not say.
        var lifetime: Duration?
        var refresh: String?
        var scope: String?

        /// - Throws: ``SyncError`` `signInNeeded`, which never quotes the answer.
        init(_ body: [UInt8], from server: String) throws {
            func unusable(_ reason: String) -> SyncError { TokenEndpoint.unusable("token", server, reason) }
            let members = try TokenEndpoint.members(body, "token", server)
            guard let access = members["access_token"]?.string else { throw unusable("it has no access_token") }
            guard Self.isPrintable(access) else { throw unusable("access_token holds what no token may hold") }
            // A token of an unknown type must not be used (RFC 6749 §7.1).
            guard let type = members["token_type"]?.string, type.lowercased() == "bearer" else {
                throw unusable("token_type is not Bearer")
            }
            self.access = access
            switch members["refresh_token"] {
            case nil, .null, .string(""): refresh = nil
            case .string(let text) where Self.isPrintable(text): refresh = text
            default: throw unusable("refresh_token holds what no token may hold")
            }
            switch members["expires_in"] {
            case nil, .null: lifetime = nil
            case let value:
                guard let number = Self.number(value) else { throw unusable("expires_in is not a number of seconds") }
                lifetime = Self.lifetime(number)
            }
            // Shown to people only.
            scope = members["scope"]?.string.flatMap { Self.isPrintable($0, limit: 2000) ? $0 : nil }
        }

        /// Some servers write numbers as texts.
        static func number(_ value: Value?) -> JSONNumber? { value?.number ?? value?.string.flatMap { JSONNumber($0) } }

        /// A token that ends at once would be renewed for ever: no time counts as not told. At most ten years.
        private static func lifetime(_ number: JSONNumber) -> Duration? {
            guard let seconds = number.double, seconds >= 0.001 else { return nil }
            return .milliseconds(Int64(min(seconds, 315_360_000) * 1000))
        }

        /// `VSCHAR` and spaces (RFC 6749 appendix A); nothing that could end a header.
        static func isPrintable(_ text: String, limit: Int = 16 << 10) -> Bool {
            !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
    }
#endif
