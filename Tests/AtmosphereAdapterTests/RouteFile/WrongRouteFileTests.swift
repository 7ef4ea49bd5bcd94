#if YAML
    import Atmosphere
    import AtmosphereYAML
    import Testing

    @Suite("Wrong route files") struct WrongRouteFileTests {
        @Test(
            "every mistake is told at once, with its place, reason and remedy",
            arguments: RouteFixtures.names(in: "wrong", ending: ".yaml"))
        func message(name: String) throws {
            let expected = try RouteFixtures.text("wrong/\(name.replacing(".yaml", with: ".expected"))")
            let error = try #require(throws: RouteFileError.self) {
                try RouteFile.load(
                    bytes: RouteFixtures.bytes("wrong/\(name)"), source: name,
                    adapters: RouteFixtures.adapters(for: name))
            }
            #expect("\(error)\n" == expected)
        }

        @Test("there are fixtures, and each has its message")
        func fixtures() {
            let files = RouteFixtures.names(in: "wrong", ending: ".yaml").map { $0.replacing(".yaml", with: "") }
            #expect(files.count >= 60)
            #expect(
                RouteFixtures.names(in: "wrong", ending: ".expected").map { $0.replacing(".expected", with: "") }
                    == files)
        }

        @Test("what may be a secret is never repeated")
        func secrets() throws {
            for name in RouteFixtures.names(in: "wrong", ending: ".expected") {
                let text = try RouteFixtures.text("wrong/\(name)")
                #expect(!text.contains("hunter2") && !text.contains("s3cret") && !text.contains("Bearer abc"))
            }
        }

        @Test(
            "text without end is refused before anything is built from it",
            arguments: ["[", "- ", "{a: ", "? ", "[[], ", "x: {a: 1, b: ", "- a\n"])
        func endless(piece: String) throws {
            let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
            let error = try #require(throws: RouteFileError.self) { try RouteFixtures.load(text: text) }
            #expect(error.problems.count == 1)
            #expect(error.problems.allSatisfy { $0.place.line >= 1 })
        }

        @Test("a staircase of maps is refused where it is too deep")
        func staircase() throws {
            let text = (0..<900).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
            let error = try #require(throws: RouteFileError.self) { try RouteFixtures.load(text: text) }
            #expect(error.description == "routes.yaml:65:65: more than 64 maps and lists inside each other")
        }

        @Test("more equal keys than can be told apart still give one message")
        func manyEqualKeys() throws {
            let text = (0..<100).map { "x-\($0): 1\nx-\($0): 2\n" }.joined()
            let error = try #require(throws: RouteFileError.self) { try RouteFixtures.load(text: text) }
            #expect(error.problems.count == 1)
            #expect(error.description.hasPrefix("routes.yaml:1:1: the key “x-0” stands more than once in the same map"))
        }

        @Test(
            "keys that stand twice are found behind every line break of YAML 1.1",
            .timeLimit(.minutes(1)), arguments: ["\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
        func duplicatesBehindLineBreaks(lineBreak: String) {
            let text = "a: { b: 1,\(lineBreak)  c: 2 }\nname: x\nname: y\n"
            do {
                _ = try RouteFile.load(
                    bytes: Array(text.utf8), source: "routes.yaml", adapters: RouteFixtures.adapters)
                Issue.record("it was taken")
            } catch {
                #expect(
                    error.problems.filter { $0.message.contains("stands twice") }.map(\.description) == [
                        "routes.yaml:4:1: the key “name” stands twice; the first is at routes.yaml:3:1"
                    ], "\(error)")
            }
        }

        @Test("equal keys are told whatever their quotes")
        func quotedEqualKeys() throws {
            let text = "x-a: {\"one\": 1, 'one': 2, one: 3}\nname: a\n\"name\": b\n"
            let error = try #require(throws: RouteFileError.self) { try RouteFixtures.load(text: text) }
            #expect(
                error.problems.filter { $0.message.contains("stands twice") }.map(\.description) == [
                    "routes.yaml:3:1: the key “name” stands twice; the first is at routes.yaml:2:1"
                ])
        }
    }
#endif
