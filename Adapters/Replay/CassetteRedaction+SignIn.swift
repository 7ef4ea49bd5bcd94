public import AtmosphereExchange

extension CassetteRedaction {
    /// With what the route file declares as a credential.
    public init(for routeFile: RouteFile) {
        self.init()
        let texts = routeFile.settings.map(\.value) + routeFile.resources.map(\.name) + [routeFile.base]
        declaredSegments = Set(
            texts.flatMap { $0.split(whereSeparator: { "/\"?".contains($0) }).map(String.init) })
        for header in [routeFile.limits.remaining, routeFile.limits.reset] { keep(response: header) }
        for resource in routeFile.resources {
            keep(what: resource)
            let operations = [resource.create, resource.update].filter(\.isOffered)
            let sent = operations.map { ($0.method, $0.path) } + resource.batches.map { ($0.method, $0.path) }
            for (method, path) in sent {
                writes.insert(Write(method: method, segments: Self.segments(of: path, below: routeFile.base)))
            }
            if resource.create.isOffered {
                let segments = Self.segments(of: resource.create.path, below: routeFile.base)
                creates.insert(Write(method: resource.create.method, segments: segments))
            }
        }
        for parameter in [routeFile.auth, routeFile.key].compactMap({ $0?.queryParameter }) {
            keep(outParameter: parameter)
        }
        if case .keyInHeader(let name, _)? = routeFile.key { keep(out: name) }
        if case .header(let name)? = routeFile.renewed { keep(out: name) }
        switch routeFile.auth {
        case .keyInHeader(let name, _), .asked(.keyInHeader(let name)): keep(out: name)
        case .session(let session):
            let paths = [session.path] + (session.logout.map { [$0.path] } ?? [])
            signInURLs = Set(paths.map { "\(routeFile.base)/\($0)" })
            token = session.token
            if case .header(let name) = session.token { keep(out: name) }
            switch session.send {
            case .header(let name, _): keep(out: name)
            case .query: break
            case .cookie(let name): cookie = name
            }
        case .oauth2(let settings):
            signInURLs = Set([settings.token, settings.device, settings.revoke].compactMap { $0 }.map(Self.address))
        case .none, .basic, .bearer, .token, .keyInQuery, .adapter, .asked: break
        }
    }

    private mutating func keep(out header: String) {
        secretHeaders.insert(header.lowercased())
        keptHeaders.remove(header.lowercased())
    }

    /// What the answers of a resource are read by, where it is no credential.
    private mutating func keep(what resource: Resource) {
        if let name = resource.version.headerName { keep(response: name) }
        leaveOpen(resource.id)
        if let path = resource.version.path { leaveOpen(path) }
        switch resource.paging {
        case .headerLink(let name, _, _): keep(response: name)
        case .token(let next, let parameter, _, _):
            keep(next)
            leaveOpen(parameter)
        case .none, .number, .offset, .bodyLink: break
        }
        switch resource.paging.total {
        case .items(let place)?, .pages(let place)?: keep(place)
        case nil: break
        }
        if let more = resource.more { keep(more) }
        if let since = resource.since {
            leaveOpen(since.parameter)
            switch since.origin {
            case .header(let name): keep(response: name)
            case .field(let path), .body(let path): leaveOpen(path)
            case .responseDate: break
            }
        }
        if let lookup = resource.lookup {
            leaveOpen(lookup.field)
            if let parameter = lookup.parameter { leaveOpen(parameter) }
        }
        if case .header(let name)? = resource.lease?.token?.place { markedHeaders.insert(name.lowercased()) }
    }

    private mutating func keep(_ place: Paging.Place) {
        switch place {
        case .body(let path): leaveOpen(path)
        case .header(let name): keep(response: name)
        }
    }

    private mutating func keep(response header: String) { keptResponseHeaders.insert(header.lowercased()) }

    private mutating func leaveOpen(_ path: JSONPath) {
        if case .member(let name)? = path.steps.last { leaveOpen(name) }
    }

    /// What identifies objects and pages decides what is sent next.
    private mutating func leaveOpen(_ name: String) {
        openNames.insert(name)
        secretNames = secretNames.filter { Self.normal($0) != Self.normal(name) }
    }

    private static func segments(of path: PathTemplate, below base: String) -> [String?] {
        // A place holds one segment, with what stands around it.
        let text = path.parts.map { if case .literal(let text) = $0 { text } else { "{" } }.joined()
        return "\(base)/\(text)".split(separator: "/").map { $0.contains("{") ? nil : String($0) }
    }

