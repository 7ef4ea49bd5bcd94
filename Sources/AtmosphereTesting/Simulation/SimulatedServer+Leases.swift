internal import Atmosphere

/// The right to change one row.
struct SimulatedLease {
    /// nil for the server's own users.
    var client: Int?
    var token: String
    var until: Int64
}

extension SimulatedServer {
    static let leaseSeconds = 20

    /// The lease of a row that has not run out.
    private func lease(of index: Int) -> SimulatedLease? { lent[index].flatMap { $0.until > world.now ? $0 : nil } }

    /// A user of the server takes the lease of a row.
    func lend(_ choices: [Int]) {
        let free = rows.indices.filter { !rows[$0].isDeleted && lease(of: $0) == nil }
        guard !free.isEmpty else { return }
        let index = free[choices[0] % free.count]
        world.note("a user of the server has the lease of \(rows[index].entity)/\(rows[index].id)")
        lent[index] = SimulatedLease(
            client: nil, token: "user", until: world.now + Int64(choices[1] % 60_000))
    }

    func lock(_ index: Int, _ call: Call) -> Answer {
        guard let client = call.client else { return refusal(400, "a client is needed") }
        let token = call.headers["Lease-Token"]
        guard call.method == "POST" else {
            if let lease = lent[index], lease.token == token { lent[index] = nil }
            return Answer(status: 204)
        }
        if model.leases == .advisory, !world.isCalm, chaos.chance(20) {
            unlent.insert(Unlent(client: client, row: index))
            return refusal(501, "no leases here")
        }
        let until = world.now + Int64(Self.leaseSeconds * 1000)
        if var lease = lease(of: index) {
            guard lease.client == client else {
                var answer = refusal(chaos.chance(50) ? 423 : 409, "somebody else edits it")
                if chaos.chance(50) { answer.headers["Retry-After"] = "5" }
                return answer
            }
            // Asking once more prolongs it.
            lease.until = until
            lent[index] = lease
            return Answer(status: 200, body: Value.object(["token": .string(lease.token)]).json())
        }
        leaseCount += 1
        lent[index] = SimulatedLease(client: client, token: "lease-\(leaseCount)", until: until)
        world.count("leases")
        return Answer(status: 201, body: Value.object(["token": .string("lease-\(leaseCount)")]).json())
    }

    struct Unlent: Hashable {
        var client: Int
        var row: Int
    }

    struct UnlentAhead {
        var client: Int
        var entity: String
        /// Whose path it was asked for below; nil where it stands below none.
        var list: String?
        var id: String
    }

    /// What was accepted is there now. Who has asked for its lease before was told that there is no such object, and goes on
    /// without one where leases are advice.
    func noteAhead(_ row: Row, at index: Int) {
        guard model.leases == .advisory else { return }
        for ahead in unlentAhead
        where ahead.entity == row.entity && ahead.id == row.id && (ahead.list == nil || ahead.list == row.list) {
            unlent.insert(Unlent(client: ahead.client, row: index))
        }
    }

    /// A request for a lease meets a fault, so that no lease may be given and none refused.
    func noteTrouble(with call: Call) {
        guard model.leases == .advisory, let client = call.client, call.path.count > 2 else { return }
        let id = call.path[call.path.count - 2]
        for index in rows.indices where rows[index].id == id { unlent.insert(Unlent(client: client, row: index)) }
    }

    /// - Returns: a refusal where the write may not be done.
    func leaseRefusal(_ index: Int, _ call: Call) -> Answer? {
        guard model.leases != .none else { return nil }
        guard let client = call.client else {
            // The server's own users keep to leases.
            return lease(of: index)?.client != nil ? refusal(423, "somebody edits it") : nil
        }
        let token = call.headers["Lease-Token"]
        if token == nil, !unlent.contains(Unlent(client: client, row: index)) {
            world.violated("client \(client) wrote \(rows[index].entity)/\(rows[index].id) without a lease")
        }
        guard model.leases == .enforced else { return nil }
        guard let lease = lease(of: index), lease.token == token else {
            world.count("leases that had run out")
            return refusal(423, "the lease has run out")
        }
        return nil
    }

    /// The action that changes a task's or a list's place.
    func place(_ index: Int, _ call: Call) -> Answer {
        guard let slot = call.body?.members?["slot"] else { return refusal(400, "a slot is needed") }
        if let refusal = leaseRefusal(index, call) { return refusal }
        var new = rows[index]
        new.members["slot"] = slot
        ledger.placed(new, by: call.client)
        if new.members != rows[index].members {
            revision += 1
            new.version = revision
            new.updated = clock(after: new.updated)
            let old = rows[index]
            rows[index] = new
            tell(old, new)
        }
        world.count("actions")
        return model.answersNothing ? Answer(status: 204) : one(rows[index], isWritten: true)
    }
}

extension SimulatedServer {
    /// An update was answered as it was done, and the answer has come.
    /// A client was told that a list is there which it has created once more, after its deletion here.
    private func noteAnew(_ answer: Answer, to call: Call) {
        guard let client = call.client, call.method == "POST", call.path == ["lists"], answer.status == 201,
            let sent = call.body?.members
        else { return }
        let given = model.family == .rails ? sent.first?.value.members ?? sent : sent
        guard let mark = Ledger.mark(given) else { return }
        let same = rows.filter { $0.entity == "lists" && Ledger.mark($0.members) == mark }
        guard same.contains(where: \.isDeleted), let latest = same.last(where: { !$0.isDeleted }) else { return }
        ledger.isMadeAnew(mark, as: latest.id, by: client)
    }

    func noteAnswer(_ answer: Answer, to call: Call) {
        noteAnew(answer, to: call)
        guard let client = call.client, ["PATCH", "PUT"].contains(call.method), call.headers["If-None-Match"] == nil,
            (200..<300).contains(answer.status),
            let sent = call.body?.members, let id = call.path.last
        else { return }
        let given = model.family == .rails ? sent.first?.value.members ?? sent : sent
        let list = model.isNested && call.path.count == 4 ? call.path[1] : nil
        let entity = call.path.count == 4 ? "tasks" : call.path[0]
        let now = present(id, of: entity)
        guard let row = rows.last(where: { $0.entity == entity && $0.id == now && (list == nil || $0.list == list) })
        else { return }
        if call.method == "PATCH" { ledger.answered(given, row, to: client) }
        let shown = (try? Value(json: answer.body))?.members
        let object = model.family == .rails ? shown?.first?.value.members ?? shown : shown
        if let updated = Ledger.time(object?["updated"]), let mark = Ledger.mark(row.members) {
            ledger.confirm(updated, of: mark, to: client)
        }
    }
}

extension SimulatedServer.Call {
    /// It creates objects, and nothing else.
    func isCreate(of model: ServerModel) -> Bool {
        guard method == "POST", path.last != "lock", path.last != "place" else {
            return headers["If-None-Match"] == "*"
        }
        guard path.last == "batch" else { return true }
        let operations = body?.members?["items"]?.array?.map { $0.members?["op"] } ?? []
        return operations.allSatisfy { $0 == "create" }
    }
}
