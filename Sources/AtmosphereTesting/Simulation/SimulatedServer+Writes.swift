internal import Atmosphere

extension SimulatedServer {
    /// Who uses the server without Atmosphere edits what was created last.
    func editNewest() {
        guard let row = rows.last(where: { !$0.isDeleted && !$0.isLeaving }) else { return }
        edit(row)
    }

    /// Who uses the server without Atmosphere gives a row another title.
    func edit(_ row: Row) {
        var changes: Value.Members = ["title": .string("title \(ledger.newToken())")]
        if !model.patches {
            for member in row.members where changes[member.name] == nil { changes[member.name] = member.value }
        }
        var path = [row.entity, row.id]
        if row.entity == "tasks", model.isNested, let list = row.list { path = ["lists", list] + path }
        world.note("a user of the server: PATCH \(path.joined(separator: "/")) \(Value.object(changes).text)")
        _ = answer(.init(method: "PATCH", path: path, query: [], headers: [:], body: .object(changes), client: nil))
    }

    /// Who uses the server without Atmosphere deletes a list.
    func deleteList(_ id: String) {
        world.note("a user of the server: DELETE lists/\(id)")
        _ = answer(.init(method: "DELETE", path: ["lists", id], query: [], headers: [:], body: nil, client: nil))
    }

    /// What clients may write.
    static let writable = ["title", "notes", "rank", "tags", "mark", "token", "list_id"]

    func create(_ entity: String, under list: String?, id: String?, _ call: Call) -> Answer {
        let key = call.headers["Idempotency-Key"]
        if model.creates == .key, let key, let first = remembered[key] {
            if model.isBusyAtTimes, !world.isCalm, chaos.chance(30) {
                world.count("repeated creates answered as under way")
                return refusal(409, "a request with this key is under way")
            }
            return first
        }
        guard let sent = call.body?.members else { return refusal(400, "a body is needed") }
        let given = model.family == .rails && call.client != nil ? sent.first?.value.members ?? sent : sent
        let own = id ?? (model.creates == .clientID ? given["id"]?.string : nil)
        if let own, rows.contains(where: { $0.entity == entity && $0.id == own && !$0.isDeleted }) {
            return refusal(409, "it exists")
        }
        if model.creates == .lookup, model.isUnique, let token = given["token"]?.string,
            (rows + underWay).contains(where: { !$0.isDeleted && $0.members["token"]?.string == token })
        {
            let body: Value = ["errors": ["token": ["has already been taken"]]]
            return Answer(status: 422, body: body.json())
        }
        var members = accepted(given)
        checkReference(members, call)
        var parent = list
        if entity == "tasks", !model.isNested { parent = members["list_id"]?.text }
        if model.isNested, entity == "tasks", let list { members["list_id"] = identifier(list) }
        revision += 1
        if model.leavesOutTitles, call.client != nil {
            ledger.leavesOut(title: members["title"])
            members["title"] = ""
        }
        let row = Row(
            entity: entity, id: own ?? newIdentifier(entity, under: list), list: parent, members: members,
            updated: clock(), version: revision, created: world.now)
        if model.isSlow, call.client != nil, !world.isCalm, chaos.chance(50) { return accept(row, call) }
        ledger.created(row, by: call.client, rows: rows)
        rows.append(row)
        tell(nil, row)
        world.count("server creates")
        var answer = one(row, status: 201, isWritten: true)
        if model.answersNothing {
            let path = (call.path + (id == nil ? [row.id] : [])).joined(separator: "/")
            answer = Answer(status: 201, headers: ["Location": "\(ServerModel.base)/\(path)"])
        }
        if model.creates == .key, let key { remembered[key] = answer }
        return answer
    }

    /// The answer comes first, and names what is there later.
    private func accept(_ row: Row, _ call: Call) -> Answer {
        world.count("creates accepted for later")
        underWay.append(row)
        world.after(100 + chaos.below(8000)) {
            guard let place = self.underWay.firstIndex(where: { $0.version == row.version }) else { return }
            self.underWay.remove(at: place)
            // With its list it has gone.
            guard row.list == nil || self.rows.contains(where: { $0.id == row.list && !$0.isDeleted }) else { return }
            self.revision += 1
            var row = row
            (row.version, row.updated, row.created) = (self.revision, self.clock(), self.world.now)
            self.ledger.created(row, by: call.client, rows: self.rows)
            self.rows.append(row)
            self.noteAhead(row, at: self.rows.count - 1)
            self.tell(nil, row)
            self.world.count("server creates")
        }
        return Answer(status: 202, body: Value.object(["id": identifier(row.id)]).json())
    }

