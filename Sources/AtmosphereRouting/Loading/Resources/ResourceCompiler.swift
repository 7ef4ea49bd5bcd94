/// Turns one resource's completed map into the typed model.
struct ResourceCompiler {
    let name: String
    let place: RoutePlace
    let section: RouteSection
    /// The names of all resources.
    let entities: [String]
    var problems: [RouteFileError.Problem] = []

    init(_ entry: RouteNode.Entry, among entities: [String]) {
        name = entry.key
        place = entry.place
        section = RouteSection(entry.node)
        self.entities = entities
    }

    mutating func compile() -> Resource {
        var resource = Resource(
            name: name, list: operation("list"), read: operation("read"), create: operation("create"),
            update: operation("update"), delete: operation("delete"))
        resource.list.query = section["query"].namedTexts.overridden(by: resource.list.query)
        resource.format = section["format"].text ?? resource.format
        resource.coding = section["coding"].text ?? resource.format
        resource.mediaType = section["media-type"].text
        resource.xml.root = section["xml"]["root"].text
        resource.xml.item = section["xml"]["item"].text
        resource.xml.writesTypes = section["xml"]["types"].isTrue
        resource.xml.dashesNames = section["xml"]["dashes"].isTrue
        resource.xml.hasAttributes = section["xml"]["attributes"].isTrue
        resource.xml.lists = xmlLists(section["xml"]["lists"])
        resource.headers = section["headers"].namedTexts
        resource.id = section["id"]["field"].selector ?? resource.id
        resource.assigned = section["id"]["assigned"].word(.server)
        resource.isIDLink = section["id"]["link"].isTrue
        for (name, _, form) in section["links"].named { resource.links[name] = form.word(.url) }
        resource.isUniquePerParent = section["ids"].text == "per-parent"
        resource.items = section["items"]["path"].selector
        resource.areItemsOptional = section["items"]["optional"].isTrue
        resource.failedItems = section["items"]["failed"].selector
        resource.item = section["item"].selector
        resource.readRoot = section["root"]["read"].text
        resource.writeRoot = section["root"]["write"].text
        resource.paging = paging(section["pages"])
        if section["pages"]["end-status"].isPresent {
            resource.endStatuses = section["pages"]["end-status"].list.compactMap(\.whole)
        }
        resource.more = answerPlace(section["pages"]["more"])
        resource.moreSaysEnd = section["pages"]["more"]["equals"].text == "false"
        resource.detail = section["detail"].word(.onChange)
        resource.since = since(section["since"])
        resource.deletes = deletes(section["deletes"])
        resource.deletes.list = tombstones(section["deletes"]["list"], of: resource)
        resource.version = version(section["version"])
        resource.versionQuotes = section["version"]["quotes"].word(.keep)
        resource.versionStep = section["version"]["add"].whole ?? 0
        resource.weakVersions = section["version"]["weak"].text.flatMap { WeakVersions(rawValue: $0) }
        resource.readonly = MemberNames(section["readonly"].texts)
        resource.writeonly = MemberNames(section["writeonly"].texts)
        resource.lookup = lookup(section["lookup"])
        resource.duplicate = duplicate(section["duplicate"])
        resource.conflict = conflict(section["conflict"])
        resource.fields = fields()
        resource.indexes = indexes(resource.fields.types)
        resource.mapping = mapping(section["fields"])
        if let since = resource.since, case .field(let path) = since.origin,
            let type = resource.mapping.name(at: path).flatMap({ resource.fields.types[$0] })
        {
            resource.since?.fieldType = type
            if since.format == nil, type.decimalsOfSecond != nil {
                resource.since?.format = try? TimeFormat(type.rawValue)
            }
        }
        resource.errors = errors(section["errors"])
        resource.lease = lease(section["lease"])
        resource.retention = retention(section["retention"], resource.fields)
        resource.actions = section["actions"].named.map { action($0.name, $0.section) }
        resource.views = section["views"].named.map { view in
            View(name: view.name, path: view.section["path"].path, query: view.section["query"].namedTexts)
        }
        resource.batches = zip(batches(), batchSections).map { batch, named in
            matchedByIdentifier(batch, named.section["results"].list, of: resource)
        }
        resource.attachments = attachments(section["attachments"])
        for attachment in resource.attachments {
            resource.fields.identities[attachment.name] = attachment.identity
        }
        resource.fields.links = Set(resource.links.keys)
        linkParents(&resource)
        check(resource)
        return resource
    }

