#if YAML
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereDjangoREST
    import AtmosphereGoogleTasks
    import AtmospherePlain
    import AtmosphereSource
    import AtmosphereYAML
    import Testing

    @Suite("The source of a route file")
    struct SourceRouteFileTests {
        private func load(_ yaml: String) throws -> RouteFile {
            try RouteFile.load(
                bytes: Array(yaml.utf8), source: "test.yaml", adapters: [.yaml, .djangoREST, .plain])
        }

        @Test(
            "every route file that is good can be served",
            arguments: ["pictures", "minimal", "explained", "google-tasks"])
        func fixtures(name: String) throws {
            let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(
                separator: "/")
            let file = try RouteFile.load(
                path: "\(tests)/Fixtures/RouteFiles/good/\(name).yaml",
                adapters: [.yaml, .djangoREST, .googleTasks, .plain])
            var api = try SourceAPI(file)
            api.auth = .none
            let resources = api.resources
            var server = SampleServer(api, seed: 4)
            for resource in resources {
                guard
                    let path = resource.list.path.filled({ _ in
                        resource.parents.isEmpty ? nil : server.firstID(resource.parents[0].entity, api)
                    })
                else {
                    Issue.record("\(resource.name) has a path that cannot be filled")
                    continue
                }
                let list = server.send(resource.list.method, api.basePath + (path.hasPrefix("/") ? "" : "/") + path)
                #expect(list.status == 200, "\(resource.name): \(path)")
                let items = resource.items?.values(in: list.body).first ?? list.body
                #expect(items.array?.isEmpty == false, "\(resource.name)")
                let ids = items.array?.compactMap { resource.id.first(in: $0)?.scalarText } ?? []
                #expect(ids.count == items.array?.count)
            }
        }

        @Test("a route file whose requests only the body tells apart is refused")
        func sharedPaths() throws {
            for (style, resources) in [
                ("plain", "{ tasks: { path: all }, notes: { path: all } }"), ("cloudkit", "{ tasks: {} }")
            ] {
                let text = """
                    atmosphere: 1
                    style: \(style)
                    base: https://api.example.com
                    resources: \(resources)
                    """
                let file = try RouteFile.load(
                    bytes: Array(text.utf8), source: "shared.yaml", adapters: [.yaml, .plain, .cloudKit])
                let error = try #require(throws: RESTSourceError.self) { try SourceAPI(file) }
                #expect(error.code == .cannotServe && error.message.contains("at one path"), "\(error)")
            }
        }

        @Test("a resumable upload that the answer to a question begins is refused")
        func askedAndResumable() throws {
            let text = """
                atmosphere: 1
                base: https://api.example.com
                resources:
                  tasks:
                    attachments:
                      scan:
                        upload: { ask: { post: uploads, url: $.url }, resumable: tus, set: "{url}" }

                """
            let file = try load(text)
            let error = try #require(throws: RESTSourceError.self) { try SourceAPI(file) }
            #expect(error.code == .cannotServe)
            #expect(error.message.hasPrefix("“attachments.scan.upload” of tasks has “ask”"), "\(error)")
        }

        @Test("a Django style route file behaves like the framework")
        func django() throws {
            let file = try load(
                """
                atmosphere: 1
                style: django-rest
                base: https://pictures.example.com/api
                auth: { token: "secret:TOKEN" }
                resources:
                  albums:
                    since: { send: modified_since, from: { field: last_modified } }
                    readonly: [id, created, last_modified]
                    lookup: { field: uuid, query: uuid }
                    duplicate: { status: 400, field: uuid }
                  pictures:
                    parent: { albums: album }
                """)
            var server = try SampleServer(SourceAPI(file), seed: 150) { $0.secrets = ["TOKEN": "t"] }
            let signedIn: HeaderFields = ["Authorization": "Token t"]
            #expect(server.send("GET", "/api/albums/").status == 401)
            let page = server.send("GET", "/api/albums/", headers: signedIn)
            #expect(page.values("$.results[*].id").count == 100)
            #expect(page["next"]?.string == "http://127.0.0.1:1/api/albums/?cursor=100")
            let refused = server.send("POST", "/api/albums/", #"{"title":""}"#, headers: signedIn)
            #expect(refused.status == 400)
            #expect(refused.body == ["title": ["This field may not be blank."]])
            #expect(server.send("GET", "/api/albums/999/", headers: signedIn).body == ["detail": "Not found."])
            #expect(server.send("GET", "/api/pictures/7/", headers: signedIn)["album"] == 7)
        }
    }

    extension SampleServer {
        /// The identifier of an entity's first object.
        mutating func firstID(_ entity: String, _ api: SourceAPI) -> String? {
            guard let resource = api.resource(entity), let path = resource.list.path.filled({ _ in nil }) else {
                return nil
            }
            let list = send("GET", api.basePath + (path.hasPrefix("/") ? "" : "/") + path)
            let items = resource.items?.values(in: list.body).first ?? list.body
            return items.array?.first.flatMap { resource.id.first(in: $0)?.scalarText }
        }
    }

    extension Value {
        fileprivate var scalarText: String? { string ?? number?.lexeme }
    }
#endif