    private func newIdentifier(_ entity: String, under list: String?) -> String {
        nextID += 1
        var number = nextID
        if model.isPerParent, entity == "tasks" {
            number = (rows + underWay).count { $0.entity == entity && $0.list == list } + 1
        }
        return model.identifiers == .number ? String(number) : "\(entity.prefix(1)).\(number)~x"
    }

    func update(_ index: Int, _ call: Call) -> Answer {
        let row = rows[index]
        if let refusal = leaseRefusal(index, call) { return refusal }
        guard let sent = call.body?.members else { return refusal(400, "a body is needed") }
        let given = model.family == .rails && call.client != nil ? sent.first?.value.members ?? sent : sent
        if model.honoursVersion, call.client != nil {
            if let wanted = call.headers["If-Match"], wanted != etag(row) { return refusal(412, "another version") }
            if model.version == .lock, let lock = given["lock"]?.number?.int64, lock != Int64(row.version) {
                return refusal(409, "stale")
            }
        }
        let members = accepted(given)
        if model.patches { ledger.checkNews(given, row, by: call) }
        var new = row
        if !model.patches {
            // What a whole record leaves out is cleared, but for what is set once.
            for name in ["title", "notes", "rank", "tags"] where members[name] == nil && row.members[name] != nil {
                new.members[name] = .null
            }
        }
        for member in members where member.name != "mark" && member.name != "token" {
            new.members[member.name] = member.value
        }
        if model.isNested { new.members["list_id"] = row.members["list_id"] }
        if row.entity == "tasks", !model.isNested { new.list = new.members["list_id"]?.text }
        checkReference(members, call)
        ledger.updated(row, to: new, by: call)
        if new.members != row.members {
            revision += 1
            new.version = revision
            new.updated = clock(after: row.updated)
            rows[index] = new
            tell(row, new)
            if call.client != nil { rename(index) }
        }
        world.count("server updates")
        return model.answersNothing ? Answer(status: 204) : one(rows[index], isWritten: true)
    }

    /// At times an object is called otherwise after an update, as where its title is part of its address; so is what refers
    /// to it.
    private func rename(_ index: Int) {
        guard model.renames, !world.isCalm, chaos.chance(30) else { return }
        let old = rows[index]
        rows[index].id = newIdentifier(old.entity, under: old.list)
        rows[index].formerIDs.insert(old.id)
        ledger.renamed(old)
        world.note("\(old.entity)/\(old.id) is \(rows[index].id) now")
        world.count("identifiers changed")
        guard old.entity == "lists" else { return }
        for other in rows.indices where rows[other].list == old.id && rows[other].entity == "tasks" {
            rows[other].list = rows[index].id
            rows[other].members["list_id"] = identifier(rows[index].id)
        }
        for other in underWay.indices where underWay[other].list == old.id { underWay[other].list = rows[index].id }
    }

    /// What an object is called now that was called so once.
    func present(_ id: String, of entity: String) -> String {
        guard model.renames else { return id }
        return rows.last { $0.entity == entity && ($0.id == id || $0.formerIDs.contains(id)) }?.id ?? id
    }

    func delete(_ index: Int, _ call: Call) -> Answer {
        let row = rows[index]
        if let refusal = leaseRefusal(index, call) { return refusal }
        if model.honoursVersion, let wanted = call.headers["If-Match"], wanted != etag(row) {
            return refusal(412, "another version")
        }
        if model.isSlow, call.client != nil, !world.isCalm, chaos.chance(50) {
            world.count("deletes accepted for later")
            rows[index].isLeaving = true
            world.after(100 + chaos.below(8000)) {
                if !self.rows[index].isDeleted { self.remove(index, with: row) }
            }
            return Answer(status: 202)
        }
        remove(index, with: row)
        world.count("server deletes")
        return Answer(status: 204)
    }

