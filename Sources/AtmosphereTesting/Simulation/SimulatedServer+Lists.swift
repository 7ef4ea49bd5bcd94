internal import Atmosphere

extension SimulatedServer {
    static let deletedPerPage = 2

    /// A page of what was deleted, in the order of time; nil for any other request. What has come again under its identifier
    /// stands there all the same, until all comes to rest: each pull would read it.
    func deleted(_ call: Call) -> Answer? {
        let prefix = "deleted-"
        guard model.listsDeleted, call.method == "GET", call.path.count != 2, call.path.count < 4,
            let name = call.path.last, name.hasPrefix(prefix)
        else { return nil }
        let list = call.path.count == 3 ? call.path[1] : nil
        if let list, !rows.contains(where: { $0.entity == "lists" && $0.id == list && !$0.isDeleted }) {
            return refusal(404, "no such list")
        }
        let since = call.parameter("since").flatMap { Instant($0) }?.timestamp.milliseconds
        if since != nil, !world.isCalm, chaos.chance(10) {
            world.count("cursors of deletions given up")
            return refusal(410, "not known any more")
        }
        let found = rows.filter { row in
            row.isDeleted && prefix + row.entity == name && (list == nil || row.list == list)
                && row.updated >= since ?? .min && !(world.isCalm && isBack(row))
        }
        let start = ((call.parameter("page").flatMap { Int($0) } ?? 1) - 1) * Self.deletedPerPage
        let page = found.sorted { $0.updated < $1.updated }.dropFirst(start).prefix(Self.deletedPerPage)
        world.count("deletions listed", page.count)
        let items = page.map { Value.object(["id": identifier($0.id), "at": .string(time($0.updated))]) }
        return Answer(status: 200, body: Value.object(["deleted": .array(items)]).json())
    }

    func listing(_ entity: String, under list: String?, _ call: Call) -> Answer {
        var found = rows.filter { row in
            row.entity == entity && (list == nil || row.list == list) && !isHidden(row, from: call.process)
        }
        let since = call.parameter("since").flatMap { Instant($0) }?.timestamp.milliseconds
        found = found.filter { row in
            guard !row.isDeleted else {
                // One that was created again under its own identifier is no tombstone any more.
                return !isBack(row) && model.deletion == .tombstone && (since != nil || model.since == .none)
                    && row.updated >= since ?? 0
            }
            guard let since else { return true }
            return model.since == .exclusive ? row.updated > since : row.updated >= since
        }
        if let token = call.parameter("token") {
            if model.isBusyAtTimes, !world.isCalm, chaos.chance(15) {
                world.count("look-ups answered with 404")
                return refusal(404, "no such list")
            }
            found = found.filter { !$0.isDeleted && $0.members["token"] == .string(token) }
            ledger.lookedUp.formUnion(found.compactMap { Ledger.mark($0.members) })
            if model.looksUpLate, lookedUp.insert(token).inserted {
                found.removeAll { $0.created > world.now - 2000 }
            }
        }
        // The sort is stable, so rows of one time stand in the order of their creation.
        switch model.since == .ascending ? .created : model.order {
        case .created where model.since == .ascending: found.sort { $0.updated < $1.updated }
        case .created: break
        case .newest: found.sort { $0.updated > $1.updated }
        case .title: found.sort { ($0.members["title"]?.text ?? "") < ($1.members["title"]?.text ?? "") }
        }
        return page(of: found, "\(entity) of \(list ?? "all")", call)
    }

    private func page(of all: [Row], _ list: String, _ call: Call) -> Answer {
        let size = model.pages == .none ? max(1, all.count) : call.parameter("size").flatMap { Int($0) } ?? 100
        var start = 0
        switch model.pages {
        case .none: break
        case .number, .total: start = ((call.parameter("page").flatMap { Int($0) } ?? 1) - 1) * size
        case .offset: start = call.parameter("offset").flatMap { Int($0) } ?? 0
        case .bodyLink, .headerLink, .token:
            start = continuation(call.parameter("token_after"), in: all)
        }
        if start > 0, start >= all.count, model.pages == .number, model.family == .django {
            return refusal(404, "no such page")
        }
        // A look-up is no listing.
        if let client = call.client, model.pages != .none, !model.overlaps, call.parameter("token") == nil {
            shownPages.show(
                all.map(uri), from: start, size: size,
                of: Self.listing(list, since: call.parameter("since"), by: call.process), to: client)
        }
        if let client = call.client, model.hasNoDate, model.since != .none, call.parameter("token") == nil {
            let slack = Int64(model.clockLag) + (model.wholeSeconds ? 1000 : 0)
            shownPages.pass(
                all.prefix(start).map { ($0.updated + slack, uri(of: $0)) },
                of: Self.listing(list, since: call.parameter("since"), by: call.process), at: now, to: client)
        }
        let rows = Array(all.dropFirst(start).prefix(size))
        let isLast = start + rows.count >= all.count
        var answer = Answer(status: 200)
        let items = Value.array(
            rows.map {
                model.family == .rails
                    ? rooted($0, isPart: model.listsPart) : .object(representation($0, isPart: model.listsPart))
            })
        var body: Value.Members = [:]
        switch model.family {
        case .plain, .rails: body["data"] = items
        case .django: body["results"] = items
        case .googleTasks: if !rows.isEmpty { body["items"] = items }
        }
        let next = isLast ? nil : rows.last.map { marker(after: $0, at: start + rows.count) }
        var isBare = model.family == .plain || model.family == .rails
        switch model.pages {
        case .none, .number: break
        case .offset: if model.tellsTotal { answer.headers["X-Total-Count"] = String(all.count) }
        case .total: answer.headers["X-Total-Count"] = String(all.count)
        case .bodyLink:
            if model.tellsTotal { body["count"] = .number(JSONNumber(all.count)) }
            body["next"] = next.map { .string(link(call, $0)) } ?? .null
            isBare = false
        case .headerLink:
            if model.tellsTotal { answer.headers["X-Total-Count"] = String(all.count) }
            if let next { answer.headers["Link"] = "<\(link(call, next))>; rel=\"next\"" }
        case .token:
            if model.tellsTotal { body["count"] = .number(JSONNumber(all.count)) }
            if let next { body["nextPageToken"] = .string(next) }
            isBare = false
        }
        answer.body = (isBare ? items : .object(body)).json()
        if start == 0, !isLast, call.client != nil { unsettle(rows) }
        return answer
    }

