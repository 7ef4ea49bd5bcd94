#if Notifications
    import Atmosphere
    import Testing

    @testable import AtmosphereNotifications

    @Suite("What publishers post")
    struct EventReaderTests {
        private func audiences(_ to: Value) throws -> [Audience] {
            try EventReader(newIdentifier: { "new" }).event(.notification, ["to": to, "data": 1], key: nil).audiences
        }

        @Test(
            "a user that no client can be is refused, wherever it stands, and the member is named",
            arguments: ["ann\u{0}", "ann\u{200B}", "\u{202E}nna", "ann\u{FFFD}", "an\nn"])
        func users(user: String) throws {
            for (to, place) in [
                ([.string(user)], "to:"), (["users": ["bob", .string(user)]], "to.users:")
            ] as [(Value, String)] {
                let problem = #expect(throws: Problem.self) { try audiences(to) }
                #expect(problem?.status == 422 && problem?.detail.hasPrefix(place) == true, "\(problem?.detail ?? "")")
            }
            #expect(try audiences(["rooms": [.string(user)]]) == [.room(user)])
        }

        @Test("“whole” stands beside attributes alone, and is handed on")
        func whole() throws {
            let reader = EventReader(newIdentifier: { "new" })
            func data(_ more: Value.Members) throws -> Value.Members? {
                var body: Value.Members = ["to": ["ann"], "uri": ["entity": "tasks", "id": "1"], "whole": true]
                for member in more { body[member.name] = member.value }
                return try reader.event(.update, body, key: nil).data.members
            }
            let told = try data(["attributes": ["title": "Milk"]])
            #expect(told?["whole"] == true && told?["attributes"] == ["title": "Milk"])
            for wrong: Value.Members in [[:], ["deleted": true], ["attributes": [:], "whole": false]] {
                let problem = #expect(throws: Problem.self) { try data(wrong) }
                #expect(problem?.status == 422 && problem?.detail.hasPrefix("whole:") == true, "\(wrong)")
            }
        }

        @Test("an object that is longer than clients read is refused", arguments: [(256, 2048), (257, 1), (1, 2049)])
        func longObject(entity: Int, id: Int) throws {
            let uri: Value = [
                "entity": .string(String(repeating: "e", count: entity)),
                "id": .string(String(repeating: "9", count: id))
            ]
            let reader = EventReader(newIdentifier: { "new" })
            func read() throws { _ = try reader.event(.update, ["to": ["ann"], "uri": uri], key: nil) }
            if entity <= 256, id <= 2048 { return try read() }
            let problem = #expect(throws: Problem.self) { try read() }
            #expect(problem?.status == 422 && problem?.detail.hasPrefix("uri:") == true, "\(problem?.detail ?? "")")
        }
    }
#endif
