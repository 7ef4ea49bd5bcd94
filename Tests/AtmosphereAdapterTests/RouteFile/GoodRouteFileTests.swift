#if YAML
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Testing

    @Suite("Good route files") struct GoodRouteFileTests {
        @Test("YAML and JSON of the same settings give the same model")
        func sameModel() throws {
            let yaml = try RouteFixtures.load("pictures.yaml")
            let json = try RouteFixtures.load("pictures.json")
            #expect(yaml.resources == json.resources)
            #expect(yaml.name == json.name)
            #expect(yaml.style == json.style)
            #expect(yaml.base == json.base)
            #expect(yaml.store == json.store)
            #expect(yaml.transport == json.transport)
            #expect(yaml.auth == json.auth)
            #expect(yaml.identity == json.identity)
            #expect(yaml.secrets == json.secrets)
            #expect(yaml.limits == json.limits)
            #expect(yaml.settings.map(\.path) == json.settings.map(\.path))
            #expect(yaml.settings.map(\.value) == json.settings.map(\.value))
        }

        @Test("a byte order mark in front of the text says nothing")
        func byteOrderMark() throws {
            let text = "\u{FEFF}atmosphere: 1\nstyle: plain\nbase: https://api.example.com\nresources: { tasks: {} }\n"
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "bom.yaml", adapters: RouteFixtures.adapters)
            #expect(file.resources.map(\.name) == ["tasks"])
        }

        @Test("OAuth 2.0 with everything that can be said of it")
        func oauth2() throws {
            let file = try RouteFixtures.load("oauth2.yaml")
            var expected = OAuth2Settings(
                grant: .authorizationCode,
                client: .init(
                    id: .literal("app"), secret: SecretName("CLIENT_SECRET"), authentication: .body),
                token: "https://login.example.com/token")
            expected.authorize = "https://login.example.com/authorize?tenant=7"
            expected.revoke = "https://login.example.com/revoke"
            expected.issuer = "https://login.example.com"
            expected.scopes = ["tasks.read", "tasks.write"]
            expected.parameters = [NamedText(name: "access_type", value: "offline")]
            expected.redirect.host = "localhost"
            expected.redirect.port = 8765
            expected.redirect.path = "/callback"
            #expect(file.auth == .oauth2(expected))
            #expect(
                file.tokens
                    == .commands(
                        load: ["secret-tool", "lookup", "app", "atmos"],
                        save: ["secret-tool", "store", "--label=atmos", "app", "atmos"],
                        remove: ["secret-tool", "clear", "app", "atmos"]))
            #expect(file.identity == IdentityCheck(path: "me", field: .member("id")))
        }

        @Test("a session with everything that can be said of it; what came as a cookie goes back as one")
        func session() throws {
            let file = try RouteFixtures.load("session.yaml")
            var expected = SessionSettings(
                path: "sessions",
                fields: [
                    .init(name: "email", value: .secret(SecretName("EMAIL"))),
                    .init(name: "password", value: .secret(SecretName("PASSWORD"))),
                    .init(name: "remember", value: .literal("1"))
                ], token: .cookie("_session"), send: .cookie("_session"))
            expected.coding = .form
            expected.root = "user"
            expected.lifetime = .seconds(8 * 3600)
            expected.logout = .init(method: "DELETE", path: "sessions/current")
            #expect(file.auth == .session(expected))
            #expect(file.tokens == .file(".tokens"))
            let sent = file.explanation().first { $0.path == "auth.session.send.cookie" }
            #expect(sent?.value == "_session" && sent?.origin == "default")
        }

        @Test("without the adapter a program that links a transport is told which product has it")
        func notLinked() throws {
            let adapters =
                RouteFixtures.adapters + [
                    .transport("curl") { _ in ScriptedTransport() }
                ]
            let error = try #require(throws: RouteFileError.self) {
                try RouteFile.load(
                    bytes: RouteFixtures.bytes("good/oauth2.yaml"), source: "oauth2.yaml", adapters: adapters)
            }
            #expect(
                error.description
                    == "oauth2.yaml:5:5: authenticator “oauth2” is not linked; none is. Add the product "
                    + "AtmosphereOAuth2 and pass .oauth2")
        }

        @Test("the settings beside the resources")
        func settings() throws {
            let file = try RouteFixtures.load("pictures.yaml")
            #expect(file.name == "pictures")
            #expect(file.style == "django-rest")
            #expect(file.base == "https://pictures.example.com/api")
            #expect(file.store.kind == "json-file")
            #expect(file.store.path == "data/pictures.json")
            #expect(file.transport.timeout == .seconds(30))
            #expect(file.transport.connectTimeout == .seconds(5))
            #expect(file.auth == .token(scheme: "Token", SecretName("PICTURES_TOKEN")))
            #expect(file.identity == IdentityCheck(path: "me/", field: .member("username")))
            #expect(file.secrets.file == ".secrets")
            #expect(file.limits.concurrent == 2)
            #expect(file.limits.rate == 10)
            #expect(file.limits.body == 1_000_000_000)
            #expect(file.resources.map(\.name) == ["pictures", "users", "comments"])
        }

        @Test("a resource with everything that can be said of it")
        func pictures() throws {
            let pictures = try #require(try RouteFixtures.load("pictures.yaml").resource("pictures"))
            #expect(pictures.list.path.description == "pictures/")
            #expect(
                pictures.list.query == [
                    NamedText(name: "public", value: "NO"), NamedText(name: "at", value: "12:30:00"),
                    NamedText(name: "ratio", value: "1.10"), NamedText(name: "ordering", value: "-id")
                ])
            #expect(
                pictures.headers == [
                    NamedText(name: "X-Client", value: "atmosphere"), NamedText(name: "X-Old", value: "1")
                ])
            #expect(pictures.id == .member("uuid"))
            #expect(pictures.readonly == ["created", "last_modified", "uuid"])
            #expect(pictures.create.idempotencyHeader == "Idempotency-Key")
            #expect(pictures.create.body == .whole)
            #expect(pictures.update.method == "PATCH")
            #expect(pictures.update.body == .changed)
            #expect(pictures.update.path.description == "pictures/{id}/")
            #expect(pictures.items == .member("results"))
            #expect(pictures.paging == .bodyLink(next: .member("next"), size: nil, total: .member("count")))
            #expect(pictures.since?.fullEvery == .seconds(7 * 86_400))
            let since = try #require(pictures.since)
            #expect(since.parameter == "modified_since")
            #expect(since.origin == .field(.member("last_modified")))
            #expect(since.overlap == .seconds(120))
            #expect(since.expires == .seconds(7 * 86_400))
            #expect(since.query == [NamedText(name: "deleted", value: "true")])
            #expect(pictures.deletes.byAbsence)
            #expect(pictures.deletes.equals == "gone")
            #expect(pictures.deletes.onlineOnly)
            #expect(pictures.version == .ifMatch(.field(.member("etag")), ordered: true))
            #expect(pictures.lookup == Lookup(field: "uuid", parameter: "uuid"))
            #expect(pictures.duplicate == Duplicate(statuses: [400, 409], field: "uuid"))
            #expect(pictures.conflict.policy == .newest)
            #expect(pictures.conflict.clash == .mine)
            #expect(pictures.conflict.fields == ["title": .theirs])
            #expect(pictures.conflict.deletedThere == .recreate)
            #expect(pictures.conflict.deletedHere == .ask)
            #expect(pictures.conflict.time == "edited")
            #expect(pictures.fields.types == ["latitude": .decimal, "created": .instant])
            #expect(pictures.fields.merge == ["tags": .set])
            #expect(pictures.fields.together == [["latitude", "longitude"]])
            #expect(pictures.fields.absentEquals == [nil, "", 0, "0"])
        }

        @Test("errors and actions")
        func errorsAndActions() throws {
            let pictures = try #require(try RouteFixtures.load("pictures.yaml").resource("pictures"))
            #expect(pictures.errors.fields == [JSONPath([])])
            #expect(pictures.errors.messages == [.member("detail")])
            #expect(pictures.errors.general == ["non_field_errors", "detail"])
            let reason = JSONPath([.member("error"), .member("errors"), .all, .member("reason")])
            #expect(
                pictures.errors.rules == [
                    .init(
                        statuses: [403], path: reason, values: ["rateLimitExceeded", "quotaExceeded"], treatment: .wait),
                    .init(statuses: [404, 410], treatment: .gone)
                ])
            #expect(
                try pictures.actions == [
                    Action(
                        name: "move", method: "POST", path: PathTemplate("pictures/{id}/move/"),
                        arguments: ["album", "position"], query: ["position"], mayRepeat: false),
                    Action(
                        name: "refresh", method: "PUT", path: PathTemplate("pictures/{id}/refresh/"), mayRepeat: true)
                ])
        }

        @Test("a nested resource")
        func comments() throws {
            let comments = try #require(try RouteFixtures.load("pictures.yaml").resource("comments"))
            #expect(comments.list.path.description == "pictures/{pictures.id}/comments/")
            #expect(comments.read.path.description == "pictures/{pictures.id}/comments/{id}/")
            #expect(comments.isUniquePerParent)
            #expect(comments.parents == [Reference(entity: "pictures", field: "picture")])
            #expect(
                comments.references == [
                    Reference(entity: "pictures", field: "picture"), Reference(entity: "users", field: "author"),
                    Reference(entity: "comments", field: "reply_to")
                ])
            #expect(comments.deletes == Deletes())
            #expect(
                comments.headers == [
                    NamedText(name: "X-Client", value: "atmosphere"), NamedText(name: "X-Depth", value: "0123")
                ])
            #expect(
                comments.paging
                    == .number(
                        parameter: "page", first: 1, size: Paging.Size(parameter: "page_size", value: 100),
                        total: .member("count")))
        }

        @Test("a read-only resource at another path")
        func users() throws {
            let users = try #require(try RouteFixtures.load("pictures.yaml").resource("users"))
            #expect(users.list.path.description == "people/")
            #expect(users.read.path.description == "people/{id}/")
            #expect([users.create, users.update, users.delete].allSatisfy { !$0.isOffered })
        }

        @Test("the least that a route file can say, in the plain style")
        func minimal() throws {
            let file = try RouteFixtures.load("minimal.yaml")
            #expect(file.style == "plain")
            let tasks = try #require(file.resource("tasks"))
            #expect(tasks.list.path.description == "tasks")
            #expect(tasks.list.method == "GET")
            #expect(tasks.read.path.description == "tasks/{id}")
            #expect(tasks.create.method == "POST")
            #expect(tasks.update.method == "PUT")
            #expect(tasks.update.body == .whole)
            #expect(tasks.delete.method == "DELETE")
            #expect(tasks.delete.body == .none)
            #expect(tasks.paging == .none)
            #expect(tasks.version == .compare)
            #expect(tasks.items == nil)
        }

        @Test(
            "each way to sign in",
            arguments: [
                ("none", AuthSettings.none),
                (
                    "{ basic: { username: ada, password: secret:P } }",
                    .basic(username: .literal("ada"), password: SecretName("P"))
                ),
                (
                    "{ basic: { username: secret:U, password: secret:P } }",
                    .basic(username: .secret(SecretName("U")), password: SecretName("P"))
                ),
                ("{ bearer: secret:B }", .bearer(SecretName("B"))),
                ("{ token: secret:T, scheme: Key }", .token(scheme: "Key", SecretName("T"))),
                ("{ key: { header: X-Api-Key, value: secret:K } }", .keyInHeader(name: "X-Api-Key", SecretName("K"))),
                ("{ key: { query: api_key, value: secret:K } }", .keyInQuery(name: "api_key", SecretName("K"))),
                ("{ basic: ask }", .asked(.basic(username: nil))),
                ("{ basic: { username: ada, password: ask } }", .asked(.basic(username: .literal("ada")))),
                (
                    "{ basic: { username: secret:U, password: ask } }",
                    .asked(.basic(username: .secret(SecretName("U"))))
                ),
                ("{ bearer: ask }", .asked(.bearer)),
                ("{ token: ask, scheme: Key }", .asked(.token(scheme: "Key"))),
                ("{ token: secret:T, send: { header: X-T } }", .keyInHeader(name: "X-T", SecretName("T"))),
                ("{ token: ask, send: { query: t } }", .asked(.keyInQuery(name: "t"))),
                (
                    "{ token: ask, send: { query: t }, key: { query: k, value: secret:K }, renewed: { header: X } }",
                    .asked(.keyInQuery(name: "t"))
                ),
                ("{ key: { header: X-Api-Key, value: ask } }", .asked(.keyInHeader(name: "X-Api-Key"))),
                ("{ key: { query: api_key, value: ask } }", .asked(.keyInQuery(name: "api_key"))),
                ("{ kind: hmac }", .adapter(kind: "hmac", settings: [:])),
                (
                    "{ kind: hmac, settings: { id: k1, keys: [secret:A, { b: secret:B }], count: 2 } }",
                    .adapter(
                        kind: "hmac", settings: ["id": "k1", "keys": ["secret:A", ["b": "secret:B"]], "count": 2])
                )
            ])
        func auth(text: String, auth: AuthSettings) throws {
            let file = try RouteFixtures.load(
                text: "atmosphere: 1\nbase: https://a\nauth: \(text)\nresources: { tasks: {} }\n")
            #expect(file.auth == auth)
            if case .asked = auth {
                let power = "keeps what is typed at atmos login in "
                #expect(file.powers.contains { $0.hasPrefix(power) }, "\(file.powers)")
                #expect(file.signInRemedy.hasSuffix("run atmos login again"))
            }
        }

        @Test("which requests are signed", arguments: ["", ", for: all", ", for: writes"])
        func signedRequests(_ text: String) throws {
            let file = try RouteFixtures.load(
                text: "atmosphere: 1\nbase: https://a\nauth: { bearer: secret:B\(text) }\nresources: { tasks: {} }\n")
            #expect(file.signsReads == !text.contains("writes"))
            #expect(file.signInRemedy.contains("reads are not signed") == !file.signsReads)
        }

        @Test("YAML's own ideas of types change nothing")
        func plainScalars() throws {
            let file = try RouteFixtures.load(
                text: """
                    atmosphere: 1
                    base: https://a
                    resources:
                      NO:
                        query: { a: yes, b: 0o17, c: 2024-01-01, d: .inf, e: 'x', f: "y\\n", g: 1_000, h: ~, i: '~' }
                        deletes: { field: on, equals: off }
                    """)
            let resource = try #require(file.resource("NO"))
            #expect(resource.list.query.map(\.value) == ["yes", "0o17", "2024-01-01", ".inf", "x", "y\n", "1_000", "~"])
            #expect(resource.deletes.equals == "off")
            #expect(resource.deletes.field == .member("on"))
        }

        @Test("a route file is read from disk, and one that is not there is named")
        func disk() throws {
            let path = RouteFixtures.folder.appending(path: "good/pictures.yaml").path
            #expect(try RouteFile.load(path: path, adapters: RouteFixtures.adapters).source == path)
            let error = #expect(throws: RouteFileError.self) {
                try RouteFile.load(path: "/nowhere/routes.yaml", adapters: RouteFixtures.adapters)
            }
            #expect(error?.description == "/nowhere/routes.yaml: cannot be read: No such file or directory")
        }

        @Test("the style google-tasks says what a Google API does, so that the file says only what is its own")
        func googleTasks() throws {
            let file = try RouteFixtures.load("google-tasks.yaml")
            let tasks = try #require(file.resource("tasks"))
            #expect(tasks.list.path.description == "lists/{lists.id}/tasks")
            #expect(tasks.update.path.description == "lists/{lists.id}/tasks/{id}")
            #expect(tasks.update.method == "PATCH" && tasks.update.body == .changed)
            #expect(tasks.items == .member("items") && tasks.areItemsOptional)
            #expect(tasks.version == .ifMatch(.field(.member("etag")), ordered: false))
            #expect(
                tasks.paging
                    == .token(
                        next: .member("nextPageToken"), parameter: "pageToken",
                        size: .init(parameter: "maxResults", value: 100)))
            #expect(tasks.actions.map(\.name) == ["move"] && tasks.actions[0].arguments == ["parent", "previous"])
            #expect(
                tasks.actions[0].sets == [
                    ActionEffect("position", .place(behind: "previous", among: ["list_id", "parent"])),
                    ActionEffect("moved", .now), ActionEffect("by", .value("me"))
                ])
            #expect(tasks.neverSent.contains("moved") && tasks.fixed.contains("by"))
            #expect(tasks.since?.overlap == .seconds(120) && tasks.since?.query.map(\.name) == ["showDeleted"])
            #expect(file.resource("lists")?.deletes.byAbsence == true)
            let rules = tasks.errors.rules
            #expect(rules.map(\.treatment) == [.wait, .unauthorized] && rules.allSatisfy { $0.statuses == [403] })
        }
    }
#endif
