/// A login request that answers with a token (`auth.session`).
public struct SessionSettings: Sendable, Hashable {
    /// How the fields are written.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// An object of texts; `application/x-www-form-urlencoded`.
        case json, form
        /// Into the URL, for APIs that offer nothing better: URLs end up in the logs of servers and proxies.
        case query
    }

    /// Where the answer has the token.
    public enum Source: Sendable, Hashable {
        /// At a path of the JSON body, as a string or a number.
        case body(JSONPath)
        /// In the header of this name.
        case header(String)
        /// In `Set-Cookie` (RFC 6265).
        case cookie(String)
    }

    /// How the token goes with each request.
    public enum Carrier: Sendable, Hashable {
        /// `NAME: TOKEN`, or `NAME: SCHEME TOKEN`.
        case header(String, scheme: String?)
        /// `Cookie: NAME=TOKEN`, behind cookies that are there already.
        case cookie(String)
        /// A query parameter; URLs end up in the logs of servers and proxies.
        case query(String)
    }

    /// What a field of the login request holds.
    public struct Field: Sendable, Hashable {
        /// As the login request calls it.
        public var name: String
        /// What is sent; a secret is looked up for each login.
        public var value: Credential

        /// A field with its value.
        public init(name: String, value: Credential) {
            self.name = name
            self.value = value
        }
    }

    /// POST by default.
    public var method = "POST"
    /// Under the base, without a leading slash.
    public var path: String
    /// JSON by default.
    public var coding = Coding.json
    /// The member that the fields stand in; nil for none.
    public var root: String?
    /// In their order.
    public var fields: [Field]
    /// Where the token stands in the answer.
    public var token: Source
    /// How the token is sent.
    public var send: Carrier
    /// After this time a new session is asked for before the server refuses the old one; nil where only a 401 tells.
    public var lifetime: Duration?
    /// The request that ends the session.
    public var logout: Logout?

    /// A request that ends the session.
    public struct Logout: Sendable, Hashable {
        /// In capitals: `DELETE`.
        public var method: String
        /// Under the base, without a leading slash.
        public var path: String

        /// A request without a body, signed with the token.
        public init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    /// A POST of these fields as JSON.
    public init(path: String, fields: [Field], token: Source, send: Carrier) {
        self.path = path
        self.fields = fields
        self.token = token
        self.send = send
    }
}

extension SessionSettings {
    /// The secrets that the login request needs.
    package var secretNames: [SecretName] {
        fields.compactMap { if case .secret(let name) = $0.value { name } else { nil } }
    }
}
