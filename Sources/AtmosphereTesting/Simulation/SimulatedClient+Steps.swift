internal import Atmosphere

extension SimulatedClient {
    /// Does what a step says.
    func perform(_ step: SimulationStep) {
        let choices = step.choices
        acting = isPair && choices[3] % 3 == 0 ? 1 : 0
        if !isPlain { run("is looked at") { try await self.checkRecords($0, $1) } }
        switch step.kind {
        case .create: edit("creates a list") { try await self.create("lists", under: nil, $0, $1) }
        case .createChild: edit("creates a task") { try await self.createTask(choices, $0, $1) }
        case .edit: edit("edits") { try await self.edit(choices, now: false, $0, $1) }
        case .editTags: edit("edits tags") { try await self.editTags(choices, $0, $1) }
        case .delete: edit("deletes") { try await self.delete(choices, now: false, $0, $1) }
        case .move: edit("moves a task") { try await self.move(choices, $0, $1) }
        case .createNow: run("creates now") { try await self.create("lists", under: nil, $0, $1, now: true) }
        case .editNow: run("edits now") { try await self.edit(choices, now: true, $0, $1) }
        case .deleteNow: run("deletes now") { try await self.delete(choices, now: true, $0, $1) }
        case .synchronize: run("synchronizes") { try await $1.synchronize(options: self.allowing()) }
        case .push: run("pushes") { try await $1.push() }
        case .pull: run("pulls") { try await $1.pull(options: self.allowing()) }
        case .pullFull: run("pulls everything") { try await $1.pull(options: self.allowing(full: true)) }
        case .refresh:
            run("reads one") { _, synchronizer in
                guard let uri = try await self.choose(choices[0], synchronizer) else { return }
                try await synchronizer.refresh(uri)
            }
        case .decide: run("decides") { try await self.decide(choices, $0, $1) }
        case .cancel:
            guard let task = process?.tasks.last else { return }
            world.note("\(name) cancels its last call")
            task.cancel()
        case .offline:
            isOnline = false
            live?.disconnect(number, continuity: .gap, for: choices[0] % 20_000)
            world.after(choices[0] % 20_000) { self.isOnline = true }
        case .clockJump:
            let change = Int64(choices[0] % 7_200_000 - 3_600_000)
            skew += change
            if change > 0 { ledger.setsClockForward(number) }
            world.note("\(name) has another time: \(skew)")
        case .crash: crashAfter = choices[0] % 12
        case .powerLoss: (crashAfter, losesPower) = (choices[0] % 12, true)
        case .stranger: network.server.mistakes.insert(number)
        case .dropLive:
            live?.disconnect(number, continuity: choices[1] % 2 == 0 ? .gap : .resumed, for: choices[0] % 20_000)
        case .brokenPull:
            // It ends somewhere in the midst.
            crashAfter = 2 + choices[0] % 12
            run("pulls") { try await $1.pull(options: self.allowing(full: choices[1] % 4 == 0)) }
        case .pullDuringPush:
            edit("edits") { try await self.edit(choices, now: false, $0, $1) }
            run("pulls") { try await $1.pull(options: self.allowing(full: choices[2] % 3 == 0)) }
            run("pushes") { try await $1.push() }
        case .cutOff:
            // The same again while the first push has ended with its process, somewhere between mark and answer.
            edit("edits") { try await self.edit(choices, now: false, $0, $1) }
            crashAfter = 2 + choices[2] % 6
            goesOnWith = choices
            run("pushes") { try await $1.push() }
            world.after(2500) {
                guard self.goesOnWith != nil else { return }
                self.edit("edits") { try await self.goOn(choices, $0, $1) }
            }
        case .burst:
            for _ in 0..<3 { edit("creates a list") { try await self.create("lists", under: nil, $0, $1) } }
            run("pushes") { try await $1.push() }
        case .pushAndGoOn: run("pushes and goes on") { try await self.pushAndGoOn(choices, $0, $1) }
        case .place: edit("places") { try await self.place(choices, $0, $1) }
        case .keepLease: run("keeps a lease") { try await self.keepLease(choices, $0, $1) }
        case .loseList: edit("loses a list") { try await self.loseList(choices, $0, $1) }
        case .editUnderEdit:
            run("edits now") { try await self.edit(choices, now: true, $0, $1) }
            world.after(1 + choices[2] % 120) {
                self.edit("goes on") { process, synchronizer in
                    if choices[3] % 4 == 0 {
                        try await self.delete(choices, now: false, process, synchronizer)
                    } else {
                        try await self.edit([choices[0], choices[3] % 7 + 1], now: false, process, synchronizer)
                    }
                }
            }
        case .serverCreate, .serverEdit, .serverDelete, .serverLease: break
        }
    }

