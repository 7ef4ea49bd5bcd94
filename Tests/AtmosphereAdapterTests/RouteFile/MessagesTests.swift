#if YAML
    import Foundation
    import Testing

    /// The table of messages is for people; here it is held against the code.
    @Suite("The table of messages") struct MessagesTests {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()

        private func table() throws -> String {
            try String(contentsOf: Self.root.appending(path: "docs/MESSAGES.md"), encoding: .utf8)
        }

        /// Rows of the sections that begin with `## title`: the cells without their spaces.
        private func rows(of title: String) throws -> [[String]] {
            let sections = try table().components(separatedBy: "\n## ")
            let section = try #require(sections.first { $0.hasPrefix(title) })
            return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
                line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }

        private func swiftSources() throws -> [(path: String, text: String)] {
            try ["Sources", "Adapters"].flatMap { folder -> [(String, String)] in
                let url = Self.root.appending(path: folder)
                let files = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
                return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map {
                    ($0.path, try String(contentsOf: $0, encoding: .utf8))
                }
            }
        }

        @Test("every error code stands in the table, with its remedy")
        func codes() throws {
            let rows = try rows(of: "Codes")
            let known = Set(rows.map { $0[0].trimmingCharacters(in: ["`"]) })
            #expect(rows.allSatisfy { $0.count == 4 && !$0[2].isEmpty && !$0[3].isEmpty })
            var used: Set<String> = []
            for (path, text) in try swiftSources() {
                for match in text.matches(of: #/static let \w+ = Code\((?:description: )?"(\w+)"\)/#) {
                    used.insert(String(match.1))
                }
                guard path.contains("/AtmosCommands/") || path.contains("/AtmosphereReports/") else { continue }
                for match in text.matches(of: #/code: "(\w+)"/#) { used.insert(String(match.1)) }
                for match in text.matches(of: #/\("(\w+)", (?:true|false)\)/#) { used.insert(String(match.1)) }
            }
            #expect(used.count > 40)
            #expect(used.subtracting(known).sorted() == [], "docs/MESSAGES.md lacks these")
            #expect(known.subtracting(used).sorted() == [], "no code has these any more")
        }

        @Test("every message that a wrong route file gives stands in the table")
        func routeFiles() throws {
            let patterns = try rows(of: "Route files").map { Self.pattern(Self.text($0)) }
            let names = RouteFixtures.names(in: "wrong", ending: ".expected")
            #expect(names.count > 40)
            var lacking: Set<String> = []
            for name in names {
                for line in try RouteFixtures.text("wrong/\(name)").split(separator: "\n") {
                    let message = line.replacing(#/^[^ ]+:\d+:\d+: /#, with: "")
                    let isKnown = patterns.contains { message.range(of: $0, options: .regularExpression) != nil }
                    if !isKnown { lacking.insert(String(message)) }
                }
            }
            #expect(lacking.sorted() == [], "docs/MESSAGES.md lacks these")
        }

        @Test("every message of the command that the table has is one that the command gives")
        func command() throws {
            let sources = try swiftSources().map(\.text).joined(separator: "\n")
            let rows = try rows(of: "The command itself")
            #expect(rows.count >= 15 && rows.allSatisfy { $0.count == 2 && !$0[1].isEmpty })
            for row in rows {
                let message = String(row[0].split(separator: "`")[0])
                let pieces = message.components(separatedBy: "…").filter { !$0.isEmpty }
                #expect(!pieces.isEmpty && pieces.allSatisfy(sources.contains), "\(message)")
            }
        }

        private static func text(_ row: [String]) -> String { row[0].trimmingCharacters(in: ["`"]) }

        /// `…` stands for anything.
        private static func pattern(_ text: String) -> String {
            let pieces = text.components(separatedBy: "…").map { NSRegularExpression.escapedPattern(for: $0) }
            return "^" + pieces.joined(separator: ".*") + "$"
        }

        @Test("every error that the command, the core or an adapter makes stands in the table by its words")
        func words() throws {
            let routeFiles = try rows(of: "Route files").map(Self.text)
            let command = try rows(of: "The command itself").map { String($0[0].split(separator: "`")[0]) }
            let patterns = (routeFiles + command).map(Self.pattern)
            func isListed(_ message: SourceMessages.Message) -> Bool {
                if patterns.contains(where: { message.text.range(of: $0, options: .regularExpression) != nil }) {
                    return true
                }
                // A row may say what the source puts in.
                guard message.code == "routeFile" else { return false }
                let own = Self.pattern(message.text)
                return routeFiles.contains { $0.range(of: own, options: .regularExpression) != nil }
            }
            let folders =
                ["", "Model", "Routing", "Store", "Exchange", "Source", "Reports"].map { "/Sources/Atmosphere\($0)/" }
                + ["/Sources/AtmosCommands/", "/Adapters/"]
            let messages = try swiftSources().filter { source in folders.contains { source.path.contains($0) } }
                .reduce(into: Set()) { $0.formUnion(SourceMessages($1.text, path: $1.path).all()) }
            #expect(messages.count > 400)
            let others = Set(messages.filter { !isListed($0) }.map(\.row))
            let sections = try table().components(separatedBy: "\n## ")
            let section = try #require(sections.first { $0.hasPrefix("All others") })
            let known = Set(section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init))
            #expect(others.subtracting(known).sorted() == [], "docs/MESSAGES.md lacks these")
            #expect(known.subtracting(others).sorted() == [], "nothing says these, or another section has them")
        }

        @Test(
            "messages are found in sources as they are written",
            arguments: [
                (
                    #"throw SyncError(code: .refused, message: "an \(b("c")) end" + (e ? "f" : "g"))"#,
                    "refused", ["an … end…"]
                ),
                (
                    #"throw StoreError(code: code, message: isThere ? "it is there" : "it is \(what) not")"#, "",
                    ["it is there", "it is … not"]
                ),
                (
                    #"CommandFailure(code: "own", ["one, of two", "two; \(x.quoted)"], status: 1)"#, "own",
                    ["one, of two", "two; “…”"]
                ),
                (#"ValidationError(other ?? "say so")"#, "usage", ["say so"]),
                (#"// SyncError(code: .refused, message: "not this")"#, "", []),
                (#"func usage(_ text: String = "not this")"#, "", []),
                (#"note(place, "in a compiler alone")"#, "", [])
            ])
        func reading(_ source: String, code: String, texts: [String]) {
            let found = SourceMessages(source, path: "/Sources/A.swift").all()
            #expect(found == Set(texts.map { SourceMessages.Message(code: code, text: $0) }))
        }

        @Test("no row of the table is so general that it says nothing")
        func general() throws {
            for row in try rows(of: "Route files") {
                let words = row[0].split { !$0.isLetter }
                #expect(!words.isEmpty, "\(row[0])")
                #expect(row.count == 2 && row[1].count > 10, "\(row)")
            }
        }
    }
#endif
