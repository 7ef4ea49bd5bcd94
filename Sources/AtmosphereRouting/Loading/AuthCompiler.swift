/// Turns `auth` of the completed tree into the typed model.
struct AuthCompiler {
    let section: RouteSection
    /// The URL that requests for records go to.
    let base: String
    let basePlace: RoutePlace
    private(set) var problems: [RouteFileError.Problem] = []

    init(_ section: RouteSection, base: RouteSection) {
        self.section = section
        self.base = base.text ?? ""
        basePlace = base.place
    }

    mutating func compile() -> AuthSettings {
        if section["scheme"].isPresent, !section["token"].isPresent {
            note(section["scheme"].place, "“auth.scheme” has no use without “token”")
        }
        if section["send"].isPresent, !section["token"].isPresent {
            note(section["send"].place, "“auth.send” has no use without “token”")
        }
        if section["send"].isPresent, section["scheme"].isPresent {
            note(
                section["scheme"].place,
                "“auth.scheme” stands before a token in “Authorization”: leave it out beside “send”")
        }
        let hasTokens = section["oauth2"].isPresent || section["session"].isPresent
        if section["tokens"].isPresent, !hasTokens, !section["kind"].isPresent, asked == nil {
            note(section["tokens"].place, "“auth.tokens” has no use without “oauth2”, “session” or “ask”")
        }
        let basic = section["basic"]
        if basic["username"].isAsked, !basic["password"].isAsked {
            note(
                basic["username"].place,
                "“auth.basic.username” is asked for with the password alone: write basic: ask, or name the user")
        }
        if case .literal(let name) = basic["username"].credential, name.utf8.contains(UInt8(ascii: ":")) {
            note(
                basic["username"].place,
                "“auth.basic.username” holds a colon, which Basic cannot send (RFC 7617 §2)")
        }
        if section["settings"].isPresent, !section["kind"].isPresent {
            note(section["settings"].place, "“auth.settings” has no use without “kind”")
        }
        if hasTokens || asked != nil, let complaint = PathText.plainTextComplaint(base) {
            let secrets = hasTokens ? "tokens" : "what a person types"
            let rule = hasTokens ? " (RFC 6750 §5.3)" : ""
            note(basePlace, "“base” \(complaint): \(secrets) must not be sent in the clear\(rule)")
        }
        return if let asked {
            .asked(asked)
        } else if section["basic"].isPresent {
            .basic(username: section["basic"]["username"].credential, password: section["basic"]["password"].secret)
        } else if section["bearer"].isPresent {
            .bearer(section["bearer"].secret)
        } else if let name = section["send"]["header"].text {
            .keyInHeader(name: name, section["token"].secret)
        } else if let name = section["send"]["query"].text {
            .keyInQuery(name: name, section["token"].secret)
        } else if section["token"].isPresent {
            .token(scheme: section["scheme"].text ?? "Token", section["token"].secret)
        } else if section["oauth2"].isPresent {
            .oauth2(oauth2(section["oauth2"]))
        } else if section["session"].isPresent {
            .session(session(section["session"]))
        } else if let kind = section["kind"].text {
            .adapter(kind: kind, settings: section["settings"].value.members ?? [:])
        } else {
            key ?? AuthSettings.none
        }
    }

    /// What a person types; nil where nobody is asked.
    private var asked: AskedSettings? {
        let (basic, key) = (section["basic"], section["key"])
        if basic["password"].isAsked {
            return .basic(username: basic["username"].isAsked ? nil : basic["username"].credential)
        }
        if section["bearer"].isAsked { return .bearer }
        if section["token"].isAsked, let name = section["send"]["header"].text { return .keyInHeader(name: name) }
        if section["token"].isAsked, let name = section["send"]["query"].text { return .keyInQuery(name: name) }
        if section["token"].isAsked { return .token(scheme: section["scheme"].text ?? "Token") }
        guard isKeyAlone, key["value"].isAsked else { return nil }
        if let name = key["header"].text { return .keyInHeader(name: name) }
        return key["query"].text.map { .keyInQuery(name: $0) }
    }

    /// No other proof stands beside the key.
    private var isKeyAlone: Bool {
        !["basic", "bearer", "token", "oauth2", "session", "kind"].contains { section[$0].isPresent }
    }

    /// A key that goes beside another proof; nil where there is no other, or no key.
    mutating func compileKey() -> AuthSettings? {
        guard let key, !isKeyAlone else { return nil }
        if section["key"]["value"].isAsked {
            note(
                section["key"]["value"].place,
                "“auth.key.value” can be asked for where the key is all that signs a request: beside another proof write "
                    + "secret:NAME")
        }
        let other = section["send"].isPresent ? section["send"] : section["session"]["send"]
        if case .keyInHeader(let name, _) = key,
            ["authorization", other["header"].text?.lowercased()].contains(name.lowercased())
        {
            note(
                section["key"]["header"].place,
                "“auth.key.header” is the header that the other credentials go in; name the header of the key alone")
        }
        if case .keyInQuery(let name, _) = key, name == other["query"].text {
            note(
                section["key"]["query"].place,
                "“auth.key.query” is the parameter that the other credentials go in; name the parameter of the key alone"
            )
        }
        return key
    }

    private var key: AuthSettings? {
        let key = section["key"]
        if let name = key["header"].text { return .keyInHeader(name: name, key["value"].secret) }
        return key["query"].text.map { .keyInQuery(name: $0, key["value"].secret) }
    }

    /// Where each answer has the next token; nil where none has one.
    mutating func compileRenewed() -> SessionSettings.Source? {
        let renewed = section["renewed"]
        guard renewed.isPresent else { return nil }
        let isToken = section["session"].isPresent || (asked != nil && !section["basic"].isPresent)
        if !isToken {
            note(
                renewed.place,
                "“auth.renewed” is for a token that is kept: it has no use without “session”, or “ask” in “bearer”, “token” "
                    + "or “key”")
        }
        return source(renewed)
    }