    /// What is here is whole, and not behind what the server has confirmed to this client.
    func checkRecords(_ process: SimulatedProcess, _ synchronizer: Synchronizer) async throws {
        for entity in ["lists", "tasks"] {
            for (uri, record) in try await synchronizer.records(matching: Query(entity)) {
                guard let mark = Ledger.mark(record.members) else {
                    world.violated("\(process.name): \(uri) is not whole: \(record.description)")
                    continue
                }
                // What refers to a list that was created once more does so there, too.
                if network.server.model.renames, network.server.model.deletedThere != .recreate,
                    ledger.insisted.isEmpty,
                    let list = record["list_id"]?.text,
                    let now = try await synchronizer.store.read({
                        try $0.alias(of: ObjectURI(entity: "lists", id: list))
                    })
                {
                    world.violated("\(process.name): \(uri) refers to lists/\(list), which is \(now) here")
                }
                guard let known = ledger.confirmed(mark, to: number, before: world.now - 1000),
                    let updated = Ledger.time(record["updated"]), updated < known
                else { continue }
                world.violated("\(process.name): \(uri) went back to \(updated) from \(known): \(record.description)")
            }
        }
    }

    func allowing(full: Bool = false) -> Synchronizer.PullOptions {
        var options = Synchronizer.PullOptions()
        options.full = full
        // In the end somebody accepts whoever the server takes the client for.
        if world.isCalm { options.allowedDeletes = 1000 }
        return options
    }

    /// A local edit: it must end without waiting for anything.
    private func edit(
        _ what: String, _ body: @escaping @Sendable (SimulatedProcess, Synchronizer) async throws -> Void
    ) {
        run(what) { process, synchronizer in
            let start = self.world.now
            try await body(process, synchronizer)
            if self.world.now != start { self.world.violated("\(process.name) \(what): a local edit had to wait") }
        }
    }

    // MARK: Edits

    private func create(
        _ entity: String, under list: Value?, _ process: SimulatedProcess, _ synchronizer: Synchronizer,
        now: Bool = false
    ) async throws {
        let mark = ledger.newToken()
        let title = ledger.newToken()
        var members: Value.Members = [
            "title": .string("Title \(title)"), "mark": .string("mark \(mark)"),
            "tags": [.string("tag \(ledger.newToken())")]
        ]
        if let list { members["list_id"] = list }
        world.note("\(process.name)   \(entity) \(Value.object(members).text)")
        ledger.writes(number, mark, "title", title, over: nil)
        if now {
            _ = try await synchronizer.saveNow(members, as: entity)
        } else {
            try await synchronizer.save(members, as: entity)
        }
        ledger.keptCreate(number, mark)
        ledger.kept(number, mark, "title", title, isQueued: !now)
        world.count("edits")
    }

    private func createTask(
        _ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        let lists = try await synchronizer.records(matching: Query("lists"))
        guard !lists.isEmpty else { return }
        let list = lists[choices[0] % lists.count]
        try await create("tasks", under: list.record["id"] ?? .string(list.uri.id), process, synchronizer)
    }

    private func edit(
        _ choices: [Int], now: Bool, _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let uri = try await choose(choices[0], synchronizer) else { return }
        try await edit(uri, choices, now: now, process, synchronizer)
    }

    func goOn(_ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer) async throws {
        goesOnWith = nil
        try await edit(choices, now: false, process, synchronizer)
    }

    func edit(
        _ uri: ObjectURI, _ choices: [Int], now: Bool, _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let record = try await synchronizer.record(at: uri)?.members, let mark = Ledger.mark(record) else {
            return
        }
        var changes: [(name: String, value: Value?)] = []
        var tokens: [(String, Int)] = []
        for (place, field) in ["title", "notes", "rank"].enumerated() where choices[1] >> place & 1 == 1 {
            let token = ledger.newToken()
            let value: Value =
                switch field {
                case "rank": .number(JSONNumber(token))
                case "notes": .string("  note \(token) ")
                default: .string("Title \(token)")
                }
            changes.append((field, value))
            tokens.append((field, token))
            ledger.writes(number, mark, field, token, over: Ledger.token(record[field]), at: uri)
        }
        world.note("\(process.name)   \(uri) \(changes.map { "\($0.name)=\($0.value?.text ?? "")" })")
        if now {
            try await synchronizer.editNow(uri, setting: changes)
        } else {
            try await synchronizer.edit(uri, setting: changes)
        }
        for (field, token) in tokens { ledger.kept(number, mark, field, token, isQueued: !now) }
        world.count("edits")
    }

