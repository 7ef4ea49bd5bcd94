extension RouteFile {
    /// The settings in force, in the order of the vocabulary.
    ///
    /// - Parameter entity: only this resource's settings; nil for all, empty for a resource that there is not.
    package func explanation(entity: String? = nil) -> [Setting] {
        guard let entity else { return settings }
        return settings.filter { $0.path.hasPrefix("resources.\(entity).") }
    }

    /// One setting for each value of the completed trees.
    package static func settings(_ settings: RouteNode, resources: [RouteNode.Entry]) -> [Setting] {
        var explained: [Setting] = []
        settings.explain("", into: &explained)
        for resource in resources { resource.node.explain("resources.\(resource.key)", into: &explained) }
        return explained
    }

    /// Whether the file itself says how a resource's list continues, or that it does not.
    package func declaresPages(of resource: Resource) -> Bool {
        settings.contains { setting in
            setting.path == "resources.\(resource.name).pages.kind" && setting.origin != "default"
                && !setting.origin.hasPrefix("style ")
        }
    }
}

extension RouteNode {
    fileprivate func explain(_ path: String, into settings: inout [Setting]) {
        guard case .map(let entries) = content, path.isEmpty || !entries.isEmpty else {
            settings.append(Setting(path: path, value: oneLine, origin: origin))
            return
        }
        for entry in entries {
            let key = entry.key.isPlainKey ? entry.key : entry.key.inDoubleQuotes
            entry.node.explain(path.isEmpty ? key : "\(path).\(key)", into: &settings)
        }
    }

    /// The places of a linked style are of no use to a person who has the files before them.
    private var origin: String { place.source.hasPrefix("style ") ? place.source : place.description }

    /// What can be pasted behind a key, in YAML also inside brackets.
    fileprivate var oneLine: String {
        switch content {
        case .scalar(let text, let isPlain):
            if isPlain, text.isPlainValue || isNull { return isNull ? "null" : text }
            return text.isPlainValue && !text.isResolved ? text : text.inDoubleQuotes
        case .list(let elements): return "[\(elements.map(\.oneLine).joined(separator: ", "))]"
        case .map(let entries):
            let members = entries.map { entry in
                "\(entry.key.isPlainKey ? entry.key : entry.key.inDoubleQuotes): \(entry.node.oneLine)"
            }
            return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
        }
    }
}

extension RouteFile {
    /// How requests are signed, with the names of the secrets; nil where they are not.
    package var signature: String? {
        let beside = key == nil ? "" : ", and the key of auth.key"
        switch auth {
        case .none: return nil
        case .oauth2(let settings): return "a token of oauth2 (\(settings.grant.rawValue))\(beside)"
        case .session(let settings): return "the token that \(settings.method) \(settings.path) gives\(beside)"
        case .adapter(let kind, _): return "what the authenticator \(kind) adds\(beside)"
        default: break
        }
        let parts = settings.filter { $0.path.hasPrefix("auth.") && !$0.path.hasPrefix("auth.identity") }
            .map { "\($0.path.dropFirst("auth.".count)) \($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// What a person has to mend where the server does not accept who we are.
    package var signInRemedy: String {
        guard let signature else {
            return "the route file has no auth to sign requests with; say there how the API wants to be signed in to"
        }
        switch auth {
        // Tokens were renewed just now, as far as they can be.
        case .oauth2:
            return "requests are signed with \(signature), and the server does not take it: check the scopes and "
                + "parameters in “auth.oauth2”, and sign in again (atmos login)"
        case .session:
            return "requests are signed with \(signature), and the server does not take it: check “auth.session.send”"
        case .adapter:
            return "requests are signed with \(signature), and the server does not take it: check “auth.settings” and "
                + "the secrets that it names"
        default: break
        }
        let from = secrets.file.map { "the environment or in \($0)" } ?? "the environment"
        return "requests are signed with \(signature); set what stands behind “secret:” anew in \(from)"
    }
}

extension String {
    fileprivate var isPlainKey: Bool { isIdentifier(with: "-") && !isResolved }

    /// Needs no quotes in YAML, neither alone nor inside brackets.
    fileprivate var isPlainValue: Bool {
        guard let first = utf8.first, first.isASCIIAlphanumeric || "_$./".utf8.contains(first) else { return false }
        // A colon is harmless only where text follows it.
        let hasLooseColon = hasSuffix(":") || contains(": ")
        return !hasLooseColon && consists(ofAlphanumericsAnd: "_$./+@%=~^*()-:")
    }

    /// Would mean something else than its text without quotes.
    fileprivate var isResolved: Bool { ["true", "false", "null"].contains(self) || JSONNumber(self) != nil }

    fileprivate var inDoubleQuotes: String { Value.string(self).json().asText }
}

extension [UInt8] {
    fileprivate var asText: String { String(decoding: self, as: UTF8.self) }
}
