#if YAML
    import AtmosphereDjangoREST
    import AtmosphereGoogleTasks
    import AtmospherePlain
    import AtmosphereRails
    import AtmosphereXML
    import AtmosphereYAML
    import Foundation
    import Testing

    @testable import Atmosphere

    @testable import AtmosphereExchange

    @testable import AtmosphereModel

    @testable import AtmosphereRouting

    @testable import AtmosphereStore

    /// Valid files are damaged at random, over the whole vocabulary: whatever becomes of them is read or refused, in a
    /// short time, and every refusal says where and why. `ATMOSPHERE_MUTATION_SEED=n` runs another seed.
    @Suite("Route files with random mistakes", .timeLimit(.minutes(5))) struct RouteFileFuzzTests {
        private static let adapters: [Adapter] = [.yaml, .djangoREST, .googleTasks, .plain, .rails, .xml]

        private static let seeds: [UInt64] =
            ProcessInfo.processInfo.environment["ATMOSPHERE_MUTATION_SEED"].flatMap { UInt64($0) }.map { [$0] }
            ?? [1, 2, 3, 4]

        /// Every route file of the repository that loads, and one with as many keys as go together.
        private static func originals() throws -> [DocumentTree] {
            var texts = RouteFixtures.names(in: "good", ending: ".yaml").compactMap {
                try? RouteFixtures.text("good/\($0)")
            }
            let root = RouteFixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            for sample in ["TaskDo/taskdo.yaml", "QuickStart/tasks.yaml", "PublicAPI/posts.yaml"] {
                texts.append(try String(contentsOf: root.appending(path: "Samples/\(sample)"), encoding: .utf8))
            }
            texts += [everything, theRest]
            return try texts.map { text in
                _ = try RouteFile.load(bytes: Array(text.utf8), source: "good.yaml", adapters: adapters)
                return DocumentTree(try YAMLDocumentReader().read(Array(text.utf8), source: "good.yaml"))
            }
        }

        @Test("are read, or refused with a reason at a place, and soon", arguments: seeds)
        func mistakes(seed: UInt64) throws {
            let originals = try Self.originals()
            var mutator = Mutator(seed: seed)
            var refused = 0
            for round in 0..<700 {
                let text = mutator.damaged(originals)
                refused += try check(text.text, text.name, "seed \(seed), round \(round)") ? 0 : 1
            }
            #expect(refused > 350, "seed \(seed): damage that nobody sees proves nothing")
        }

        @Test("styles of one's own are no worse", arguments: seeds)
        func styles(seed: UInt64) throws {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let documents = [
                PlainStyle().document, DjangoRESTStyle().document, RailsStyle().document, GoogleTasksStyle().document
            ]
            let originals = try documents.map {
                DocumentTree(try JSONDocumentReader().read(Array($0.utf8), source: "style"))
            }
            let routes = "atmosphere: 1\nbase: https://example.com\nstyle: %\nresources: { todos: {}, people: {} }\n"
            var mutator = Mutator(seed: seed)
            for round in 0..<100 {
                let style = mutator.damaged(originals)
                let name = style.name.replacing("routes", with: "style")
                try folder.write(Array(style.text.utf8), to: name)
                let text = routes.replacing("%", with: "./\(name)")
                _ = try check(text, folder.file("routes.yaml"), "seed \(seed), round \(round)")
            }
        }

        /// - Returns: whether the file was read.
        private func check(_ text: String, _ name: String, _ which: String) throws -> Bool {
            let start = ContinuousClock.now
            defer { #expect(ContinuousClock.now - start < .seconds(5), "\(which) takes too long") }
            do {
                let file = try RouteFile.load(bytes: Array(text.utf8), source: name, adapters: Self.adapters)
                #expect(!file.resources.isEmpty && !file.explanation().isEmpty, "\(which)")
                return true
            } catch {
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count + 1
                #expect(!error.problems.isEmpty, "\(which) is refused without a reason")
                for problem in error.problems {
                    let isInFile = problem.place.source != name || (1...lines).contains(problem.place.line)
                    let hasPlace = problem.place.line >= 1 && problem.place.column >= 1 && isInFile
                    let says = problem.message.contains { $0.isLetter }
                    #expect(
                        hasPlace && says && problem.place.source != "default" && problem.message.utf8.count < 4000,
                        "\(which): \(problem.place): \(problem.message.prefix(200))\n\(text.prefix(2000))")
                }
                return false
            }
        }

        private static let everything = """
            atmosphere: 1
            name: everything
            style: rails
            base: https://api.example.com/v2
            store: { kind: memory, path: here }
            transport: { kind: curl, timeout: 30s, connect-timeout: PT5S }
            auth:
              key: { header: X-Key, value: "secret:KEY" }
              identity: { path: me, field: $.user.id }
            secrets: { file: .secrets }
            limits: { concurrent: 8, rate: 600/min, remaining: X-Left, reset: X-Reset, body: 1MB, depth: 60, attempts: 3, pages: 9 }
            headers: { X-Client: app }
            errors:
              fields: [$.errors, $]
              field: source.pointer
              message: detail
              messages: $.message
              general: [base]
              rules:
                - { status: [403, 429], path: "$.errors[*].reason", equals: [slow, limit], treat: wait }
            resources:
              people:
                singular: person
                plural: people
                id: { field: $.meta.id, assigned: client }
                create: { method: PUT, path: "people/{id}", conditional: true, body: whole, set: { from: app }, query: { a: b } }
                delete: { method: PATCH, set: { trashed: true } }
                deletes: { field: trashed, present: true, online: true }
                absent-equals: [null, "", 0]
              places:
                path: people/{people.id}/places
                parent: { people: person }
                ids: per-parent
                references: { owner: people }
                format: xml
                coding: form
                xml: { root: place, item: entry, types: true, dashes: true }
                items: { path: $.places, optional: true }
                item: $.place
                root: { read: place, write: item }
                query: { all: 1 }
                list: { conditional: true, shape: partial }
                update: { method: PATCH, body: changed, item: $.new, shape: partial }
                pages: { kind: token, next: { header: X-Next }, parameter: after, end-status: [400, 404], size: { parameter: n, value: 50 } }
                detail: on-read
                since: { send: q, from: { field: changed }, overlap: PT1M, expires: 7d, order: cursor-ascending, query: { d: 1 }, full-query: { f: 1 }, format: "yyyy-MM-dd'T'HH:mm:ss", prefix: "gt ", quotes: single }
                version: { field: rev, send: if-match, quotes: add, order: ascending }
                readonly: [changed, rev]
                lookup: { field: uuid, query: uuid }
                duplicate: { status: [409, 422], field: uuid }
                conflict: { default: merge, clash: newest, fields: { title: theirs }, deleted-there: recreate, deleted-here: delete, time: edited }
                fields: { title: { read: name.text, write: name }, size: integer }
                types: { changed: instant, notes: string }
                merge: { tags: set, notes: lines }
                together: [[lat, lon]]
                actions:
                  move: { post: "people/{people.id}/places/{id}/move", when: [position], query: [position], body: [], repeat: safe }
                views:
                  near: { path: "people/{people.id}/near", query: { to: "{spot}" } }
              x-free: anything

            """

        /// What does not go together with the above.
        private static let theRest = """
            atmosphere: 1
            base: https://api.example.com
            live: { url: "wss://push.example.com", key: "secret:PUSH", rooms: [all], transports: websocket, proxy: none, publish: { key: "secret:PUB" } }
            resources:
              teams:
                types: { seen: instant, size: integer }
                indexes: [size, [seen, size]]
                media-type: application/vnd.example+json
                list: { method: POST, path: teams/query, set: { query: { type: Team, since: null }, page: null } }
                pages: { kind: token, next: $.marker, parameter: page, more: $.more }
                since: { send: query.since, from: { body: $.token, page: last }, overlap: 0s, full-query: { all: 1 } }
                errors: { rules: [{ status: 200, path: $.error, treat: retry }] }
              notes:
                path: "teams/{teams.id}/notes"
                parent: { teams: team }
                update: { query: { rev: "{version}" }, with: [id], without: [by] }
                version: { header: X-Rev, send: none }
                fields: { "*": { read: "data[*]", write: "data[*]" }, owner: { read: owner.id, write: owner.id, set: { type: people } } }
                lease:
                  acquire: { post: "notes/{id}/lock", query: { until: "{lease.until}" }, headers: { X-A: b }, set: { at: "{lease.from}" } }
                  renew: { put: "notes/{id}/lock" }
                  release: { delete: "locks/{lease.token}" }
                  ttl: 2m
                  every: 110s
                  token: { body: $.token, send: X-Lock }
                  refused: [409, 423, { status: 200, path: $.error, equals: [locked] }]
                  format: yyyy-MM-dd HH:mm:ss
                  mode: advisory
                retention: { keep: 30d, by: seen }
                types: { seen: instant }
                actions: { copy: { post: "notes/{id}/copy", body: [to], query: [deep] } }
              tags:
                batch:
                  - post: tags/batch
                    size: 20
                    items: $.items
                    set: { atomic: false }
                    create: { set: { op: add }, body: tag, idempotency: key, key: n }
                    update: { body: tag, id: id, version: rev, key: n }
                    delete: { id: id, key: n }
                    results: { path: $.results, match: { sent: n, found: n }, status: status, codes: { ok: 200 }, body: tag, error: error, id: id, version: rev }
                  - { put: tags/read, read: { id: id }, items: $.ids, results: [{ path: $.results, match: { sent: id, found: id } }, { path: lost, status: 404, body: tag }] }
                version: { field: rev, send: body }
                detail: never
                duplicate: { status: 409, field: name }
                views: { late: { query: { before: "{day}" } } }

            """
    }

    /// Chooses and makes the damage; the same seed makes the same.
    private struct Mutator {
        private var generator: Generator
        private static let keys: [String] = {
            var keys: [String] = []
            func collect(_ shape: RouteShape) {
                switch shape {
                case .map(let map):
                    keys += map.keys.map(\.name) + map.later
                    for key in map.keys { collect(key.shape) }
                case .list(let element, _): collect(element)
                case .named(_, let value): collect(value)
                case .leaf(.choice(let words)): keys += words
                case .leaf, .anything: break
                }
            }
            collect(.map(RouteVocabulary.document))
            return Array(Set(keys)).sorted()
        }()
        private static let texts = [
            "", " ", "null", "~", "true", "yes", "0", "-1", "1e400", "99999999999999999999", "0x1F", "1.5", "12:30:00",
            "$",
            "$.", "$.a[", "$['a b']", "$.a[*].b[0]", "{id}", "{", "}", "{a.b.c}", "../..", "/", "//", "a//b", "?", "#",
            "secret:",
            "secret:NAME", "secret:a b", "http://", "ftp://x", "https://user:pass@host", "P1Y", "P", "PT", "500ms",
            "-5s", "10/x",
            "1ZB", "\u{0}", "\u{FEFF}", "🙂", "é", "a\nb", "*", "&a", "!!int", "%", "@", "`", "X-Header: a", "a,b",
            "yyyy-'",
            "x-", "x-free", "{name}", "{path}", "{plural}.{format}", "{parent.id}", "./style.yaml", "never", "absent",
            "online"
        ]

        init(seed: UInt64) { generator = Generator(state: seed) }

        mutating func damaged(_ originals: [DocumentTree]) -> (text: String, name: String) {
            var tree = originals.randomElement(using: &generator) ?? .map([])
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                var number = Int.random(in: 0..<tree.count, using: &generator)
                let other = part(of: originals)
                let kind = Int.random(in: 0..<14, using: &generator)
                let (key, text) = (pick(Self.keys), pick(Self.texts))
                let (first, second) = (
                    Int.random(in: 0..<1000, using: &generator), Int.random(in: 0..<1000, using: &generator)
                )
                let isPlain = Bool.random(using: &generator)
                tree.change(&number) { value in
                    Self.damage(&value, kind, key, text, other, first, second, isPlain)
                }
            }
            let isJSON = Int.random(in: 0..<3, using: &generator) == 0
            var written = isJSON ? tree.json : tree.yaml()
            if Int.random(in: 0..<4, using: &generator) == 0 { written = shifted(written) }
            return (written, isJSON ? "routes.json" : "routes.yaml")
        }

        private static func damage(
            _ value: inout DocumentTree, _ kind: Int, _ key: String, _ text: String, _ other: DocumentTree,
            _ first: Int,
            _ second: Int, _ isPlain: Bool
        ) {
            switch (kind, value) {
            case (0, .map(var entries)) where !entries.isEmpty:
                entries[first % entries.count].key = key
                value = .map(entries)
            case (1, .map(var entries)) where !entries.isEmpty:
                entries[first % entries.count].key = text
                value = .map(entries)
            case (2, .map(var entries)) where !entries.isEmpty:
                entries.remove(at: first % entries.count)
                value = .map(entries)
            case (3, .map(var entries)) where !entries.isEmpty:
                entries.insert(entries[first % entries.count], at: second % (entries.count + 1))
                value = .map(entries)
            case (4, .map(var entries)) where entries.count > 1:
                let (one, two) = (first % entries.count, second % entries.count)
                (entries[one].value, entries[two].value) = (entries[two].value, entries[one].value)
                value = .map(entries)
            case (5, .map(var entries)):
                entries.insert((key, other), at: first % (entries.count + 1))
                value = .map(entries)
            case (6, .scalar(let old, let wasPlain)):
                // A letter too many or too few, which is how people misspell.
                var letters = Array(old)
                if letters.isEmpty || first.isMultiple(of: 2) {
                    letters.insert(text.first ?? "x", at: letters.isEmpty ? 0 : second % letters.count)
                } else {
                    letters.remove(at: second % letters.count)
                }
                value = .scalar(String(letters), isPlain: wasPlain)
            case (7, _): value = .list([value, other])
            case (8, _): value = .map([(key, value)])
            case (9, _):
                value = .scalar(
                    String(repeating: text.isEmpty ? "a" : text, count: 20_000 / max(1, text.count)), isPlain: false)
            case (10, _):
                for level in 0..<(30 + first % 100) {
                    value = level.isMultiple(of: 2) ? .list([value]) : .map([(key, value)])
                }
            case (11, _): value = .scalar(key, isPlain: isPlain)
            case (12, _): value = other
            default: value = .scalar(text, isPlain: isPlain && !text.isEmpty)
            }
        }

        private mutating func part(of originals: [DocumentTree]) -> DocumentTree {
            var tree = originals.randomElement(using: &generator) ?? .map([])
            var number = Int.random(in: 0..<tree.count, using: &generator)
            var found = DocumentTree.list([])
            tree.change(&number) { found = $0 }
            return found
        }

        /// Lines whose indentation is wrong.
        private mutating func shifted(_ text: String) -> String {
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let index = Int.random(in: 0..<lines.count, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0:
                lines[index] = String(repeating: " ", count: Int.random(in: 1...5, using: &generator)) + lines[index]
            case 1: lines[index] = String(lines[index].drop { $0 == " " })
            default: lines[index] = "\t" + lines[index]
            }
            return lines.joined(separator: "\n")
        }

        private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }

        /// SplitMix64.
        private struct Generator: RandomNumberGenerator {
            var state: UInt64

            mutating func next() -> UInt64 {
                state &+= 0x9E37_79B9_7F4A_7C15
                var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
                mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                return mixed ^ (mixed >> 31)
            }
        }
    }
#endif
