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
