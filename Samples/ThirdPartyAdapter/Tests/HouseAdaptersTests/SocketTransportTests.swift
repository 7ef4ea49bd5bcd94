import Atmosphere
import AtmosphereSwiftTesting
import AtmosphereTesting
import HouseTransport
import Testing

// One after another: each check has a server whose threads wait.
@Suite("HTTP over sockets as a transport", .serialized)
struct SocketTransportTests {
    private static let suite = TransportSuite { SocketTransport() }

    @Test("keeps every promise of a transport", arguments: suite.checks)
    func conforms(_ check: ConformanceCheck) async throws { try await check.test() }

    @Test("refuses what it cannot do before anything is sent", arguments: ["https://example.com/a", "http://u:p@x/a"])
    func refuses(_ url: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await SocketTransport().send(Request(method: "GET", url: url))
        }
        #expect(error?.code == .invalidRequest && error?.mayHaveArrived == false)
    }

    @Test("a name that does not resolve is no connection")
    func unknownHost() async throws {
        let error = await #expect(throws: TransportError.self) {
            _ = try await SocketTransport().send(Request(method: "POST", url: "http://nobody.invalid/"))
        }
        #expect(error?.code == .cannotConnect && error?.mayHaveArrived == false)
    }
}
