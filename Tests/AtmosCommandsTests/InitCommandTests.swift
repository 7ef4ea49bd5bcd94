#if Command
    import Foundation
    import Testing

    @testable import AtmosCommands
    @testable import Atmosphere
    @testable import AtmosphereExchange
    @testable import AtmosphereRouting

    @Suite("init and schema", .timeLimit(.minutes(5))) struct InitCommandTests {
        private func initialize(_ workspace: Workspace, _ more: String...) async throws -> Workspace.Run {
            try await workspace.start(["init", "--base", "http://127.0.0.1:1/api"] + more).end()
        }

        @Test("init writes a file that validates, and says what comes next", arguments: ["plain", "django-rest"])
        func writes(style: String) async throws {
            let workspace = try Workspace()
            let run = try await initialize(workspace, "--style", style, "--resource", "lists", "--resource", "tasks")
            #expect(run == .init(0, "wrote atmosphere.yaml; next: atmos check\n"))
            #expect(try await workspace.atmos("validate") == .init(0, "atmosphere.yaml is valid: lists, tasks\n"))
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.hasPrefix("# "))
            #expect(text.contains("\nstyle: \(style)\nbase: http://127.0.0.1:1/api\n"))
            #expect(!text.contains(workspace.folder.path))
            // The first is the parent, and the second says so.
            let parts = text.components(separatedBy: "\n  tasks:\n")
            #expect(parts.count == 2 && !parts[0].contains("parent:"), "\(text)")
            #expect(parts.last?.contains("    # parent: { lists: list_id }\n") == true, "\(text)")
        }

        @Test("every suggestion of the file can be put in force", arguments: ["plain", "django-rest"])
        func suggestions(style: String) throws {
            let draft = RouteFileDraft(style: style, base: "https://api.example.com", resources: ["lists", "tasks"])
            let lines = draft.yaml.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            var tried = 0
            for (index, line) in lines.enumerated() {
                guard let match = line.firstMatch(of: #/^( *)# ([a-z-]+: .*[^.])$/#) else { continue }
                var changed = lines
                changed[index] = "\(match.1)\(match.2)"
                let text = changed.joined(separator: "\n")
                #expect(throws: Never.self, "\(changed[index])") {
                    try RouteFile.load(bytes: Array(text.utf8), source: "new.yaml", adapters: .linked)
                }
                tried += 1
            }
            #expect(tried >= 12)
        }

        @Test("init without resources says where they go")
        func withoutResources() async throws {
            let workspace = try Workspace()
            let run = try await initialize(workspace)
            #expect(run == .init(0, "wrote atmosphere.yaml; name your entities in it, then: atmos check\n"))
            let validate = try await workspace.atmos("validate")
            #expect(validate.status == 2 && validate.errors.contains("“resources” is missing or empty"))
        }

        @Test("a resource has its own path where one is given, which some styles need")
        func paths() async throws {
            let workspace = try Workspace()
            let missing = try await initialize(workspace, "--style", "cloudkit-changes", "--resource", "notes")
            #expect(missing.status == 2 && missing.errors.contains("for each resource; write --resource NAME=PATH\n"))
            let run = try await initialize(
                workspace, "--style", "cloudkit-changes", "--resource", "notes=zones/Home", "--resource",
                "lists=zones/B")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("  notes:\n    path: zones/Home\n"), "\(text)")
            #expect(text.contains("  lists:\n    path: zones/B\n"), "\(text)")
            #expect(try await workspace.atmos("validate").status == 0, "\(text)")
        }

        @Test("init never overwrites")
        func neverOverwrites() async throws {
            let workspace = try Workspace()
            try workspace.write("mine", to: "atmosphere.yml")
            try workspace.write("mine too", to: "other.yaml")
            #expect(
                try await initialize(workspace, "--resource", "tasks")
                    == .init(
                        2,
                        errors:
                            "atmos: atmosphere.yml is there already and is not overwritten; name another with --config "
                            + "FILE, or remove it\n"))
            let named = try await initialize(workspace, "--resource", "tasks", "-c", "other.yaml", "--json")
            #expect(named.status == 2 && named.output == "")
            #expect(try workspace.read("atmosphere.yml") == "mine")
            #expect(try workspace.read("other.yaml") == "mine too")
            #expect(!workspace.has("atmosphere.yaml"))
            let third = try await initialize(workspace, "--resource", "tasks", "-c", "third.yaml", "--json")
            #expect(third == .init(0, #"{"file":"third.yaml","resources":["tasks"]}"# + "\n"))
        }

        @Test(
            "what cannot stand in the file is refused before it is written",
            arguments: [
                (["--base", "api.example.com", "--resource", "tasks"], "must be an absolute URL"),
                (["--base", "https://a:b@example.com", "--resource", "tasks"], "must not hold a name or a password"),
                (["--base", "https://example.com", "--resource", "my tasks"], "is no name for a resource"),
                (["--base", "https://example.com", "--style", "soap"], "soap"),
                (["--base", "https://example.com", "-c", "routes.json"], "the file is written in YAML")
            ])
        func refused(_ arguments: [String], _ message: String) async throws {
            let workspace = try Workspace()
            let run = try await workspace.start(["init"] + arguments).end()
            #expect(run.status == 2 && run.output == "")
            #expect(run.errors.contains(message), "\(run)")
            #expect(!workspace.has("atmosphere.yaml") && !workspace.has("routes.json"))
        }

        @Test("schema prints what the library has, on one line with --json")
        func schema() async throws {
            let workspace = try Workspace()
            #expect(try await workspace.atmos("schema") == .init(0, RouteFileSchema.text))
            let json = try await workspace.atmos("schema", "--json")
            #expect(json.lines.count == 2)
            #expect(try Value(json: Array(json.lines[0].utf8)) == RouteFileSchema.document)
        }

        @Test("a text stands without quotes only where nothing else could be read")
        func quoting() {
            let plain = ["tasks", "$.results", "lists/tasks", "PT2M", "if-match", "64MiB"]
            for text in plain { #expect(FlowYAML.scalar(text) == text) }
            for text in [
                "", "true", "null", "1.10", "-x", "secret:NAME", "a b", "{id}", "#", "é", "a\nb", "“", "*", "&a", "NO",
                "y",
                "True", "0x1F", "1e3", "1_000", "2024-01-01", "...", ".inf", "+1", "~", "<<"
            ] {
                #expect(FlowYAML.scalar(text).hasPrefix("\""), "\(text)")
            }
            #expect(FlowYAML.scalar("é\u{85}\u{2028}\u{FEFF}😀\"\\") == #""\xE9\x85\u2028\uFEFF\U0001F600\"\\""#)
            for url in ["https://api.example.com/v1", "http://127.0.0.1:1/api"] {
                #expect(FlowYAML.entry("base", .string(url)) == "base: \(url)")
            }
            for url in ["http://h/v1\nauth: x", "http://h:", "https://a:b@h", "http://h/#x", "httpx", "http://[::1]/"] {
                #expect(FlowYAML.entry("base", .string(url)) == "base: \(FlowYAML.scalar(url))", "\(url)")
            }
            #expect(FlowYAML.text(["a": ["b", 1, nil], "c d": [:]]) == #"{ a: [b, 1, null], "c d": {} }"#)
        }
    }
#endif
