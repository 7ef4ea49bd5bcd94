internal import Atmosphere

/// What is never written into a cassette.
///
/// Request headers are written only where they are in ``keptHeaders``. The values of credentials that pass (the headers
/// and parameters named here) are remembered, and replaced wherever they turn up later, for a server may repeat them.
public struct CassetteRedaction: Sendable {
    /// Request headers that say something about the exchange and are no secret.
    public var keptHeaders: Set<String> = [
        "accept", "content-type", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "prefer",
        "range"
    ]
    /// Headers whose values are credentials; in lowercase, as all names of headers here.
    public var secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"
    ]
    /// Query parameters, and members of form and JSON bodies at any depth, whose values are credentials.
    public var secretNames: Set<String> = [
        "access_token", "refresh_token", "id_token", "api_key", "apikey", "auth_token", "client_secret", "password",
        "code", "code_verifier", "device_code"
    ]
    /// URLs, without their queries, of requests that sign in or out. Of such an exchange no text is written but those of
    /// ``plainNames``, and what it says of credentials is left out of all later ones.
    public var signInURLs: Set<String> = []
    /// Members of sign-in exchanges that are no secrets and decide what is sent next (RFC 6749 §5, RFC 8628 §3.2).
    public var plainNames: Set<String> = [
        "error", "grant_type", "response_type", "scope", "token_type", "token_type_hint", "verification_uri",
        "verification_url"
    ]
    /// Where the answer of a login has its token.
    var token: SessionSettings.Source?

    public init() {}

    /// What stands in the place of a secret.
    static let mark = "[secret]"

    /// The credentials that a request carries.
    func secrets(in request: Request) -> [String] {
        var found: [String] = []
        for field in request.headers.fields where secretHeaders.contains(field.name.lowercased()) {
            found.append(field.value)
            // Without the scheme.
            if let space = field.value.firstIndex(of: " ") {
                found.append(String(field.value[field.value.index(after: space)...]))
            }
        }
        for item in SentURL(request.url).query where secretNames.contains(item.name) { found.append(item.value) }
        return found.filter { $0.utf8.count >= 4 }
    }

    func url(_ text: String) -> String {
        var url = SentURL(text)
        for index in url.query.indices where secretNames.contains(url.query[index].name) {
            url.query[index].value = Self.mark
        }
        return url.text
    }

    func requestHeaders(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(headers.fields.filter { keptHeaders.contains($0.name.lowercased()) })
    }

    func responseHeaders(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(headers.fields.filter { !secretHeaders.contains($0.name.lowercased()) })
    }

    /// - Returns: nil where the value holds no member of a secret name.
    func body(_ value: Value) -> Value? {
        switch value {
        case .object(var members):
            var isChanged = false
            for member in members {
                if secretNames.contains(member.name), !member.value.isNull {
                    members[member.name] = .string(Self.mark)
                    isChanged = true
                } else if let inner = body(member.value) {
                    members[member.name] = inner
                    isChanged = true
                }
            }
            return isChanged ? .object(members) : nil
        case .array(let elements):
            let inner = elements.map { body($0) }
            guard inner.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(inner, elements).map { $0 ?? $1 })
        default: return nil
        }
    }

    /// A form (`a=1&b=2`) without its secrets.
    func form(_ text: String) -> String { Self.form(text) { secretNames.contains($0) } }

    /// A form in which the values of some names are left out.
    static func form(_ text: String, without isSecret: (String) -> Bool) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            return pair.contains("=") && isSecret(field(name)) ? "\(name)=\(mark)" : String(pair)
        }.joined(separator: "&")
    }

    /// The innermost name of a form's field: `user%5Bpassword%5D` is `password`.
    static func field(_ name: some StringProtocol) -> String {
        let name = PercentEncoding.decode(String(name))
        guard name.hasSuffix("]"), let open = name.lastIndex(of: "[") else { return name }
        return String(name[name.index(after: open)...].dropLast())
    }
}

/// A URL as it was sent, in parts that are compared one by one; nothing is decoded.
struct SentURL: Sendable, Hashable {
    struct Item: Sendable, Hashable {
        var name: String
        var value: String
        var text: String { value.isEmpty ? name : "\(name)=\(value)" }
    }

    /// `https://example.com`
    var origin: String
    var path: String
    var query: [Item]

    init(_ text: String) {
        var rest = text.prefix { $0 != "#" }
        var origin = ""
        if let scheme = rest.firstRange(of: "://") {
            let end = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            origin = String(rest[..<end])
            rest = rest[end...]
        }
        self.origin = origin
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? ""
        query =
            parts.count < 2
            ? []
            : parts[1].split(separator: "&").map { pair -> Item in
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return Item(name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : "")
            }
    }

    var text: String {
        origin + path + (query.isEmpty ? "" : "?" + query.map(\.text).joined(separator: "&"))
    }

    /// For messages.
    var display: String { URLText.display(origin + path) }
}
