// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereDjangoREST
    import AtmosphereSQLite
    import AtmosphereYAML

    @main struct QuickStart {
        static func main() async throws {
            let api = try await Synchronizer.open(
                CommandLine.arguments[1], adapters: [.yaml, .djangoREST, .curl, .sqlite])
            try await api.synchronize()
            for try await tasks in api.fetch(Query("tasks", order: [.init("title")], limit: 2)) {
                print(tasks.isRemote ? "asked the server:" : "from the local copy:")
                for task in tasks.records { print(" ", task.uri, task.record["title"]?.text ?? "") }
            }
            let uri = try await api.save(["title": "Buy milk", "list": 1], as: "tasks")
            try await api.push()
            print("saved:", try await api.object(at: uri)?.uri ?? uri)
            for entity in try await api.status() { print("\(entity.entity): \(entity.counts.objects) objects") }
            try await api.close()
        }
    }
#else
    @main struct QuickStart { static func main() { print("QuickStart needs the default traits") } }
#endif
