import Atmosphere
import Testing

@Suite("Choosing adapters by name") struct AdapterSelectionTests {
    private struct NamedStyle: RoutingStyle {
        var name: String
        var document: String { "{}" }
    }

    @Test("the first adapter of a name counts, and JSON documents are always there")
    func found() throws {
        let adapters: [Adapter] = [.style(NamedStyle(name: "a")), .style(NamedStyle(name: "b"))]
        #expect(try adapters.style(named: "b").name == "b")
        #expect(try [Adapter]().documentReader(forPath: "/etc/x.y/ROUTES.JSON") is JSONDocumentReader)
    }

    @Test(
        "a store opens beside the route file",
        arguments: [
            ("sqlite", "data/tasks.db", "/srv/app/routes.yaml", "/srv/app/data/tasks.db"),
            ("sqlite", "/var/tasks.db", "/srv/app/routes.yaml", "/var/tasks.db"),
            ("sqlite", nil, "/srv/my.app/routes.v2.yaml", "/srv/my.app/routes.v2.db"),
            ("json-file", nil, "routes.json", "routes.store"),
            ("other", nil, "my.app/routes", "my.app/routes.other")
        ] as [(String, String?, String, String)])
    func locations(kind: String, path: String?, routeFile: String, location: String) {
        var settings = StoreSettings()
        settings.kind = kind
        settings.path = path
        #expect(settings.location(beside: routeFile) == StoreLocation(path: location))
    }

    @Test("a style that is not linked names the product")
    func missingStyle() {
        #expect {
            try [.style(NamedStyle(name: "mine"))].style(named: "django-rest")
        } throws: {
            "\($0)" == "style “django-rest” is not linked; linked are: mine. "
                + "Add the product AtmosphereDjangoREST and pass .djangoREST"
        }
    }

    @Test("a store that is not linked names what is linked and the product")
    func missingStore() async {
        var settings = StoreSettings()
        settings.kind = "sqlite"
        let adapters: [Adapter] = [.store("json-file") { _ in throw CancellationError() }]
        let error = await #expect(throws: AdapterError.self) {
            _ = try await adapters.openStore(for: settings, beside: "routes.yaml")
        }
        #expect(error?.code == .notLinked)
        #expect(
            error?.message == "store “sqlite” is not linked; linked are: memory, json-file. "
                + "Add the product AtmosphereSQLite and pass .sqlite")
    }

    @Test("a transport, a format and an extension that are not linked say so")
    func missingOthers() {
        var settings = TransportSettings()
        settings.kind = "crul"
        let transports: [Adapter] = [.transport("curl") { _ in throw CancellationError() }]
        #expect { _ = try transports.transport(for: settings) } throws: {
            "\($0)" == "transport “crul” is not linked; linked are: curl. Did you mean “curl”?"
        }
        #expect { _ = try [Adapter]().extractor(format: "xml") } throws: {
            "\($0)" == "format “xml” is not linked; linked are: json. Add the product AtmosphereXML and pass .xml"
        }
        #expect { _ = try [Adapter]().documentReader(forPath: "routes.yml") } throws: {
            "\($0)" == "a reader for route files ending in “yml” is not linked; linked are: json. "
                + "Add the product AtmosphereYAML and pass .yaml"
        }
    }
}
