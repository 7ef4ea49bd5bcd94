extension ResourceCompiler {
    /// Finds the parents: what a path names, or `parent` does.
    mutating func linkParents(_ resource: inout Resource) {
        let declared = section["parent"].named
        let fields = Dictionary(
            declared.map { ($0.name, $0.section.text ?? "") }, uniquingKeysWith: { first, _ in first })
        var parents: [String] = []
        for (path, place) in paths(of: resource) {
            for case .parent(let entity, let field) in path.parts {
                if entity == name {
                    note(place, "{\(entity).\(field)} names the resource itself; write {\(field)}")
                } else if !entities.contains(entity) {
                    note(place, "{\(entity).\(field)} names no resource\(suggestion(for: entity))")
                } else if fields[entity] == nil {
                    note(
                        place,
                        "{\(entity).\(field)} needs the member that holds it: add parent: { \(entity): MEMBER }")
                } else if !parents.contains(entity) {
                    parents.append(entity)
                }
            }
        }
        for (entity, place, _) in declared {
            if !entities.contains(entity) {
                note(place, "“parent.\(entity)” names no resource\(suggestion(for: entity))")
            } else if !parents.contains(entity) {
                parents.append(entity)
            }
        }
        resource.parents = parents.map { Reference(entity: $0, field: fields[$0] ?? "") }
        resource.references = resource.parents
        for (field, _, target) in section["references"].named {
            guard let entity = target.text else { continue }
            if !entities.contains(entity) {
                note(target.place, "“references.\(field)” names no resource \(entity.quoted)\(suggestion(for: entity))")
            }
            let reference = Reference(entity: entity, field: field)
            if !resource.references.contains(reference) { resource.references.append(reference) }
        }
        if resource.isUniquePerParent, resource.parents.isEmpty {
            note(
                section["ids"].place,
                "“ids: per-parent” needs a parent: name one in “path”, as in lists/{lists.id}/\(name)")
        }
    }

    /// Members that belong together win or lose as one: each stands in one list, under one policy.
    private mutating func checkTogether(_ conflict: ConflictRules) {
        var seen: Set<ScalarText> = []
        for group in section["together"].list where group.list.count > 1 {
            for member in group.list {
                guard let name = member.text, !seen.insert(ScalarText(name)).inserted else { continue }
                note(member.place, "“together” has \(name.quoted) twice; let each member stand in one of its lists")
            }
            let names = Set(group.texts.map { ScalarText($0) })
            for (name, _, merge) in section["merge"].named where names.contains(ScalarText(name)) {
                note(
                    merge.place,
                    "“merge.\(name)” has no use: \(name.quoted) stands in “together”, and wins or loses with the others of its "
                        + "list; remove it from one of the two")
            }
            var first: (name: String, policy: ConflictRules.Policy)?
            for (name, _, entry) in section["conflict"]["fields"].named where names.contains(ScalarText(name)) {
                let own = conflict.fields[name] ?? .merge
                let policy = own == .merge ? conflict.clash : own
                guard let other = first else {
                    first = (name, policy)
                    continue
                }
                guard policy != other.policy else { continue }
                note(
                    entry.place,
                    "“conflict.fields.\(name)” is \(policy.rawValue), and “conflict.fields.\(other.name)” is "
                        + "\(other.policy.rawValue): both stand in one list of “together”, which wins or loses as one; write "
                        + "the same for both")
            }
        }
    }

    /// `newest` compares the time that the application gives an edit.
    private mutating func checkNewest(_ resource: Resource) {
        let rules = resource.conflict
        guard let time = rules.time, resource.update.isOffered, resource.fixed.contains(time),
            ([rules.policy, rules.clash] + rules.fields.values).contains(.newest)
        else { return }
        note(
            section["conflict"]["time"].place,
            "“conflict.time”: no edit can set \(time.quoted), which the server alone sets (readonly, or the version), so "
                + "“newest” never knows when one was made; name a member that the application sets with each edit, or "
                + "choose another policy")
    }

    /// What single values cannot show.
    mutating func check(_ resource: Resource) {
        checkPlaces(resource)
        checkBodies(resource)
        checkQueries(resource)
        checkListBody(resource)
        if let node = section.node { checkXPaths(node, .map(RouteVocabulary.resource), resource.format) }
        checkDashes(resource)
        checkElementNames(resource)
        checkActions(resource)
        checkViews(resource)
        checkBatches(resource)
        checkAttachments(resource)
        checkTombstones(resource)
        checkTogether(resource.conflict)
        checkNewest(resource)
        if resource.deletes.byAbsence, !resource.list.isOffered {
            note(
                section["deletes"]["absent"].place, "“deletes: absent” needs “list”, which this resource does not offer"
            )
        }
        if resource.lease?.token != nil, resource.batches.contains(where: { $0.update != nil || $0.delete != nil }) {
            note(
                section["lease"]["token"].place,
                "“lease.token” goes into a header of each write, and “batch” sends several in one request; leave "
                    + "“update” and “delete” out of “batch”")
        }
        checkLease(resource)
        checkLookup(resource)
        if let lookup = resource.lookup, resource.create.isOffered,
            resource.recovery == .lookUp || resource.isFoundByPulls(carrying: resource.marks)
        {
            let key = resource.create.without.contains(lookup.field) ? "create.without" : "readonly"
            if resource.neverSent.union(resource.create.without).contains(lookup.field) {
                note(
                    section["lookup"]["field"].place,
                    "“lookup.field”: no create carries \(lookup.field.quoted)"
                        + (key == "create.without" || resource.readonly.contains(lookup.field)
                            ? ", for it stands in “\(key)”" : "")
                        + "; name a member that the client sets and the server keeps")
            }
        }
        let writes = resource.update.isOffered || resource.delete.isOffered
        if resource.version == .compare, writes, !resource.read.isOffered {
            let isWritten = section["version"].place.source == place.source
            note(
                section[isWritten ? "version" : "read"].place,
                "“version: compare” needs “read”, which this resource does not offer; write version: none")
        }
    }

    private mutating func checkLookup(_ resource: Resource) {
        guard resource.lookup != nil else { return }
        if !resource.list.isOffered {
            note(section["lookup"].place, "“lookup” needs “list”, which this resource does not offer")
        }
        if resource.lookup?.parameter == nil {
            for name in ["without", "path", "items", "prefix", "quotes", "suffix"]
            where section["lookup"][name].isPresent {
                note(
                    section["lookup"][name].place,
                    "“lookup.\(name)” has no use without “lookup.query”: nothing is asked for by the value then; write "
                        + "“query”, or remove it")
            }
        }
        if resource.lookup?.path != nil, section["lookup"]["without"].isPresent {
            note(
                section["lookup"]["without"].place,
                "“lookup.without” has no use with “lookup.path”, where nothing of the list’s query is sent; leave "
                    + "one out")
        }
        if resource.lookup?.path == nil, section["lookup"]["items"].isPresent {
            note(
                section["lookup"]["items"].place,
                "“lookup.items” has no use without “lookup.path”: what the list answers has its objects at “items”")
        }
        let known = Set(resource.list.query.map(\.name))
        for name in section["lookup"]["without"].texts where !known.contains(name) {
            let sent = resource.list.query.map(\.name.quoted).joined(separator: ", ")
            note(
                section["lookup"]["without"].place,
                "“lookup.without”: the list sends no \(name.quoted)"
                    + (sent.isEmpty ? ", and no other parameter of “query”" : "; name one of \(sent)"))
        }
    }

    /// Parameters are names, and a view without a list of its own needs the entity's.
    private mutating func checkViews(_ resource: Resource) {
        for view in resource.views {
            let section = section["views"][view.name]
            if !resource.list.isOffered, view.path == nil {
                note(section.place, "“views.\(view.name)” needs “path”, for this resource does not offer “list”")
            }
            for (name, place, value) in section["query"].named {
                if let open = View.openPlace(in: value.text ?? "") {
                    note(
                        place,
                        "“views.\(view.name).query.\(name)”: “{” without “}” in \((value.text ?? "").quoted)"
                            + (open.utf8.count > 64 ? "" : "; write {\(open)}"))
                }
                for parameter in View.places(in: value.text ?? "") where !parameter.isIdentifier(with: "-") {
                    note(
                        place,
                        "“views.\(view.name).query.\(name)”: {\(parameter)} is no parameter; use letters, digits, "
                            + "“_” and “-”")
                }
            }
        }
    }

    /// A member has one way to the server, and a change belongs to an object.
    private mutating func checkActions(_ resource: Resource) {
        var ways: [String: String] = [:]
        for action in resource.actions {
            let section = section["actions"][action.name]
            if !action.arguments.isEmpty, !action.path.namesObject {
                note(
                    section["when"].place,
                    "“actions.\(action.name).when” needs {id} in the path: a change belongs to one object")
            }
            for name in action.arguments {
                if let other = ways[name] {
                    note(
                        section["when"].place,
                        "a change of \(name.quoted) is sent by the action \(other.quoted) already; name it in one “when”"
                    )
                } else {
                    ways[name] = action.name
                }
            }
            checkEffects(of: action, section["sets"], resource)
            for name in action.body ?? [] {
                if action.query.contains(name) {
                    note(section["body"].place, "\(name.quoted) stands in “query” and in “body”; keep one")
                } else if ["GET", "DELETE"].contains(action.method) {
                    note(section["body"].place, "a \(action.method) has no body; name \(name.quoted) in “query”")
                }
            }
        }
    }

    /// What an action sets here is nobody's edit, and is called for by one.
    private mutating func checkEffects(of action: Action, _ sets: RouteSection, _ resource: Resource) {
        guard sets.isPresent else { return }
        let key = "actions.\(action.name).sets"
        if action.arguments.isEmpty {
            note(sets.place, "“\(key)” needs “when”: what the action sets here stands as long as an edit calls for it")
        }
        let own = MemberNames([resource.idField, resource.lookup?.field].compactMap { $0 })
        let edited = resource.actionMembers.union(own).union((resource.parents + resource.references).map(\.field))
        for (name, _, value) in sets.named {
            if edited.contains(name) {
                note(
                    value.place,
                    "“\(key).\(name)” sets a member that edits set: the identifier, a reference, the one to look up by, or "
                        + "one of a “when”; remove it")
            }
            if case .map = value.node?.content, !value["behind"].isPresent,
                value.named.contains(where: { !$0.section.isPresent })
            {
                note(
                    value.place,
                    "“\(key).\(name)” is a map with nothing in it; write a text in quotes: \"{now}\", \"{none}\" or "
                        + "\"{MEMBER}\"")
            }
            guard value["behind"].isPresent else { continue }
            if let behind = value["behind"].text, !action.arguments.contains(behind) {
                note(
                    value["behind"].place,
                    "“\(key).\(name).behind” needs a member of “when”; \(behind.quoted) is none")
            }
            switch resource.fields.types[name] ?? .json {
            case .string, .decimal, .float: break
            case .json:
                note(
                    value.place,
                    "“\(key).\(name)” has “behind”, and \(name.quoted) has no declared type to be sorted by; name it in "
                        + "“types”: types: { \(name): string }, or decimal, float")
            case let type:
                note(
                    value.place,
                    "“\(key).\(name)” has “behind”, and not all values of type \(type.rawValue) have another one between "
                        + "them; declare it in “types” as string, decimal or float")
            }
            for other in value.named where !["behind", "among"].contains(other.name) {
                note(other.place, "“\(key).\(name)” has “behind” and “among”, and no \(other.name.quoted); remove it")
            }
        }
    }

    /// What `set`, `with` and `without` say of one body has to fit together.
    private mutating func checkBodies(_ resource: Resource) {
        for (name, operation) in [
            ("create", resource.create), ("update", resource.update), ("delete", resource.delete)
        ] {
            let section = section[name]
            for (member, place, value) in section["set"].named {
                guard let text = value.text, text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 else { continue }
                note(
                    place,
                    "“\(name).set.\(member)” would send the text \(text) as it stands; for the object’s own member "
                        + "write with: [\(text.dropFirst().dropLast())]")
            }
            for member in operation.with where operation.without.contains(member) {
                note(section["without"].place, "\(member.quoted) stands in “with” and in “without”; keep one")
            }
            if name == "create", resource.assigned == .server, let id = resource.idField, operation.with.contains(id) {
                note(
                    section["with"].place,
                    "“create.with” cannot have \(id.quoted): the server gives it; where the client does, write "
                        + "id: { field: \(id), assigned: client }")
            }
        }
    }

    /// A value of a query or a header has the places that its request can fill.
    private mutating func checkQueries(_ resource: Resource) {
        checkPlaces("query", section["query"], of: resource.list, resource)
        for (name, operation) in resource.operations {
            for key in ["query", "headers"] {
                checkPlaces("\(name).\(key)", section[name][key], of: operation, resource)
            }
        }
        for key in ["query", "full-query"] {
            checkPlaces("since.\(key)", section["since"][key], of: nil, resource)
        }
        checkTombstonePlaces(resource)
        checkPlaces("headers", section["headers"], of: nil, resource)
    }

    /// - Parameter operation: the request that fills the places; nil where none does.
    mutating func checkPlaces(
        _ key: String, _ texts: RouteSection, of operation: Operation?, _ resource: Resource
    ) {
        for (name, _, value) in texts.named {
            let text = NamedText(name: name, value: value.text ?? "")
            if text.value.hasPrefix("secret:"), !key.hasSuffix("headers") {
                note(
                    value.place,
                    "“\(key).\(name)” cannot hold a secret, and would send this text as it stands; write "
                        + "auth: { key: { query: \(name), value: secret:NAME } }")
            }
            for part in text.template.parts {
                guard let reason = reason(against: part, key, of: operation, resource) else { continue }
                note(value.place, "“\(key).\(name)” \(reason)")
            }
        }
    }

    /// Why nothing can fill a place; nil where something can.
    private func reason(
        against part: PathTemplate.Part, _ key: String, of operation: Operation?, _ resource: Resource
    ) -> String? {
        let isList = key == "query" || key.hasPrefix("list.") || key == "deletes.list.query"
        switch part {
        case .literal: return nil
        case .parent where operation != nil: return nil
        case .field(NamedText.version) where key.hasPrefix("update.") || key.hasPrefix("delete."):
            switch resource.version {
            case .none, .compare:
                return
                    "needs to know the version: write version: { field: MEMBER, send: none }, or header: NAME where a "
                    + "header says it"
            case .ifMatch, .body, .token: return nil
            }
        case .field("id") where key.hasPrefix("create.") && resource.assigned == .server:
            return "has {id}, which the server assigns; write id: { assigned: client }"
        case .field(let name) where operation != nil && !isList && name != NamedText.version: return nil
        case .field, .parent:
            let place = PathTemplate(parts: [part])
            let remedy =
                isList
                ? "a list has no object to take it from; for a parent’s write {ENTITY.id}"
                : "it has a place in the “query” and the “headers” of an operation that knows it, and {version} in those of "
                    + "“update” and “delete”"
            return "would send the text \(place) as it stands: \(remedy)"
        }
    }

    /// An XPath names the root element, which JSON does not have; in XML no name has a slash in it.
    private mutating func checkXPaths(_ node: RouteNode, _ shape: RouteShape, _ format: String) {
        switch (shape, node.content) {
        case (.leaf(.selector), .scalar(let text, _))
        where format == "xml" && text.contains("/") && !text.hasPrefix("/") && !text.hasPrefix("./"):
            guard (try? JSONPath(text)) != nil, !text.contains("[") else { return }
            note(node.place, "\(text.quoted) is read as one name, which has a slash in it; write ./ in front of it")
        case (.leaf(.selector), .scalar(let text, _))
        where format == "json" && (text.hasPrefix("/") || text.hasPrefix("./")):
            guard (try? JSONPath(text)) != nil else { return }
            note(
                node.place,
                "\(text.quoted) is an XPath, and bodies are JSON: write names with dots, such as $.data.items")
        case (.map(let map), .map(let entries)):
            for entry in entries { if let key = map.key(entry.key) { checkXPaths(entry.node, key.shape, format) } }
        case (.list(let element, _), .list(let elements)):
            for each in elements { checkXPaths(each, element, format) }
        case (.named(_, let value), .map(let entries)):
            for entry in entries { checkXPaths(entry.node, value, format) }
        default: break
        }
    }

    /// A list that is asked for with a body has its parameters there.
    private mutating func checkListBody(_ resource: Resource) {
        guard !resource.list.set.isEmpty else {
            if section["list"]["parameters"].isPresent {
                note(
                    section["list"]["parameters"].place,
                    "“list.parameters” has no use without “list.set”: a list without a body has its parameters "
                        + "in the query")
            }
            return
        }
        if resource.list.method == "GET" || resource.list.method == "DELETE" {
            note(
                section["list"]["set"].place,
                "“list.set” is the body of the request, and a \(resource.list.method) has none; write method: POST")
        }
        guard !resource.list.keepsParametersInQuery else { return }
        let pages = section["pages"]
        for (name, parameter) in [
            ("pages.parameter", pages["parameter"]), ("pages.size.parameter", pages["size"]["parameter"]),
            ("since.send", section["since"]["send"]), ("lookup.query", section["lookup"]["query"])
        ] {
            guard let text = parameter.text, name != "lookup.query" || resource.lookup?.path == nil else { continue }
            let path = try? JSONPath(text)
            let body = Value.object(resource.list.set)
            if let path, case .some = body.putting(.null, at: path.steps[...]) { continue }
            note(
                parameter.place,
                "\(name.quoted) goes into the body of “list.set”, where \(text) is no place: write a name, or a path to "
                    + "one in what stands there, such as zones[0].token")
        }
    }

    /// A list has no object whose members could fill a place, and a write to one object must name it: a DELETE of the
    /// collection would be a disaster.
    private mutating func checkPlaces(_ resource: Resource) {
        for (path, place) in paths(of: resource) where path.description.contains("{path}") {
            guard path.parts.contains(.field("path")), !resource.namedMembers.contains("path") else { continue }
            note(
                place,
                "{path} in \(path.description.quoted) is the resource’s path at the beginning alone; write the path itself, for a member "
                    + "called “path” declare it: types: { path: string }")
        }
        if resource.list.isOffered, let field = resource.list.path.firstField {
            note(
                section["list"]["path"].place,
                "the path of a list cannot have {\(field)}: there is no object to take it from; for a parent’s write "
                    + "{ENTITY.\(field)}")
        }
        if let field = resource.deletes.list?.list.path.firstField {
            note(
                section["deletes"]["list"]["path"].place,
                "the path of a list cannot have {\(field)}: there is no object to take it from; for a parent’s write "
                    + "{ENTITY.\(field)}")
        }
        let place = section["create"]["path"].place
        if resource.create.isOffered, resource.create.path.firstField == "id", resource.assigned == .server {
            note(place, "the path of “create” has {id}, which the server assigns; write id: { assigned: client }")
        }
        for (name, operation) in [("read", resource.read), ("update", resource.update), ("delete", resource.delete)]
        where operation.isOffered && section[name]["path"].path != nil {
            guard let field = operation.path.firstField else {
                guard !operation.namesObjectBesidePath, !namesObjectInBody(name, operation, resource) else { continue }
                note(
                    section[name]["path"].place,
                    "the path of \(name.quoted) names no object; end it with /{id}, or name it elsewhere: "
                        + "query: { PARAMETER: \"{id}\" }"
                        + (name == "read" ? "" : ", or in the body of a POST, with: [\(resource.idField ?? "id")]"))
                continue
            }
            // Nothing else can be known to be a mistake: any member may stand in a path.
            let isMisspelt = field != "id" && field.lowercased().sorted() == ["d", "i"] && field != resource.idField
            if isMisspelt, !resource.namedMembers.contains(field) {
                note(
                    section[name]["path"].place,
                    "the path of \(name.quoted) has {\(field)}; did you mean {id}? A member of that name would have to "
                        + "stand under “types”")
            }
        }
    }

    /// Whether a write says in its body which object is meant; a DELETE need not be read with one.
    private func namesObjectInBody(_ name: String, _ operation: Operation, _ resource: Resource) -> Bool {
        guard name != "read", operation.method != "DELETE", let id = resource.idField else { return false }
        return operation.with.contains(id)
    }

    /// Every path with its place, the list's first.
    private func paths(of resource: Resource) -> [(PathTemplate, RoutePlace)] {
        let ofOperations = resource.operations.map { name, operation in
            (operation.path, section[name]["path"].place)
        }
        let ofViews = resource.views.compactMap { view in
            view.path.map { ($0, section["views"][view.name]["path"].place) }
        }
        let ofTombstones =
            resource.deletes.list.map { [($0.list.path, section["deletes"]["list"]["path"].place)] } ?? []
        let ofLookup = resource.lookup?.path.map { [($0, section["lookup"]["path"].place)] } ?? []
        let ofActions = resource.actions.map { action in
            (action.path, section["actions"][action.name][action.method.lowercased()].place)
        }
        let ofBatches = zip(resource.batches, batchSections).map { ($0.path, $1.section[$0.method.lowercased()].place) }
        let ofLease = (resource.lease?.requests ?? []).flatMap { name, request -> [(PathTemplate, RoutePlace)] in
            let place = section["lease"][name][request.method.lowercased()].place
            return ([request.path] + request.besidePath.map(\.template)).map { ($0.withoutLease, place) }
        }
        // What stands beside the path names parents just the same.
        let besidePaths = resource.operations.flatMap { name, operation in
            operation.besidePath.map { text in
                let places = ["query", "headers"].map { section[name][$0][text.name] } + [section["query"][text.name]]
                return (text.template, places.first(where: \.isPresent)?.place ?? section[name].place)
            }
        }
        return ofOperations + besidePaths + ofTombstones + ofLookup + ofActions + ofBatches + ofViews + ofLease
            + attachmentPaths(of: resource)
    }

    private func suggestion(for entity: String) -> String {
        if let near = NearestName.of(entity, among: entities) { return "; did you mean \(near.quoted)?" }
        return entities.count <= 12 ? "; there are: \(entities.joined(separator: ", "))" : ""
    }
}
