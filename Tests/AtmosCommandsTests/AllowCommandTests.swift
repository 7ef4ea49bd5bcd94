#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    @Suite("Route files are allowed by a person", .timeLimit(.minutes(5))) struct AllowCommandTests {
        private static let key = #"auth: { token: "secret:API_TOKEN" }"#
        private static let secrets = ["API_TOKEN": "sesame-0123456789"]
        /// As somebody who has set nothing.
        private static let person = ["ATMOS_TRUST": "", "API_TOKEN": "sesame-0123456789"]

        @Test("a file in the working folder runs nothing and sends nothing before it was allowed")
        func cloned() async throws {
            let workspace = try Workspace()
            let auth = """
                auth:
                  session: { post: login, fields: { n: a }, token: { body: $.t } }
                  tokens: { load: [sh, -c, "id > PWNED"], save: [cat] }
                """
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: auth), to: "atmosphere.yaml")
            for arguments in [
                ["check"], ["pull"], ["status"], ["list", "tasks"], ["create", "tasks", "title=a"], ["login"],
                ["logout"],
                ["whoami"], ["sync", "--watch"], ["record", "day.cassette", "pull"], ["listen"],
                ["notify", "tasks/1", "--to", "a"]
            ] {
                let run = try await workspace.start(arguments, environment: Self.person).end()
                #expect(run.status == 2 && run.output == "", "\(arguments): \(run)")
                #expect(
                    run.errors.hasPrefix("atmos: atmosphere.yaml is not allowed yet; it:\n"), "\(arguments): \(run)")
                #expect(run.errors.contains("runs sh -c 'id > PWNED' to load tokens\n"), "\(run)")
                #expect(run.errors.contains("atmos allow atmosphere.yaml, or --trust"), "\(run)")
            }
            #expect(!workspace.has("PWNED") && !workspace.has("day.cassette") && !workspace.has("atmosphere.db"))
            let json = try await workspace.atmos("check", "--json", environment: Self.person)
            #expect(
                json.errors.hasPrefix(#"{"error":{"code":"notAllowed","message":"atmosphere.yaml is not"#), "\(json)")
            // What is looked at alone may be looked at.
            for command in ["validate", "explain"] {
                let run = try await workspace.atmos(command, environment: Self.person)
                #expect(run.status == 0 && run.output.contains("  runs sh -c 'id > PWNED' to load tokens\n"), "\(run)")
                let value = try await workspace.atmos(command, "--json", environment: Self.person).output
                #expect(value.contains(#"{"kind":"run","text":"runs sh -c 'id > PWNED' to load tokens"}"#), "\(value)")
            }
            #expect(!workspace.has("PWNED"))
        }

        @Test("a link that came with the folder leads no downloads elsewhere before it was allowed with its place")
        func link() async throws {
            let workspace = try Workspace()
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api"), to: "atmosphere.yaml")
            #expect(try await workspace.atmos("status", environment: Self.person).status == 0)
            let other = try Workspace()
            let contents = workspace.folder.appending(path: "atmosphere.db.contents")
            try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: contents.appending(path: "cache"), withDestinationURL: other.folder)
            let run = try await workspace.atmos("status", environment: Self.person)
            #expect(run.status == 2 && run.output == "", "\(run)")
            #expect(
                run.errors.contains(
                    "  reads and writes atmosphere.db.contents/cache, which leads to \(other.folder.path)\n"), "\(run)")
            #expect(try await workspace.atmos("allow", environment: Self.person).status == 0)
            #expect(try await workspace.atmos("status", environment: Self.person).status == 0)
        }

        @Test("what was allowed is allowed until the file may do something else")
        func allowed() async throws {
            try await TestAPI.serving(top: Self.key, secrets: Self.secrets) { (source, workspace) async throws in
                let text = try workspace.read("atmosphere.yaml")
                func pull() async throws -> Workspace.Run {
                    try await workspace.atmos("pull", "-q", environment: Self.person)
                }
                #expect(try await pull().status == 2 && source.log.isEmpty)
                let allow = try await workspace.atmos("allow", environment: Self.person)
                #expect(
                    allow.status == 0
                        && allow.output.hasPrefix("allowed atmosphere.yaml, which\n  sends secret:API_TOKEN"))
                #expect(try await pull() == .init(0))
                // A comment and a mapping are no matter.
                try workspace.write("# hello\n" + text + "    \(TestAPI.since)\n", to: "atmosphere.yaml")
                #expect(try await workspace.atmos("status", "-q", environment: Self.person).status == 0)
                let sent = source.log.count
                try workspace.write(text.replacing("/api", with: "/other"), to: "atmosphere.yaml")
                let changed = try await pull()
                #expect(
                    changed.status == 2 && changed.errors.contains("has changed since it was allowed; now it:"),
                    "\(changed)")
                #expect(changed.errors.contains("/other  (new)\n") && source.log.count == sent, "\(changed)")
                // The same file at another place is another file.
                try workspace.write(text, to: "copy.yaml")
                #expect(try await workspace.atmos("status", "-c", "copy.yaml", environment: Self.person).status == 2)
                try workspace.write(text, to: "atmosphere.yaml")
                #expect(try await pull() == .init(0))

                let folder = workspace.folder.appending(path: ".config/atmos/allowed").path
                let modes = try
                    ([folder] + FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)" })
                    .map { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
                #expect(modes == [0o700, 0o600])
                let list = try await workspace.atmos("allow", "--list", environment: Self.person)
                #expect(list.lines.first?.hasSuffix("/atmosphere.yaml") == true && list.lines.count == 3, "\(list)")
                let removed = try await workspace.atmos("allow", "--remove", environment: Self.person)
                #expect(removed == .init(0, "atmosphere.yaml is not allowed any more\n"))
                #expect(try await pull().status == 2)
                #expect(
                    try await workspace.atmos("allow", "--list", "--json", environment: Self.person)
                        == .init(0, #"{"allowed":[]}"# + "\n"))
            }
        }

        @Test("what others could have written allows nothing")
        func foreign() async throws {
            let workspace = try Workspace()
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: Self.key), to: "atmosphere.yaml")
            _ = try await workspace.atmos("allow", environment: Self.person)
            #expect(try await workspace.atmos("status", "-q", environment: Self.person).status == 0)
            let folder = workspace.folder.appending(path: ".config/atmos/allowed").path
            let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: "\(folder)/\(name)")
            #expect(try await workspace.atmos("status", "-q", environment: Self.person).status == 2)
        }

        @Test("a file without powers needs no allowance, and allow says so")
        func harmless() async throws {
            let workspace = try TestAPI.offline()
            #expect(try await workspace.atmos("status", "-q", environment: Self.person).status == 0)
            let allow = try await workspace.atmos("allow", "atmosphere.yaml", environment: Self.person)
            #expect(allow.output.hasPrefix("atmosphere.yaml needs no allowance: "), "\(allow)")
            #expect(!workspace.has(".config"))
        }

        @Test("a service says which file it trusts, and never whatever lies in the working folder")
        func trusted() async throws {
            let workspace = try Workspace()
            try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: Self.key), to: "atmosphere.yaml")
            #expect(try await workspace.atmos("status", "-q", "--trust", environment: Self.person).status == 0)
            #expect(try await workspace.atmos("--trust", "status", "-q", environment: Self.person).status == 0)
            let explained = try await workspace.atmos("explain", "--json", environment: Self.person).output
            let digest = try #require(Value(json: Array(explained.utf8)).members?["digest"]?.string)
            let folder = workspace.folder.path
            for (value, status) in [
                ("\(folder)/atmosphere.yaml", 0), ("\(folder)/", 0), (digest, 0), ("/nowhere:\(folder)/", 0),
                ("\(folder)", 2), ("\(folder)/other.yaml", 2), (String(repeating: "a", count: 64), 2), (".", 2),
                ("1", 2),
                ("/", 2), ("atmosphere.yaml", 2)
            ] {
                let run = try await workspace.atmos(
                    "status", "-q", environment: Self.person.merging(["ATMOS_TRUST": value]) { _, new in new })
                #expect(run.status == Int32(status), "\(value): \(run)")
            }
            let odd = try await workspace.atmos("status", environment: ["ATMOS_TRUST": "."])
            #expect(odd.errors.hasPrefix("atmos: ATMOS_TRUST: “.” is no path from the root; write that of"), "\(odd)")
        }

        #if os(Linux)
            @Test("ATMOS_TRUST trusts no sibling whose name is canonically equivalent")
            func trustedSibling() async throws {
                let workspace = try Workspace()
                let folders = ["caf\u{E9}", "cafe\u{301}"].map { "\(workspace.folder.path)/\($0)" }
                let text = TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: Self.key)
                for folder in folders {
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                    try Data(text.utf8).write(to: URL(filePath: "\(folder)/atmosphere.yaml"))
                }
                for (folder, status) in zip(folders, [0, 2] as [Int32]) {
                    for trusted in ["\(folders[0])/", "\(folders[0])/atmosphere.yaml"] {
                        let run = try await workspace.atmos(
                            "status", "-q", "-c", "\(folder)/atmosphere.yaml",
                            environment: Self.person.merging(["ATMOS_TRUST": trusted]) { _, new in new })
                        #expect(run.status == status, "\(run)")
                    }
                }
            }

            @Test("somebody at a terminal is asked once", arguments: ["y", "n", ""])
            func asked(_ answer: String) async throws {
                let workspace = try Workspace()
                try workspace.write(
                    TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: Self.key), to: "atmosphere.yaml")
                let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
                var (isLocked, number): (Int32, Int32) = (0, 0)
                // TIOCSPTLCK and TIOCGPTN (linux/tty.h).
                try #require(ioctl(terminal, 0x4004_5431, &isLocked) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
                let device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
                try #require(device >= 0)
                let handle = FileHandle(fileDescriptor: device, closeOnDealloc: true)
                let text = Array("\(answer)\n".utf8)
                #expect(write(terminal, text, text.count) == text.count)
                let process = Process()
                process.executableURL = try RunningCommand.binary()
                process.arguments = ["status", "-q"]
                process.currentDirectoryURL = workspace.folder
                process.environment = ["PATH": "/usr/bin:/bin", "HOME": workspace.folder.path]
                process.standardInput = handle
                process.standardOutput = handle
                process.standardError = handle
                let (ended, end) = AsyncStream<Void>.makeStream()
                process.terminationHandler = { _ in end.finish() }
                try process.run()
                for await _ in ended {}
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(terminal, &bytes, bytes.count)
                close(terminal)
                let shown = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
                #expect(
                    shown.contains("sends secret:API_TOKEN to http://127.0.0.1:1/api") && shown.contains("[y/N]"),
                    "\(shown)")
                #expect(process.terminationStatus == (answer == "y" ? 0 : 2), "\(shown)")
                #expect(
                    try await workspace.atmos("status", "-q", environment: Self.person).status
                        == (answer == "y" ? 0 : 2))
            }
        #endif
    }
#endif
