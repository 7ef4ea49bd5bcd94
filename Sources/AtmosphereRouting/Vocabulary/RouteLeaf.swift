/// One kind of single value. Typed from the text and its quoting, never by the notation's own rules.
package enum RouteLeaf: Sendable, Equatable {
    /// Any text; numbers and `true` count as their text.
    case text
    /// A text that is not empty: a member, a parameter, a name.
    case name
    /// The name of a resource.
    case entity
    case boolean
    case whole(ClosedRange<Int>)
    case duration, size, rate
    /// A duration, or `never`.
    case durationOrNever
    /// How times are written.
    case timeFormat
    /// An absolute URL without query.
    case base
    /// A server of live updates, over any of `ws`, `wss`, `http` and `https`; one over `http` or `https`.
    case liveURL, webURL
    /// The URL of an HTTP proxy, or `none`.
    case proxy
    /// An absolute URL that secrets are sent to: https, or on this machine.
    case endpoint
    /// One scope of OAuth 2.0 (RFC 6749 §3.3).
    case scope
    /// A path under the base with places; `fixed` ones have no places.
    case path, fixedPath
    case selector
    case secret
    /// A secret, or `ask`: a person types it.
    case proof
    /// A user name, literal or secret.
    case credential
    /// A token of RFC 9110 §5.6.2. `ownHeader`: sent with every request, and nothing that another part sets.
    case headerName, ownHeader, headerValue
    /// A media type of RFC 9110 §8.3.1, perhaps with parameters.
    case mediaType
    case choice([String])
    /// The version of the vocabulary.
    case vocabulary
}

extension RouteLeaf {
    /// The versions of the route file's vocabulary that can be read.
    static let vocabularies = [1]

    /// Why the value cannot stand here, with the remedy; nil where it can. `name` is the dotted path of the place.
    func complaint(_ text: String, isPlain: Bool, at name: String) -> String? {
        let name = name.quoted
        switch self {
        case .text: return nil
        case .name: return text.isEmpty ? "\(name) must not be empty" : nil
        case .entity:
            return text.isIdentifier(with: "-")
                ? nil : "\(text.quoted) is no name for a resource: use letters, digits, “_” and “-”"
        case .boolean:
            guard !["true", "false"].contains(text) else {
                return isPlain ? nil : "\(name) must be \(text) without quotes"
            }
            return "\(name) must be true or false, not \(text.quoted)"
        case .whole, .duration, .durationOrNever, .size, .rate, .timeFormat:
            return amountComplaint(text, isPlain: isPlain, at: name)
        case .base, .liveURL, .webURL, .proxy, .endpoint, .path, .fixedPath, .selector:
            return placeComplaint(text, at: name)
        case .scope, .secret, .proof, .credential, .headerName, .ownHeader, .headerValue, .mediaType:
            return headerComplaint(text, at: name)
        case .choice(let words): return Self.choiceComplaint(text, words, at: name)
        case .vocabulary:
            if let number = NumberText.whole(text), Self.vocabularies.contains(number) {
                return isPlain ? nil : "\(name) must be \(text) without quotes"
            }
            let known = Self.vocabularies.map(String.init).joined(separator: ", ")
            return "atmosphere: \(text.quoted) is not known; this version reads: \(known)"
        }
    }

    /// Of numbers, durations, sizes, rates and forms of time.
    private func amountComplaint(_ text: String, isPlain: Bool, at name: String) -> String? {
        switch self {
        case .whole(let range):
            if let number = NumberText.whole(text), range.contains(number) {
                return isPlain ? nil : "\(name) must be \(text) without quotes"
            }
            return "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text.quoted)"
        case .duration:
            guard NumberText.duration(text) == nil else { return nil }
            let unit = text.isDigits && text.utf8.count < 10 ? "; a number needs its unit: \(text)s" : ""
            return "\(name) must be a duration such as PT2M, P7D, 90s, 5m or 2h, not \(text.quoted)\(unit)"
        case .durationOrNever:
            guard text != "never", NumberText.duration(text).map({ $0 == .zero }) ?? true else { return nil }
            return
                "\(name) must be a duration such as P7D or 12h that is longer than zero, or never, not \(text.quoted)"
        case .size:
            return NumberText.size(text) != nil
                ? nil : "\(name) must be a size such as 64MiB, 1GB or 65536 (bytes), not \(text.quoted)"
        case .rate:
            return NumberText.rate(text) != nil
                ? nil : "\(name) must be a rate such as 10/s, 600/min or 1000/h, not \(text.quoted)"
        default:
            do {
                _ = try TimeFormat(text)
                return nil
            } catch {
                return "\(name) must be a form of time such as yyyy-MM-dd HH:mm:ss: \(error)"
            }
        }
    }

