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

extension RouteFile {
    /// How requests are signed, with the names of the secrets; nil where they are not.
    package var signature: String? {
        let beside = key == nil ? "" : ", and the key of auth.key"
        switch auth {
        case .none: return nil
        case .oauth2(let settings): return "a token of oauth2 (\(settings.grant.rawValue))\(beside)"
        case .session(let settings): return "the token that \(settings.method) \(settings.path) gives\(beside)"
        case .adapter(let kind, _): return "what the authenticator \(kind) adds\(beside)"
        case .asked: return "what was typed at atmos login\(beside)"
        default: break
        }
        let parts = settings.filter { $0.path.hasPrefix("auth.") && !$0.path.hasPrefix("auth.identity") }
            .map { "\($0.path.dropFirst("auth.".count)) \($0.value)" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// What a person has to mend where the server does not accept who we are.
    package var signInRemedy: String {
        signsReads ? signingRemedy : "\(signingRemedy); reads are not signed (auth.for: writes)"
    }

    private var signingRemedy: String {
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
        case .asked:
            return "requests are signed with \(signature), and the server does not take it: run atmos login again"
        case .adapter:
            return "requests are signed with \(signature), and the server does not take it: check “auth.settings” and "
                + "the secrets that it names"
        default: break
        }
        let from = secrets.file.map { "the environment or in \($0)" } ?? "the environment"
        return "requests are signed with \(signature); set what stands behind “secret:” anew in \(from)"
    }
}
