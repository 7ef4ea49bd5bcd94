#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports
    internal import AtmosphereSource

    /// The main job from beginning to end, through the calls that an application makes.
    struct DemoStory {
        private let clients: DemoStage.Clients
        private let narrator: DemoNarrator
        private var first: Synchronizer { clients.first }
        private var second: Synchronizer { clients.second }

        init(_ clients: DemoStage.Clients, _ narrator: DemoNarrator) {
            self.clients = clients
            self.narrator = narrator
        }

        func tell() async throws {
            try routeFile()
            try await pull()
            let list = try await workOffline()
            try await comeBack(list)
            try await editDifferentFields()
            try await editSameField()
            try await compare()
        }

        // MARK: Chapters

        private func routeFile() throws {
            try narrator.heading("1. A route file describes the API")
            try narrator.sentence("\(clients.routeFile.base) is served from memory. What is not a default:")
            try narrator.command("explain tasks")
            var table = Table(["SETTING", "VALUE", "FROM"])
            for setting in clients.routeFile.explanation(entity: "tasks") where setting.origin != "default" {
                let origin = setting.origin.split(separator: "/").last.map(String.init) ?? setting.origin
                table.add([String(setting.path.dropFirst("resources.tasks.".count)), setting.value, origin])
            }
            try narrator.answer(table)
        }

        private func pull() async throws {
            try narrator.heading("2. The local copy")
            try narrator.command("pull")
            try narrator.answer(try await pulled(first), of: clients.routeFile)
            try narrator.command("list tasks")
            try await list(first, "tasks")
        }

        /// - Returns: the temporary address of the new list.
        private func workOffline() async throws -> ObjectURI {
            try narrator.heading("3. Offline: everything works, nothing waits")
            clients.network.isOffline = true
            try narrator.command("create lists title=Holiday")
            let list = try await first.save(["title": "Holiday"], as: "lists")
            try narrator.answer("\(list)")
            for title in ["Pack the tent", "Water the ferns"] {
                try narrator.command("create tasks list=\(list.id) title=\"\(title)\"")
                let task = try await first.save(["list": .string(list.id), "title": .string(title)], as: "tasks")
                try narrator.answer("\(task)")
            }
            try narrator.command("edit tasks/1 title=\"Call the campsite\"")
            try await first.edit(task, setting: [("title", "Call the campsite")])
            try narrator.answer("\(task)")
            try narrator.sentence("What waits to be sent, and what waits for it:")
            try narrator.command("push --dry-run")
            try narrator.answer(try await PushPreview(first, entities: []).lines)
            try narrator.command("push")
            try narrator.answer(try await first.push().unreachable ?? "")
            try narrator.command("status")
            let standings = try await first.store.read { try StatusTable.Standings($0) }
            try narrator.answer(StatusTable.table(try await first.status(), standings))
            return list
        }

        private func comeBack(_ list: ObjectURI) async throws {
            try narrator.heading("4. Back online")
            clients.network.isOffline = false
            try await push(first)
            try narrator.sentence("The server gave identifiers; references followed, and the old address still works:")
            try narrator.command("get \(list)")
            guard let present = try await first.object(at: list) else { throw DemoError(what: "\(list) is lost") }
            try narrator.answer("\(list) is now \(present.uri)")
            try narrator.command("list tasks --where list=\(present.uri.id)")
            let condition = ConditionArgument(field: "list", comparison: .equal, text: present.uri.id)
            try await show(first, Query("tasks", where: [try condition.condition(resource("tasks"))]))
        }

        private func editDifferentFields() async throws {
            try narrator.heading("5. Another client edits the same task: different fields are merged")
            try narrator.command("pull", by: "second client")
            try narrator.answer(try await pulled(second), of: clients.routeFile)
            try narrator.command("edit \(task) notes=\"Ask for a quiet place\"", by: "second client")
            try await second.edit(task, setting: [("notes", "Ask for a quiet place")])
            try await push(second, by: "second client")
            try narrator.command("edit \(task) title=\"Call the campsite today\"")
            try await first.edit(task, setting: [("title", "Call the campsite today")])
            try await push(first)
            try narrator.command("get \(task)")
            try await fields(of: task, in: first)
        }

        private func editSameField() async throws {
            try narrator.heading("6. The same field on both sides: a person decides")
            try narrator.command("edit \(task) title=\"Call two campsites\"")
            try await first.edit(task, setting: [("title", "Call two campsites")])
            try narrator.command("sync", by: "second client")
            try await second.synchronize()
            try narrator.command("edit \(task) title=\"Write to the campsite\"", by: "second client")
            try await second.edit(task, setting: [("title", "Write to the campsite")])
            try await push(second, by: "second client")
            try await push(first)
            try narrator.command("conflicts")
            let open = try await first.pending().compactMap { OpenDecision($0) }
            if open.isEmpty { throw DemoError(what: "the conflict is lost") }
            for decision in open { try narrator.answer(decision) }
            try narrator.command("resolve \(task) --set title=\"Write to two campsites\"")
            try await first.resolve(task, .set([("title", "Write to two campsites")]))
            try await push(first)
        }

        /// Both clients and the server hold the same objects in the end.
        private func compare() async throws {
            try narrator.heading("7. In the end all agree")
            try narrator.command("sync", by: "second client")
            try await second.synchronize()
            try await first.synchronize()
            var table = Table(["ENTITY", ">SERVER", ">FIRST CLIENT", ">SECOND CLIENT", "SAME"])
            for resource in clients.routeFile.resources {
                let server = clients.source.objects(resource.name).map(\.members)
                let mine = try await first.records(matching: Query(resource.name)).map(\.record.members)
                let others = try await second.records(matching: Query(resource.name)).map(\.record.members)
                let isSame = Set(server) == Set(mine) && Set(mine) == Set(others)
                table.add([resource.name] + [server, mine, others].map { String($0.count) } + [isSame ? "yes" : "no"])
                if !isSame { throw DemoError(what: "the \(resource.name) of server and clients differ") }
            }
            try narrator.answer(table)
        }

        // MARK: Parts

        private let task = ObjectURI(entity: "tasks", id: "1")

        private func resource(_ name: String) throws -> Resource { try clients.routeFile.known(name) }

        private func pulled(_ client: Synchronizer) async throws -> PullReport {
            let report = try await client.pull()
            if let problem = report.entities.values.compactMap(\.problem).first { throw DemoError(what: problem) }
            return report
        }

        private func push(_ client: Synchronizer, by name: String? = nil) async throws {
            try narrator.command("push", by: name)
            try narrator.answer(try await PushOutcome(client.push(), in: client).lines)
        }

        private func list(_ client: Synchronizer, _ entity: String) async throws {
            try await show(client, Query(entity))
        }

        private func show(_ client: Synchronizer, _ query: Query) async throws {
            let records = try await client.records(matching: query)
            try narrator.answer(
                RecordTable.lines(
                    of: records, pending: try await client.pending(entity: query.entity),
                    resource: try client.routeFile.known(query.entity),
                    members: ["title", "list", "status", "notes"], width: narrator.width))
        }

        private func fields(of uri: ObjectURI, in client: Synchronizer) async throws {
            guard let record = try await client.record(at: uri) else { throw DemoError(what: "\(uri) is lost") }
            for name in ["title", "notes"] { try narrator.answer("\(name)  \(record[name]?.text ?? "")") }
        }
    }

    /// The demo did not come to its end.
    struct DemoError: Error, CustomStringConvertible {
        var what: String
        var description: String { "the demo failed: \(what)" }
    }
#endif