    /// A request that creates or changes objects.
    struct Write: Hashable, Sendable {
        var method: String
        /// Of its URL; nil for one that is any text.
        var segments: [String?]
    }

    /// Whether the route file creates or changes objects so.
    private func isWrite(_ request: Request) -> Bool { Self.isOne(request, of: writes) }

    private static func isOne(_ request: Request, of writes: Set<Write>) -> Bool {
        let segments = address(request.url).split(separator: "/").map(String.init)
        return writes.contains { write in
            write.method == request.method && write.segments.count == segments.count
                && zip(write.segments, segments).allSatisfy { $0 == $1 || $0 == nil && !isSignInPath($1) }
        }
    }

    /// Whether a segment stands where an identifier could, and is the name of a way to sign in: `users/login`,
    /// `users/sign_in.json`.
    private static func isSignInPath(_ segment: String) -> Bool {
        [
            "auth", "authenticate", "login", "logon", "password", "refresh", "register", "session", "sessions",
            "signin", "signup", "token", "tokens"
        ].contains(normal(String(segment.prefix { $0 != "." })))
    }

    private static func address(_ url: String) -> String {
        let url = SentURL(url)
        return url.origin + url.path
    }

    /// Whether a request signs in or out: by its URL, or by what its body holds where that is no record of the route file's.
    func isSignIn(_ request: Request, _ body: [UInt8]) -> Bool {
        if !signInURLs.isEmpty, signInURLs.contains(Self.address(request.url)) { return true }
        guard !body.isEmpty, !["GET", "HEAD"].contains(request.method), !isWrite(request) else { return false }
        if RecordingTransport.isForm(request) {
            let pairs = String(decoding: body, as: UTF8.self).split(separator: "&")
            let name = { (pair: Substring) in Self.field(pair.prefix { $0 != "=" }) }
            let text = { (pair: Substring) in PercentEncoding.decode(String(pair.drop { $0 != "=" }.dropFirst())) }
            return pairs.contains { renews(name($0), with: text($0)) }
                || signIn(pairs.filter { $0.last != "=" }.map(name), of: pairs.map(name))
        }
        guard let value = try? Value(json: body) else { return false }
        return signsIn(with: value)
    }

    /// In the body itself, in its root, or in the attributes of a resource of JSON:API.
    private func signsIn(with body: Value, depth: Int = 0) -> Bool {
        guard let members = body.members else { return false }
        let told = members.filter { member in
            // A token that renews is a text, and no interval; and what passed is counted.
            if Self.normal(member.name) == "refresh" { return (member.value.string?.utf8.count ?? 0) >= 16 }
            if Self.normal(member.name) == "pass", member.value.number != nil { return false }
            return member.value.string.map { !$0.isEmpty } ?? (member.value.number != nil)
        }
        if told.contains(where: { renews($0.name, with: $0.value.string ?? "") }) { return true }
        if signIn(told.map(\.name), of: members.names) { return true }
        return depth < 2 && members.contains { signsIn(with: $0.value, depth: depth + 1) }
    }

    // MARK: What is learned

    /// The credentials that a sign-in request shows in its body.
    func signInSecrets(in body: [UInt8], isForm: Bool) -> [String] {
        let found: [String]
        if isForm {
            found = String(decoding: body, as: UTF8.self).split(separator: "&").compactMap { pair -> String? in
                guard let equals = pair.firstIndex(of: "="), isSecretInSignIn(Self.field(pair[..<equals])) else {
                    return nil
                }
                return PercentEncoding.decode(String(pair[pair.index(after: equals)...]).replacing("+", with: " "))
            }
        } else {
            found = credentials(in: (try? Value(json: body)) ?? .null)
        }
        return found
    }

    /// The credentials that the answer to a create of the route file's shows, as where keys are made: what the server has
    /// made up under a name that may be any member's. What the request said, or what also identifies the object, is none.
    func issued(by request: Request, _ sent: [UInt8], _ body: [UInt8]) -> [String] {
        guard !creates.isEmpty, Self.isOne(request, of: creates), let value = try? Value(json: body) else { return [] }
        let (made, open) = texts(madeIn: value)
        let found = Set(made).subtracting(open)
        guard !found.isEmpty else { return [] }
        let said = String(decoding: sent, as: UTF8.self)
        return found.filter { !said.contains($0) }
    }

