/// Turns the completed tree into the typed model, and notes what only shows when everything is seen together.
struct RouteCompiler {
    let settings: RouteNode
    let resources: [RouteNode.Entry]
    let source: String
    private(set) var problems: [RouteFileError.Problem] = []

    init(settings: RouteNode, resources: [RouteNode.Entry], source: String) {
        self.settings = settings
        self.resources = resources
        self.source = source
    }

    mutating func compile() -> RouteFile {
        let section = RouteSection(settings)
        var base = section["base"].text ?? ""
        while base.last == "/" { base.removeLast() }
        var authCompiler = AuthCompiler(section["auth"], base: section["base"])
        let auth = authCompiler.compile()
        let tokens = authCompiler.compileTokens()
        let key = authCompiler.compileKey()
        let renewed = authCompiler.compileRenewed()
        problems += authCompiler.problems
        let compiled = resources.map { entry in
            var compiler = ResourceCompiler(entry, among: resources.map(\.key))
            let resource = compiler.compile()
            problems += compiler.problems
            return resource
        }
        for (resource, entry) in zip(compiled, resources) where resource.retention != nil {
            guard let child = compiled.first(where: { $0.parents.contains { $0.entity == resource.name } }) else {
                continue
            }
            note(
                entry.node["retention"]?.place ?? entry.place,
                "“retention” cannot drop \(resource.name.quoted): \(child.name.quoted) are found below them")
        }
        for (resource, entry) in zip(compiled, resources) where resource.isUniquePerParent {
            let own = Set(resource.parents.map(\.entity))
            for parent in compiled where parent.isUniquePerParent && own.contains(parent.name) {
                guard let missing = parent.parents.first(where: { !own.contains($0.entity) }) else { continue }
                note(
                    entry.node["parent"]?.place ?? entry.place,
                    "\(parent.name) are unique per \(missing.entity) only, so \(resource.name) need that parent, too: add "
                        + "parent: { \(missing.entity): MEMBER }")
            }
        }
        for (resource, entry) in zip(compiled, resources) {
            checkLinks(of: resource, entry, compiled)
            checkActions(of: resource, entry, compiled)
        }
        let order = ResourceOrder(compiled)
        for cycle in order.cycles {
            note(parentPlace(of: cycle[0]), "\(cycle[0].quoted) is its own parent: \(cycle.joined(separator: " → "))")
        }
        var file = RouteFile(
            name: section["name"].text ?? "", source: source, style: section["style"].text ?? "", base: base,
            store: compileStore(section["store"]), transport: compileTransport(section["transport"]),
            auth: auth, tokens: tokens, identity: compileIdentity(section["auth"]["identity"]),
            secrets: SecretSettings(file: section["secrets"]["file"].text), limits: compileLimits(section["limits"]),
            live: compileLive(section["live"]), errors: ErrorRules(sharedBy: compiled),
            resources: problems.isEmpty ? order.sorted : [],
            settings: RouteFile.settings(settings, resources: resources))
        file.key = key
        file.renewed = renewed
        file.signed = section["auth"]["for"].word(.all)
        file.headers = (compiled.first?.headers ?? []).filter { header in
            compiled.allSatisfy { $0.headers.contains(header) }
        }
        return file
    }

    /// A link can be written where it is known what it leads to, and where that is.
    private mutating func checkLinks(of resource: Resource, _ entry: RouteNode.Entry, _ all: [Resource]) {
        for (name, form) in resource.links.sorted(by: { $0.key < $1.key }) where name != resource.idField {
            let place = entry.node["links"]?.place ?? entry.place
            guard let entity = resource.entity(ofLink: name) else {
                note(
                    place,
                    "“links.\(name)” of \(resource.name.quoted) needs to know what it leads to: add references: { \(name): "
                        + "RESOURCE }")
                continue
            }
            guard form != .id, let target = all.first(where: { $0.name == entity }) else { continue }
            let needsMore = target.read.path.parts.contains { part in
                switch part {
                case .literal, .field("id"): false
                case .field, .parent: true
                }
            }
            if needsMore || !target.read.path.namesObject {
                note(
                    place,
                    "“links.\(name): \(form.rawValue)” of \(resource.name.quoted) cannot be written: the path "
                        + "\(target.read.path) of \(entity.quoted) needs more than an identifier; write “id”, if the server "
                        + "takes one")
            }
        }
    }

