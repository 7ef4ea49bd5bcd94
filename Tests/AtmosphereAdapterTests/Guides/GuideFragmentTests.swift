#if YAML
    import Atmosphere
    import AtmosphereCloudKit
    import AtmosphereJSONAPI
    import AtmospherePlain
    import AtmosphereYAML
    import Foundation
    import Testing

    /// The route file guide shows most variations as one line: a key of a resource, or of the file. Every one has to load.
    @Suite("The examples of the route file guide") struct GuideFragmentTests {
        /// Lines of one block that belong together: a key at the margin with what is indented below it.
        struct Fragment: Sendable, CustomTestStringConvertible {
            var text: String
            /// The first fragment of every other key of its block, in case it needs them.
            var others: [String] = []

            var key: String { String(text.prefix { $0 != ":" }).trimmingCharacters(in: ["\""]) }
            var testDescription: String { text }
        }

        /// Keys of the file that no resource has.
        private static let ofTheFile: Set = ["auth", "limits", "live", "secrets", "store", "transport", "resources"]

        private static let around = [
            "id: { field: uuid, assigned: client }", "version: { field: rev, send: none }", "format: xml",
            "references: { assignee: users }"
        ]

        private static let fragments: [Fragment] = {
            let pages = (try? GuideTests.routeFilePages()) ?? []
            return pages.flatMap { $0.components(separatedBy: "\n```yaml\n").dropFirst() }
                .compactMap { $0.components(separatedBy: "\n```").first }
                .filter { !$0.contains("atmosphere: 1") && !$0.contains("$schema") && !$0.hasPrefix("# house.yaml") }
                .flatMap(fragments)
        }()

        private static func fragments(of block: String) -> [Fragment] {
            var found: [Fragment] = []
            for line in block.split(separator: "\n") where !line.hasPrefix("#") {
                if line.first == " ", !found.isEmpty {
                    found[found.count - 1].text += "\n\(line)"
                } else {
                    found.append(Fragment(text: String(line)))
                }
            }
            return found.map { fragment in
                var fragment = fragment
                var keys: Set = [fragment.key]
                fragment.others = found.filter { keys.insert($0.key).inserted }.map(\.text)
                return fragment
            }
        }

        /// A route file that has the fragments where they belong.
        private static func file(_ fragments: [String]) -> String {
            let top = fragments.filter { ofTheFile.contains(Fragment(text: $0).key) }
            let own = fragments.filter { !ofTheFile.contains(Fragment(text: $0).key) }
            let keys = own.map(\.self).joined(separator: "\n").split(separator: "\n").map { "    \($0)" }
            let parent = own.contains { $0.contains("{lists.") } ? "    parent: { lists: list_id }\n" : ""
            return """
                atmosphere: 1
                base: https://api.example.com/v1
                \(top.joined(separator: "\n"))
                resources:
                  lists: {}
                  projects: {}
                  users: {}
                  people: {}
                  tasks:
                    x-example: 1
                \(parent)\(keys.joined(separator: "\n"))

                """
        }

        @Test("each loads, alone or with the others of its block", arguments: fragments)
        func loads(_ fragment: Fragment) throws {
            let adapters: [Adapter] = [.yaml, .plain, .jsonAPI, .cloudKit, .cloudKitChanges]
            func problem(_ texts: [String]) -> String? {
                do {
                    let text = Self.file(texts)
                    _ = try RouteFile.load(bytes: Array(text.utf8), source: "guide.yaml", adapters: adapters)
                    return nil
                } catch {
                    return "\(error)"
                }
            }
            guard let alone = problem([fragment.text]) else { return }
            guard let together = problem([fragment.text] + fragment.others) else { return }
            // Nor without what the text around it says.
            let helped = Self.around.contains { helper in
                problem([fragment.text, helper]) == nil || problem([fragment.text, helper] + fragment.others) == nil
            }
            #expect(helped, "alone: \(alone)\ntogether: \(together)")
        }

        @Test("there are many, and every kind of what differs from API to API is among them")
        func completeness() {
            #expect(Self.fragments.count > 80, "\(Self.fragments.count)")
            let keys = Set(Self.fragments.map(\.key))
            let wanted: Set = [
                "fields", "since", "pages", "create", "update", "delete", "version", "deletes", "errors", "actions",
                "batch", "views", "lease", "retention", "attachments", "auth", "xml", "id", "items", "item", "root",
                "list", "coding", "query", "lookup", "duplicate", "conflict", "limits", "readonly", "absent-equals",
                "types", "merge", "together"
            ]
            #expect(wanted.subtracting(keys).sorted() == [], "the guide has no example of these")
        }
    }
#endif
