/// Names that the route file declares and that nothing on the first page has: most often mistaken ones, and right where
/// only some objects have the member. So they are remarks, and no failures.
extension ResourceCheck {
    mutating func checkNames(_ page: Page, _ reply: ResourceClient.Reply) {
        checkPages(reply)
        checkDashes(reply)
        let records = page.items.filter { !$0.isDeleted }.map { page.record($0) }
        guard !records.isEmpty else { return }
        checkLists(records)
        checkUnread(records)
        checkTypes(records)
        checkEffects(records)
        let all = Set(records.flatMap(\.members.names)).union(page.items.isEmpty ? [] : resource.parents.map(\.field))
        let seen = MemberNames(records.flatMap { resource.mapping.members(of: $0).names })
        for (setting, names) in declared where !isOfStyle(setting) {
            let missing = names.subtracting(seen).sorted()
            let strange = missing.filter { NearestName.of($0, among: seen) == nil }
            for name in missing where !strange.contains(name) {
                remark("\(setting): no object of the first page has \(name.quoted)", name, among: seen)
            }
            guard !strange.isEmpty else { continue }
            let list = strange.map(\.quoted).joined(separator: ", ")
            remark("\(setting): no object of the first page has \(list)", nil, among: [])
        }
        for (setting, path) in selectors
        where records.allSatisfy({ path.first(in: .object($0.members)) == nil }) && !isOfStyle(setting) {
            remark("\(setting): no object of the first page has \(path)", path.lastMember, among: all)
        }
    }

    /// Whether a linked style says it, of a whole family of APIs: what may be there need not be in each.
    private func isOfStyle(_ setting: String) -> Bool {
        let path = "resources.\(resource.name).\(setting)"
        return client.routeFile.settings.contains { $0.path == path && $0.origin.hasPrefix("style ") }
    }

    /// Settings that name fields, as the application sees them.
    private var declared: [(setting: String, names: MemberNames)] {
        let mapped = MemberNames(resource.mapping.fields.map(\.name))
        let actions = resource.actionMembers
        return [
            ("readonly", resource.readonly.subtracting(actions)),
            ("types", MemberNames(resource.fields.types.keys).subtracting(mapped)),
            ("merge", MemberNames(resource.fields.merge.keys)),
            ("together", MemberNames(resource.fields.together.joined())),
            ("conflict.fields", MemberNames(resource.conflict.fields.keys)),
            ("conflict.time", MemberNames([resource.conflict.time].compactMap { $0 })),
            (
                "references",
                MemberNames(resource.references.filter { !resource.parents.contains($0) }.map(\.field))
                    .subtracting(actions)
            ),
            ("update.without", resource.update.without), ("update.with", MemberNames(resource.update.with))
        ]
    }

    /// Settings that lead into the server's objects.
    private var selectors: [(setting: String, path: JSONPath)] {
        let fields = resource.mapping.fields.filter { $0.read != .member($0.name) || $0.write == nil }
        var found = fields.map { ("fields.\($0.name).read", resource.mapping.path(of: $0.name)) }
        if let path = resource.deletes.field { found.append(("deletes.field", path)) }
        return found
    }

    private mutating func remark(_ what: String, _ name: String?, among known: some Sequence<String>) {
        let near = name.flatMap { NearestName.of($0, among: known.sorted()) }
        let reason = near.map { "did you mean \($0.quoted)?" } ?? "right where it is only there at times"
        report.notes.append("\(what); \(reason)")
    }

    /// Whether the first page says what paging follows.
    private mutating func checkPages(_ reply: ResourceClient.Reply) {
        let body = try? client.extractor(for: resource).value(
            in: reply.body, limits: client.routeFile.limits.json, readsAttributes: resource.xml.hasAttributes)
        var places: [(String, Paging.Place)] = []
        switch resource.paging {
        case .number(_, _, _, let total?), .offset(_, _, let total?):
            switch total {
            // Of a list that XML says to be one the whole shows no attributes.
            case .items(let place): if report.total == nil { places.append(("pages.total", place)) }
            case .pages(let place): places.append(("pages.total-pages", place))
            }
        case .bodyLink(let next, _, _): places.append(("pages.next", .body(next)))
        case .token(let next, _, _, _): places.append(("pages.next", next))
        case .headerLink(let name, _, _): places.append(("pages.header", .header(name)))
        case .none, .number, .offset: break
        }
        for (setting, place) in places {
            switch place {
            case .body(let path):
                guard let body, path.first(in: body) == nil else { continue }
                if let name = path.singleMember, reply.headers[name] != nil {
                    report.notes.append(
                        "\(setting): the first page has no \(path), and a header of that name; write "
                            + "\(setting.split(separator: ".").last ?? ""): { header: \(name) }")
                    continue
                }
                remark(
                    "\(setting): the first page has no \(path)", path.lastMember, among: Set(body.members?.names ?? []))
            case .header(let name):
                guard reply.headers[name] == nil else { continue }
                let known = Set(reply.headers.fields.map(\.name))
                remark("\(setting): the first page has no header \(name)", name, among: known)
            }
        }
    }

