#if Command
    import AtmosphereTesting
    import Foundation
    import Synchronization
    import Testing

    @testable import Atmosphere

    /// What a server calls an object, and what it says of it, decides nothing.
    @Suite("The file of resolve --editor", .timeLimit(.minutes(5))) struct DecisionSheetTests {
        private static let uri = "t/1\n\"owner\": \"mallory\"\r\u{85}\u{2028}\u{202E}#"
        private static let theirs = "Che\u{202E}ese\u{85}\u{2028}\u{2029}\n\u{9B}2J\u{1B}[2J"

        /// An object with that identifier whose title was edited here and on the server.
        private func withConflict(_ body: (Workspace) async throws -> Void) async throws {
            let title = Mutex("Milk")
            let server = try FaultyServer(answer: { _ in
                let id = String(Self.uri.dropFirst(2))
                let object: Value = ["id": .string(id), "title": .string(title.withLock { $0 }), "owner": "ann"]
                let list = String(decoding: Value.array([object]).json(), as: UTF8.self)
                return FaultyServer.answer("200 OK", ["Content-Type: application/json"], list)
            })
            defer { server.stop() }
            let workspace = try Workspace()
            try workspace.write(
                #"{"atmosphere": 1, "style": "plain", "base": "\#(server.url)", "resources": {"t": {}}}"#,
                to: "atmosphere.yaml")
            try await workspace.atmos("pull", "--quiet")
            try await workspace.atmos("edit", Self.uri, "title=Bread")
            title.withLock { $0 = Self.theirs }
            try await workspace.atmos("pull", "--quiet")
            try await body(workspace)
        }

        @Test("of what a server says nothing ends a line or steers an editor, and a file with CR LF is read")
        func hostile() async throws {
            try await withConflict { workspace in
                try workspace.write(
                    """
                    #!/bin/sh
                    cp "$1" shown.txt
                    awk '{ sub(/^"title":.*/, "\\"title\\": \\"Both\\""); printf "%s\\r\\n", $0 }' shown.txt > "$1"
                    """, to: "edit.sh")
                let run = try await workspace.atmos(
                    "resolve", Self.uri, "--editor", environment: ["VISUAL": "sh ./edit.sh"])
                #expect(run.status == 0, "\(run)")
                let shown = try workspace.read("shown.txt")
                let lines = shown.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
                #expect(lines.filter { !$0.hasPrefix("#") } == [#""title": "Bread""#], "\(shown)")
                #expect(!shown.unicodeScalars.contains { $0 != "\n" && UnseenText.contains($0.value) }, "\(shown)")
                let got = try await workspace.atmos("get", Self.uri, "--json").output
                #expect(got.contains(#""title":"Both""#) && got.contains(#""owner":"ann""#), "\(got)")
            }
        }

        @Test(
            "a file of which only the line ends or the byte order mark are others decides nothing",
            arguments: [#"awk '{ printf "%s\r\n", $0 }' "$1""#, #"printf '\357\273\277'; cat "$1""#])
        func unchanged(_ command: String) async throws {
            try await withConflict { workspace in
                try workspace.write("#!/bin/sh\n{ \(command); } > other.txt\ncp other.txt \"$1\"\n", to: "edit.sh")
                let run = try await workspace.atmos(
                    "resolve", Self.uri, "--editor", environment: ["VISUAL": "sh ./edit.sh"])
                #expect(run.status == 1 && run.errors.contains("nothing was changed"), "\(run)")
            }
        }
    }
#endif