    private func texts(madeIn value: Value) -> (made: [String], open: [String]) {
        var found: (made: [String], open: [String]) = ([], [])
        for member in value.members ?? Value.Members() {
            let name = Self.normal(member.name)
            if let text = member.value.string {
                if normalOpenNames.contains(name) {
                    found.open.append(text)
                } else if Self.namesInSignIn.contains(name), Self.isMadeUp(text) {
                    found.made.append(text)
                }
            }
        }
        for inner in value.members?.map(\.value) ?? value.array ?? [] {
            let (made, open) = texts(madeIn: inner)
            found.made += made
            found.open += open
        }
        return found
    }

    /// Whether a text has letters and digits, twenty and more in a row: no word, name or UUID has.
    private static func isMadeUp(_ text: String) -> Bool {
        guard text.utf8.count <= 4_096, !text.utf8.contains(where: { $0 <= 0x20 }), !text.contains("://") else {
            return false
        }
        return text.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.contains { run in
            run.utf8.count >= 20 && run.contains { $0.isLetter } && run.contains { $0.isNumber }
        }
    }

    /// The credentials in the answer to one.
    func signInSecrets(in headers: HeaderFields, _ body: [UInt8]) -> [String] {
        let value = (try? Value(json: body)) ?? .null
        var found = credentials(in: value)
        switch token {
        case .body(let path): found += path.first(in: value).map { [$0.text] } ?? []
        case .header(let name): found += headers.values(of: name)
        case .cookie, nil: break
        }
        found += headers.values(of: "Set-Cookie").compactMap { cookie in
            let pair = cookie.prefix { $0 != ";" }
            return pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
        }
        return found
    }

    private func credentials(in value: Value) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { member -> [String] in
                if isSecretInSignIn(member.name), let text = member.value.string { return [text] }
                return credentials(in: member.value)
            }
        case .array(let elements): elements.flatMap(credentials)
        default: []
        }
    }

    // MARK: What is written

    /// The URL of a sign-in request, which may carry the credentials in its query.
    func signInURL(_ text: String) -> String {
        var url = SentURL(text)
        for index in url.query.indices where !plainNames.contains(Self.field(url.query[index].name)) {
            url.query[index].value = Self.mark
        }
        return url.text
    }

    /// What the next step needs: the kind of the body, the wait, and where a token stood.
    func signInHeaders(_ headers: HeaderFields) -> HeaderFields {
        var kept = HeaderFields()
        for field in headers.fields {
            switch field.name.lowercased() {
            case "content-type", "retry-after": kept.append(field.name, field.value)
            case "set-cookie": kept.append(field.name, "\(field.value.prefix { $0 != "=" && $0 != ";" })=\(Self.mark)")
            default: if isToken(field.name) { kept.append(field.name, Self.mark) }
            }
        }
        return kept
    }

    private func isToken(_ name: String) -> Bool {
        if case .header(let token) = token { token.lowercased() == name.lowercased() } else { false }
    }

    /// A body of a sign-in exchange: members and numbers stay, so that it can be read and replayed.
    func signInBody(_ body: [UInt8], isForm: Bool) -> CassetteBody {
        if body.isEmpty { return .empty }
        if isForm {
            return .text(Self.form(String(decoding: body, as: UTF8.self)) { !plainNames.contains($0) })
        }
        guard let value = try? Value(json: body) else { return .text(Self.mark) }
        var isNumber = false
        if case .body(let path) = token { isNumber = path.first(in: value)?.number != nil }
        return .json(shape(of: value, withNumbers: !isNumber), isExact: true)
    }

    private func shape(of value: Value, withNumbers: Bool) -> Value {
        switch value {
        case .string: .string(Self.mark)
        case .number where !withNumbers: .string(Self.mark)
        case .array(let elements): .array(elements.map { shape(of: $0, withNumbers: withNumbers) })
        case .object(let members):
            .object(
                Value.Members(
                    members.map { member in
                        let isPlain = plainNames.contains(member.name) && member.value.string != nil
                        let keepsNumbers = withNumbers && !isSecretInSignIn(member.name)
                        return Value.Member(
                            name: member.name,
                            value: isPlain ? member.value : shape(of: member.value, withNumbers: keepsNumbers))
                    }))
        default: value
        }
    }
}