    private func operation(_ name: String) -> Operation {
        let section = section[name]
        var operation = Operation(
            method: section["method"].text ?? "GET", path: section["path"].path ?? PathTemplate(parts: []))
        operation.isOffered = section.isPresent
        operation.body = section["body"].word(.none)
        operation.query = section["query"].namedTexts
        operation.headers = section["headers"].namedTexts
        operation.item = section["item"].selector
        operation.id = section["id"].selector
        operation.set = Value.Members(section["set"].named.map { .init(name: $0.name, value: $0.section.value) })
        operation.keepsParametersInQuery = section["parameters"].text == "query"
        operation.with = section["with"].texts
        operation.without = MemberNames(section["without"].texts)
        operation.isConditional = section["conditional"].isTrue
        operation.shape = section["shape"].word(.whole)
        operation.idempotencyHeader = section["idempotency-header"].text
        return operation
    }

    /// - Parameter name: what messages call the section.
    mutating func paging(_ section: RouteSection, _ name: String = "pages") -> Paging {
        for key in ["next", "more", "total", "total-pages"] { checkSingle(section[key]["body"], "\(name).\(key)") }
        let parameter = section["parameter"].text ?? ""
        let next = answerPlace(section["next"]) ?? .member("next")
        let total =
            answerPlace(section["total"]).map(Paging.Total.items)
            ?? answerPlace(section["total-pages"]).map(Paging.Total.pages)
        var size: Paging.Size?
        if let name = section["size"]["parameter"].text, let value = section["size"]["value"].whole {
            size = Paging.Size(parameter: name, value: value)
        }
        switch section["kind"].text {
        case "number":
            return .number(parameter: parameter, first: section["first"].whole ?? 1, size: size, total: total)
        case "offset":
            if !section["size"].isPresent {
                note(section.place, "\(name.quoted) of the kind “offset” needs “size”: the offset grows by it")
            }
            return .offset(parameter: parameter, size: size ?? Paging.Size(parameter: "", value: 1), total: total)
        case "link-body":
            guard case .body(let path) = next else {
                note(
                    section["next"]["header"].place,
                    "a link in a header is of the kind “link-header”: write header: NAME")
                return .none
            }
            return .bodyLink(next: path, size: size, total: total)
        case "link-header": return .headerLink(name: section["header"].text ?? "Link", size: size, total: total)
        case "token": return .token(next: next, parameter: parameter, size: size, total: total)
        default: return .none
        }
    }

    private mutating func retention(_ section: RouteSection, _ fields: FieldRules) -> Retention? {
        guard let keep = section["keep"].duration, let field = section["by"].text else { return nil }
        guard let type = fields.types[field], type.isMoment || type == .date else {
            note(
                section["by"].place,
                "“retention.by” needs a member that is declared as a time: add types: { \(field): instant }, or date")
            return nil
        }
        return Retention(keep: keep, field: field)
    }

    /// A place where one value is taken from.
    private mutating func checkSingle(_ section: RouteSection, _ name: String) {
        guard let path = section.selector, path.steps.contains(.all) else { return }
        note(
            section.place,
            "\(name.quoted) leads to several values, of which only the first would count: write [0] for the first, or [-1] "
                + "for the last, in the place of [*]")
    }

    func answerPlace(_ section: RouteSection) -> Paging.Place? {
        section["body"].selector.map(Paging.Place.body) ?? section["header"].text.map(Paging.Place.header)
    }

    /// - Parameter name: what messages call the section.
    mutating func since(_ section: RouteSection, _ name: String = "since") -> Since? {
        guard let parameter = section["send"].text else { return nil }
        let from = section["from"]
        checkSingle(from["body"], "\(name).from.body")
        let origin: Since.Origin =
            if let field = from["field"].selector {
                .field(field)
            } else if let header = from["header"].text {
                .header(header)
            } else if let body = from["body"].selector {
                .body(body)
            } else {
                .responseDate
            }
        var since = Since(parameter: parameter, origin: origin)
        since.takesLastPage = from["page"].text == "last"
        since.overlap = section["overlap"].duration ?? since.overlap
        since.expires = section["expires"].duration
        since.fullEvery = section["full-every"].duration
        since.query = section["query"].namedTexts
        since.fullQuery = section["full-query"].namedTexts
        since.isAscending = section["order"].text == "cursor-ascending"
        if since.isAscending, from["field"].selector == nil {
            note(
                section["order"].place, "“\(name).order: cursor-ascending” needs “\(name).from.field”: the sorted field"
            )
        }
        since.format = section["format"].text.flatMap { try? TimeFormat($0) }
        since.prefix = section["prefix"].text ?? ""
        since.quotes = section["quotes"].word(.none)
        since.suffix = section["suffix"].text ?? ""
        return since
    }

