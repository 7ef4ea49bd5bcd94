#if YAML
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereDjangoREST
    import AtmosphereJSONAPI
    import AtmospherePlain
    import AtmosphereTesting
    import AtmosphereYAML
    import Foundation
    import Testing

    @Suite("The guides") struct GuideTests {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()

        private static func text(_ path: String) throws -> String {
            try String(contentsOf: root.appending(path: path), encoding: .utf8)
        }

        private static func guide(_ name: String) throws -> String {
            try text("Sources/Atmosphere/Atmosphere.docc/\(name).md")
        }

        /// The route file guide: its index, and the pages by question.
        static func routeFilePages() throws -> [String] {
            let catalog = root.appending(path: "Sources/Atmosphere/Atmosphere.docc")
            let files = try FileManager.default.contentsOfDirectory(
                at: catalog.appending(path: "TheRouteFile"), includingPropertiesForKeys: nil)
            let pages = files.filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
            return try ([catalog.appending(path: "TheRouteFile.md")] + pages).map {
                try String(contentsOf: $0, encoding: .utf8)
            }
        }

        /// The blocks of a language.
        private static func blocks(_ language: String, in guide: String) -> [String] {
            guide.components(separatedBy: "\n```\(language)\n").dropFirst()
                .compactMap { $0.components(separatedBy: "\n```").first }
        }

        @Test("the code that the guides show is the code that is compiled and tested here")
        func code() throws {
            let examples = try Self.text("Tests/AtmosphereAdapterTests/Guides/GuideExamples.swift")
            let tested = examples.components(separatedBy: "\n// guide: ").dropFirst().filter { !$0.hasPrefix("end") }
                .map { $0.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? "" }
            let shown = try ["WritingAnExtractor", "WritingAStyle", "WritingABodyWriter"].flatMap {
                Self.blocks("swift", in: try Self.guide($0))
            }
            #expect(shown.count == 6)
            #expect(shown == tested.map { $0.trimmingCharacters(in: .newlines) })
        }

        /// Code that is compiled and tested: here, beside the Socket.IO client, and in the package by somebody else
        /// (`Scripts/samples.sh`). Lines without their indentation.
        private static func compiled() throws -> [String] {
            let folders = [
                "Tests/AtmosphereAdapterTests/Guides", "Tests/Interop/Guide", "Samples/ThirdPartyAdapter/Sources",
                "Samples/ThirdPartyAdapter/Tests"
            ]
            return try folders.flatMap { folder in
                try swiftFiles(in: folder).map { unindented(try String(contentsOf: $0, encoding: .utf8)) }
            }
        }

        private static func swiftFiles(in folder: String) throws -> [URL] {
            let files = try #require(
                FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil))
            return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        }

        private static func unindented(_ code: String) -> String {
            let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
            return "\n" + lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n") + "\n"
        }

        @Test(
            "every line that a guide shows stands in code that is compiled, in its order, but for what “…” leaves out",
            arguments: [
                ("Sources/Atmosphere/Atmosphere.docc/WritingAStore.md", 7),
                ("Sources/Atmosphere/Atmosphere.docc/WritingATransport.md", 5),
                ("Sources/AtmosphereTesting/AtmosphereTesting.docc/AtmosphereTesting.md", 3),
                ("Sources/AtmosphereNotifications/AtmosphereNotifications.docc/YourOwnServer.md", 2)
            ])
        func excerpts(_ guide: String, _ count: Int) throws {
            let blocks = Self.blocks("swift", in: try Self.text(guide))
            #expect(blocks.count == count)
            let files = try Self.compiled()
            for block in blocks {
                for piece in Self.unindented(block).components(separatedBy: "\n// …\n") {
                    let lines = "\n" + piece.trimmingCharacters(in: .newlines) + "\n"
                    #expect(files.contains { $0.contains(lines) }, "\(guide) shows what is not compiled: \(lines)")
                }
            }
        }

        @Test("what the guides show of stores in memory, and of time that stands still, runs")
        func testing() async throws {
            try await checkAStore()
            try await runRoundsOnAClock(
                #"""
                {"atmosphere": 1, "style": "plain", "base": "https://api.example", "store": "memory",
                 "transport": "scripted", "resources": {"tasks": {}}}
                """#)
        }

        @Test("an extractor in one closure pulls objects")
        func closure() async throws {
            let transport = ScriptedTransport()
            let text = """
                { "atmosphere": 1, "base": "https://api.example", "resources": {
                    "tasks": { "format": "csv", "coding": "json", "id": "number", "types": { "number": "string" } } } }
                """
            let adapters: [Adapter] = [.plain, .extractor(csv)]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "routes.json", adapters: adapters)
            let client = try await Synchronizer(
                routeFile: file, store: MemoryStore(), transport: transport, style: adapters.style(named: "plain"),
                extractors: [csv])
            transport.expect(
                "GET", "/tasks",
                .respond(headers: ["Content-Type": "text/csv"], body: Array("number,title\r\n7,Milk\r\n8,Bread".utf8)))
            let report = try await client.pull()
            #expect(report.isComplete, "\(report)")
            #expect(transport.requests.first?.request.headers["Accept"] == "text/csv")
            let record = try await client.record(at: ObjectURI(entity: "tasks", id: "8"))
            #expect(record?.members == ["number": "8", "title": "Bread"])
        }

        @Test("an error of the closure is told without what it says, which may be the body's")
        func closureErrors() throws {
            struct Odd: Error, CustomStringConvertible { var description: String { "secret" } }
            let odd = ClosureExtractor(format: "odd", accept: "x/odd") { _ in throw Odd() }
            let error = try #require(throws: ExtractionError.self) {
                try odd.page(in: [1], Selectors(id: .member("id")))
            }
            #expect(error.code == .malformed && error.message.contains("Odd") && !error.message.contains("secret"))
        }

        @Test("the guide's extractor keeps every promise", arguments: sequences.checks.map(\.name))
        func extractor(_ name: String) async throws {
            let check = try #require(sequences.checks.first { $0.name == name })
            try await check.run()
        }

        @Test("the guide's body writer keeps every promise", arguments: dottedForms.checks.map(\.name))
        func bodyWriter(_ name: String) async throws {
            let check = try #require(dottedForms.checks.first { $0.name == name })
            try await check.run()
        }

        @Test(
            "the guide's style keeps every promise",
            arguments: RoutingStyleSuite(style: HouseStyle()).checks.map(\.name))
        func style(_ name: String) async throws {
            let check = try #require(RoutingStyleSuite(style: HouseStyle()).checks.first { $0.name == name })
            try await check.run()
        }

        @Test("the route files of the README, of “Describe your API” and of the route file guide load")
        func routeFiles() throws {
            let adapters: [Adapter] = [.yaml, .plain, .djangoREST, .jsonAPI, .cloudKit, .cloudKitChanges]
            let pages = try [Self.text("README.md"), Self.guide("DescribeYourAPI")] + Self.routeFilePages()
            let files = pages.flatMap { Self.blocks("yaml", in: $0) }
                .filter { $0.hasPrefix("atmosphere: 1\n") && !$0.contains("style: ./") && !$0.contains("style: rails") }
            #expect(files.count >= 15)
            for (number, text) in files.enumerated() {
                #expect(throws: Never.self, "\(text)") {
                    try RouteFile.load(bytes: Array(text.utf8), source: "guide\(number).yaml", adapters: adapters)
                }
            }
        }

        /// Every code that a source file makes: of errors, and of what the command says for itself.
        private static func codesInSources() throws -> Set<String> {
            let patterns = try [
                #"static let \w+ = Code\((?:description: )?"(\w+)""#, #"CommandFailure\(\s*code: "(\w+)""#,
                #"self\.init\(code: "(\w+)""#, #"ReportedFailure\(code: "(\w+)""#, #"\("(\w+)", (?:true|false)\)"#,
                #"code: "(\w+)", message: .*isNetwork"#
            ].map { try Regex($0, as: (Substring, Substring).self) }
            var codes: Set<String> = []
            for file in try ["Sources", "Adapters"].flatMap(swiftFiles) {
                let source = try String(contentsOf: file, encoding: .utf8)
                // All patterns have one of these, which are found much faster.
                guard
                    source.contains(" = Code(") || source.contains("CommandFailure")
                        || source.contains("ReportedFailure") || source.contains("isNetwork: ")
                else { continue }
                for pattern in patterns { codes.formUnion(source.matches(of: pattern).map { String($0.output.1) }) }
            }
            return codes
        }

        @Test("“Troubleshooting” and the messages have every error code of the sources, and none that there is not")
        func codes() throws {
            let sources = try Self.codesInSources()
            let table = try Self.text("docs/MESSAGES.md").components(separatedBy: "\n## ")
            let section = try #require(table.first { $0.hasPrefix("Codes") })
            let codes = Set(
                section.split(separator: "\n").filter { $0.hasPrefix("| `") }
                    .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) })
            let rows = try Self.guide("Troubleshooting").split(separator: "\n").filter { $0.hasPrefix("| ") }
            let named = Set(
                rows.compactMap { $0.split(separator: "|").dropFirst().first }
                    .flatMap { $0.matches(of: #/`([a-zA-Z0-9]+)`/#).map { String($0.1) } })
            #expect(sources.isSuperset(of: ["inexact", "notRecorded", "skipped", "usage"]))
            #expect(sources.subtracting(codes).sorted() == [], "MESSAGES.md lacks these")
            #expect(codes.subtracting(sources).sorted() == [], "MESSAGES.md has these, and no source")
            #expect(codes.subtracting(named).sorted() == [], "Troubleshooting.md lacks these")
            #expect(named.subtracting(codes).sorted() == [], "no error has these codes")
        }
    }
#endif
