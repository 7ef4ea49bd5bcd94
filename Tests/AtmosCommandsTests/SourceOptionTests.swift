#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmosphereSource
    import Foundation
    import Testing

    @Suite("Options of source, and views", .timeLimit(.minutes(5))) struct SourceOptionTests {
        // MARK: Views

        @Test("--view pulls what the server shows there, and lists it")
        func view() async throws {
            let views = #"views: { mine: { query: { owner: "{owner}" } } }"#
            try await TestAPI.serving(tasks: views) { (source, workspace) async throws in
                for (title, owner) in [("Milk", "7"), ("Bread", "8"), ("Salt", "7")] {
                    try source.add("tasks", ["title": .string(title), "list": 1, "owner": .string(owner)])
                }
                let pull = try await workspace.atmos("pull", "tasks", "--view", "mine", "owner=7")
                #expect(pull.status == 0 && pull.errors == "", "\(pull)")
                #expect(source.log.last?.request.query.contains(NamedText(name: "owner", value: "7")) == true)
                let all = try await workspace.atmos("list", "tasks", "--json")
                #expect(all.output.contains("Milk") && all.output.contains("Salt") && !all.output.contains("Bread"))
                try await workspace.atmos("pull", "--quiet")
                let mine = try await workspace.atmos("list", "tasks", "--view", "mine", "owner=7", "--json")
                #expect(mine.output.contains("Milk") && mine.output.contains("Salt") && !mine.output.contains("Bread"))
                #expect(try await workspace.atmos("list", "tasks", "--json").output.contains("Bread"))
            }
        }

        @Test(
            "--view that cannot be asked for says what it needs, and asks nobody",
            arguments: [
                (["pull", "--view", "mine", "owner=7"], 2, "--view needs one entity in front of its parameters"),
                (
                    ["pull", "tasks", "--view", "mine", "owner"], 2,
                    "“owner” is no parameter of a view; write NAME=VALUE"
                ),
                (["pull", "tasks", "--view", "mine"], 2, "the view “mine” of tasks needs owner=VALUE"),
                (["pull", "tasks", "--view", "yours"], 2, "yours"),
                (["list", "tasks", "--view", "mine"], 2, "the view “mine” of tasks needs owner=VALUE")
            ])
        func wrongView(_ arguments: [String], _ status: Int32, _ message: String) async throws {
            let workspace = try Workspace()
            let views = #"views: { mine: { query: { owner: "{owner}" } } }"#
            try workspace.write(
                TestAPI.routeFile(base: "http://127.0.0.1:1/api", tasks: views), to: "atmosphere.yaml")
            let run = try await workspace.start(arguments).end()
            #expect(run.status == status && run.output == "" && run.errors.contains(message), "\(run)")
        }

        @Test("a view that was never pulled says so, and one that is empty does not")
        func neverPulled() async throws {
            let views = #"views: { mine: { query: { owner: "{owner}" } } }"#
            try await TestAPI.serving(tasks: views) { (_, workspace) async throws in
                let before = try await workspace.atmos("list", "tasks", "--view", "mine", "owner=7")
                let told = "atmos: tasks: nothing was pulled yet; atmos pull tasks --view mine owner=7\n"
                #expect(before == .init(0, "OBJECT\n", errors: told))
                try await workspace.atmos("pull", "tasks", "--view", "mine", "owner=7", "--quiet")
                #expect(try await workspace.atmos("list", "tasks", "--view", "mine", "owner=7").errors == "")
                let other = try await workspace.atmos("list", "tasks", "--view", "mine", "owner=8")
                #expect(other.errors.hasSuffix(" owner=8\n"), "\(other)")
                try await workspace.atmos("pull", "--quiet")
                #expect(try await workspace.atmos("list", "tasks") == .init(0, "OBJECT\n"))
            }
        }

        // MARK: The source

        @Test("--latency holds each answer back")
        func latency() async throws {
            let workspace = try TestAPI.offline()
            let served = try ServedCommand(["--latency", "600"], in: workspace)
            try workspace.write(TestAPI.routeFile(base: served.url), to: "client.yaml")
            let start = ContinuousClock.now
            #expect(try await workspace.atmos("request", "GET", "lists/", "-c", "client.yaml").status == 0)
            #expect(ContinuousClock.now - start >= .milliseconds(600))
            #expect(try await served.end() == [])
        }

        @Test(
            "--token-endpoint gives out access tokens, and with --rotate each refresh token once",
            arguments: [true, false])
        func tokenEndpoint(rotates: Bool) async throws {
            let workspace = try Workspace()
            let top = #"auth: { bearer: "secret:TOKEN" }"#
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: top), to: "atmosphere.yaml")
            let options = ["--token-endpoint"] + (rotates ? ["--rotate"] : [])
            let served = try ServedCommand(options, in: workspace, environment: ["TOKEN": "first"])
            let transport = try CurlTransport(settings: TransportSettings())
            func token(_ form: String) async throws -> (status: Int, body: Value) {
                var request = Request(method: "POST", url: served.url.replacing("/api", with: "") + "/token")
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
                request.body = .bytes(Array(form.utf8))
                let answer = try await transport.send(request)
                return (answer.status, try Value(json: try await answer.body.collect(upTo: 10_000)))
            }
            let client = "client_id=app&client_secret=app-secret"
            let fresh = try await token("grant_type=refresh_token&refresh_token=refresh&\(client)")
            #expect(fresh.status == 200 && fresh.body.members?["token_type"] == "Bearer")
            let access = try #require(fresh.body.members?["access_token"]?.string)
            try workspace.write(TestAPI.routeFile(base: served.url, top: top), to: "client.yaml")
            for (secret, status) in [(access, 0), ("first", 0), ("other", 4)] {
                let run = try await workspace.atmos(
                    "request", "GET", "lists/", "-c", "client.yaml", environment: ["TOKEN": secret])
                #expect(run.status == status, "\(secret): \(run)")
            }
            #expect((fresh.body.members?["refresh_token"] != nil) == rotates)
            if let next = fresh.body.members?["refresh_token"]?.string {
                #expect(try await token("grant_type=refresh_token&refresh_token=\(next)&\(client)").status == 200)
            }
            let again = try await token("grant_type=refresh_token&refresh_token=refresh&\(client)")
            #expect(again.status == (rotates ? 400 : 200), "\(again)")
            #expect(try await token("grant_type=client_credentials&\(client)").status == 200)
            #expect(try await token("grant_type=client_credentials&client_id=app&client_secret=no").status == 401)
            #expect(try await served.end() == [])
        }

        @Test(
            "options that do not go together end with 2",
            arguments: [
                (["--latency", "700000"], "--latency takes a number up to 600000"),
                (["--rotate"], "--rotate needs --token-endpoint"),
                (["--rate", "2"], "--rate takes a number from 0 to 1"),
                (["--fault-seed", "2"], "--fault-seed needs --rate"),
                (["--faults", "plan.yaml", "--rate", "0.5"], "--faults says everything itself"),
                (["--faults", "none.yaml"], "none.yaml cannot be read")
            ])
        func wrongOptions(_ arguments: [String], _ message: String) async throws {
            let run = try await TestAPI.offline().start(["source"] + arguments).end()
            #expect(run.status == 2 && run.output == "" && run.errors.contains(message), "\(run)")
        }

        // MARK: The sample

        @Test("the route file of the public sample is valid, and reads an API of its shape")
        func publicSample() async throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Samples/PublicAPI")
            let text = try String(contentsOf: folder.appending(path: "posts.yaml"), encoding: .utf8)
            #expect(text.split(separator: "\n").count == 5)
            let workspace = try Workspace()
            try workspace.write(text, to: "posts.yaml")
            #expect(try await workspace.atmos("validate", "-c", "posts.yaml").status == 0)
            let served = try ServedCommand(["-c", "posts.yaml", "--seed", "3"], in: workspace)
            try workspace.write(
                text.replacing("https://jsonplaceholder.typicode.com", with: served.url), to: "local.yaml")
            #expect(try await workspace.atmos("pull", "-q", "-c", "local.yaml") == .init(0))
            #expect(try await workspace.atmos("list", "posts", "--json", "-c", "local.yaml").output.contains("Post 3"))
            let refused = try await workspace.atmos("create", "posts", "title=New", "-c", "local.yaml")
            #expect(refused.status != 0 && refused.errors.contains("posts"), "\(refused)")
            #expect(try await served.end() == [])
        }
    }
#endif
