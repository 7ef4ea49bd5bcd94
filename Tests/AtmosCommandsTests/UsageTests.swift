#if Command
    import Testing

    @testable import AtmosCommands

    @Suite("Usage", .timeLimit(.minutes(5))) struct UsageTests {
        @Test(
            "wrong arguments end with 2 and say where help is",
            arguments: [
                (["nonsense"], "atmos --help"),
                (["list"], "atmos list --help"),
                (["list", "tasks", "--limit", "many"], "atmos list --help"),
                (["list", "tasks", "--limit=-1"], "--limit takes a number from 0 on"),
                (["list", "tasks", "--limit", "-1"], "--limit takes a number from 0 on"),
                (["list", "tasks", "--offset", "-1"], "--offset takes a number from 0 on"),
                (["pull", "--allow-deletes", "-1"], "--allow-deletes takes a number from 0 on"),
                (["log", "--limit", "-1"], "--limit takes a number from 0 on"),
                (["list", "tasks", "--where", "title"], "write FIELD=VALUE, with =, !=, <, <=, >, >=, *=, ~= or ^="),
                (["get", "tasks"], "write ENTITY/ID"),
                (["get", "tasks/"], "write ENTITY/ID"),
                (["create", "tasks", "title"], "write FIELD=VALUE"),
                (["create", "tasks", "rank:=one"], "what stands behind “:=” is not JSON"),
                (["edit", "tasks/1"], "atmos edit --help"),
                (["resolve", "tasks/1"], "choose one of --mine"),
                (["resolve", "tasks/1", "--mine", "--theirs"], "choose one of --mine"),
                (["retry"], "name one ENTITY/ID, or --all"),
                (["retry", "tasks/1", "--all"], "name one ENTITY/ID, or --all"),
                (["request", "archive", "/tasks"], "write ENTITY/ID"),
                (["request", "GET", "tasks/", "a=b"], "GET takes its body from --data"),
                (["request", "archive", "tasks/1", "--data", "{}"], "an action takes FIELD=VALUE"),
                (["attach", "tasks/1", "photo"], "name a FILE to upload, or --output FILE"),
                (["attach", "tasks/1", "photo", "a", "--output", "b"], "name a FILE to upload, or --output FILE"),
                (["attach", "tasks/1", "photo", "--output", "b", "--now"], "--now and --type are for uploads"),
                (["attach", "tasks/1", "photo", "nothing.jpg"], "nothing.jpg cannot be read"),
                (["attach", "tasks/1", "photo", "/tmp"], "/tmp is no file"),
                (["pull", "--allow-deletes=-1"], "--allow-deletes takes a number from 0 on"),
                (["source", "--port", "70000"], "--port takes a number from 0 to 65535"),
                (
                    ["serve", "--publishers", "keys"],
                    "say who may connect: one of --clients FILE, --token-key KIND:FILE and --client-callback URL"
                ),
                (
                    ["serve", "--publishers", "keys", "--token-key", "rs256:key.pem"],
                    "an es256 or rs256 key alone takes every token of its issuer, also those for other services; give "
                        + "--audience NAME, or --issuer NAME where the issuer's tokens have no aud"
                ),
                (
                    ["serve", "--publishers", "none.keys", "--clients", "none.keys"],
                    "none.keys: the file cannot be read"
                ),
                (["notify", "tasks/1"], "say who is told: --to USER or --room NAME"),
                (["notify", "--to", "ann"], "say what: ENTITY/ID, or --data JSON"),
                (["notify", "tasks", "--to", "ann"], "write ENTITY/ID"),
                (["notify", "tasks/1", "--to", "ann", "--data", "1"], "--data belongs to a notification"),
                (["notify", "tasks/1", "--to", "ann", "--deleted", "--patch", "{}"], "only one of --attributes"),
                (["notify", "tasks/1", "--to", "ann", "--patch", "{}"], "--patch and --edits need the --version"),
                (["source", "--notify", "https://h"], "--notify and --notify-key go together"),
                (["source", "--notify", "h:1", "--notify-key", "secret:K"], "--notify takes an http or https URL"),
                (["source", "--notify", "https://h", "--notify-key", "key"], "--notify-key takes secret:NAME"),
                (
                    ["source", "--notify", "http://h:1", "--notify-key", "secret:K"],
                    "--notify takes https, or http on this machine"
                ),
                (["source", "--notify-to", "ann"], "--notify-to needs --notify"),
                (["notify", "tasks/1", "--to", "ann", "--whole"], "--whole belongs to --attributes"),
                (["notify", "tasks/1", "--to", "ann", "--next", "2"], "--next belongs to --patch and --edits"),
                (["notify", "--to", "ann", "--data", "1", "--version", "2"], "need ENTITY/ID"),
                (["notify", "tasks/1", "--to", "ann"], "says nothing of publishing: add live: { publish:"),
                (["listen", "--count", "0"], "--count takes a number above 0"),
                (["listen"], "names no server for live updates: add live:"),
                (["demo", "--style", "soap"], "--style takes django-rest or plain")
            ])
        func wrongArguments(_ arguments: [String], _ message: String) async throws {
            let workspace = try TestAPI.offline()
            let run = try await workspace.start(arguments).end()
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("atmos: ") && run.errors.contains(message), "\(run)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }

        @Test("with --json a wrong argument is told as JSON")
        func wrongArgumentInJSON() async throws {
            let run = try await TestAPI.offline().atmos("retry", "--json")
            #expect(
                run
                    == .init(
                        2,
                        errors:
                            #"{"error":{"code":"usage","message":"name one ENTITY/ID, or --all; see atmos retry --help"}}"#
                            + "\n"))
        }

        @Test(
            "help ends with 0, and every command's has an example", arguments: Atmos.commandNames)
        func help(_ name: String) async throws {
            let run = try await Workspace().atmos(name, "--help")
            #expect(run.status == 0)
            #expect(run.errors == "")
            #expect(run.output.contains("EXAMPLE") && run.output.contains("atmos \(name)"), "\(run)")
            // What is wrapped cannot be pasted.
            let examples = run.output.split(separator: "\n").drop { $0 != "EXAMPLE" }.dropFirst()
            #expect(examples.prefix { !$0.hasPrefix("USAGE") }.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
            for option in ["-c, --config", "--json", "-q, --quiet", "-v, --verbose"] {
                #expect(run.output.contains(option))
            }
        }

        @Test("an option of a command's own stands in its help, and in the manual, once")
        func ownVersion() async throws {
            let workspace = try Workspace()
            let help = try await workspace.atmos("notify", "--help")
            #expect(help.output.contains("--version <"))
            #expect(!help.output.contains("Show the version."))
            let pull = try await workspace.atmos("pull", "--help")
            #expect(pull.output.contains("Show the version."))
        }

        @Test("the root's help names every command, and the version is one line")
        func rootHelp() async throws {
            let workspace = try Workspace()
            let run = try await workspace.atmos("--help")
            #expect(run.status == 0)
            for name in Atmos.commandNames { #expect(run.output.contains("\n  \(name)")) }
            let version = try await workspace.atmos("--version")
            #expect(version.status == 0 && version.lines.count == 2 && version.errors == "")
            #expect(version.output == "\(BuildVersion.text)\n")
        }

        @Test("without a route file the command says what it looked for")
        func missingRouteFile() async throws {
            let workspace = try Workspace()
            #expect(
                try await workspace.atmos("status")
                    == .init(
                        2,
                        errors:
                            "atmos: there is no route file here (atmosphere.yaml, atmosphere.yml, atmosphere.json); "
                            + "name one with --config FILE\n"))
            let named = try await workspace.atmos("status", "-c", "nowhere.yaml")
            #expect(named.status == 2)
            #expect(named.errors.hasPrefix("atmos: nowhere.yaml: "), "\(named)")
        }

        @Test("every mistake of a route file has a line of its own")
        func wrongRouteFile() async throws {
            let workspace = try Workspace()
            try workspace.write(
                """
                atmosphere: 1
                bse: https://example.com
                resources:
                  tasks: { verzion: none }

                """, to: "wrong.yaml")
            for command in [["validate"], ["status"], ["push"]] {
                let run = try await workspace.start(command + ["-c", "wrong.yaml"]).end()
                #expect(run.status == 2 && run.output == "")
                let lines = run.errors.split(separator: "\n")
                #expect(lines.count == 2, "\(run)")
                #expect(lines.allSatisfy { $0.hasPrefix("atmos: wrong.yaml") })
                #expect(run.errors.contains("wrong.yaml:2:1: ") && run.errors.contains("wrong.yaml:4:12: "))
            }
            let json = try await workspace.atmos("validate", "-c", "wrong.yaml", "--json")
            #expect(json.errors.hasPrefix(#"{"error":{"code":"routeFile","message":"wrong.yaml"#))
        }

        @Test("a route file is found by its usual names")
        func usualNames() async throws {
            for name in ["atmosphere.yaml", "atmosphere.yml"] {
                let workspace = try Workspace()
                try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api"), to: name)
                #expect(try await workspace.atmos("validate") == .init(0, "\(name) is valid: lists, tasks\n"))
            }
        }

        @Test(
            "an unknown entity ends with 2 and the list of those there are",
            arguments: [
                ["list", "tsks"], ["create", "tsks", "a=b"], ["get", "tsks/1"], ["edit", "tsks/1", "a=b"],
                ["delete", "tsks/1"], ["explain", "tsks"], ["pull", "tsks"], ["push", "tsks"], ["discard", "tsks/1"],
                ["retry", "tsks/1"], ["resolve", "tsks/1", "--mine"], ["request", "archive", "tsks/1"]
            ])
        func unknownEntity(_ arguments: [String]) async throws {
            let run = try await TestAPI.offline().start(arguments).end()
            #expect(run == .init(2, errors: "atmos: atmosphere.yaml has no entity “tsks”; it has lists, tasks\n"))
        }
    }
#endif
