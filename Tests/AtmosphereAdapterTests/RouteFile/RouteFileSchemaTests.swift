#if YAML
    import AtmosphereYAML
    import Foundation
    import Testing

    @testable import Atmosphere

    @testable import AtmosphereExchange

    @testable import AtmosphereRouting

    @testable import AtmosphereStore

    @Suite("The route file's JSON Schema") struct RouteFileSchemaTests {
        private let schema = SchemaReading(root: RouteFileSchema.document)

        /// A document as an editor sees it.
        private func document(_ path: String) throws -> Value {
            let bytes = try RouteFixtures.bytes(path)
            let reader: any RouteDocumentReader = path.hasSuffix(".json") ? JSONDocumentReader() : YAMLDocumentReader()
            return RouteSection(try reader.read(bytes, source: path)).value
        }

        @Test("the file in the repository is what the vocabulary says; atmos schema > docs/route-file.schema.json")
        func fresh() throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/route-file.schema.json")
            #expect(try String(contentsOf: file, encoding: .utf8) == RouteFileSchema.text)
        }

        @Test(
            "every file that loads is valid",
            arguments: RouteFixtures.names(in: "good", ending: ".yaml")
                + RouteFixtures.names(in: "good", ending: ".json"))
        func good(name: String) throws {
            _ = try RouteFixtures.load(name)
            #expect(try schema.complaints(document("good/\(name)")) == [])
        }

        @Test("every key of the vocabulary is in it")
        func complete() {
            let all = RouteFileSchema.text
            func check(_ map: RouteMapShape) {
                for key in map.keys {
                    #expect(all.contains("\"\(key.name)\": "), "\(key.name)")
                    if case .map(let inner) = key.shape { check(inner) }
                }
            }
            check(RouteVocabulary.document)
            check(RouteVocabulary.resource)
        }

        @Test("every key says what it is for, and no meaning is left over")
        func meanings() {
            var used: Set<String> = []
            func check(_ shape: RouteShape, _ path: String) {
                switch shape {
                case .map(let map):
                    for key in map.keys {
                        let own = path.isEmpty ? key.name : "\(path).\(key.name)"
                        #expect(RouteVocabulary.meaning(of: own)?.hasSuffix(".") == true, "\(own) has no meaning")
                        used.insert(own)
                        let parts = own.split(separator: ".", maxSplits: 1)
                        if parts.count == 2, RouteVocabulary.operationNames.contains(String(parts[0])) {
                            used.insert("operation.\(parts[1])")
                        }
                        check(key.shape, own)
                    }
                case .list(let element, _): check(element, path)
                case .named(let key, let value) where key != .entity: check(value, path)
                case .named, .leaf, .anything: break
                }
            }
            check(.map(RouteVocabulary.document), "")
            check(.map(RouteVocabulary.resource), "")
            #expect(RouteVocabulary.explainedKeys.filter { !used.contains($0) } == [])
        }

        @Test("an editor shows the meaning, and then the form")
        func hover() throws {
            let definitions = try #require(RouteFileSchema.document.members?["definitions"]?.members)
            let description = definitions["id"]?.members?["description"]?.string
            #expect(description == "The identifier; one word is where it stands.")
            let overlap = try JSONPath("since.anyOf[0].properties.overlap.description")
            let plain = try JSONPath("since.properties.overlap.description")
            let text = (plain.first(in: .object(definitions)) ?? overlap.first(in: .object(definitions)))?.string
            #expect(text == "How much is asked for again each time. Written as a duration such as PT2M or 90s.")
        }

        @Test(
            "a file with a mistake that one place shows is not valid",
            arguments: [
                "wrong-types", "wrong-choices", "unknown-key-near", "unknown-key-top", "unknown-key-far", "odd-names",
                "quoted-vocabulary", "missing-everything", "no-resources", "resources-as-list", "base-relative",
                "base-with-query", "base-with-password", "base-without-host", "base-of-another-scheme",
                "secret-as-literal", "secret-in-place-of-auth", "secret-in-a-header", "secret-with-odd-name",
                "two-ways-to-sign-in", "no-way-to-sign-in", "pages-misspelt", "pages-key-of-another-kind",
                "path-with-query", "resource-not-a-map", "null-in-a-list", "later-vocabulary",
                "key-without-place", "errors-wrong", "actions-wrong"
            ])
        func wrong(name: String) throws {
            #expect(try !schema.complaints(document("wrong/\(name).yaml")).isEmpty)
        }
    }
#endif
