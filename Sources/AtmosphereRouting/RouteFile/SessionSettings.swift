/// A login request that answers with a token (`auth.session`).
package struct SessionSettings: Sendable, Hashable {
    /// How the fields are written.
    package enum Coding: String, Sendable, Hashable, CaseIterable {
        /// An object of texts; `application/x-www-form-urlencoded`.
        case json, form
        /// Into the URL, for APIs that offer nothing better: URLs end up in the logs of servers and proxies.
        case query
    }

    /// Where the answer has the token.
    package enum Source: Sendable, Hashable {
        /// At a path of the JSON body, as a string or a number.
        case body(JSONPath)
        /// In the header of this name.
        case header(String)
        /// In `Set-Cookie` (RFC 6265).
        case cookie(String)
    }

    /// How the token goes with each request.
    package enum Carrier: Sendable, Hashable {
        /// `NAME: TOKEN`, or `NAME: SCHEME TOKEN`.
        case header(String, scheme: String?)
        /// `Cookie: NAME=TOKEN`, behind cookies that are there already.
        case cookie(String)
        /// A query parameter; URLs end up in the logs of servers and proxies.
        case query(String)
    }

    /// What a field of the login request holds.
    package struct Field: Sendable, Hashable {
        /// As the login request calls it.
        package var name: String
        /// What is sent; a secret is looked up for each login.
        package var value: Credential

        /// A field with its value.
        package init(name: String, value: Credential) {
            self.name = name
            self.value = value
        }
    }

    /// POST by default.
    package var method = "POST"
    /// Under the base, without a leading slash.
    package var path: String
    /// JSON by default.
    package var coding = Coding.json
    /// The member that the fields stand in; nil for none.
    package var root: String?
    /// In their order.
    package var fields: [Field]
    /// Where the token stands in the answer.
    package var token: Source
    /// How the token is sent.
    package var send: Carrier
    /// After this time a new session is asked for before the server refuses the old one; nil where only a 401 tells.
    package var lifetime: Duration?
    /// The request that ends the session.
    package var logout: Logout?

    /// A request that ends the session.
    package struct Logout: Sendable, Hashable {
        /// In capitals: `DELETE`.
        package var method: String
        /// Under the base, without a leading slash.
        package var path: String

        /// A request without a body, signed with the token.
        package init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    /// A POST of these fields as JSON.
    package init(path: String, fields: [Field], token: Source, send: Carrier) {
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