    private mutating func deletes(_ section: RouteSection) -> Deletes {
        var deletes = Deletes()
        deletes.byAbsence = section["absent"].isTrue
        deletes.onlineOnly = section["online"].isTrue
        deletes.field = section["field"].selector
        if section["equals"].isPresent { deletes.equals = section["equals"].value }
        if !section["field"].isPresent {
            for key in ["equals", "present"] where section[key].isPresent {
                note(section[key].place, "“deletes.\(key)” has no use without “field”")
            }
        }
        return deletes
    }

    private mutating func version(_ section: RouteSection) -> Version {
        if let word = section.text { return word == "none" ? .none : .compare }
        for key in ["quotes", "weak"] where section[key].isPresent && section["send"].text != "if-match" {
            note(section[key].place, "“version.\(key)” has no use without “send: if-match”")
        }
        if let path = section["field"].selector, section["send"].text == "body", path.memberNames == nil {
            note(
                section["field"].place,
                "“version.field” must be made of names, such as meta.version: with “send: body” it is written there too"
            )
        }
        if section["send"].text == "body", !section["field"].isPresent {
            note(section["send"].place, "“version.send: body” needs “field”: the member that goes back in the body")
        }
        let place: Version.Place =
            if let field = section["field"].selector { .field(field) } else {
                .header(section["header"].text ?? "ETag")
            }
        let isOrdered = section["order"].text == "ascending"
        switch (section["send"].text, place) {
        case ("if-match", _): return .ifMatch(place, ordered: isOrdered)
        case ("body", .field(let path)): return .body(path, ordered: isOrdered)
        default: return .token(place, ordered: isOrdered)
        }
    }

    private func lookup(_ section: RouteSection) -> Lookup? {
        guard let field = section["field"].text else { return nil }
        var lookup = Lookup(field: field, parameter: section["query"].text, without: Set(section["without"].texts))
        lookup.knowsWhatHides = section["without"].node != nil
        lookup.path = section["path"].path
        lookup.items = section["items"].selector
        lookup.prefix = section["prefix"].text ?? ""
        lookup.quotes = section["quotes"].word(.none)
        lookup.suffix = section["suffix"].text ?? ""
        return lookup
    }

    private func duplicate(_ section: RouteSection) -> Duplicate? {
        guard section.isPresent else { return nil }
        return Duplicate(statuses: section["status"].list.compactMap(\.whole), field: section["field"].text)
    }

    private mutating func conflict(_ section: RouteSection) -> ConflictRules {
        var conflict = ConflictRules()
        conflict.policy = section["default"].word(.merge)
        conflict.clash = section["clash"].word(.ask)
        conflict.deletedThere = section["deleted-there"].word(.ask)
        conflict.deletedHere = section["deleted-here"].word(.ask)
        conflict.time = section["time"].text
        for (name, _, policy) in section["fields"].named { conflict.fields[name] = policy.word(.merge) }
        let policies = [section["default"], section["clash"]] + section["fields"].named.map(\.section)
        if conflict.time == nil, let newest = policies.first(where: { $0.text == "newest" }) {
            note(newest.place, "the policy “newest” needs “conflict.time”: the member that holds the time of a change")
        }
        return conflict
    }

    private mutating func fields() -> FieldRules {
        var rules = FieldRules()
        for (name, _, type) in section["types"].named { rules.types[name] = type.word(.string) }
        for (name, _, field) in section["fields"].named where field["type"].isPresent {
            if rules.types[name] != nil {
                note(field["type"].place, "the type of \(name.quoted) is declared in “types” too; keep one")
            }
            rules.types[name] = field["type"].word(.string)
        }
        for (name, _, merge) in section["merge"].named { rules.merge[name] = merge.word(.deep) }
        rules.together = section["together"].list.map(\.texts)
        rules.absentEquals = section["absent-equals"].list.map(\.value)
        for group in section["together"].list where group.isList && group.list.count < 2 {
            note(group.place, "“together” needs two members or more in each list: [[latitude, longitude]]")
        }
        return rules
    }

