#if YAML
    import Atmosphere
    import Testing

    @Suite("Explaining a route file") struct RouteFileExplanationTests {
        private func lines(_ settings: [Setting]) -> String {
            settings.map { "\($0.path): \($0.value) # \($0.origin)\n" }.joined()
        }

        @Test("every setting in force is told with its value and origin")
        func exact() throws {
            let file = try RouteFixtures.load("explained.yaml")
            #expect(try lines(file.explanation()) == RouteFixtures.text("good/explained.expected"))
        }

        @Test("one entity's settings are those of its resource")
        func entity() throws {
            let file = try RouteFixtures.load("pictures.yaml")
            #expect(file.explanation().contains(Setting(path: "auth.scheme", value: "Token", origin: "default")))
            let scheme = file.setting("auth.scheme")
            #expect(scheme?.value == "Token" && scheme?.origin == "default")
            #expect(file.setting("auth.schemes")?.value == nil)
            let users = file.explanation(entity: "users")
            #expect(users.allSatisfy { $0.path.hasPrefix("resources.users.") })
            #expect(
                users.contains(Setting(path: "resources.users.update", value: "null", origin: "pictures.yaml:54:13")))
            #expect(file.explanation(entity: "user").isEmpty)
        }

        @Test(
            "the settings, written back as a route file, mean the same",
            arguments: ["explained.yaml", "pictures.yaml", "minimal.yaml"])
        func roundTrip(name: String) throws {
            let file = try RouteFixtures.load(name)
            let again = try RouteFixtures.load(text: document(file.settings))
            #expect(again.resources == file.resources)
            #expect(again.name == file.name)
            #expect(again.base == file.base)
            #expect(again.auth == file.auth)
            #expect(again.identity == file.identity)
            #expect(again.store == file.store)
            #expect(again.transport == file.transport)
            #expect(again.limits == file.limits)
            #expect(again.live == file.live)
            #expect(again.secrets == file.secrets)
            #expect(again.settings.map(\.path) == file.settings.map(\.path))
            #expect(again.settings.map(\.value) == file.settings.map(\.value))
        }

        /// Puts each setting back under its keys.
        private func document(_ settings: [Setting]) -> String {
            var text = ""
            var open: [String] = []
            for setting in settings {
                let keys = keys(of: setting.path)
                let parents = Array(keys.dropLast())
                let common = zip(open, parents).prefix { $0 == $1 }.count
                for depth in common..<parents.count {
                    text += String(repeating: "  ", count: depth) + "\(parents[depth]):\n"
                }
                text += String(repeating: "  ", count: parents.count) + "\(keys[parents.count]): \(setting.value)\n"
                open = parents
            }
            return text
        }

        /// The keys of a dotted path; a dot between quotes divides nothing.
        private func keys(of path: String) -> [String] {
            var keys = [""]
            var isQuoted = false
            for character in path {
                if character == "\"" { isQuoted.toggle() }
                if character == ".", !isQuoted { keys.append("") } else { keys[keys.count - 1].append(character) }
            }
            return keys
        }
    }
#endif