    /// Edits a list and gives it a task, while somebody deletes it on the server.
    private func loseList(
        _ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        let lists = try await synchronizer.records(matching: Query("lists"))
        guard !lists.isEmpty else { return }
        let list = lists[choices[0] % lists.count]
        try await edit(list.uri, [0, choices[1] % 7 + 1], now: false, process, synchronizer)
        try await create("tasks", under: list.record["id"] ?? .string(list.uri.id), process, synchronizer)
        network.server.deleteList(list.uri.id)
    }

    /// Edits what an action carries.
    private func place(_ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer) async throws {
        guard let uri = try await choose(choices[0], synchronizer),
            let record = try await synchronizer.record(at: uri)?.members, let mark = Ledger.mark(record)
        else { return }
        let token = ledger.newToken()
        world.note("\(process.name)   \(uri) slot=\(token)")
        ledger.writes(number, mark, "slot", token, over: Ledger.token(record["slot"]), at: uri)
        try await synchronizer.edit(uri, setting: [("slot", .number(JSONNumber(token)))])
        ledger.kept(number, mark, "slot", token)
        world.count("edits")
    }

    /// Sends something, and goes on with what the push has left before it is sent again.
    private func pushAndGoOn(
        _ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        if choices[0] % 3 == 0 {
            try await edit(choices, now: false, process, synchronizer)
        } else {
            try await create("lists", under: nil, process, synchronizer)
        }
        do {
            try await synchronizer.push()
        } catch let error as SyncError {
            world.note("\(process.name) was told: \(error.message)")
        }
        let waiting = try await synchronizer.pending()
        guard !waiting.isEmpty else { return }
        let object = waiting[choices[1] % waiting.count]
        switch choices[2] % 4 {
        case 0: try await delete(object.uri, now: false, process, synchronizer)
        case 1: try await decide(object, choices[3] % 6, process, synchronizer)
        default: try await edit(object.uri, [0, choices[3] % 7 + 1], now: false, process, synchronizer)
        }
        try await synchronizer.push()
    }

    /// Has a form open for a while, and saves twice.
    private func keepLease(
        _ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let uri = try await choose(choices[0], synchronizer) else { return }
        try await synchronizer.withLease(on: uri) {
            try await self.edit(uri, choices, now: false, process, synchronizer)
            try await process.sleep(Int64(choices[1] % 60_000))
            try await self.edit(uri, [choices[0], choices[2]], now: false, process, synchronizer)
            if choices[2] % 2 == 0 { try await synchronizer.push() }
        }
    }

    private func editTags(
        _ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let uri = try await choose(choices[0], synchronizer),
            let record = try await synchronizer.record(at: uri)?.members, let mark = Ledger.mark(record)
        else { return }
        let token = ledger.newToken()
        let tags = (record["tags"]?.array ?? []) + [.string("tag \(token)")]
        try await synchronizer.edit(uri, setting: [("tags", .array(tags))])
        ledger.kept(number, mark, "tags", token)
        world.count("edits")
    }

    private func delete(
        _ choices: [Int], now: Bool, _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let uri = try await choose(choices[0], synchronizer) else { return }
        try await delete(uri, now: now, process, synchronizer)
    }

    private func delete(
        _ uri: ObjectURI, now: Bool, _ process: SimulatedProcess, _ synchronizer: Synchronizer
    ) async throws {
        guard let mark = Ledger.mark(try await synchronizer.record(at: uri)?.members) else { return }
        world.note("\(process.name)   \(uri)")
        do {
            if now { try await synchronizer.deleteNow(uri) } else { try await synchronizer.delete(uri) }
        } catch let error as ProcessEnded {
            // It may have been committed, and nobody was told.
            ledger.forget(number, mark)
            throw error
        }
        ledger.keptDelete(number, mark)
        world.count("edits")
    }

    private func move(_ choices: [Int], _ process: SimulatedProcess, _ synchronizer: Synchronizer) async throws {
        let lists = try await synchronizer.records(matching: Query("lists"))
        let tasks = try await synchronizer.records(matching: Query("tasks"))
        guard !lists.isEmpty, !tasks.isEmpty else { return }
        let list = lists[choices[0] % lists.count]
        let task = tasks[choices[1] % tasks.count]
        try await synchronizer.edit(task.uri, setting: [("list_id", list.record["id"] ?? .string(list.uri.id))])
        world.count("edits")
    }

    func choose(_ choice: Int, _ synchronizer: Synchronizer) async throws -> ObjectURI? {
        let all =
            try await synchronizer.records(matching: Query("lists"))
            + synchronizer.records(matching: Query("tasks"))
        return all.isEmpty ? nil : all[choice % all.count].uri
    }
}