    /// Of URLs, paths and selectors.
    private func placeComplaint(_ text: String, at name: String) -> String? {
        switch self {
        case .base: PathText.baseComplaint(text)
        case .liveURL: PathText.urlComplaint(text, at: name, schemes: ["wss", "ws", "https", "http"])
        case .webURL: PathText.urlComplaint(text, at: name, schemes: ["https", "http"])
        case .proxy:
            text == "none" ? nil : PathText.urlComplaint(text, at: name, schemes: ["http"], mayHavePath: false)
        case .endpoint: PathText.endpointComplaint(text, at: name)
        case .path: PathText.complaint(text, at: name, mayHavePlaces: true)
        case .fixedPath: PathText.complaint(text, at: name, mayHavePlaces: false)
        default: Self.selectorComplaint(text, at: name)
        }
    }

    /// Of what goes into a header, and of secrets.
    private func headerComplaint(_ text: String, at name: String) -> String? {
        switch self {
        case .scope:
            let isScope =
                !text.isEmpty
                && text.unicodeScalars.allSatisfy { (0x21...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }
            return isScope ? nil : "\(name) must be scopes without spaces, one to an element (RFC 6749 §3.3)"
        case .secret: return Self.secretComplaint(text, at: name)
        case .proof: return text == "ask" ? nil : Self.secretComplaint(text, at: name)
        case .credential: return text.hasPrefix("secret:") ? Self.secretComplaint(text, at: name) : nil
        case .headerName: return Self.headerComplaint(text)
        case .ownHeader: return Self.headerComplaint(text) ?? Self.reservedComplaint(text)
        case .headerValue: return Self.headerValueComplaint(text, at: name)
        default: return Self.mediaTypeComplaint(text, at: name)
        }
    }

    /// What belongs here, for a list or map that stands in its place.
    var expectation: String {
        switch self {
        case .boolean: "true or false"
        case .whole: "a whole number"
        case .duration: "a duration such as PT2M or 90s"
        case .durationOrNever: "a duration such as P7D, or never"
        case .size: "a size such as 64MiB"
        case .rate: "a rate such as 10/s"
        case .secret: "secret:NAME"
        case .proof: "secret:NAME, or ask"
        case .choice(let words): "one of: \(words.joined(separator: ", "))"
        case .path, .fixedPath: "a path"
        case .liveURL: "a URL such as wss://push.example.com"
        case .webURL: "a URL such as https://push.example.com"
        case .mediaType: "a media type such as application/vnd.api+json"
        case .proxy: "none, or the URL of an HTTP proxy such as http://proxy.example.com:3128"
        case .endpoint: "an https URL, such as https://login.example.com/token"
        case .selector: "a path in the body, such as $.results"
        default: "a single text"
        }
    }

    static func choiceComplaint(_ text: String, _ words: [String], at name: String) -> String? {
        guard !words.contains(text) else { return nil }
        if let near = NearestName.of(text, among: words) {
            return "\(name) cannot be \(text.quoted); did you mean \(near.quoted)?"
        }
        return "\(name) must be one of: \(words.joined(separator: ", ")), not \(text.quoted)"
    }

    private static func selectorComplaint(_ text: String, at name: String) -> String? {
        do {
            _ = try JSONPath(text)
            return nil
        } catch {
            return "\(name) must be a path in the body, such as $.results: \(error)"
        }
    }

    /// Never repeats the text: it may be the secret itself.
    private static func secretComplaint(_ text: String, at name: String) -> String? {
        guard text.hasPrefix("secret:") else {
            return "\(name) must not hold the secret itself: write secret:NAME and set NAME in the environment or the "
                + "secrets file"
        }
        return text.dropFirst("secret:".count).isIdentifier()
            ? nil : "\(name) must be secret:NAME, with a NAME of letters, digits and “_” as in the environment"
    }

    private static func headerComplaint(_ text: String) -> String? {
        text.consists(ofAlphanumericsAnd: "!#$%&'*+-.^_`|~")
            ? nil : "\(text.quoted) cannot stand in a header: use letters, digits and “-”"
    }

    private static func reservedComplaint(_ text: String) -> String? {
        switch text.lowercased() {
        case "authorization", "proxy-authorization", "cookie":
            return "the header \(text.quoted) holds a secret: declare it in “auth”, with secret:NAME"
        case "host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "trailer":
            return "the header \(text.quoted) belongs to the transport; remove it"
        default: return nil
        }
    }

    private static func mediaTypeComplaint(_ text: String, at name: String) -> String? {
        let parts = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
        let isType = parts.count == 2 && parts.allSatisfy { $0.consists(ofAlphanumericsAnd: "!#$%&'*+-.^_`|~") }
        return isType && text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
            ? nil : "\(name) must be a media type such as application/vnd.api+json, not \(text.quoted)"
    }

    /// Never repeats the text, which may be a key.
    private static func headerValueComplaint(_ text: String, at name: String) -> String? {
        guard !text.hasPrefix("secret:") else {
            return "\(name) cannot hold a secret: use auth: { key: { header: NAME, value: secret:NAME } }"
        }
        let isSendable = text.unicodeScalars.allSatisfy { $0 == "\t" || (0x20...0x7E).contains($0.value) }
        return isSendable ? nil : "\(name) must be plain ASCII on one line (RFC 9110 §5.5)"
    }
}