    /// Lists in XML without types are known by a declaration alone; written otherwise than they were read, they are lost.
    private mutating func checkLists(_ records: [ObjectRecord]) {
        guard resource.format == "xml", resource.coding == "xml", !resource.xml.writesTypes, resource.xml.item == nil,
            resource.update.isOffered
        else { return }
        var told: Set<String> = []
        for member in records.flatMap(\.members)
        where resource.xml.lists[member.name] == nil && member.name != ObjectRecord.unread {
            let path: String
            switch member.value {
            case .array: path = member.name
            case .object(let inner) where inner.count == 1: path = "\(member.name)/\(inner.names.first ?? "")"
            default: continue
            }
            guard told.insert(member.name).inserted else { continue }
            report.notes.append(
                "xml.lists: \(member.name.quoted) looks like a list; if it is one, add xml: { lists: [\(path)] }, or it is "
                    + "written in another form than it was read in")
        }
    }

    /// Values that are not of the declared type are compared as they stand, so that conditions do not find them.
    private mutating func checkTypes(_ records: [ObjectRecord]) {
        let all = records.map { resource.mapping.members(of: $0) }
        for (name, type) in resource.fields.types.sorted(by: { $0.key < $1.key }) {
            let others = resource.fields.absentEquals
            let odd = all.lazy.compactMap { $0[name] }.first { !type.compares($0) && !others.contains($0) }
            guard let odd, odd != "" else { continue }
            let shown = String(decoding: odd.json().prefix(40), as: UTF8.self)
            report.notes.append(
                "types: \(name.quoted) is declared as \(type), \(type.expectation), and the first page has \(shown): what "
                    + "is no \(type) is compared as it stands")
        }
    }

    /// What an action sets here is carried by no create and no update, which is meant where the server alone sets it.
    private mutating func checkEffects(_ records: [ObjectRecord]) {
        guard resource.create.isOffered || resource.update.isOffered else { return }
        let seen = MemberNames(records.flatMap { resource.mapping.members(of: $0).names })
        for action in resource.actions {
            for name in action.sets.map(\.member) where seen.contains(name) && !resource.readonly.contains(name) {
                report.notes.append(
                    "actions.\(action.name).sets: no edit, create or update sets \(name.quoted); where the server alone sets "
                        + "it, name it under “readonly” too, and where edits set it, leave it out of “sets”")
            }
        }
    }

    /// What the format cannot hold would be gone after an update that sends what is left of it.
    private mutating func checkUnread(_ records: [ObjectRecord]) {
        guard resource.update.isOffered else { return }
        var names: [String] = []
        var seen = Set<ScalarText>()
        for record in records {
            // As an update of the whole sends it: what is never sent is not erased either.
            let never = resource.neverSent.union(resource.update.without)
            let sent = resource.mapping.members(of: record).names.filter { !never.contains($0) }
            let body = resource.mapping.wholeBody(sent, of: resource.mapping.decoded(record), without: never)
            let found = resource.erased(by: body, of: [record])
            names += found.filter { seen.insert(ScalarText($0)).inserted }
        }
        guard !names.isEmpty else { return }
        let what = resource.update.body == .whole ? "updates of such objects" : "updates that would send it"
        let setting = names.contains(where: resource.mapping.readsElements) ? "fields" : "format"
        report.notes.append(
            "\(setting): not everything \(Resource.inside(names)) is read, and \(what) are refused, for they would erase "
                + "the rest on the server; \(resource.remedy(forUnread: names))")
    }