    /// What an action changes beside its object is found below that.
    private mutating func checkActions(of resource: Resource, _ entry: RouteNode.Entry, _ all: [Resource]) {
        for action in resource.actions {
            let place = entry.node["actions"]?[action.name]?["changes"]?.place ?? entry.place
            for name in action.changes {
                let below = all.first { $0.name == name }
                guard below?.parents.contains(where: { $0.entity == resource.name }) != true else { continue }
                note(
                    place,
                    "“actions.\(action.name).changes” of \(resource.name.quoted): \(name.quoted) are not below them; name "
                        + "a resource that has parent: { \(resource.name): MEMBER }")
            }
        }
    }

    private mutating func compileStore(_ section: RouteSection) -> StoreSettings {
        var store = StoreSettings()
        store.kind = section["kind"].text ?? store.kind
        store.path = filePath(section["path"])
        store.settings = section["settings"].value.members ?? [:]
        return store
    }

    /// The system ends the name of a file at a NUL, and another file would be opened.
    private mutating func filePath(_ section: RouteSection) -> String? {
        guard let path = section.text else { return nil }
        if path.utf8.contains(0) {
            note(section.place, "\(path.quoted) is no path of a file: it holds a NUL; remove it")
        }
        return path
    }

    private mutating func compileTransport(_ section: RouteSection) -> TransportSettings {
        var transport = TransportSettings()
        transport.kind = section["kind"].text ?? transport.kind
        transport.timeout = section["timeout"].duration ?? transport.timeout
        transport.connectTimeout = section["connect-timeout"].duration ?? transport.connectTimeout
        transport.path = filePath(section["path"])
        transport.matching = section["matching"].text ?? transport.matching
        transport.settings = section["settings"].value.members ?? [:]
        for key in ["timeout", "connect-timeout"] where section[key].duration == .zero {
            note(section[key].place, "“transport.\(key)” must be longer than zero")
        }
        return transport
    }

    private func compileIdentity(_ section: RouteSection) -> IdentityCheck? {
        guard let path = section["path"].text, let field = section["field"].selector else { return nil }
        return IdentityCheck(path: PathText.normalized(path), field: field)
    }

    private func compileLive(_ section: RouteSection) -> LiveSettings? {
        guard let url = section["url"].text else { return nil }
        var live = LiveSettings(url: url, key: section["key"].secret)
        live.kind = section["kind"].text ?? live.kind
        live.rooms = section["rooms"].texts
        live.transports = section["transports"].word(live.transports)
        live.proxy = section["proxy"].text
        live.certificates = section["certificates"].text
        let publish = section["publish"]
        live.publish = publish["url"].text
        live.publishKey = publish["key"].isPresent ? publish["key"].secret : nil
        return live
    }

    private func compileLimits(_ section: RouteSection) -> Limits {
        var limits = Limits()
        limits.concurrent = section["concurrent"].whole ?? limits.concurrent
        limits.rate = section["rate"].rate
        limits.remaining = section["remaining"].text ?? limits.remaining
        limits.reset = section["reset"].text ?? limits.reset
        limits.body = section["body"].size ?? limits.body
        limits.depth = section["depth"].whole ?? limits.depth
        limits.values = section["values"].whole ?? limits.values
        limits.attempts = section["attempts"].whole ?? limits.attempts
        limits.pages = section["pages"].whole ?? limits.pages
        return limits
    }

    private func parentPlace(of name: String) -> RoutePlace {
        guard let entry = resources.first(where: { $0.key == name }) else { return settings.place }
        return entry.node["parent"]?.place ?? entry.place
    }

    private mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(RouteFileError.Problem(place: place, message: message))
    }
}
