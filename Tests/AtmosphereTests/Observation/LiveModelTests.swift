#if canImport(Observation)
    import AtmosphereTesting
    import Observation
    import Testing

    @testable import Atmosphere

    @testable import AtmosphereExchange

    @testable import AtmosphereRouting

    @Suite("models for a user interface")
    @MainActor
    struct LiveModelTests {
        /// Waits for observed changes until a condition holds.
        private func wait(until condition: @MainActor () -> Bool) async {
            while true {
                let (changes, tell) = AsyncStream<Void>.makeStream()
                let holds = withObservationTracking {
                    condition()
                } onChange: {
                    tell.yield()
                }
                if holds { return }
                for await _ in changes { break }
                // The change itself follows the notice of it.
                await Task.yield()
            }
        }

        @Test("a query, an object and the status change under the eyes of their observers")
        func follows() async throws {
            let world = try await TinyWorld()
            let tasks = LiveQuery(Query("tasks", order: [.init("title")]), in: world.synchronizer)
            let status = LiveSyncStatus(of: world.synchronizer)
            #expect(tasks.objects.isEmpty && !tasks.isLoaded)
            await wait { tasks.isLoaded && status.status != nil }
            let uri = try await world.synchronizer.save(["title": "b"], as: "tasks")
            let task = LiveObject(uri, in: world.synchronizer)
            await wait { tasks.objects.count == 1 && task.object != nil }
            #expect(task.object?.record?["title"] == "b")
            try await world.synchronizer.edit(uri, setting: [("title", "c")])
            await wait { task.object?.record?["title"] == "c" && status.status?.counts.localOnly == 1 }
            try await world.synchronizer.push()
            await wait { status.status?.counts.changed == 0 && task.object?.status == .synchronized }
            #expect(tasks.error == nil && task.error == nil && status.error == nil)
        }

        @Test("a model that cannot be read says why; one that nobody holds is gone")
        func ends() async throws {
            let world = try await TinyWorld()
            let wrong = LiveQuery(Query("nothing"), in: world.synchronizer)
            await wait { wrong.error != nil }
            #expect(wrong.error is SyncError)
            weak var gone: LiveQuery<LocalObject>?
            do {
                let query = LiveQuery(Query("tasks"), in: world.synchronizer)
                gone = query
                await wait { query.isLoaded }
            }
            #expect(gone == nil)
        }
    }
#endif
