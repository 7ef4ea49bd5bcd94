#if Command
    internal import Atmosphere

    extension RouteFileDraft {
        /// What an API's description says, as a route file, with comments for what it does not say.
        ///
        /// - Parameters:
        ///   - source: where the description was read.
        ///   - base: over what the description says.
        ///   - own: the ways to sign in that the person named, with their secrets.
        /// - Throws: ``CommandFailure`` where there is no base or nothing to list; `CancellationError`.
        init(
            _ description: APIDescription, from source: String, base: String?, own: [APIDescription.SignIn] = []
        ) throws {
            let finder = try ResourceFinder(description)
            guard !finder.resources.isEmpty else { throw Self.nothing(description, finder, source, base) }
            var description = description
            description.chooseSignIn(for: finder.resources)
            let prefix = Self.commonPrefix(of: finder.resources)
            let url = try Self.base(base, description, finder.resources, prefix, source)
            // Secrets go to the base: that it is elsewhere is for a person to see.
            let isElsewhere = base == nil && URLText.origin(source).map { $0 != URLText.origin(url) } ?? false
            let isUndescribed = description.signIn.isEmpty
            if isUndescribed, let first = Self.together(own) {
                description.signIn = [first]
                description.isOpen = false
            } else if !isElsewhere {
                description.take(own: own)
            }
            let style = DraftStyle(of: finder.resources, description)
            let names = ReferenceNames(finder.resources.map(\.name))
            resources = try finder.resources.map { found in
                try Task.checkCancellation()
                var writer = ResourceDraft(found, style: style, of: description.family, dropping: prefix.count)
                return writer.resource(among: names)
            }
            head = [
                "\(description.title), as \(source) describes it. Written by atmos discover: what follows from the",
                "description is in force, as declared and not tried; what it does not say stands in comments. “atmos check” asks the server."
            ]
            let remarks = description.budget.remarks + description.remarks + finder.remarks
            for remark in remarks.prefix(100) { head += ["", remark] }
            if remarks.count > 100 { head += ["", "And \(remarks.count - 100) more of the kind."] }
            lines = [.setting("atmosphere", 1), .setting("style", .string(style.rawValue))]
            if isElsewhere {
                lines.append(
                    .remark("Another server than the one that the description was read from: is this where the API is?")
                )
            }
            lines.append(.setting("base", .string(url)))
            addSignIn(description, isElsewhere: isElsewhere && isUndescribed)
            if let errors = description.errors, style != .googleTasks {
                lines += [.gap, .remark("Where errors say what was wrong."), .setting("errors", errors)]
            }
        }

        /// The first of the ways to sign in that the person named, with a key in the query beside it.
        private static func together(_ own: [APIDescription.SignIn]) -> APIDescription.SignIn? {
            guard var first = own.first else { return nil }
            let keys = own.dropFirst().compactMap { $0.setting.members?["key"] }
            let key = keys.first { $0.members?["query"] != nil }
            guard let key, var members = first.setting.members, members["key"] == nil else { return first }
            members["key"] = key
            first.setting = .object(members)
            return first
        }

        /// Where the paths are below: what the person named, else what the description says, where that is a URL.
        private static func base(
            _ named: String?, _ description: APIDescription, _ resources: [FoundResource], _ prefix: [String],
            _ source: String
        ) throws -> String {
            guard let named else {
                if let base = description.base { return ([base] + prefix).joined(separator: "/") }
                let why = description.baseComplaint.map { " (of what it says: \($0))" } ?? ""
                throw CommandFailure.usage(
                    "\(source) does not say where the API is\(why); name the URL that its paths are below with --base URL"
                )
            }
            if let complaint = PathText.baseComplaint(named) { throw CommandFailure.usage("--base: \(complaint)") }
            return URLText.base(named, below: prefix, paths: resources.map { $0.path.segments.map(\.literal) })
        }

        /// Why there is nothing to pull, and how to go on.
        private static func nothing(
            _ description: APIDescription, _ finder: ResourceFinder, _ source: String, _ base: String?
        ) -> CommandFailure {
            let remarks = description.budget.remarks + description.remarks + finder.remarks
            var lines = ["\(source) shows no list of objects that could be pulled"] + remarks.prefix(12)
            if remarks.count > 12 { lines.append("and \(remarks.count - 12) more of the kind") }
            if let orphan = finder.orphans.first {
                let pieces = orphan.path.segments.dropLast().map { $0.literal ?? $0.place?.uppercased() ?? "" }
                let url =
                    base.map { URLText.base($0, below: pieces, paths: []) }
                    ?? ([description.base ?? "URL"] + pieces).joined(separator: "/")
                let name = orphan.path.segments.last?.literal ?? orphan.name
                lines.append(
                    "For one place a file can be begun by hand, with its name in the base: atmos init --base "
                        + "\(url.shellWord) --resource \(name.shellWord)")
            } else {
                lines.append("A file can be begun by hand: atmos init")
            }
            return CommandFailure(code: "unexpectedAnswer", lines, status: ExitStatus.failed)
        }

        /// - Parameter isElsewhere: the secret that the person named was for another server than the base.
        private mutating func addSignIn(_ description: APIDescription, isElsewhere: Bool) {
            guard let first = description.signIn.first else {
                if !description.isOpen {
                    let what =
                        description.asksOtherwise
                        ? "The description asks for credentials in a way of its own, as said above. Where one of these does:"
                        : "The description asks for no credentials. If the API does, one of these:"
                    lines += [.gap, .remark(what)]
                    lines += [
                        .suggestion("auth", ["bearer": "secret:API_TOKEN"]),
                        .suggestion("auth", ["key": ["header": "X-Api-Key", "value": "secret:API_TOKEN"]])
                    ]
                }
                return
            }
            lines += [.gap, .remark("What follows “secret:” is looked up in the environment.")]
            lines += first.remark.map { [.remark($0)] } ?? []
            if isElsewhere {
                lines.append(
                    .remark("It was sent to the server that the description was read from, and not to this one:"))
                lines.append(.suggestion("auth", first.setting))
            } else if description.isOpen {
                lines.append(.remark("Requests without credentials are answered, too; this is for more."))
                lines.append(.suggestion("auth", first.setting))
            } else {
                if description.readsOpenly {
                    lines.append(.remark("Only writing needs it: to read without credentials, comment this out."))
                }
                lines.append(.setting("auth", first.setting))
            }
            for other in description.signIn.dropFirst() { lines.append(.suggestion("auth", other.setting)) }
        }

        /// Texts that every path begins with: they belong to the base.
        private static func commonPrefix(of resources: [FoundResource]) -> [String] {
            var prefix = resources[0].path.segments.dropLast().map { $0.literal }
            for resource in resources {
                let own = resource.path.segments.dropLast().map { $0.literal }
                let shared = zip(prefix, own).prefix { $0 == $1 && $0 != nil }.count
                prefix = Array(prefix.prefix(shared))
            }
            return prefix.prefix { $0 != nil }.compactMap { $0 }
        }
    }

    /// The members that would name an object of each resource.
    struct ReferenceNames {
        private var resources: [String: [String]] = [:]

        init(_ names: [String]) {
            for name in names {
                let singular = name.singular
                for member in [singular, "\(singular)_id", "\(singular)Id"] {
                    resources[member, default: []].append(name)
                }
            }
        }

        /// The first resource that the member can refer to, other than its own.
        func resource(_ member: String, of own: String) -> String? { resources[member]?.first { $0 != own } }
    }
#endif