    mutating func compileTokens() -> TokenSettings {
        let tokens = section["tokens"]
        guard tokens["load"].isPresent else {
            for key in ["save", "remove"] where tokens[key].isPresent {
                note(tokens[key].place, "“auth.tokens.\(key)” has no use without “load”")
            }
            return .file(tokens["file"].text)
        }
        for key in ["load", "save", "remove"] where tokens[key].isPresent && tokens[key].texts.isEmpty {
            note(
                tokens[key].place,
                "“auth.tokens.\(key)” must name a program, such as [secret-tool, lookup, app, mine]")
        }
        if !tokens["save"].isPresent {
            note(
                tokens.place,
                "“auth.tokens” with “load” needs “save” too: a token that the server replaced would be lost")
        }
        return .commands(
            load: tokens["load"].texts, save: tokens["save"].texts, remove: tokens["remove"].texts)
    }

    private mutating func oauth2(_ section: RouteSection) -> OAuth2Settings {
        let client = section["client"]
        var settings = OAuth2Settings(
            grant: section["grant"].word(.authorizationCode),
            client: .init(
                id: client["id"].credential, secret: client["secret"].isPresent ? client["secret"].secret : nil,
                authentication: client["authentication"].word(.basic)),
            token: section["token"].text ?? "")
        if settings.grant == .clientCredentials, settings.client.secret == nil {
            note(
                client.place,
                "“auth.oauth2.client” needs “secret” with the grant “client_credentials”, which only a client that can "
                    + "keep one may use (RFC 6749 §4.4)")
        }
        settings.authorize = section["authorize"].text
        settings.device = section["device"].text
        settings.revoke = section["revoke"].text
        settings.issuer = section["issuer"].text
        settings.scopes = section["scopes"].texts
        settings.refresh = section["refresh"].isPresent ? section["refresh"].secret : nil
        settings.parameters = section["parameters"].namedTexts
        for each in section["parameters"].named where Self.ownParameters.contains(each.name) {
            note(each.place, "the parameter \(each.name.quoted) is set by Atmosphere; remove it from “auth.oauth2”")
        }
        let redirect = section["redirect"]
        settings.redirect.host = redirect["host"].text ?? settings.redirect.host
        settings.redirect.port = redirect["port"].whole ?? 0
        settings.redirect.path = "/" + PathText.normalized(redirect["path"].text ?? "/")
        return settings
    }

    private static let ownParameters: Set<String> = [
        "client_id", "client_secret", "redirect_uri", "response_type", "scope", "state", "code_challenge",
        "code_challenge_method", "grant_type", "code", "code_verifier", "device_code", "refresh_token"
    ]

    private mutating func session(_ section: RouteSection) -> SessionSettings {
        for each in section["fields"].named {
            guard let text = each.section.text, !text.hasPrefix("secret:"), Self.soundsSecret(each.name) else {
                continue
            }
            note(
                each.section.place,
                "“auth.session.fields.\(each.name)” must not hold the secret itself: write secret:NAME and set NAME in "
                    + "the environment or the secrets file")
        }
        let source = source(section["token"])
        let send = section["send"]
        if send["scheme"].isPresent, !send["header"].isPresent {
            note(send["scheme"].place, "“auth.session.send.scheme” has no use without “header”")
        }
        let carrier: SessionSettings.Carrier =
            if let name = send["cookie"].text {
                .cookie(name)
            } else if let name = send["query"].text {
                .query(name)
            } else {
                .header(send["header"].text ?? "Authorization", scheme: send["scheme"].text)
            }
        let verb = ["post", "put", "get"].first { section[$0].isPresent } ?? "post"
        var settings = SessionSettings(
            path: PathText.normalized(section[verb].text ?? ""),
            fields: section["fields"].named.map { .init(name: $0.name, value: $0.section.credential) }, token: source,
            send: carrier)
        settings.method = verb.uppercased()
        settings.coding = section["coding"].word(.json)
        if verb == "get", settings.coding != .query {
            note(
                section["coding"].place == .default ? section["get"].place : section["coding"].place,
                "a GET carries no body: write coding: query, or use “post”")
        }
        settings.root = section["root"].text
        settings.lifetime = section["lifetime"].duration
        let logout = section["logout"]
        if let verb = ["post", "delete", "get"].first(where: { logout[$0].isPresent }) {
            settings.logout = .init(
                method: verb.uppercased(), path: PathText.normalized(logout[verb].text ?? ""))
        }
        return settings
    }

    /// A field of such a name holds what nobody else may know: `password`, `apiKey`, `pin`; not `token_type`.
    private static func soundsSecret(_ name: String) -> Bool {
        let lowered = name.lowercased()
        if ["password", "passwd", "passphrase", "secret"].contains(where: { lowered.contains($0) }) { return true }
        return ["pass", "token", "pin", "key", "otp"].contains { word in
            guard lowered.hasSuffix(word) else { return false }
            let before = name.dropLast(word.count).last
            // A word of its own: behind nothing, a mark, or the end of another word in camel case.
            return before.map { !$0.isLetter || name.dropLast(word.count - 1).last?.isUppercase == true } ?? true
        }
    }

    private func source(_ token: RouteSection) -> SessionSettings.Source {
        if let name = token["header"].text { return .header(name) }
        if let name = token["cookie"].text { return .cookie(name) }
        return .body(token["body"].selector ?? .member("token"))
    }

    private mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(RouteFileError.Problem(place: place, message: message))
    }
}
