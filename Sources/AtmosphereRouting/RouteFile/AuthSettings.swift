/// A literal that is no secret, or a reference to one.
package enum Credential: Sendable, Hashable {
    /// The value itself, as the route file has it.
    case literal(String)
    /// Looked up when it is needed.
    case secret(SecretName)
}

/// How requests are signed; secrets stand in it by name only.
package enum AuthSettings: Sendable, Hashable {
    /// Nothing is added to a request.
    case none
    /// RFC 7617.
    case basic(username: Credential, password: SecretName)
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(SecretName)
    /// `Authorization: SCHEME …`, `Token` for Django REST framework.
    case token(scheme: String, SecretName)
    /// `NAME: KEY`.
    case keyInHeader(name: String, SecretName)
    /// A query parameter; URLs end up in the logs of servers and proxies.
    case keyInQuery(name: String, SecretName)
    /// What a person types once, at `atmos login`; kept where tokens are.
    case asked(AskedSettings)
    /// RFC 6749; see ``OAuth2Settings``.
    case oauth2(OAuth2Settings)
    /// A login request that gives a token.
    case session(SessionSettings)
    /// What an authenticator of the program's own wants to know, by the name under which the program links it; secrets stand
    /// in the settings by name, as `secret:NAME`.
    case adapter(kind: String, settings: Value.Members)

    /// The query parameter that carries a secret; nil where none does.
    package var queryParameter: String? {
        switch self {
        case .keyInQuery(let name, _), .asked(.keyInQuery(let name)): return name
        case .session(let session):
            if case .query(let name) = session.send { return name }
            return nil
        default: return nil
        }
    }

    /// The secrets that requests for records are signed with, or that a login shows; those of `oauth2` go to the token
    /// endpoint only.
    package var secretNames: [SecretName] {
        switch self {
        case .none, .oauth2: []
        case .asked(let asked): asked.secretNames
        case .basic(.secret(let username), let password): [username, password]
        case .basic(.literal, let password): [password]
        case .bearer(let secret), .token(_, let secret), .keyInHeader(_, let secret), .keyInQuery(_, let secret):
            [secret]
        case .session(let session): session.secretNames
        case .adapter(_, let settings): settings.flatMap { Self.secretNames(in: $0.value) }
        }
    }

    /// Those that stand in a value as `secret:NAME`.
    private static func secretNames(in value: Value) -> [SecretName] {
        switch value {
        case .string(let text): SecretName(reference: text).map { [$0] } ?? []
        case .array(let elements): elements.flatMap { secretNames(in: $0) }
        case .object(let members): members.flatMap { secretNames(in: $0.value) }
        case .null, .bool, .number: []
        }
    }
}

/// A proof that a person types, by how it goes with each request.
package enum AskedSettings: Sendable, Hashable {
    /// RFC 7617. The user name is asked for too where it is nil.
    case basic(username: Credential?)
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer
    /// `Authorization: SCHEME …`.
    case token(scheme: String)
    /// `NAME: KEY`.
    case keyInHeader(name: String)
    /// A query parameter.
    case keyInQuery(name: String)

    /// A name that is a secret of the route file, beside the password that is typed.
    var secretNames: [SecretName] {
        if case .basic(let username?) = self, case .secret(let name) = username { [name] } else { [] }
    }
}

/// Which requests carry the proof of who we are.
package enum SignedRequests: String, Sendable, Hashable, CaseIterable {
    /// Every one.
    case all
    /// All but those that read lists, objects and contents: anybody may ask for these, and is shown the same.
    case writes
}

/// A request that tells who the server takes us for.
package struct IdentityCheck: Sendable, Hashable {
    /// The path of a GET, below the base.
    package var path: String
    /// Where the answer tells one user from another.
    package var field: JSONPath

    /// A GET of a path, whose answer names the user at a field.
    package init(path: String, field: JSONPath) {
        self.path = path
        self.field = field
    }
}
