internal import AtmosphereExchange

/// What is never written into a cassette.
///
/// Headers are written only where they are in ``keptHeaders`` and ``keptResponseHeaders``. The values of credentials that
/// pass (the headers and parameters named here) are remembered, and replaced where they turn up later, for a server may
/// repeat them: those of 16 bytes and more wherever they stand, those of 8 and more as whole words, and at the ends of a
/// path's segments; shorter ones are words, and stay where no name tells what they are, but for those that are declared
/// to be secrets, which go as whole words from 4 bytes on where they are more than letters or a number. They go with the
/// escapes of URLs, JSON and XML, too, and from bodies of any kind. Names are compared without regard to case, `-` and `_`:
/// `accessToken` is `access_token`, and `X-Access-Token` ends with it.
///
/// Members are looked for in JSON, forms and markup in UTF-8, UTF-16, UTF-32 and every encoding that holds ASCII in single
/// bytes, and in text that is none of these but holds `"name": value`. A body that should be JSON or markup by its media type
/// and cannot be read is left out whole; of other bytes, as of an image or a binary format, the names are not known.
///
/// Some names are those of credentials by what stands beside them: `pass` beside who has an account, and `access`, `auth`,
/// `key`, `refresh`, `session` and `ticket` in the answer to a create of the route file's, where the server has made up the
/// value: twenty letters and digits or more in a row.
public struct CassetteRedaction: Sendable {
    /// Request headers that say something about the exchange and are no secret; in lowercase, as all names of headers here.
    public var keptHeaders: Set<String> = [
        "accept", "content-type", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "prefer",
        "range"
    ]
    /// Response headers that an answer is read by and that are no secret. Those that say how many requests are left
    /// (`RateLimit`, `X-RateLimit-…`) are written as well.
    public var keptResponseHeaders: Set<String> = [
        "accept-ranges", "allow", "backoff", "cache-control", "content-disposition", "content-language",
        "content-range", "content-type", "date", "deprecation", "etag", "last-modified", "link", "location",
        "preference-applied",
        "retry-after", "sunset", "vary", "www-authenticate", "x-next-page", "x-page", "x-per-page", "x-prev-page",
        "x-total", "x-total-count", "x-total-pages"
    ]
    /// Headers whose values are credentials, beside those whose names ``secretEndings`` end.
    public var secretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token"
    ]
    /// Query parameters, also of URLs inside headers and bodies, and members of form, JSON and XML bodies at any depth,
    /// whose values are credentials.
    public var secretNames: Set<String> = [
        "assertion", "authorization", "bearer", "code", "code_verifier", "cookie", "credentials", "device_code", "hmac",
        "jwt", "otp", "passcode", "passwd", "password_confirmation", "password_digest", "password_hash", "pwd", "sid",
        "sig"
    ]
    {
        didSet { normalNames = Self.normal(secretNames) }
    }
    /// What the names of other credentials end with: `client_secret`, `X-Amz-Signature`. Names with `password`,
    /// `passwd`, `pwd`, `passphrase` or `passcode` anywhere in them are those of credentials as well:
    /// `new_password_confirmation`.
    public var secretEndings: Set<String> = [
        "access_key", "api_key", "credential", "passphrase", "password", "private_key", "secret", "secret_key",
        "session_id", "signature", "signing_key", "token"
    ]
    {
        didSet { normalEndings = Self.normal(secretEndings) }
    }
    /// Names that sound like those of ``secretEndings`` and are none of secrets: where a list goes on, and what is said
    /// of a password.
    public var openNames: Set<String> = [
        "change_token", "continuation_token", "delta_token", "last_password_change", "new_start_page_token",
        "next_page_token", "next_sync_token", "next_token", "page_token", "password_changed_at", "password_expires_at",
        "password_last_changed", "password_policy", "password_reset_at", "password_set_at", "password_updated_at",
        "prev_page_token", "previous_page_token", "resume_token", "skip_token", "start_page_token", "sync_token"
    ]
    {
        didSet { normalOpenNames = Self.normal(openNames) }
    }
    /// URLs, without their queries, of requests that sign in or out, beside those whose body has a member of
    /// ``signInNames``. Of such an exchange no text is written but those of ``plainNames``, and what it says of credentials is
    /// left out of all later ones, and of all earlier ones when the recording is finished.
    public var signInURLs: Set<String> = []
    /// Members by which a request's body is known to sign in, wherever it is sent but where the route file creates and
    /// changes objects: with a password, or with what an earlier sign-in gave. `assertion`, `otp`, `pass`, `pin` and
    /// `refresh`, and names with `password` in them, count where nothing else stands beside them but who signs in (beside
    /// `pass` somebody must); `assertion` and `refresh` also where they are no words, but 16 bytes and more without a blank.
    public var signInNames: Set<String> = [
        "assertion", "client_secret", "otp", "pass", "passcode", "passphrase", "passwd", "password", "pin", "pwd",
        "refresh",
        "refresh_token"
    ]
    {
        didSet { normalSignInNames = Self.normal(signInNames) }
    }
    /// What names of passwords have in them.
    private static let passwordWords = ["passcode", "passphrase", "passwd", "password", "pwd"]
    /// Names that records have as well.
    private static let weakSignInNames: Set<String> = ["assertion", "otp", "pass", "pin", "refresh"]
    /// What stands beside them in a body that signs in.
    private static let signInCompanions: Set<String> = [
        "account", "audience", "clientassertiontype", "clientid", "device", "deviceid", "devicename", "domain", "email",
        "granttype", "login", "realm", "remember", "rememberme", "scope", "tenant", "user", "userid", "username"
    ]
    /// Beside these `pass` is a password, whatever else stands there.
    private static let accountNames: Set<String> = ["login", "mail", "username"]
    /// Beside these it is one where nothing else stands there.
    private static let personNames: Set<String> = ["account", "email", "name", "user", "userid"]
    /// Members of sign-in exchanges that are credentials there, beside those of ``secretNames``, and may be anything elsewhere.
    static let namesInSignIn: Set<String> = [
        "access", "auth", "id_token", "key", "refresh", "session", "ticket"
    ]
    /// Members of sign-in exchanges that are no secrets and decide what is sent next (RFC 6749 §5, RFC 8628 §3.2).
    public var plainNames: Set<String> = [
        "error", "grant_type", "response_type", "scope", "token_type", "token_type_hint", "verification_uri",
        "verification_url"
    ]
    /// Query parameters that the route file sends credentials in; a member of such a name is any member.
    private(set) var parameters: Set<ScalarText> = []
    /// The cookie that the route file sends a session's token in.
    var cookie: String?
    /// Where the answer of a login has its token.
    var token: SessionSettings.Source?
    /// Response headers that have to be there for a replay, whatever they say.
    var markedHeaders: Set<String> = []
    /// Segments of paths that the route file says, which are no secrets.
    var declaredSegments: Set<String> = []
    /// The requests that create or change objects.
    var writes: Set<Write> = []
    /// Those among them that create.
    var creates: Set<Write> = []
    private var normalSignInNames: Set<String> = []
    private var normalNames: Set<String> = []
    private var normalEndings: Set<String> = []
    private(set) var normalOpenNames: Set<String> = []

    /// The names that nearly every API calls its secrets by.
    public init() {
        normalNames = Self.normal(secretNames)
        normalEndings = Self.normal(secretEndings)
        normalOpenNames = Self.normal(openNames)
        normalSignInNames = Self.normal(signInNames)
    }

    /// Shorter texts are not looked for where they are words or numbers; in bytes.
    package static let shortestText = SecretTexts.shortest

    /// Whether a declared secret is looked for in texts.
    package static func isLookedFor(_ secret: String) -> Bool { SecretTexts.isTelling(secret) }

    /// What stands in the place of a secret.
    static let mark = "[secret]"

    /// Letters and digits in lowercase.
    static func normal(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private static func normal(_ names: Set<String>) -> Set<String> { Set(names.map { normal($0) }) }

    /// Whether a parameter or a member of this name holds a credential.
    func isSecret(_ name: String) -> Bool {
        let name = Self.normal(name)
        if normalNames.contains(name) { return true }
        guard !normalOpenNames.contains(name) else { return false }
        return normalEndings.contains { name.hasSuffix($0) } || Self.passwordWords.contains { name.contains($0) }
    }

    /// Takes a query parameter for one that holds a credential, whatever it is called.
    mutating func keep(outParameter name: String) { parameters.insert(Self.parameter(name)) }

    /// Whether a query parameter of this name, as the URL has it, holds a credential.
    func isSecretParameter(_ name: String) -> Bool {
        isSecret(Self.field(name)) || parameters.contains(Self.parameter(name))
    }

    private static func parameter(_ name: String) -> ScalarText {
        ScalarText(PercentEncoding.decode(name).lowercased())
    }

    /// Whether a member whose name may mean anything holds a JSON Web Token (RFC 7519 §3), as the answer to who
    /// registers does.
    private func holdsToken(_ member: Value.Member) -> Bool {
        let name = Self.normal(member.name)
        guard Self.namesInSignIn.contains(name), !normalOpenNames.contains(name), let text = member.value.string else {
            return false
        }
        return text.hasPrefix("eyJ") && text.utf8.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// Whether a member of this name in a request's body says that the request signs in.
    func signsIn(_ name: String) -> Bool {
        let name = Self.normal(name)
        if normalSignInNames.contains(name) || name.hasSuffix("refreshtoken") { return true }
        return !normalOpenNames.contains(name) && Self.passwordWords.contains { name.contains($0) }
    }

    /// Whether a member says by its text that the request signs in: what renews a session is no word, and no interval.
    func renews(_ name: String, with text: String) -> Bool {
        let name = Self.normal(name)
        return ["assertion", "refresh"].contains(name) && normalSignInNames.contains(name) && text.utf8.count >= 16
            && !text.utf8.contains { $0 <= 0x20 }
    }

    /// Whether members of these names, some of them with values, say that the request signs in.
    func signIn(_ told: [String], of all: [String]) -> Bool {
        let isAccount = holdsPass(all)
        let hints = told.filter { signsIn($0) && (isAccount || Self.normal($0) != "pass") }
        let isCertain = hints.contains { name in
            let name = Self.normal(name)
            return normalSignInNames.contains(name) && !Self.weakSignInNames.contains(name)
        }
        return isCertain
            || !hints.isEmpty && all.allSatisfy { accompanies($0, isAccount) }
    }

    /// Whether a member of this name says who signs in, or with what.
    private func accompanies(_ name: String, _ isAccount: Bool) -> Bool {
        signsIn(name) || Self.signInCompanions.contains(Self.normal(name)) || isAccount && Self.normal(name) == "name"
    }

    /// Whether `pass` stands among these names of members or parameters, and is a password: a ticket has one, too.
    func holdsPass(_ names: [String]) -> Bool {
        guard names.contains(where: { $0.utf8.count == 4 && Self.normal($0) == "pass" }) else { return false }
        let names = names.map(Self.normal)
        if names.contains(where: Self.accountNames.contains) { return normalSignInNames.contains("pass") }
        return normalSignInNames.contains("pass") && names.contains(where: Self.personNames.contains)
            && names.allSatisfy { accompanies($0, true) }
    }

    private static func isPass(_ name: String) -> Bool { normal(name) == "pass" }

    /// Whether a member of a sign-in exchange holds a credential.
    func isSecretInSignIn(_ name: String) -> Bool {
        isSecret(name) || signsIn(name) || Self.namesInSignIn.contains { Self.normal($0) == Self.normal(name) }
    }

    func isSecretHeader(_ name: String) -> Bool { secretHeaders.contains(name.lowercased()) || isSecret(name) }

    /// The credentials that a request carries.
    func secrets(in request: Request) -> [String] {
        var found = secrets(in: request.headers)
        let query = SentURL(request.url).query
        let holdsPass = holdsPass(query.map { Self.field($0.name) })
        for item in query {
            let isPass = holdsPass && Self.isPass(Self.field(item.name))
            if isSecretParameter(item.name) || isPass { found.append(item.value) }
        }
        return found
    }

    /// The credentials in headers. What is written says none, whatever its name, and a cookie that is set may be anything.
    func secrets(in headers: HeaderFields) -> [String] {
        var found: [String] = []
        for field in headers.fields where isSecretHeader(field.name) {
            let name = field.name.lowercased()
            if name == "set-cookie" || keptResponseHeaders.contains(name) && !secretHeaders.contains(name) { continue }
            found.append(field.value)
            if name == "cookie", let cookie {
                for pair in field.value.split(separator: ";").map({ $0.drop { $0 == " " } })
                where pair.hasPrefix("\(cookie)=") { found.append(String(pair.dropFirst(cookie.count + 1))) }
            }
            // Without the scheme.
            if let space = field.value.firstIndex(of: " ") {
                found.append(String(field.value[field.value.index(after: space)...]))
            }
        }
        return found
    }

    func url(_ text: String) -> String {
        var url = SentURL(text)
        let holdsPass = holdsPass(url.query.map { Self.field($0.name) })
        for index in url.query.indices {
            let name = url.query[index].name
            let isPass = holdsPass && Self.isPass(Self.field(name))
            if isSecretParameter(name) || isPass { url.query[index].value = Self.mark }
        }
        return url.text
    }

    func requestHeaders(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(headers.fields.filter { keptHeaders.contains($0.name.lowercased()) })
    }

    func responseHeaders(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(
            headers.fields.compactMap { field -> NamedText? in
                let name = field.name.lowercased()
                if markedHeaders.contains(name) { return .init(name: field.name, value: Self.mark) }
                guard !secretHeaders.contains(name), keptResponseHeaders.contains(name) || Self.isLimit(name) else {
                    return nil
                }
                return .init(name: field.name, value: text(field.value))
            })
    }

    private static func isLimit(_ name: String) -> Bool {
        name.hasPrefix("ratelimit") || name.hasPrefix("x-ratelimit-") || name.hasPrefix("x-rate-limit-")
    }

    /// - Returns: nil where the value holds no member of a secret name, and no text with one.
    func body(_ value: Value) -> Value? {
        switch value {
        case .object(var members):
            var isChanged = false
            let holdsPass = holdsPass(members.names)
            for member in members {
                // What passed is counted.
                let isPass = holdsPass && Self.isPass(member.name) && member.value.number == nil
                let isHidden = isPass || isSecret(member.name) || holdsToken(member)
                guard let inner = isHidden ? secret(member.value) : body(member.value) else { continue }
                members[member.name] = inner
                isChanged = true
            }
            return isChanged ? .object(members) : nil
        case .array(let elements): return Self.array(elements) { body($0) }
        case .string(let content):
            let clean = text(content)
            return clean == content ? nil : .string(clean)
        default: return nil
        }
    }

    /// What is written for the value of a secret name; nil where it says nothing.
    private func secret(_ value: Value) -> Value? {
        switch value {
        case .null, .bool, .string(""): return nil
        case .string, .number: return .string(Self.mark)
        case .array(let elements): return Self.array(elements) { secret($0) }
        case .object(var members):
            for member in members { members[member.name] = secret(member.value) ?? member.value }
            return .object(members)
        }
    }

    private static func array(_ elements: [Value], _ change: (Value) -> Value?) -> Value? {
        let inner = elements.map(change)
        guard inner.contains(where: { $0 != nil }) else { return nil }
        return .array(zip(inner, elements).map { $0 ?? $1 })
    }

    /// A form (`a=1&b=2`) without its secrets.
    func form(_ text: String) -> String {
        let names = Self.pairs(of: text).map { Self.field($0.name) }
        let holdsPass = holdsPass(names.filter { !$0.isEmpty })
        return Self.form(text) { isSecret($0) || holdsPass && Self.isPass($0) }
    }

    /// A form in which the values of some names are left out.
    static func form(_ text: String, without isSecret: (String) -> Bool) -> String {
        pairs(of: text).map { pair -> String in
            guard let value = pair.value else { return String(pair.name) }
            return "\(pair.name)=\(isSecret(field(pair.name)) ? mark : String(value))"
        }.joined(separator: "&")
    }

    /// The fields of a form, with all that is empty; a value is nil where there is no `=`.
    private static func pairs(of form: String) -> [(name: Substring, value: Substring?)] {
        form.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map {
            pair -> (name: Substring, value: Substring?) in
            let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Substring(sides[0]), sides.count > 1 ? Substring(sides[1]) : nil)
        }
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
