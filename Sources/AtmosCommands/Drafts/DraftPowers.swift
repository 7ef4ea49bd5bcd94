#if Command
    internal import Atmosphere

    /// What a draft that others' words went into may set: nothing that runs a program, reads a file or a secret of its
    /// choice, or opens another connection.
    ///
    /// A second look at the tree of settings, whatever the rest of `discover` did with a description.
    enum DraftPowers {
        private static let top: Set<String> = ["atmosphere", "style", "base", "auth", "errors", "resources"]
        private static let resource: Set<String> = [
            "path", "parent", "id", "ids", "list", "read", "create", "update", "delete", "media-type", "coding",
            "items",
            "root", "pages", "query", "since", "deletes", "version", "types", "readonly", "references", "actions",
            "lookup", "singular"
        ]
        private static let auth: Set<String> = ["basic", "bearer", "token", "scheme", "key", "oauth2"]
        /// The names that drafts give to secrets.
        private static let secrets: Set<String> = [
            "API_TOKEN", "API_USER", "API_PASSWORD", "CLIENT_ID", "CLIENT_SECRET"
        ]

        /// - Parameter own: names of secrets that the person gave.
        /// - Throws: ``CommandFailure`` that names the setting.
        static func check(_ draft: RouteFileDraft, own: Set<String>) throws {
            let allowed = secrets.union(own)
            let settings = draft.settings.members ?? [:]
            try keys(settings, top, "")
            try values(.object(settings), allowed, "")
            try signIn(settings["auth"])
            for each in settings["resources"]?.members ?? [:] {
                try keys(each.value.members ?? [:], resource, "resources.\(each.name).")
            }
            for suggestion in draft.suggestions {
                try keys(suggestion.members ?? [:], resource.union(top), "")
                try values(suggestion, allowed, "")
                try signIn(suggestion.members?["auth"])
            }
            let styles: Set<String> = Set(DraftStyle.allCases.map(\.rawValue))
            guard let style = settings["style"]?.string, styles.contains(style) else { throw refused("style") }
        }

        private static func signIn(_ value: Value?) throws {
            guard let value else { return }
            guard let members = value.members else { throw refused("auth") }
            try keys(members, auth, "auth.")
        }

        private static func keys(_ members: Value.Members, _ known: Set<String>, _ path: String) throws {
            for name in members.names where !known.contains(name) { throw refused(path + name) }
        }

        /// A secret may be named under `auth`, and only one that has a usual name or the person's.
        private static func values(_ value: Value, _ allowed: Set<String>, _ path: String) throws {
            switch value {
            case .string(let text) where text.hasPrefix("secret:"):
                let isKnown = allowed.contains(String(text.dropFirst("secret:".count)))
                guard isKnown, path == "auth" || path.hasPrefix("auth.") else { throw refused(path) }
            case .array(let elements): for each in elements { try values(each, allowed, path) }
            case .object(let members):
                for each in members {
                    try values(each.value, allowed, path.isEmpty ? each.name : "\(path).\(each.name)")
                }
            default: break
            }
        }

        private static func refused(_ path: String) -> CommandFailure {
            CommandFailure(
                code: "unexpectedAnswer",
                [
                    "nothing was written: the description would set “\(TextWidth.oneLine(path))”, which is for a person to "
                        + "write; begin by hand: atmos init"
                ], status: ExitStatus.failed)
        }
    }
#endif