    /// Whether a write of one object asks for another version than there is.
    func isOutdated(_ call: Call) -> Bool {
        guard model.honoursVersion, let wanted = call.headers["If-Match"], let id = call.path.last else { return false }
        let entity = call.path.count == 4 ? "tasks" : call.path[0]
        let now = present(id, of: entity)
        return rows.last { $0.entity == entity && $0.id == now }.map { etag($0) != wanted } ?? false
    }

    /// A write of one object will be answered with 404, and nothing can be read that would tell otherwise.
    func noteDenied(_ call: Call) {
        let path = call.path.last == "place" ? call.path.dropLast() : call.path[...]
        guard model.hasNoRead, let client = call.client, !call.isCreate(of: model), let id = path.last else { return }
        let entity = path.count == 4 ? "tasks" : path[0]
        let now = present(id, of: entity)
        if let row = rows.last(where: { $0.entity == entity && $0.id == now }) { ledger.denies(row, to: client) }
    }

    /// A delete is answered as done, and is not.
    func noteHollow(_ call: Call) {
        guard call.method == "DELETE", let client = call.client, let id = call.path.last else { return }
        let entity = call.path.count == 4 ? "tasks" : call.path[0]
        let list = call.path.count == 4 ? call.path[1] : nil
        guard let row = rows.last(where: { $0.entity == entity && $0.id == id && (list == nil || $0.list == list) })
        else { return }
        hollowDeletes[client, default: [:]][uri(of: row)] = row.version
    }

    /// Whether the client of a write has seen the object as it is, or the server compares versions itself.
    func isKnown(_ call: Call) -> Bool {
        guard !model.isVersioned, let client = call.client, let id = call.path.last else { return true }
        let entity = call.path.count == 4 ? "tasks" : call.path[0]
        let now = present(id, of: entity)
        guard let row = rows.last(where: { $0.entity == entity && $0.id == now }) else { return true }
        return ledger.hasSeen(row, client)
    }

    private func remove(_ index: Int, with row: Row) {
        remove(index)
        if row.entity == "lists", model.cascades {
            for other in rows.indices where rows[other].list == row.id && rows[other].entity == "tasks" {
                if !rows[other].isDeleted { remove(other) }
            }
        }
    }

    private func remove(_ index: Int) {
        revision += 1
        rows[index].isDeleted = true
        rows[index].updated = clock(after: rows[index].updated)
        rows[index].version = revision
        ledger.deleted(rows[index])
        tell(nil, rows[index])
    }

    /// What refers to an object that this server never had was sent too early, or with an identifier of the client's.
    private func checkReference(_ members: Value.Members, _ call: Call) {
        guard call.client != nil, !model.isNested, let list = members["list_id"], !list.isNull else { return }
        let id = present(list.text, of: "lists")
        guard
            let index = rows.lastIndex(where: {
                $0.entity == "lists" && $0.id == id && identifier(list.text) == list
            })
        else {
            return world.violated("a request refers to the list \(list.text), which the server never had")
        }
        let row = rows[index]
        guard row.isDeleted, call.method == "POST", let client = call.client, let mark = Ledger.mark(row.members),
            let known = ledger.madeAnew(mark, by: client), known.time < ledger.decided(members, in: call) - 1000,
            let latest = known.ids.last
        else { return }
        // What another client has made anew is another object than its own.
        let first = rows.first { $0.entity == "lists" && Ledger.mark($0.members) == mark }
        guard known.ids.contains(row.id) || first?.id == row.id else { return }
        let next = rows[(index + 1)...].first { $0.entity == "lists" && Ledger.mark($0.members) == mark }
        guard let next, !next.formerIDs.union([next.id]).isDisjoint(with: known.ids) else { return }
        // The one that was created once more may have been deleted again: then there is no later one to name.
        let anew = rows.lastIndex { $0.entity == "lists" && ($0.id == latest || $0.formerIDs.contains(latest)) }
        guard let anew, index < anew else { return }
        world.violated(
            "client \(client) sent a new task of the list \(list.text), which was deleted and which it has created once more"
        )
    }

    /// What is kept of a body.
    private func accepted(_ given: Value.Members) -> Value.Members {
        var members = Value.Members()
        for name in Self.writable {
            guard var value = given[name] else { continue }
            if name == "list_id", model.renames { value = identifier(present(value.text, of: "lists")) }
            members[name] = value
            guard model.normalizes, case .string(let text) = value else { continue }
            members[name] = .string(String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
        }
        return members
    }
}