    /// An index is sorted by the type of each of its fields, so it cannot do without.
    private mutating func indexes(_ types: [String: FieldType]) -> [[String]] {
        section["indexes"].list.map { group in
            let names = group.isList ? group.list : [group]
            if names.isEmpty {
                note(group.place, "“indexes” has an empty list; name the fields to sort by: [done, due]")
            }
            for name in names {
                guard let text = name.text, types[text] ?? .json == .json else { continue }
                note(
                    name.place,
                    "“indexes” has \(text.quoted), which has no declared type to be sorted by; name it in “types”, with one "
                        + "of string, integer, decimal, float, boolean, instant, date, seconds, milliseconds, microseconds"
                )
            }
            return names.compactMap(\.text)
        }
    }

    private mutating func mapping(_ section: RouteSection) -> FieldMapping {
        var fields: [FieldMapping.Field] = []
        for (name, place, field) in section.named where name != Self.others {
            let read = fieldPath(field["read"], "fields.\(name).read", isWrittenElsewhere: field["write"].isPresent)
            let write = fieldPath(field["write"], "fields.\(name).write", isWrittenElsewhere: true)
            let nullsHolder = field["null"].text == "holder"
            let beside = Value.Members(field["set"].named.map { .init(name: $0.name, value: $0.section.value) })
            if field["null"].isPresent, write?.steps.count ?? 0 < 2 {
                note(
                    field["null"].place,
                    "“fields.\(name).null” says what becomes of the object that would hold the value where it is written, so "
                        + "“write” must lead into one: write: \(name).id")
            }
            if field["set"].isPresent, write?.steps.count ?? 0 < 2 {
                note(
                    field["set"].place,
                    "“fields.\(name).set” stands beside the value where it is written, so “write” must lead into an object: "
                        + "write: \(name).id")
            }
            guard read != nil || write != nil else { continue }
            let mapped = FieldMapping.Field(
                name: name, read: read ?? .member(name), write: write, beside: beside, nullsHolder: nullsHolder)
            if let other = fields.first(where: { $0.read == mapped.read }) {
                note(place, "\(name.quoted) and \(other.name.quoted) are read from the same place; keep one")
            }
            fields.append(mapped)
        }
        return FieldMapping(fields, others: others(section[Self.others]))
    }

    /// What stands in `fields` for every name that is not there.
    private static let others = "*"

    private mutating func others(_ section: RouteSection) -> FieldMapping.Others? {
        guard section.isPresent else { return nil }
        for key in ["type", "set"] where section[key].isPresent {
            note(section[key].place, "“fields.*.\(key)” would hold for every member; write it for single ones")
        }
        guard let read = othersPlace(section["read"], "fields.*.read") else {
            if !section["read"].isPresent {
                note(section.place, "“fields.*” needs “read”: where the members stand, such as attributes[*]")
            }
            return nil
        }
        guard section["write"].isPresent else { return FieldMapping.Others(read: read) }
        return othersPlace(section["write"], "fields.*.write").map { FieldMapping.Others(read: read, write: $0) }
    }

    /// A path of names with one `[*]`, which is the member's own name.
    private mutating func othersPlace(_ section: RouteSection, _ name: String) -> FieldMapping.Others.Place? {
        guard let steps = section.selector?.steps else { return nil }
        if let star = steps.firstIndex(of: .all), let before = JSONPath(Array(steps[..<star])).memberNames,
            let after = JSONPath(Array(steps[(star + 1)...])).memberNames, !before.isEmpty
        {
            return FieldMapping.Others.Place(before: before, after: after)
        }
        note(
            section.place,
            "\(name.quoted) must be names with one [*] behind the first, which is the member’s own name: attributes[*]")
        return nil
    }

