#if Command
    internal import ArgumentParser
    internal import Atmosphere
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// `NAME: VALUE`, with the names of secrets in the value, so that none has to stand on the command line.
    struct RequestHeader: Sendable, Equatable {
        var name: String
        var value: String

        /// - Throws: `ValidationError` with the reason.
        init(_ argument: String) throws {
            let parts = argument.split(separator: ":", maxSplits: 1)
            let name = parts.first.map { Self.trimmed($0) } ?? ""
            let isName =
                !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
            guard parts.count == 2, isName, !parts[1].unicodeScalars.contains(where: { $0.value < 0x20 }) else {
                throw ValidationError("write NAME: VALUE, such as 'Authorization: Bearer secret:TOKEN'")
            }
            self.name = name
            value = Self.trimmed(parts[1])
        }

        /// What `auth` says of it in a route file; nil where it holds no secret by its name.
        var signIn: Value? {
            let words = value.split(separator: " ").map(String.init)
            guard let secret = words.last, secret.hasPrefix("secret:"), words.count < 3 else { return nil }
            let isAuthorization = name.lowercased() == "authorization"
            switch (isAuthorization, words.count) {
            case (true, 2) where words[0].lowercased() == "bearer": return ["bearer": .string(secret)]
            case (true, 2): return ["token": .string(secret), "scheme": .string(words[0])]
            case (_, 1): return ["key": ["header": .string(name), "value": .string(secret)]]
            default: return nil
            }
        }

        /// The names of the secrets in it.
        var secretNames: [String] {
            value.split(separator: " ").filter { $0.hasPrefix("secret:") }.map { String($0.dropFirst("secret:".count)) }
        }

        private static func trimmed(_ text: Substring) -> String {
            let start = text.drop { $0 == " " }
            return String(start.reversed().drop { $0 == " " }.reversed())
        }

        /// The header as it is sent.
        ///
        /// - Throws: `SecretError` for a secret that the environment does not have.
        func field() throws -> NamedText {
            let source = SecretSource(environment: ProcessInfo.processInfo.environment)
            let words = try value.split(separator: " ", omittingEmptySubsequences: false).map { word in
                guard word.hasPrefix("secret:") else { return String(word) }
                return try source.secret(SecretName(String(word.dropFirst("secret:".count)))).value
            }
            return .init(name: name, value: words.joined(separator: " "))
        }
    }
#endif
