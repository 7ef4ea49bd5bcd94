#if Gateway && Source && Curl && YAML
    import Atmosphere
    import Testing

    @testable import AtmosphereGateway

    @Suite("The gateway's description of itself", .timeLimit(.minutes(5))) struct DescriptionTests {
        private func document(_ body: (Value) throws -> Void) async throws {
            try await Bench.serving(pulled: false) { bench in
                let answer = try await bench.ask("GET", "/v1/openapi.json")
                #expect(answer.status == 200)
                try body(answer.value)
            }
        }

        @Test("every route stands in it, with a name of its own, and answers what is told")
        func complete() async throws {
            try await document { document in
                #expect(document.members?["openapi"] == "3.1.0")
                #expect(document.members?["servers"] == [["url": "http://127.0.0.1:8770"]])
                let paths = try #require(document.members?["paths"]?.members)
                var names: Set<String> = []
                for path in paths {
                    for operation in path.value.members ?? [:] {
                        let members = try #require(operation.value.members)
                        let name = try #require(members["operationId"]?.string)
                        #expect(names.insert(name).inserted, "\(name)")
                        #expect(members["summary"]?.string?.hasSuffix(".") == true, "\(name)")
                        let places = path.name.split(separator: "/").filter { $0.hasPrefix("{") }
                        let told = (members["parameters"]?.array ?? []).filter { $0.members?["in"] == "path" }
                        #expect(places.count == told.count, "\(path.name)")
                        #expect(members["responses"]?.members?.contains { $0.name.hasPrefix("2") } == true)
                    }
                }
                for route in Route.all {
                    let isThere = names.contains { $0 == route.name || $0.hasPrefix("\(route.name)_") }
                    // No action of the file is for all objects.
                    #expect(isThere || route.name == "actOnAll", "\(route.name)")
                }
                #expect(paths["/v1/objects/tasks/{id}"]?.members?.count == 4)
            }
        }

        @Test("every reference leads somewhere")
        func references() async throws {
            try await document { document in
                let components = try #require(document.members?["components"]?.members)
                func check(_ value: Value) {
                    if let reference = value.members?["$ref"]?.string {
                        let steps = reference.split(separator: "/").map(String.init)
                        #expect(
                            steps.count == 4 && components[steps[2]]?.members?[steps[3]] != nil, "\(reference)")
                    }
                    for member in value.members ?? [:] { check(member.value) }
                    for element in value.array ?? [] { check(element) }
                }
                check(document)
            }
        }

        @Test("records have the types that the route file declares")
        func records() async throws {
            try await document { document in
                let schemas = document.members?["components"]?.members?["schemas"]?.members
                let tasks = schemas?["record_tasks"]?.members?["properties"]?.members
                #expect(tasks?["rank"] == ["type": ["integer", "null"], "x-atmos-type": "integer"])
                #expect(tasks?["due"] == ["type": ["string", "null"], "format": "date", "x-atmos-type": "date"])
                #expect(tasks?["modified"]?.members?["readOnly"] == true)
                #expect(tasks?["id"]?.members?["readOnly"] == true)
                #expect(tasks?["list"]?.members?["readOnly"] == nil)
                // Who makes clients of it must know what a list holds.
                #expect(tasks?["list"]?.members?["items"] == [:])
            }
        }

        @Test("records name what the records here have, require nothing, and may have more")
        func seenMembers() async throws {
            try await Bench.serving { bench in
                _ = try await bench.ask("POST", "/v1/objects/tasks", ["title": "Tea", "tilte": "x", "list": 1])
                let document = try await bench.ask("GET", "/v1/openapi.json")
                let schemas = document["components"]?.members?["schemas"]?.members
                let record = try #require(schemas?["record_tasks"]?.members)
                #expect(record["properties"]?.members?["title"] == [:])
                // What was only created here proves no name.
                #expect(record["properties"]?.members?["tilte"] == nil)
                #expect(record["additionalProperties"] == true && record["required"] == nil)
            }
        }
    }
#endif