    /// A path that a value can be put at: names, and where the field is written by itself `[0]` and one `[*]`.
    private mutating func fieldPath(
        _ section: RouteSection, _ name: String, isWrittenElsewhere: Bool
    ) -> JSONPath? {
        guard let path = section.selector, path.memberNames == nil || path.steps.isEmpty else {
            return section.selector
        }
        guard !path.steps.isEmpty, isWrittenElsewhere else {
            note(
                section.place,
                "\(name.quoted) must be made of names, such as project.id: a value is written there too"
                    + (path.steps.isEmpty ? "" : "; with “write” beside it, it may have [0] and one [*]"))
            return nil
        }
        let isUsable =
            path.firstMember != nil && path.steps.allSatisfy { $0 == .index(0) || $0 == .all || $0.isMember }
            && path.steps.count { $0 == .all } < 2
        guard isUsable else {
            note(
                section.place,
                "\(name.quoted) must be names with [0] and one [*] at most: labels[*].name, title[0].text")
            return nil
        }
        return path
    }

    /// A path that is made of names alone, so that a value can be put there.
    mutating func members(_ section: RouteSection, _ name: String) -> [String]? {
        guard let path = section.selector else { return nil }
        var names: [String] = []
        for step in path.steps {
            if case .member(let name) = step { names.append(name) }
        }
        guard names.count == path.steps.count, !names.isEmpty else {
            note(
                section.place, "\(name.quoted) must be made of names, such as project.id: a value is written there too")
            return nil
        }
        return names
    }

    private mutating func errors(_ section: RouteSection) -> ErrorRules {
        for (index, rule) in section["rules"].list.enumerated() {
            if rule["equals"].isPresent, !rule["path"].isPresent {
                note(rule["equals"].place, "“errors.rules.equals” has no use without “path”")
            }
            // Every body has the path `$`.
            let tellsApart =
                rule["path"].selector.map { !$0.steps.isEmpty || rule["equals"].isPresent } ?? rule["path"].isPresent
            let successes = rule["status"].list.filter { (200..<300).contains($0.whole ?? 0) }
            guard !tellsApart, let first = successes.first else { continue }
            note(
                first.place,
                "“errors.rules[\(index)]” would take every answer \(first.text ?? "") for an error; say what tells the errors "
                    + "among them: path: $.error")
        }
        return Self.errorRules(section)
    }

    /// What a section `errors` of the completed tree says.
    private static func errorRules(_ section: RouteSection) -> ErrorRules {
        var errors = ErrorRules()
        errors.fields = section["fields"].list.compactMap(\.selector)
        errors.field = section["field"].selector ?? errors.field
        let declared = section["message"].list.compactMap(\.selector)
        if !declared.isEmpty { errors.message = declared }
        errors.messages = section["messages"].list.compactMap(\.selector)
        errors.general = section["general"].texts
        errors.rules = section["rules"].list.map { rule in
            var compiled = ErrorRules.Rule(
                statuses: rule["status"].list.compactMap(\.whole), path: rule["path"].selector,
                values: rule["equals"].list.map(\.value), treatment: rule["treat"].word(.reject))
            compiled.methods = rule["method"].texts
            return compiled
        }
        return errors
    }

    private func action(_ name: String, _ section: RouteSection) -> Action {
        let verb = RouteVocabulary.actionVerbs.first { section[$0].isPresent } ?? "post"
        var action = Action(
            name: name, method: verb.uppercased(), path: section[verb].path ?? PathTemplate(parts: []),
            arguments: section["when"].texts, query: section["query"].texts,
            mayRepeat: section["repeat"].text == "safe")
        if section["body"].isPresent { action.body = section["body"].texts }
        action.root = section["root"].text
        action.changes = section["changes"].texts
        action.sets = section["sets"].named.map { ActionEffect($0.name, effect($0.section)) }
        return action
    }

    private func effect(_ section: RouteSection) -> ActionEffect.Source {
        if section["behind"].isPresent {
            return .place(behind: section["behind"].text ?? "", among: section["among"].texts)
        }
        guard let text = section.text, text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 else {
            return .value(section.value)
        }
        return switch text.dropFirst().dropLast() {
        case "now": .now
        case "none": .absent
        case let name: .member(String(name))
        }
    }

    mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(RouteFileError.Problem(place: place, message: message))
    }
}

extension [NamedText] {
    /// The upper ones replace those of the same name.
    func overridden(by upper: [NamedText]) -> [NamedText] {
        filter { each in !upper.contains { $0.name == each.name } } + upper
    }
}
