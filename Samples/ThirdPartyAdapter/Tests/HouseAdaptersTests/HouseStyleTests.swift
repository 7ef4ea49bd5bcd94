import AtmosphereRouting
import AtmosphereSwiftTesting
import AtmosphereTesting
import HouseStyle
import Testing

@Suite("the conventions of our own services as a style")
struct HouseStyleTests {
    private static let suite = RoutingStyleSuite(style: HouseStyle())

    @Test("keeps every promise of a style", arguments: suite.checks)
    func conforms(_ check: ConformanceCheck) async throws { try await check.test() }

    @Test("a route file says its name, and what differs")
    func chosen() throws {
        let file = #"""
            {"atmosphere": 1, "style": "house", "base": "https://api.example.com", "resources": {"tasks": {}}}
            """#
        let routeFile = try RouteFile.load(bytes: Array(file.utf8), source: "atmosphere.json", adapters: [.house])
        let path = routeFile.setting("resources.tasks.list.path")
        #expect(path?.value == "/v2/tasks" && path?.origin == "style house")
    }
}
