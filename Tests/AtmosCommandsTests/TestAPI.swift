#if Command
    import Atmosphere
    import AtmosphereDjangoREST
    import AtmosphereSource
    import AtmosphereYAML
    import Testing

    /// The API that the commands are tried against: lists and their tasks.
    enum TestAPI {
        static func routeFile(base: String, tasks: String = "", top: String = "") -> String {
            """
            atmosphere: 1
            name: tasks
            style: django-rest
            base: \(base)
            limits: { attempts: 1 }
            \(top)
            resources:
              lists:
                deletes: absent
              tasks:
                parent: { lists: list }
                types: { done: boolean, rank: integer, weight: float, tags: json, price: decimal, due: date }
                readonly: [modified]
                conflict: { clash: ask }
                actions:
                  archive: { post: "tasks/{id}/archive/" }
                \(tasks)

            """
        }

        static let lookup = "lookup: { field: uuid, query: uuid }"
        /// The same, where the file says that the source refuses a second object with the value, as it does.
        static let uniqueLookUp = "\(lookup)\n    duplicate: { status: 400, field: uuid }"
        static let since = "since: { send: modified_since, from: { field: modified } }\n    deletes: { field: deleted }"

        /// A source with one list and no tasks.
        static func source(
            tasks: String = "", top: String = "", secrets: [String: String] = [:]
        ) throws -> RESTSource {
            let text = routeFile(base: "http://127.0.0.1/api", tasks: tasks, top: top)
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: [.yaml, .djangoREST])
            var options = RESTSource.Options()
            options.secrets = secrets
            let source = try RESTSource(routeFile: file, options: options)
            try source.add("lists", ["title": "Home"])
            return source
        }

        /// A source that serves, and a folder whose `atmosphere.yaml` is for it.
        static func serving(
            tasks: String = "", top: String = "", secrets: [String: String] = [:],
            _ body: (RESTSource, Workspace) async throws -> Void
        ) async throws {
            let source = try source(tasks: tasks, top: top, secrets: secrets)
            try await source.withServer { url in
                let workspace = try Workspace()
                try workspace.write(routeFile(base: url, tasks: tasks, top: top), to: "atmosphere.yaml")
                try await body(source, workspace)
            }
        }

        /// A folder whose route file names a server that is not there.
        static func offline() throws -> Workspace {
            let workspace = try Workspace()
            // Port 1 is reserved (IANA, tcpmux), and nobody listens there.
            try workspace.write(routeFile(base: "http://127.0.0.1:1/api"), to: "atmosphere.yaml")
            return workspace
        }
    }
#endif
