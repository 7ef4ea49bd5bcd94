internal import Atmosphere

/// What must hold when everything has come to rest.
extension SimulationRun {
    /// No object is here twice under two addresses, where the API tells what belongs together.
    func checkTwins() {
        guard [.lookup, .clientID].contains(server.model.creates), ledger.insisted.isEmpty,
            server.model.deletedThere != .recreate
        else { return }
        look("that nothing is here twice") { client, synchronizer in
            for entity in ["lists", "tasks"] {
                var marks: [Int: ObjectURI] = [:]
                let there = Set(self.visible(entity).map(\.uri))
                for (uri, object) in try await self.records(entity, synchronizer).sorted(by: { $0.key < $1.key }) {
                    guard let mark = Ledger.mark(object.record?.members) else { continue }
                    // Deleted there before its create was sent again, which the next pull shows.
                    if object.meta.confirmed != nil, !there.contains(uri) { continue }
                    let mayBe = self.ledger.late.contains(mark) && !self.server.model.isUnique
                    if !mayBe, let twin = marks[mark] { client.world.violated("\(client.name): \(uri) is \(twin)") }
                    marks[mark] = uri
                }
            }
        }
    }

    /// Without a person, what is left has a reason that a person can read.
    func checkSurvivors() {
        look("what waits") { client, synchronizer in
            let held = try await synchronizer.heldChanges()
            for object in try await synchronizer.pending() {
                if case .rejected(let verdict, let failure)? = object.meta.outgoing?.phase {
                    self.checkRefusal(object, verdict, failure, client)
                }
                let isExplained =
                    switch object.meta.outgoing?.phase {
                    case .conflicted, .rejected, .unknown: true
                    default:
                        !object.meta.waitsFor.isEmpty || held[object.uri] != nil
                            || SimulatedClient.isCalledOtherwise(object)
                    }
                if !isExplained {
                    client.world.violated(
                        "\(client.name): \(object.uri) is still to be sent, without a reason: "
                            + "\(object.meta.outgoing?.lastError?.message ?? "no error")")
                }
            }
        }
    }

    /// What was refused is what stands here, and it is not on the server.
    private func checkRefusal(
        _ object: LocalObject, _ verdict: Verdict, _ failure: MetaObject.Failure, _ client: SimulatedClient
    ) {
        if let sent = verdict.attempt, sent.revision != object.meta.revision {
            client.world.violated(
                "\(client.name): \(object.uri) counts as refused, and was edited since: \(failure.message)")
        }
        guard object.meta.isLocalOnly, !scenario.faults.contains(.late), server.model.creates != .none,
            server.model.deletedThere != .recreate,
            let mark = Ledger.mark(object.record?.members), !ledger.insisted.contains(mark)
        else { return }
        if server.rows.contains(where: { !$0.isDeleted && Ledger.mark($0.members) == mark }) {
            client.world.violated(
                "\(client.name): \(object.uri) counts as refused, and is on the server: \(failure.message)")
        }
    }

    func checkEmpty() {
        look("that nothing waits") { client, synchronizer in
            for object in try await synchronizer.pending() {
                client.world.violated("\(client.name): \(object.uri) waits for ever: \(object.meta.state)")
            }
        }
    }

    /// A row that the server changed before the cursor is here, without a pull of everything.
    func checkRows() {
        guard server.model.since != .none else { return }
        look("rows before the cursor") { client, synchronizer in
            // What was listed to a stranger went by.
            if self.server.formerStrangers.contains(client.number) { return }
            for entity in ["lists", "tasks"] {
                let here = try await self.records(entity, synchronizer)
                for row in self.visible(entity) {
                    if self.server.shownPages.unnoticed[client.number]?.contains(row.uri) == true { continue }
                    // Where nothing can be read a false 404 is believed, and what is made anew is another row.
                    if self.server.model.hasNoRead, self.isMadeAnew(row.value) { continue }
                    // Under a list that a person must decide about first, nothing is listed.
                    if self.server.model.isNested, entity == "tasks" {
                        let list = ObjectURI(entity: "lists", id: row.value.members?["list_id"]?.text ?? "")
                        if try await self.isPending(list, synchronizer) { continue }
                    }
                    guard let object = here[row.uri] else {
                        let isPending = try await self.isPending(row.uri, synchronizer)
                        if !isPending { client.world.violated("\(client.name): \(row.uri) was never pulled") }
                        continue
                    }
                    if case .synchronized = object.meta.state, let record = object.record,
                        self.compared(.object(record.members)) != self.compared(row.value)
                    {
                        client.world.violated(
                            "\(client.name): \(row.uri) is behind the cursor: \(object.record?.description ?? "") for "
                                + row.value.text)
                    }
                }
            }
        }
    }

    /// Where a list gets another identifier, its tasks are none the newer: whoever knows the former one still refers to it.
    private func compared(_ value: Value) -> Value {
        guard server.model.renames, var members = value.members else { return value }
        members["list_id"] = nil
        return .object(members)
    }

    func checkEqual() {
        look("that all is equal") { client, synchronizer in
            for entity in ["lists", "tasks"] {
                var here = try await self.records(entity, synchronizer)
                for row in self.visible(entity) {
                    guard let object = here.removeValue(forKey: row.uri) else {
                        client.world.violated("\(client.name): \(row.uri) is missing: \(row.value.text)")
                        continue
                    }
                    if object.record.map({ .object($0.members) }) != row.value {
                        client.world.violated(
                            "\(client.name): \(row.uri) is \(object.record?.description ?? "nothing"), the server has "
                                + row.value.text)
                    }
                }
                for uri in here.keys.sorted() { client.world.violated("\(client.name): \(uri) is not on the server") }
            }
        }
    }

    /// Another synchronization sends nothing, and asks for nothing but lists.
    func checkIdle() {
        let writes = network.writes
        var reads = network.reads
        synchronizeAll()
        if network.reads != reads || scenario.pairs > 0 {
            reads = network.reads
            synchronizeAll()
        }
        if network.writes != writes { world.violated("a write although nothing has changed") }
        if network.reads != reads { world.violated("\(network.reads - reads) reads although nothing has changed") }
    }

    private func look(
        _ what: String, _ body: @escaping @Sendable (SimulatedClient, Synchronizer) async throws -> Void
    ) {
        guard world.violations.isEmpty else { return }
        for client in clients {
            client.run("is looked at: \(what)") { try await body(client, $1) }
            runOut()
        }
    }

    private func isMadeAnew(_ value: Value) -> Bool {
        guard server.model.deletedThere == .recreate, let mark = Ledger.mark(value.members) else { return false }
        return server.rows.count { !$0.isDeleted && Ledger.mark($0.members) == mark } > 1
    }

    private func records(_ entity: String, _ synchronizer: Synchronizer) async throws -> [ObjectURI: LocalObject] {
        try await synchronizer.store.read { snapshot in
            var found: [ObjectURI: LocalObject] = [:]
            try snapshot.records(matching: Query(entity)) { uri, _ in
                found[uri] = try snapshot.object(at: uri)
                return true
            }
            return found
        }
    }

    private func isPending(_ uri: ObjectURI, _ synchronizer: Synchronizer) async throws -> Bool {
        try await synchronizer.object(at: uri)?.meta.isChanged == true
    }

    private func visible(_ entity: String) -> [(uri: ObjectURI, value: Value)] {
        server.rows.filter { $0.entity == entity && !$0.isDeleted }.map { row in
            var members = server.representation(row)
            if server.model.isNested, let list = row.list { members["list_id"] = server.identifier(list) }
            return (server.uri(of: row), .object(members))
        }
    }
}
