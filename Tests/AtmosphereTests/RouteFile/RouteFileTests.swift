import Atmosphere
import Testing

/// Says a little about everything, so that overriding can be seen.
private struct ShopStyle: RoutingStyle {
    var name: String { "shop" }
    var document: String {
        """
        {
            "list": { "path": "/{plural}.json" },
            "read": { "path": "/{path}/{id}" },
            "create": { "path": "{name}/new" },
            "update": { "path": "/{path}/{id}" },
            "delete": { "path": "/{path}/{id}" },
            "root": { "write": "{singular}" },
            "items": "$.items",
            "headers": { "X-A": "1", "X-B": "2" },
            "readonly": ["etag"],
            "pages": { "kind": "token", "next": "$.token", "parameter": "token", "size": { "parameter": "n", "value": 5 } },
            "version": { "field": "etag", "send": "if-match" }
        }
        """
    }
    func singular(_ name: String) -> String { String(name.dropLast()) }
    func plural(_ name: String) -> String { name.uppercased() }
}

@Suite("The route file") struct RouteFileTests {
    private func load(_ text: String, source: String = "folder/shop.v1.json") throws(RouteFileError) -> RouteFile {
        try RouteFile.load(bytes: Array(text.utf8), source: source, adapters: [.style(ShopStyle())])
    }