    private static func listing(_ list: String, since: String?, by process: String) -> String {
        "\(process) \(list) \(since ?? "")"
    }

    /// Whether a row moved to a page that a process had read, in two listings of everything, one after the other.
    func slidTwice(_ row: Row, for process: String) -> Bool {
        let list = row.entity == "tasks" && model.isNested ? row.list : nil
        let listing = Self.listing("\(row.entity) of \(list ?? "all")", since: nil, by: process)
        return shownPages.slidTwice(uri(of: row), of: listing)
    }

    /// At times somebody deletes a row of a first page while its reader asks for the second, or changes it, so that it may
    /// move behind the others.
    private func unsettle(_ shown: [Row]) {
        guard model.losesRows, !world.isCalm, chaos.chance(50) else { return }
        let victim = chaos.pick(shown)
        guard let index = rows.lastIndex(where: { uri(of: $0) == uri(of: victim) && !$0.isDeleted }) else { return }
        if model.sortsByChange, chaos.chance(50) { return edit(rows[index]) }
        world.note("a user of the server deletes \(uri(of: victim)) while the list is read")
        _ = delete(index, .init(method: "DELETE", path: [], query: [], headers: [:], body: nil, client: nil))
    }

    /// Whether something was created again under the identifier of what was deleted.
    private func isBack(_ row: Row) -> Bool {
        rows.contains {
            !$0.isDeleted && $0.entity == row.entity && $0.id == row.id && (!model.isPerParent || $0.list == row.list)
        }
    }

    /// The address that a client gives a row.
    func uri(of row: Row) -> ObjectURI {
        guard model.isPerParent, row.entity == "tasks" else { return ObjectURI(entity: row.entity, id: row.id) }
        return ObjectURI(entity: row.entity, segments: [row.list ?? "", row.id])
    }

    /// Where the next page begins: behind a row, or at a place.
    private func marker(after row: Row, at place: Int) -> String {
        guard model.hasStablePages else { return model.countsByToken ? String(place) : "at-\(place)" }
        return "after-\(row.updated)-\(birth(of: row))"
    }

    /// Its place in the order of creation. An identifier may come again after its object was deleted; a version never does.
    private func birth(of row: Row) -> Int { rows.firstIndex { $0.version == row.version } ?? 0 }

    private func continuation(_ marker: String?, in all: [Row]) -> Int {
        if let place = marker.flatMap({ Int($0) }) { return place }
        guard let parts = marker?.split(separator: "-"), let first = parts.dropFirst().first.flatMap({ Int64($0) })
        else { return 0 }
        guard parts[0] == "after", parts.count == 3, let born = Int(parts[2]) else { return Int(first) }
        let behind = all.firstIndex { row in
            let place = birth(of: row)
            if model.since == .ascending { return (row.updated, place) > (first, born) }
            // What was changed since stands on top and is not lost: it is newer than the listing.
            if model.order == .newest { return row.updated < first || (row.updated == first && place > born) }
            return place > born
        }
        return behind ?? all.count
    }

    private func link(_ call: Call, _ marker: String) -> String {
        var query = call.query.filter { $0.name != "token_after" }
        query.append(("token_after", marker))
        let text = query.map { "\($0.name)=\(PercentEncoding.query($0.value))" }.joined(separator: "&")
        let base = model.namesInnerHost ? "http://10.0.0.7:8080/v1" : ServerModel.base
        return "\(base)/\(call.path.map { PercentEncoding.segment($0) }.joined(separator: "/"))?\(text)"
    }
}