    /// An answer that is taken to hold everything that follows, and says itself that there is more.
    mutating func checkCut(_ page: Page, _ reply: ResourceClient.Reply) {
        guard !report.hasMore, !resource.paging.countsPages,
            let hint = client.moreHint(in: reply, page, of: resource)
        else { return }
        let isNone = resource.paging == .none
        // A cursor that the route file follows is there at the end, too, on some servers.
        guard hint.isSure || isNone else { return }
        if isNone, client.routeFile.declaresPages(of: resource) { return }
        report.isCutOff = hint.isSure
        report.notes.append(
            isNone
                ? "pages: none are declared, and the answer has \(hint.text): if more follows there, what is not on this "
                    + "page is never pulled"
                : "pages: the answer has \(hint.text), and “pages” finds no next page in it; what is not on this page is "
                    + "never pulled")
    }

    /// Members that only a read of the object shows: in a whole list they would be taken for absent.
    mutating func checkLeftOut(_ shown: ObjectRecord?, _ found: Representation) {
        guard resource.list.shape == .whole, let shown, let record = found.record else { return }
        let names = resource.mapping.members(of: record).names
        let known = resource.mapping.members(of: shown)
        let more = names.filter { known[$0] == nil && !resource.readonly.contains($0) }
        guard !more.isEmpty else { return }
        let list = more.prefix(5).map(\.quoted).joined(separator: ", ") + (more.count > 5 ? ", …" : "")
        report.notes.append(
            "list: a read shows members that the list leaves out (\(list)): where they matter write list: { shape: partial }"
        )
    }

    /// Members that only the list shows, or that it shows otherwise: a read after a write would change them here, and the
    /// next pull back.
    mutating func checkShownOtherwise(_ listed: ObjectRecord?, _ found: Representation) {
        guard resource.list.shape == .whole, resource.read.shape == .whole, let listed, let record = found.record else {
            return
        }
        let (row, read) = (resource.mapping.members(of: listed), resource.mapping.members(of: record))
        let parents = Set(resource.parents.map(\.field))
        func names(_ found: [String]) -> String {
            found.prefix(5).map(\.quoted).joined(separator: ", ") + (found.count > 5 ? ", …" : "")
        }
        let gone = row.names.filter { read[$0] == nil && !parents.contains($0) && !(row[$0]?.isNull ?? true) }
        if !gone.isEmpty {
            report.notes.append(
                "read: the list shows members that a read leaves out (\(names(gone))): after each write they would be gone "
                    + "here until the next pull; where they matter write read: { shape: partial }")
        }
        let merge = ThreeWayMerge(resource)
        let others = row.names.filter { read[$0] != nil && !merge.same($0, row[$0], read[$0]) }
        if !others.isEmpty {
            report.notes.append(
                "read: members that the list shows with other values (\(names(others))): right where they change by "
                    + "themselves; else declare their “types”, or where they stand under “fields”")
        }
    }

    /// XML whose names have dashes is read with underscores, and written so unless the route file says otherwise.
    private mutating func checkDashes(_ reply: ResourceClient.Reply) {
        guard resource.format == "xml", resource.coding == "xml", !resource.xml.dashesNames else { return }
        let text = String(decoding: reply.body.prefix(65536), as: UTF8.self)
        guard let tag = text.firstMatch(of: #/<([A-Za-z_]+-[A-Za-z_-]+)[ >/]/#)?.1, tag != "list-item" else { return }
        report.notes.append(
            "xml.dashes: the server writes <\(tag)>, and this route file sends <\(String(tag).underscored)>; for dashes "
                + "write xml: { dashes: true }")
    }

    /// Whether an unchanged list need not be sent again (RFC 9110 §13.1.2).
    mutating func checkListTag(_ request: Request, _ reply: ResourceClient.Reply) async throws {
        guard let tag = reply.headers["ETag"] else { return }
        var conditional = request
        conditional.headers["If-None-Match"] = tag
        let answer = try await client.exchange(conditional, resource: resource)
        let holds = answer.status == 304
        report.findings.append(
            .init(
                "list-not-modified", holds,
                "the list has an ETag, and If-None-Match is answered with \(answer.status)\(holds ? "" : ", not 304")"))
        guard holds, !resource.list.isConditional, !report.hasMore else { return }
        report.notes.append("list: an unchanged list need not be sent again with list: { conditional: true }")
    }
}
