#if Command
    import Foundation
    import Testing

    @testable import AtmosCommands

    @Suite("Manual page and completions", .timeLimit(.minutes(5))) struct ManualTests {
        @Test("the manual page in the repository is fresh; make documents")
        func fresh() throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "docs/atmos.1")
            #expect(try String(contentsOf: file, encoding: .utf8) == ManualPage().text)
        }

        @Test("the manual page names every command and every option")
        func complete() async throws {
            let run = try await Workspace().atmos("manual")
            #expect(run.status == 0 && run.errors == "")
            for name in Atmos.commandNames { #expect(run.output.contains(".SS \"atmos \(name)\"\n"), "\(name)") }
            for option in ["\\-\\-watch", "\\-\\-config <file>", "\\-\\-allow\\-deletes <n>", "\\-\\-fields <names>"] {
                #expect(run.output.contains(option), "\(option)")
            }
            #expect(run.output.contains("\n.SH EXIT STATUS\n"))
        }

        @Test("completion scripts are accepted by their shells", arguments: ["bash", "zsh", "fish"])
        func completions(shell: String) async throws {
            let workspace = try Workspace()
            let run = try await workspace.atmos("completions", shell)
            #expect(run.status == 0 && run.errors == "")
            #expect(run.output.contains("atmos") && run.output.contains("export"))
            #expect(try await workspace.atmos("--generate-completion-script", shell).output == run.output)
            let path = "/bin/\(shell)"
            guard FileManager.default.isExecutableFile(atPath: path) else { return }
            try workspace.write(run.output, to: "script")
            let check = Process()
            check.executableURL = URL(filePath: path)
            check.arguments = ["-n", workspace.folder.appending(path: "script").path]
            try check.run()
            check.waitUntilExit()
            #expect(check.terminationStatus == 0)
        }

        @Test("bash completes commands, and the entities of the route file in the folder")
        func bash() async throws {
            let workspace = try TestAPI.offline()
            let script = try await workspace.atmos("completions", "bash")
            try workspace.write(script.output, to: "completion")
            let binary = try RunningCommand.binary().deletingLastPathComponent().path
            func complete(_ words: String...) throws -> Set<Substring> {
                let line = words.joined(separator: " ")
                let bash = Process()
                let pipe = Pipe()
                bash.executableURL = URL(filePath: "/bin/bash")
                bash.currentDirectoryURL = workspace.folder
                bash.environment = ["PATH": "\(binary):/usr/bin:/bin"]
                bash.arguments = [
                    "-c",
                    """
                    source ./completion
                    COMP_WORDS=(\(words.dropLast().joined(separator: " ")) "\(words.last ?? "")")
                    COMP_CWORD=\(words.count - 1); COMP_LINE="\(line)"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; COMP_KEY=9
                    _atmos 2>/dev/null
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """
                ]
                bash.standardOutput = pipe
                try bash.run()
                let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
                bash.waitUntilExit()
                return Set(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace))
            }
            #expect(try complete("atmos", "ex").isSuperset(of: ["explain", "export"]))
            #expect(try complete("atmos", "list", "").isSuperset(of: ["lists", "tasks"]))
        }
    }
#endif