    private func load(top: String = "", resources: String) throws(RouteFileError) -> RouteFile {
        let comma = top.isEmpty ? "" : ","
        return try load(
            #"{"atmosphere": 1, "style": "shop", "base": "https://shop.example.com/v1//"\#(comma) \#(top), "resources": {\#(resources)}}"#
                .replacing(#""\#(comma) ,"#, with: #"","#))
    }

    private func resource(_ json: String, top: String = "") throws -> Resource {
        try #require(try load(top: top, resources: #""tasks": \#(json)"#).resource("tasks"))
    }

    @Test("a file of one line gets every default")
    func defaults() throws {
        let file = try load(resources: #""tasks": {}"#)
        #expect(file.name == "shop.v1")
        #expect(file.base == "https://shop.example.com/v1")
        #expect(file.store == StoreSettings())
        #expect(file.transport == TransportSettings())
        #expect(file.limits == Limits())
        #expect(file.auth == .none)
        #expect(file.identity == nil)
        #expect(file.secrets == SecretSettings())
        let tasks = try #require(file.resource("tasks"))
        #expect(tasks.id == .member("id"))
        #expect(tasks.conflict == ConflictRules())
        #expect(tasks.fields == FieldRules())
        #expect(tasks.deletes == Deletes())
        #expect(tasks.since == nil)
        #expect(tasks.format == "json")
    }

    @Test("a style's places are filled for each resource")
    func stylePlaces() throws {
        let tasks = try resource(#"{ "path": "a/tasks/" }"#)
        #expect(tasks.list.path.description == "TASKS.json")
        #expect(tasks.read.path.description == "a/tasks/{id}")
        #expect(tasks.create.path.description == "tasks/new")
        #expect(tasks.writeRoot == "task")
        #expect(tasks.readRoot == nil)
        #expect(try resource(#"{ "path": null }"#).read.path.description == "tasks/{id}")
        #expect(try resource(#"{ "path": "a/tasks/", "list": { "path": "b/" } }"#).list.path.description == "b/")
    }

    @Test("maps merge, lists replace, and null removes a default")
    func merging() throws {
        let tasks = try resource(
            #"{ "headers": { "X-B": null, "X-C": "4" }, "readonly": [], "items": null, "root": null }"#,
            top: #""headers": { "X-A": "3" }, "readonly": ["a", "b"]"#)
        #expect(tasks.headers == [NamedText(name: "X-A", value: "3"), NamedText(name: "X-C", value: "4")])
        #expect(tasks.readonly == ["id"])
        #expect(tasks.items == nil)
        #expect(tasks.writeRoot == nil)
    }

    @Test("another kind of pages starts afresh, and the same kind goes on")
    func pages() throws {
        let size = Paging.Size(parameter: "n", value: 5)
        let next = JSONPath([.member("token")])
        #expect(try resource("{}").paging == .token(next: .body(next), parameter: "token", size: size))
        #expect(
            try resource(#"{ "pages": { "size": { "value": 9 } } }"#).paging
                == .token(next: .body(next), parameter: "token", size: Paging.Size(parameter: "n", value: 9)))
        #expect(
            try resource(#"{ "pages": { "kind": "number", "parameter": "p" } }"#).paging
                == .number(parameter: "p", first: 1, size: nil, total: nil))
        #expect(
            try resource(
                #"{ "pages": { "kind": "offset", "parameter": "o", "size": { "parameter": "n", "value": 7 }, "total": "$.all" } }"#
            ).paging
                == .offset(
                    parameter: "o", size: Paging.Size(parameter: "n", value: 7), total: .member("all")))
        #expect(
            try resource(#"{ "pages": { "kind": "link-body", "next": "$.next" } }"#).paging
                == .bodyLink(next: .member("next"), size: nil))
        #expect(try resource(#"{ "pages": "none" }"#).paging == .none)
        #expect(try resource(#"{ "pages": null }"#).paging == .none)
    }

    @Test("an alternative replaces the one below, and keeps what does not exclude it")
    func alternatives() throws {
        let header = Version.Place.header("ETag")
        #expect(try resource(#"{ "version": { "header": "ETag" } }"#).version == .ifMatch(header, ordered: false))
        #expect(
            try resource(#"{ "version": { "send": "none", "order": "ascending" } }"#).version
                == .token(.field(.member("etag")), ordered: true))
        #expect(try resource(#"{ "version": "none" }"#).version == .none)
        #expect(try resource(#"{ "version": null }"#).version == .compare)
    }

    @Test("a list of what was deleted is like the resource’s own where it says nothing else")
    func tombstones() throws {
        let plain = try resource(#"{ "id": "key", "deletes": { "list": "{path}/gone" }, "query": { "a": "1" } }"#)
        let list = try #require(plain.deletes.list)
        #expect(list.list.path.description == "tasks/gone" && list.list.method == "GET" && list.list.query == [])
        #expect(list.id == .member("key") && list.items == .member("items") && list.paging == plain.paging)
        #expect(list.since == nil)
        let other = try resource(
            #"""
            { "since": { "send": "after", "from": { "field": "at" } },
              "deletes": { "list": { "path": "/gone", "query": { "kind": "task" }, "items": "$.gone", "id": "task.id",
                "pages": "none", "since": { "send": "since", "from": { "field": "when" }, "expires": "P30D" } } } }
            """#)
        let own = try #require(other.tombstones)
        #expect(own.name == "tasks" && own.list.path.description == "gone")
        #expect(own.list.query == [NamedText(name: "kind", value: "task")])
        #expect(own.items == .member("gone") && "\(own.id)" == "$.task.id" && own.paging == .none)
        #expect(own.since?.parameter == "since" && own.since?.origin == .field(.member("when")))
        #expect(own.since?.expires == .seconds(30 * 86_400) && other.since?.parameter == "after")
        #expect(own.tombstones == nil && !own.read.isOffered && !own.update.isOffered)
        #expect(try resource("{}").tombstones == nil)
    }

    @Test("words are short for maps, and merge like them")
    func words() throws {
        let top = #""deletes": { "absent": true, "field": "gone", "equals": 1 }"#
        let online = try resource(#"{ "deletes": "online" }"#, top: top).deletes
        #expect(online.byAbsence)
        #expect(online.onlineOnly)
        #expect(online.field == .member("gone"))
        #expect(online.equals == 1)
        let present = try resource(#"{ "deletes": { "present": true } }"#, top: top).deletes
        #expect(present.equals == nil)
        #expect(present.field == .member("gone"))
        #expect(try resource(#"{ "deletes": "never" }"#, top: top).deletes == Deletes())
        let list = try resource(#"{ "deletes": { "list": "gone" } }"#, top: top).deletes
        #expect(list.list?.list.path.description == "gone" && list.field == .member("gone"))
        let inherited = #""deletes": { "list": "gone" }"#
        #expect(try resource(#"{ "deletes": "absent" }"#, top: inherited).deletes.list != nil)
        #expect(try resource(#"{ "deletes": "never" }"#, top: inherited).deletes == Deletes())
        #expect(try resource(#"{ "deletes": { "list": null } }"#, top: inherited).deletes == Deletes())
        let tasks = try resource(#"{ "root": "task", "id": "meta.id" }"#)
        #expect(tasks.readRoot == "task")
        #expect(tasks.writeRoot == "task")
        #expect(tasks.id == JSONPath([.member("meta"), .member("id")]))
        let file = try load(top: #""store": "memory", "transport": "replay""#, resources: #""tasks": {}"#)
        #expect(file.store.kind == "memory")
        #expect(file.transport.kind == "replay")
    }

    @Test("an operation that is null is not offered, and one below can be offered again")
    func offers() throws {
        let tasks = try resource(#"{ "create": null, "update": { "path": "u/{id}" } }"#, top: #""update": null"#)
        #expect(!tasks.create.isOffered)
        #expect(tasks.update.isOffered)
        #expect(tasks.update.path.description == "u/{id}")
        #expect(tasks.update.method == "PUT")
        #expect(tasks.update.body == .whole)
        #expect(tasks.list.isOffered)
    }

    @Test("the identifier is never sent unless the client assigns it")
    func readonlyIdentifier() throws {
        #expect(try resource("{}").readonly == ["etag", "id"])
        #expect(try resource(#"{ "id": { "assigned": "client" } }"#).readonly == ["etag"])
        #expect(try resource(#"{ "id": "uuid", "readonly": ["uuid"] }"#).readonly == ["uuid"])
        #expect(try resource(#"{ "id": "$.meta.id" }"#).readonly == ["etag"])
    }

    @Test("{path} at the beginning of a path is the resource's, for one and for all; elsewhere it is a member")
    func ownPath() throws {
        let tasks = try resource(
            """
            { "path": "v2/tasks/", "types": { "path": "string" }, "create": { "path": "/{path}/new" }, "delete": { "path": "{path}/{id}/trash" },
              "read": { "path": "files/{id}/{path}" }, "actions": { "move": { "post": "{path}/{id}/move" } },
              "attachments": { "scan": { "upload": { "path": "{path}/{id}/scan" } } } }
            """,
            top: #""update": { "path": "{path}/{id}.json" }"#)
        #expect(tasks.update.path.description == "v2/tasks/{id}.json")
        #expect(tasks.list.path.description == "TASKS.json")
        #expect(tasks.create.path.description == "v2/tasks/new")
        #expect(tasks.delete.path.description == "v2/tasks/{id}/trash")
        #expect(tasks.read.path.description == "files/{id}/{path}")
        #expect(tasks.actions.first?.path.description == "v2/tasks/{id}/move")
        #expect(tasks.attachments.first?.upload?.path?.description == "v2/tasks/{id}/scan")
        let named = try resource(#"{ "delete": { "path": "{path}/{id}" }, "update": { "path": "{path}/{name}" } }"#)
        #expect(named.delete.path.description == "tasks/{id}")
        #expect(named.update.path.description == "tasks/{name}")
    }

    @Test("an upload has a query and a media type of its own, whose places are checked")
    func uploads() throws {
        func attachment(_ upload: String) throws -> Atmosphere.Attachment {
            try #require(try resource(#"{ "attachments": { "scan": { "upload": \#(upload) } } }"#).attachments.first)
        }
        let upload = try #require(
            try attachment(
                #"{ "path": "uploads", "query": { "filename": "{file.name}", "task": "{id}" }, "media-type": "application/octet-stream" }"#
            ).upload)
        #expect(upload.query.map(\.value) == ["{file.name}", "{id}"])
        #expect(upload.mediaType == "application/octet-stream")
        for (wrong, word) in [
            (#"{ "path": "u", "value": "$.a", "query": { "a": "{file.nam}" } }"#, "{file.nam}"),
            (#"{ "path": "u", "query": { "a": "b" } }"#, "a path or a query"),
            (#"{ "ask": { "get": "u/{id}", "url": "$.a" }, "query": { "a": "b" } }"#, "has no use with “ask”")
        ] {
            let error = #expect(throws: RouteFileError.self) { _ = try attachment(wrong) }
            #expect(
                error?.problems.contains { $0.message.contains(word) } == true, "\(wrong): \(String(describing: error))"
            )
        }
    }

    @Test("a look-up that no parameter filters has nothing that says how the value is written")
    func lookUpWithoutQuery() throws {
        let tasks = try resource(
            #"{ "lookup": { "field": "token" }, "duplicate": { "status": 422, "field": "token" } }"#)
        #expect(tasks.lookup == Lookup(field: "token", parameter: nil))
        let error = #expect(throws: RouteFileError.self) {
            _ = try resource(#"{ "lookup": { "field": "token", "prefix": "x" } }"#)
        }
        #expect(error?.problems.map(\.message).first?.contains("no use without “lookup.query”") == true)
    }

    @Test("scalars keep the text that is written where text belongs")
    func scalars() throws {
        let tasks = try resource(
            #"{ "query": { "a": 1.10, "b": true, "c": "null" }, "absent-equals": [null, "null", 1.0, "1.0", true, {"a": [1]}] }"#
        )
        #expect(tasks.list.query.map(\.value) == ["1.10", "true", "null"])
        #expect(tasks.fields.absentEquals == [nil, "null", 1, "1.0", true, ["a": [1]]])
    }

    @Test(
        "parents come before their children, referenced entities before those that refer, and else the file's order rules"
    )
    func order() throws {
        let file = try load(
            resources: """
                "notes": { "path": "users/{users.id}/tasks/{tasks.id}/notes", "parent": { "tasks": "task", "users": "user" } },
                "alpha": {},
                "tasks": { "path": "users/{users.id}/tasks", "parent": { "users": "user" },
                           "references": { "label": "labels", "next": "tasks" } },
                "chicken": { "references": { "from": "eggs" } },
                "eggs": { "references": { "from": "chicken", "in": "nests" } },
                "users": { "references": { "inbox": "tasks" } },
                "labels": {}, "nests": {}
                """)
        // `users` and `tasks` name each other, but only `tasks` is a child; of two that refer to each other the first
        // in the file goes first.
        #expect(
            file.resources.map(\.name) == ["alpha", "chicken", "users", "labels", "tasks", "notes", "nests", "eggs"])
        let notes = try #require(file.resource("notes"))
        #expect(notes.parents == [Reference(entity: "users", field: "user"), Reference(entity: "tasks", field: "task")])
        let tasks = try #require(file.resource("tasks"))
        #expect(
            tasks.references == [
                Reference(entity: "users", field: "user"), Reference(entity: "labels", field: "label"),
                Reference(entity: "tasks", field: "next")
            ])
    }

    @Test(
        "mistakes of the whole, with the first place for those without one",
        arguments: [
            ("[]", "routes.json:1:1: a route file is a map of settings, not a list"),
            ("12", "routes.json:1:1: a route file is a map of settings, not a single value"),
            (
                #"{"atmosphere": 1, "base": "https://a", "style": "plain", "resources": {"a": {}}}"#,
                "routes.json:1:49: style “plain” is not linked; linked are: shop. Add the product AtmospherePlain and pass .plain"
            ),
            (
                #"{"atmosphere": 1, "base": "https://a", "resources": {"a": {}}}"#,
                "routes.json:1:1: style “plain” is not linked; linked are: shop. Add the product AtmospherePlain and pass .plain"
            ),
            (
                "{\n\"atmosphere\": 1, \"base\": \"https://a\", \"style\": \"shop\",\n\"resources\": {\"as\": {\"id\": \"x\", \"id\": \"y\"}}}",
                "routes.json:3:33: the key “id” stands twice; the first is at routes.json:3:22"
            )
        ])
    func wholeMistakes(text: String, message: String) throws {
        let error = try #require(throws: RouteFileError.self) { try load(text, source: "routes.json") }
        #expect(error.description == message)
    }

    @Test("a text that is no UTF-8 is refused with its place")
    func notUTF8() throws {
        let error = try #require(throws: RouteFileError.self) {
            try RouteFile.load(bytes: Array("{\n \"ä".utf8) + [0xFF], source: "a.json", adapters: [])
        }
        #expect(error.description == "a.json:2:4: the text is not UTF-8")
    }

    @Test("a file that is too large is refused")
    func tooLarge() throws {
        let bytes = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
        let error = try #require(throws: RouteFileError.self) {
            try RouteFile.load(bytes: bytes, source: "a.json", adapters: [])
        }
        #expect(
            error.description == "a.json:1:1: the file is larger than 1048576 bytes; a route file cannot be that large")
    }

    @Test("a style's own mistake is told as the style's")
    func styleMistake() throws {
        struct Broken: RoutingStyle {
            var name: String { "broken" }
            var document: String { "{\n\"pagse\": 1, \"list\": { \"path\": \"/../{name}\" } }" }
        }
        let error = try #require(throws: RouteFileError.self) {
            try RouteFile.load(
                bytes: Array(
                    #"{"atmosphere": 1, "style": "broken", "base": "https://a", "resources": {"a": {}, "b": {"pages": "x"}}}"#
                        .utf8), source: "a.json", adapters: [.style(Broken())])
        }
        #expect(error.problems.first?.place.source == "a.json")
        let style = error.problems.filter { $0.place.source == "style broken" }.map(\.description)
        #expect(style.contains("style broken:2:1: unknown key “pagse”; did you mean “pages”?"))
        #expect(style.filter { $0.contains("“list.path”") }.count == 1)
    }

    @Test("names of adapters that are written and not linked are told with their places")
    func linkedNames() throws {
        let adapters: [Adapter] = [
            .style(ShopStyle()), .store("sqlite") { _ in throw CancellationError() },
            .transport("curl") { _ in throw CancellationError() }
        ]
        let error = try #require(throws: RouteFileError.self) {
            try RouteFile.load(
                bytes: Array(
                    """
                    {"atmosphere": 1, "style": "shop", "base": "https://a",
                    "store": "json-file",
                    "transport": { "kind": "crul" },
                    "resources": { "as": {} } }
                    """.utf8), source: "a.json", adapters: adapters)
        }
        #expect(
            error.description == """
                a.json:2:10: store “json-file” is not linked; linked are: memory, sqlite. Add the product AtmosphereJSONFile and pass .jsonFile
                a.json:3:24: transport “crul” is not linked; linked are: curl. Did you mean “curl”?
                """)
    }
}
