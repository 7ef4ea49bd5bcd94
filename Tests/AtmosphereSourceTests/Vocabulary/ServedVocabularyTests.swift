#if Source && YAML && Curl && XML
    import Atmosphere
    import AtmosphereSource
    import Testing

    @Suite("The source and two clients of one route file", .timeLimit(.minutes(5)))
    struct ServedVocabularyTests {
        @Test("agree after offline work, pushes and another client's edits", arguments: ServedVariation.all)
        func agree(_ variation: ServedVariation) async throws {
            let file = try variation.routeFile(base: "http://127.0.0.1/api")
            let source = try RESTSource(
                routeFile: file, options: variation.options, adapters: ServedVariation.adapters)
            try await source.withServer { url in
                let (first, network) = try await variation.client(url)
                let (second, _) = try await variation.client(url)
                try await pull(first)
                #expect(try await titles(first) == titles(source, file))
                let tasks = try await first.records(matching: Query("tasks"))
                #expect(tasks.count == 25)

                network.isOffline = true
                let project = try await first.save(["title": "New"], as: variation.parent.entity)
                _ = try await first.save(
                    ["title": "Inside", variation.parent.field: .string(project.id)], as: "tasks")
                var edits: [(name: String, value: Value?)] = [("title", "Edited offline")]
                if let other = variation.other { edits.append((other.field, other.value)) }
                try await first.edit(tasks[0].uri, setting: edits)
                try await first.delete(tasks[1].uri)
                network.isOffline = false
                try await push(first)

                try await pull(second)
                try await pull(first)
                try await agree(first, second, source, file)
                let edited = try #require(try await second.record(at: tasks[0].uri))
                #expect(edited["title"] == "Edited offline")
                if let other = variation.other { #expect(edited[other.field]?.text == other.value.text) }
                #expect(try await second.record(at: tasks[1].uri) == nil)

                // Another client edits and deletes, and so does the server's own user interface.
                try await second.edit(tasks[2].uri, setting: [("title", "Edited by the second")])
                try await second.delete(tasks[3].uri)
                try await push(second)
                try source.edit("tasks", tasks[4].uri.id, ["title": "Edited on the server"])
                try source.remove("tasks", tasks[5].uri.id)
                try await pull(first)
                try await pull(second)
                try await agree(first, second, source, file)
                #expect(try await first.record(at: tasks[2].uri)?["title"] == "Edited by the second")
                #expect(try await first.record(at: tasks[3].uri) == nil)
                #expect(try await first.record(at: tasks[5].uri) == nil)
                for client in [first, second] {
                    #expect(try await client.status().allSatisfy { $0.counts.changed == 0 })
                    try await client.close()
                }
            }
            let refused = source.log.filter { ($0.status ?? 0) >= 400 && ![404, 410].contains($0.status) }
            let end = variation.name.contains("up to an error") ? [400] : []
            #expect(
                refused.allSatisfy { end.contains($0.status ?? 0) },
                "\(refused.map { ($0.method, $0.path, $0.status) })")
        }

        // MARK: Steps

        private func pull(_ client: Synchronizer) async throws {
            let report = try await client.pull()
            for (entity, result) in report.entities {
                #expect(result.problem == nil, "\(entity)")
                #expect(result.warnings.isEmpty && result.conflicted == 0, "\(entity): \(result)")
            }
        }

        private func push(_ client: Synchronizer) async throws {
            let report = try await client.push()
            #expect(report.failures.isEmpty && report.unreachable == nil && report.signInNeeded == nil, "\(report)")
            #expect(report.ignored.isEmpty, "\(report.ignored)")
        }

        // MARK: End states

        private func agree(
            _ first: Synchronizer, _ second: Synchronizer, _ source: RESTSource, _ file: RouteFile
        ) async throws {
            for resource in file.resources {
                let (mine, theirs) = (try await contents(first, resource), try await contents(second, resource))
                #expect(mine == theirs, "\(resource.name)")
            }
            #expect(try await titles(first) == titles(source, file))
        }

        /// Every object's members, without those that are absent for this route file.
        private func contents(_ client: Synchronizer, _ resource: Resource) async throws -> [String: [String: Value]] {
            var contents: [String: [String: Value]] = [:]
            for (uri, record) in try await client.records(matching: Query(resource.name)) {
                let members = record.members.filter { !resource.fields.absentEquals.contains($0.value) }
                contents[uri.description] = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
            }
            return contents
        }

        private func titles(_ client: Synchronizer) async throws -> [String] {
            var titles: [String] = []
            for status in try await client.status() {
                for (_, record) in try await client.records(matching: Query(status.entity)) {
                    titles.append("\(status.entity): \(record["title"]?.text ?? "")")
                }
            }
            return titles.sorted()
        }

        private func titles(_ source: RESTSource, _ file: RouteFile) -> [String] {
            file.resources.flatMap { resource in
                source.objects(resource.name).map { object in
                    "\(resource.name): \(resource.mapping.value("title", in: object)?.text ?? "")"
                }
            }.sorted()
        }
    }
#endif
