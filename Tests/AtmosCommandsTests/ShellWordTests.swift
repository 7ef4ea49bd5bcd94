#if Command
    import AtmosphereTesting
    import Foundation
    import Synchronization
    import Testing

    @testable import Atmosphere

    /// Commands that messages propose hold text of servers and route files: a shell takes each for one word.
    @Suite("Words of a shell", .timeLimit(.minutes(5))) struct ShellWordTests {
        @Test(
            "ordinary addresses and paths are written as they are",
            arguments: [
                "tasks/1", "tasks/LIST/ID", "tasks/a%2Fb", "tasks/6F9619FF-8B86-D011-B42D-00CF4FC964FF",
                "people/ada+x@example.com", "notes/2026-01-02T03:04:05.678", "https://api.example.com:8080/v1/a_b,c=d",
                "../my-notes.yaml"
            ])
        func ordinary(_ text: String) {
            #expect(text.shellWord == text)
        }

        private static let hostile: [String] = [
            "", " ", "t/a b", "t/a;touch PWNED", "t/a&touch PWNED&", "t/a|touch PWNED", "t/a>PWNED", "t/$(touch PWNED)",
            "t/`touch PWNED`", "t/${HOME}", "t/$HOME", "~", "t/~root", "*", "t/?*[a-z]", "{a,b}", "#a", "t/a #b", "!!",
            "t/a!b", "=ls", "a=b", "-c", "\\", "t/a\\", "\"", "t/\"$(touch PWNED)\"", "'", "''", "t/it's",
            "t/';touch PWNED;'", "t/a\\';touch PWNED;'",
            // With an accent behind it, a quote is another character to Swift.
            "t/'\u{301};touch PWNED;'\u{301}", "t/\r\n'\u{301};touch PWNED", "t/é", "t/日本語", "t/😀", "t/a\u{A0}b",
            "t/a\n", "\n\n", "t/a\ntouch PWNED\n", "t/a\rb", "t/a\tb", "t/\u{1B}[2J", "t/\u{7}7", "t/\u{7F}",
            "t/\u{85}", "t/\u{AD}", "t/\u{200B}", "t/a\u{200D}b", "t/\u{2028}touch PWNED", "t/\u{202E}gpj.exe",
            "\u{FEFF}t/1",
            "t/\u{E0041}", "t/a'\n';touch PWNED;'", "t/a\\\n\\';touch PWNED", "t/\n$(touch PWNED)`touch PWNED`",
            "t/\u{1}é1\u{301}'\u{301}", "t/\n!1"
        ]

        @Test("a shell gives back any text, and runs nothing of it", arguments: hostile)
        func given(_ text: String) throws {
            let workspace = try Workspace()
            let word = text.shellWord
            // Nothing is left for whatever shows the command to change.
            #expect(word.escaped == word)
            #expect(!word.unicodeScalars.contains { UnseenText.contains($0.value) })
            let words = try workspace.words(of: "atmos discard \(word) --json")
            #expect(words.map(\.utf8s) == ["atmos", "discard", text, "--json"].map(\.utf8s), "\(word)")
            // What does without $'…' is for every shell.
            if !word.hasPrefix("$") {
                let words = try workspace.words(of: word, in: "/bin/sh")
                #expect(words.map(\.utf8s) == [text.utf8s], "\(word)")
            }
            #expect(!workspace.has("PWNED"))
        }

        @Test("what no program can be told names no other object")
        func null() throws {
            let words = try Workspace().words(of: ObjectURI(entity: "t", id: "a\u{0}b").shellWord)
            #expect(words == [#"t/a\u0000b"#])
        }

        @Test("conflicts proposes commands that are about the object alone, whatever a server calls it")
        func conflicts() async throws {
            let id = #"a;touch PWNED #$(touch PWNED)'!"#
            let title = Mutex("Milk")
            let server = try FaultyServer(answer: { _ in
                let served = title.withLock { $0 }
                return FaultyServer.answer(
                    "200 OK", ["Content-Type: application/json"], #"[{"id": "\#(id)", "title": "\#(served)"}]"#)
            })
            defer { server.stop() }
            let workspace = try Workspace()
            try workspace.write(
                #"{"atmosphere": 1, "style": "plain", "base": "\#(server.url)", "resources": {"t": {}}}"#,
                to: "atmosphere.yaml")
            try await workspace.atmos("pull", "--quiet")
            try await workspace.atmos("edit", "t/\(id)", "title=Bread")
            title.withLock { $0 = "Cheese" }
            try await workspace.atmos("pull", "--quiet")
            let run = try await workspace.atmos("conflicts")
            let line = try #require(run.lines.first { $0.hasPrefix("  atmos resolve ") }, "\(run)")
            let words = try workspace.words(of: line)
            #expect(words.prefix(4) == ["atmos", "resolve", "t/\(id)", "--mine,"], "\(run)")
            #expect(!workspace.has("PWNED"))
            #expect(try await workspace.atmos("resolve", words[2], "--mine") == .init(0, "t/\(id)\n"))
        }

        @Test("discover proposes a command that is about the place alone, whatever a description calls it")
        func discover() async throws {
            let name = "x;touch PWNED;#$(touch PWNED)"
            let workspace = try Workspace()
            try workspace.write(
                #"""
                {"openapi": "3.0.3", "info": {"title": "", "version": "1"},
                 "servers": [{"url": "https://api.example.com/v1"}],
                 "paths": {"/it's/{org}/\#(name)": {"get": {"responses": {"200": {"description": "", "content": {
                   "application/json": {"schema": {"type": "array", "items": {"type": "object", "properties": {
                     "id": {"type": "integer"}, "text": {"type": "string"}}}}}}}}}}}}
                """#, to: "api.json")
            let run = try await workspace.atmos("discover", "api.json")
            let command = try #require(run.errors.firstRange(of: "atmos init "), "\(run)")
            let words = try workspace.words(of: String(run.errors[command.lowerBound...]))
            let base = "https://api.example.com/v1/it's/ORG"
            #expect(words == ["atmos", "init", "--base", base, "--resource", name], "\(run)")
            #expect(!workspace.has("PWNED"))
        }
    }

    extension String {
        /// Texts that look the same to Swift may be different bytes.
        fileprivate var utf8s: [UInt8] { Array(utf8) }
    }

    extension Workspace {
        /// What a shell makes of a command: the words that a program would be started with.
        fileprivate func words(of command: String, in shell: String = "/bin/bash") throws -> [String] {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: shell)
            process.arguments = ["-c", #"printf '%s\0' \#(command)"#]
            process.currentDirectoryURL = folder
            process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            try process.run()
            let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
#endif
