#if Command
    import Testing

    @testable import AtmosCommands
    @testable import Atmosphere
    @testable import AtmosphereModel

    /// Descriptions that mean more than they say: what is looked at has a limit, and the draft says what it left out.
    @Suite("discover: large descriptions", .timeLimit(.minutes(2))) struct DiscoverBoundTests {
        private static let reference: Value = ["$ref": "#/components/schemas/Thing0"]

        private static func document(_ schemas: [Value], lists: Int = 1) -> Value {
            let answer: Value = [
                "200": ["content": ["application/json": ["schema": ["type": "array", "items": reference]]]]
            ]
            let paths = (0..<lists).map {
                Value.Member(name: "/things\($0)", value: ["get": ["responses": answer]])
            }
            let named = schemas.enumerated().map { Value.Member(name: "Thing\($0.offset)", value: $0.element) }
            return [
                "openapi": "3.1.0", "info": ["title": "Things"], "servers": [["url": "https://api.example.com"]],
                "paths": .object(Value.Members(unique: paths)),
                "components": ["schemas": .object(Value.Members(unique: named))]
            ]
        }

        private static func object(_ count: Int) -> Value {
            let others = (1..<count).map { Value.Member(name: "m\($0)", value: ["type": "string"]) }
            let id = Value.Member(name: "id", value: ["type": "integer"])
            return ["type": "object", "properties": .object(Value.Members(unique: [id] + others))]
        }

        private func draft(_ document: Value) throws -> RouteFileDraft {
            try RouteFileDraft(APIDescription(openAPI: document, url: nil), from: "things.json", base: nil)
        }

        @Test("30 schemas that are each composed of all 30 are read once")
        func circle() throws {
            let all = (0..<30).map { Value.object(["$ref": .string("#/components/schemas/Thing\($0)")]) }
            let own: Value = Self.object(2).members?["properties"] ?? [:]
            let schema: Value = ["type": "object", "properties": own, "allOf": .array(all)]
            let draft = try draft(Self.document(Array(repeating: schema, count: 30)))
            #expect(draft.resources.map(\.name) == ["things0"])
        }

        @Test("a list of objects with tens of thousands of members is left out, and the draft says so")
        func wide() throws {
            let failure = #expect(throws: CommandFailure.self) {
                _ = try draft(Self.document([Self.object(50_000)]))
            }
            let said = failure?.messages.joined(separator: "\n") ?? ""
            #expect(said.contains("its objects have 50000 members, and 5000 are the most"), "\(said)")
        }

        @Test("100 lists of a schema with 2,000 members become a draft")
        func many() throws {
            let draft = try draft(Self.document([Self.object(2_000)], lists: 100))
            #expect(draft.resources.count == 100)
            #expect(!draft.head.contains { $0.contains("larger than what is read") })
        }

        @Test("of 5,000 ways to sign in the one that is asked for most comes first")
        func schemes() throws {
            let names = (0..<5_000).map { "way\($0)" }
            let schemes = names.map { name in
                Value.Member(name: name, value: ["type": "apiKey", "in": "header", "name": .string("X-\(name)")])
            }
            var asked = names.map { Value.object([$0: []]) }
            asked.append(["way7": []])
            var document = Self.document([Self.object(3)]).members ?? [:]
            document["security"] = .array(asked)
            document["components"] = [
                "schemas": ["Thing0": Self.object(3)], "securitySchemes": .object(Value.Members(unique: schemes))
            ]
            var description = try APIDescription(openAPI: .object(document), url: nil)
            description.chooseSignIn(for: [])
            #expect(description.signIn.first?.setting == ["key": ["header": "X-way7", "value": "secret:API_TOKEN"]])
            #expect(description.signIn.count == 5_000)
        }

        @Test("beyond the budget lists are left out, and the draft says so")
        func budget() throws {
            let description = try APIDescription(openAPI: Self.document([Self.object(3)], lists: 3), url: nil)
            // What two lists of three members need.
            #expect(description.budget.spend(SchemaBudget.members - 70))
            let draft = try RouteFileDraft(description, from: "things.json", base: nil)
            #expect(draft.resources.count == 2)
            #expect(draft.head.contains { $0.contains("larger than what is read of a description") })
        }
    }
#endif
