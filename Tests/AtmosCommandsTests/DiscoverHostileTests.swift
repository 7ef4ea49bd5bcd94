#if Command
    import Foundation
    import Testing

    @testable import AtmosCommands
    @testable import Atmosphere
    @testable import AtmosphereExchange
    @testable import AtmosphereModel
    @testable import AtmosphereRouting
    @testable import AtmosphereStore

    /// Descriptions that were written, or damaged, to become something else than settings: each draft says what is meant,
    /// to a reader that shares nothing with the writer, or there is none.
    @Suite("discover: hostile descriptions", .timeLimit(.minutes(5))) struct DiscoverHostileTests {
        /// From the trials that found it: a server's URL that goes on with settings of its own.
        private static let attack =
            "auth:\t{session:\t{post:\tlogin,fields:\t{n:\ta},token:\t{body:\t$.t}},tokens:\t{load:\t[sh,-c,\"id>PWNED\"],save:\t[cat]}}"

        private static let breaks: [String] = ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{B}", "\u{C}"]
        private static let words: [String] = breaks.map { "http://h/v1" + $0 + attack } + others
        private static let others: [String] = [
            "x\n\(attack)", "x\u{85}\(attack)", "x\u{2028}\(attack)", "\u{FEFF}\(attack)", "\u{202E}\(attack)\u{2066}",
            "x }, auth: { tokens: { load: [sh] } }, y: {", "x ], auth: [", "\", auth: x, \"", "', auth: x, '", "x # y",
            "# x", "x: y", ": ", "- x", "-", "---", "...", "? x", "*x", "&x y", "!!binary x", "| x", "> x", "%YAML 1.1",
            "@x", "`x`", "{", "}", "[", "]", ",", "\"", "'", "\\", "\\x41", "\u{0}", "x\u{0}y", "\u{7}\u{1B}[2J",
            "\u{7F}",
            "", " ", "\t", "true", "NO", "y", "null", "~", "1e3", "0x1F", "0o7", "1_000", "12:30:00", "2024-01-01",
            ".inf", ".5", "+1", "=", "<<", "é", "e\u{301}", "日本語", "😀", "\u{E0041}", "\u{E000}", "\u{FFFE}", "a.b",
            "['x']", "$", "$.x", "..", "{id}", "%2e%2e", "a/b", "a?b#c", "javascript:alert(1)", "file:///etc/passwd",
            "https://user:secret@h/", "http://h\u{0}/", "//h/x", "http://[::1", "secret:HOME", "secret:API_TOKEN",
            "application/json\r\nX: y", "application/x+json\r\nX: y", String(repeating: "long", count: 700)
        ]

        /// What a description is written in. JSON is YAML, too: the same text goes to both readers.
        enum Notation: Sendable { case json, yaml }

        private enum Outcome: Equatable {
            case refused
            case written(settings: Value)
        }

        /// - Returns: what the draft says to an independent reader, and to the library's, both of which find what is meant.
        private func judged(
            _ described: String, as notation: Notation = .json, loading: Bool = true
        ) throws -> Outcome {
            guard let document = Self.document(described, as: notation) else { return .refused }
            let draft: RouteFileDraft
            let text: String
            do {
                guard
                    let described = try DescriptionReader.description(document, url: "https://docs.example.com/a.json")
                else { return .refused }
                draft = try RouteFileDraft(described, from: "a.json", base: nil)
                try DraftPowers.check(draft, own: [])
                text = try draft.checkedText()
            } catch is CommandFailure {
                return .refused
            }
            let settings = try DraftReading.settings(text)
            #expect(settings == draft.settings, "\(text)")
            checkPowers(settings, text)
            if loading {
                // What a route file cannot say is refused when it is loaded; it is never something else.
                _ = try? draft.routeFile(source: "a.yaml")
            }
            return .written(settings: settings)
        }

        /// - Returns: nil for what is refused while it is read.
        private static func document(_ text: String, as notation: Notation) -> Value? {
            switch notation {
            case .json: try? Value(json: Array(text.utf8))
            case .yaml: try? DescriptionReader.yaml(Array(text.utf8), source: "a.yaml")
            }
        }

        /// The settings that a description may make, told once more.
        private func checkPowers(_ settings: Value, _ text: String) {
            let top = Set(settings.members?.names ?? [])
            #expect(top.isSubset(of: ["atmosphere", "style", "base", "auth", "errors", "resources"]), "\(text)")
            let auth = Set(settings.members?["auth"]?.members?.names ?? [])
            #expect(auth.isSubset(of: ["basic", "bearer", "token", "scheme", "key", "oauth2"]), "\(text)")
            for resource in settings.members?["resources"]?.members ?? [:] {
                let keys = Set(resource.value.members?.names ?? [])
                #expect(
                    keys.isDisjoint(with: ["auth", "attachments", "transport", "store", "live", "secrets"]), "\(text)")
            }
            let base = settings.members?["base"]?.string ?? ""
            // A path may hold “@”; in front of the host it would stand behind a name.
            let isURL = base.wholeMatch(of: #/https?:\/\/[^@\s\/]+(?:\/\S*)?/#) != nil
            #expect(isURL && base.utf8.allSatisfy { $0 < 0x7F }, "\(base)")
        }

        /// The words in the places of others', in the whole tree.
        private func replaced(_ value: Value, _ old: String, _ new: String) -> Value {
            switch value {
            case .string(old): .string(new)
            case .array(let elements): .array(elements.map { replaced($0, old, new) })
            case .object(let members):
                .object(
                    .init(
                        members.map {
                            .init(name: $0.name == old ? new : $0.name, value: replaced($0.value, old, new))
                        }))
            default: value
            }
        }

        @Test(
            "whatever a server says in any place becomes a text there, or nothing",
            arguments: DescribedAPI.all.map { ($0, Notation.json) }
                + [(DescribedAPI.openAPI, Notation.yaml), (DescribedAPI.swagger, Notation.yaml)])
        func aimed(_ api: DescribedAPI, as notation: Notation) throws {
            guard case .written(let usual) = try judged(api.json(), as: notation) else {
                Issue.record("the harmless document gives no draft")
                return
            }
            #expect(try judged(api.json()) == .written(settings: usual))
            var written = 0
            var count = 0
            for (offset, place) in api.places.enumerated() {
                // Every word in the places that the trials found open; elsewhere every third one.
                let isOpen = ["title", "server", "member", "host", "root", "link", "route"].contains(place)
                for (index, word) in Self.words.enumerated() where isOpen || (index + offset) % 3 == 0 {
                    count += 1
                    let text = api.json([place: word])
                    let outcome = try judged(text, as: notation, loading: count % 4 == 0)
                    guard case .written(let settings) = outcome else { continue }
                    written += 1
                    if api.silent.contains(place) {
                        #expect(settings == usual, "\(api), \(place): \(word.debugDescription)")
                    } else if place == "member", api.name == "OpenAPI" || api.name == "Swagger", settings != usual,
                        // YAML has more line breaks than JSON, which it folds.
                        Self.document(text, as: notation) == Self.document(text, as: .json)
                    {
                        // A member's name may be one that means something; then there is more than the other name.
                        let meant = replaced(usual, "harmless", word)
                        let types = { (value: Value) in
                            value.members?["resources"]?.members?["things"]?.members?["types"]
                        }
                        #expect(word.isEmpty || types(settings) == types(meant), "\(api): \(word.debugDescription)")
                    }
                }
            }
            #expect(count >= 50 && written > count / 4, "\(written) of \(count)")
        }

        @Test(
            "500 damaged documents of each notation are read for what they say, or refused", arguments: DescribedAPI.all
        )
        func mutated(_ api: DescribedAPI) throws {
            var random = SeededWords(seed: 7)
            let usual = Array(api.json().utf8)
            var written = 0
            for round in 0..<500 {
                var own: [String: String] = [:]
                var bytes = usual
                if round % 2 == 0 {
                    // Words of two places, one of them with a character put in somewhere.
                    for _ in 0..<2 {
                        let place = api.places[random.below(api.places.count)]
                        var scalars = Array((api.words[place] ?? "").unicodeScalars)
                        let word = Array(Self.words[random.below(Self.words.count)].unicodeScalars)
                        let at = random.below(scalars.count + 1)
                        scalars.insert(contentsOf: word.prefix(1 + random.below(8)), at: at)
                        own[place] = String(String.UnicodeScalarView(scalars))
                    }
                    bytes = Array(api.json(own).utf8)
                }
                // And a few bytes: another digit or letter, one that is missing, a piece that stands twice.
                for _ in 0..<random.below(4) {
                    let at = random.below(bytes.count)
                    switch random.below(4) {
                    case 0: bytes[at] = Array("0aZ\"{}[]:,-.\\ ".utf8)[random.below(14)]
                    case 1: bytes.remove(at: at)
                    case 2:
                        bytes.insert(
                            contentsOf: bytes[at...].prefix(1 + random.below(30)), at: random.below(bytes.count))
                    default: bytes.swapAt(at, random.below(bytes.count))
                    }
                }
                let outcome = try judged(String(decoding: bytes, as: UTF8.self), loading: round % 4 == 0)
                if outcome != .refused { written += 1 }
            }
            #expect(written > 100, "only \(written) were more than refused")
        }

        @Test("the attack that was found writes nothing, and the next server of the document is taken")
        func attack() async throws {
            let workspace = try Workspace()
            let url = "http://h/v1\n\(Self.attack)"
            try workspace.write(DescribedAPI.openAPI.json(["server": url]), to: "api.json")
            let run = try await workspace.atmos("discover", "api.json")
            #expect(run.status == 0, "\(run)")
            let text = try workspace.read("atmosphere.yaml")
            #expect(text.contains("\nbase: https://other.example.com\n") && !text.contains("\nauth:\t"), "\(text)")
            try workspace.write(DescribedAPI.openAPI.json(["server": url, "other": url]), to: "worse.json")
            let worse = try await workspace.atmos("discover", "worse.json", "-c", "worse.yaml")
            #expect(
                worse.status == 2 && worse.errors.contains("worse.json does not say where the API is (of what it says:")
            )
            #expect(!workspace.has("worse.yaml"))
            let named = try await workspace.atmos("discover", "api.json", "-c", "named.yaml", "--base", url)
            #expect(named.status == 2 && named.errors.contains("--base: "), "\(named)")
            #expect(!workspace.has("named.yaml"))
        }

        @Test("a draft that YAML cannot show as it is meant is not written")
        func unreadable() throws {
            var draft = RouteFileDraft(style: "plain", base: "https://api.example.com", resources: ["tasks"])
            #expect(throws: Never.self) { try draft.checkedText() }
            draft.lines.append(.setting("x-own", ["<<": 1]))
            #expect(throws: CommandFailure.self) { try draft.checkedText() }
            draft.lines.removeLast()
            draft.lines.append(.suggestion("x-own", ["<<": 1]))
            #expect(throws: CommandFailure.self) { try draft.checkedText() }
        }

        @Test("a draft with powers is refused by name, where a secret that the person named is not")
        func powers() throws {
            let usual = RouteFileDraft(style: "plain", base: "https://api.example.com", resources: [])
            var draft = RouteFileDraft()
            draft.lines = usual.lines.filter { if case .setting = $0 { true } else { false } }
            draft.resources = [.init(name: "tasks", lines: [.setting("path", "tasks")])]
            #expect(throws: Never.self) { try DraftPowers.check(draft, own: []) }
            let powers: [(String, Value, String)] = [
                ("auth", ["tokens": ["load": ["sh"]], "bearer": "secret:API_TOKEN"], "auth.tokens"),
                ("auth", ["bearer": "secret:HOME"], "auth.bearer"), ("auth", "none", "auth"),
                ("secrets", ["file": "/etc/passwd"], "secrets"), ("store", ["path": "/tmp/x"], "store"),
                ("errors", ["messages": ["secret:API_TOKEN"]], "errors.messages")
            ]
            for (key, value, name) in powers {
                var worse = draft
                worse.lines.append(.setting(key, value))
                let failure = #expect(throws: CommandFailure.self) { try DraftPowers.check(worse, own: []) }
                #expect(failure?.messages.first?.contains("would set “\(name)”") == true, "\(key)")
            }
            draft.lines.append(.setting("auth", ["bearer": "secret:HOME"]))
            #expect(throws: Never.self) { try DraftPowers.check(draft, own: ["HOME"]) }
        }

        @Test("a comment stays one line, whatever stands in it")
        func comments() {
            for scalar in [
                "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{202E}", "\u{200B}", "\u{0}", "\u{1B}"
            ] {
                let comment = FlowYAML.comment("a\(scalar)b é “c” 日本")
                #expect(comment.hasPrefix("# a\\") && comment.hasSuffix("b é “c” 日本"), "\(comment)")
                #expect(comment.unicodeScalars.allSatisfy(FlowYAML.isShown))
            }
        }
    }

    /// Numbers from a seed.
    private struct SeededWords {
        private var state: UInt64
        init(seed: UInt64) { state = seed }

        /// SplitMix64 (Steele, Lea, Flood 2014).
        mutating func below(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((bits ^ (bits >> 31)) % UInt64(max(1, limit)))
        }
    }
#endif
