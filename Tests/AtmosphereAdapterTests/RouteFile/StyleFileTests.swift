#if YAML
    import Atmosphere
    import AtmosphereRails
    import Foundation
    import Testing

    @Suite("A style in a file of the user's own") struct StyleFileTests {
        /// A folder with files, and `routes.yaml` among them read.
        private func load(_ files: [String: String], _ adapters: [Adapter] = RouteFixtures.adapters + [.rails]) throws
            -> RouteFile
        {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name)")) }
            return try RouteFile.load(path: "\(folder.path)/routes.yaml", adapters: adapters)
        }

        private let routes = """
            atmosphere: 1
            style: ./house.yaml
            base: https://api.example.com
            resources:
              orders: {}
              people: { singular: person, pages: none }

            """

        @Test("gives every resource its defaults, which the route file may change")
        func defaults() throws {
            let style = """
                path: v2/{name}
                list: { path: "{path}" }
                read: { path: "{path}/by-id/{id}" }
                items: "$.data.{name}"
                pages: { kind: token, next: $.next, parameter: after }
                version: { header: ETag, send: if-match }

                """
            let file = try load(["routes.yaml": routes, "house.yaml": style])
            #expect(file.style == "plain" && file.styleFile == "./house.yaml")
            let orders = try #require(file.resource("orders"))
            #expect(orders.list.path.description == "v2/orders")
            #expect(orders.read.path.description == "v2/orders/by-id/{id}")
            // From the style that it builds on.
            #expect(orders.create.path.description == "v2/orders" && orders.update.method == "PUT")
            #expect(orders.items == JSONPath([.member("data"), .member("orders")]))
            #expect(orders.paging == .token(next: .member("next"), parameter: "after", size: nil))
            #expect(file.resource("people")?.paging == Paging.none)
            let origins = Dictionary(
                uniqueKeysWithValues: file.explanation(entity: "orders").map { ($0.path, $0.origin) })
            #expect(origins["resources.orders.read.path"]?.hasSuffix("/house.yaml:1:7") == true)
            #expect(origins["resources.orders.pages.parameter"]?.hasSuffix("/house.yaml:5:48") == true)
            #expect(origins["resources.orders.update.method"] == "style plain")
        }

        @Test("that is a named pipe is refused, and nobody waits for its writer", .timeLimit(.minutes(1)))
        func pipe() throws {
            let folder = try TemporaryFolder()
            try Data(routes.utf8).write(to: URL(filePath: "\(folder.path)/routes.yaml"))
            #expect(mkfifo("\(folder.path)/house.yaml", 0o600) == 0)
            let error = #expect(throws: RouteFileError.self) {
                _ = try RouteFile.load(path: "\(folder.path)/routes.yaml", adapters: RouteFixtures.adapters)
            }
            #expect(error?.problems.first?.message.hasSuffix("is not a regular file") == true)
        }

        @Test("builds on a linked style, with its names for things, in YAML or JSON")
        func base() throws {
            let style = #"{ "style": "rails", "root": null, "list": { "path": "/all/{plural}" } }"#
            let file = try load([
                "routes.yaml": routes.replacing("./house.yaml", with: "house.json"), "house.json": style
            ])
            #expect(file.style == "rails")
            let people = try #require(file.resource("people"))
            #expect(people.list.path.description == "all/people")
            #expect(people.update.method == "PATCH" && people.readRoot == nil && people.writeRoot == nil)
            #expect(people.xml.root == "person")
        }

        @Test(
            "mistakes have their places",
            arguments: [
                ("pags: none\n", "house.yaml:1:1: unknown key “pags”; did you mean “pages”?"),
                (
                    "version: { field: rev, send: later }\n",
                    "house.yaml:1:30: “version.send” must be one of: if-match, body, none, not “later”"
                ),
                ("style: ./other.yaml\n", "house.yaml:1:8: a style file builds on a linked style, not on another file"),
                ("style: soap\n", "house.yaml:1:8: style “soap” is not linked"),
                ("- a\n", "house.yaml:1:1: a style file is a map of settings, no larger than a route file"),
                ("a: [\n", "house.yaml:2:1: ")
            ])
        func mistakes(_ style: String, _ message: String) throws {
            let error = #expect(throws: RouteFileError.self) {
                try load(["routes.yaml": routes, "house.yaml": style])
            }
            #expect(error?.problems.count == 1, "\(String(describing: error))")
            #expect(error?.problems.first?.description.contains(message) == true, "\(String(describing: error))")
        }

        @Test("a file that is not there is a mistake of the route file")
        func missing() throws {
            let error = #expect(throws: RouteFileError.self) { try load(["routes.yaml": routes]) }
            let description = try #require(error?.problems.first).description
            #expect(description.contains("routes.yaml:2:8: the style file “./house.yaml” "))
            #expect(description.hasSuffix(" cannot be read: No such file or directory"), "\(description)")
        }
    }
#endif
