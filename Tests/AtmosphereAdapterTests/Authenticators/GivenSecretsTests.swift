import Atmosphere
import AtmospherePlain
import AtmosphereTesting
import Testing

@Suite("Secrets that a program gives") struct GivenSecretsTests {
    private static let route = #"""
        {"atmosphere": 1, "style": "plain", "base": "https://api.example.com",
         "auth": {"bearer": "secret:GIVEN_TOKEN"}, "store": "memory", "transport": "scripted", "resources": {"tasks": {}}}
        """#

    @Test("a program that opens a route file gives the secrets that it names, and requests are signed with them")
    func signed() async throws {
        let transport = ScriptedTransport()
        transport.expect("GET", "/tasks", .json("[]"))
        let adapters: [Adapter] = [.plain, .transport("scripted") { _ in transport }]
        let routeFile = try RouteFile.load(
            bytes: Array(Self.route.utf8), source: "atmosphere.json", adapters: adapters)
        let api = try await Synchronizer.open(routeFile, adapters: adapters, secrets: ["GIVEN_TOKEN": "t0k3n"])
        #expect(try await api.pull().isComplete)
        #expect(transport.requests.first?.request.headers["Authorization"] == "Bearer t0k3n")
        try transport.check()
        try await api.close()
    }
}
