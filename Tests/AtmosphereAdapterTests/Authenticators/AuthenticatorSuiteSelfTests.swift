import Atmosphere
import AtmosphereTesting
import Testing

@Suite("the conformance suite of authenticators catches broken authenticators")
struct AuthenticatorSuiteSelfTests {
    private func suite(_ fault: BrokenAuthenticator.Fault) -> AuthenticatorSuite {
        AuthenticatorSuite(
            url: "https://api.example.com/tasks/1", foreignURL: "https://elsewhere.example/tasks/1",
            situations: Set(AuthenticatorSuite.Situation.allCases),
            renewing: { SignedAnswer(request: $0, status: 200, headers: ["X-Next": "\($1)"], body: []) }
        ) { situation in
            let broken = BrokenAuthenticator(fault, situation: "\(situation)")
            return .init(broken, secrets: { broken.secrets }, renewals: { broken.renewals }, stall: broken.stall)
        }
    }

    @Test("a fault fails the check that is meant for it", arguments: BrokenAuthenticator.Fault.allCases)
    func catches(_ fault: BrokenAuthenticator.Fault) async throws {
        let check = try #require(suite(fault).checks.first { $0.name == fault.check }, "there is no such check")
        // What never comes back fails by the time.
        let isEndless = [.keepsTheCancelled, .losesTheCancelled].contains(fault)
        let limit = isEndless ? Duration.milliseconds(200) : .seconds(30)
        await #expect(throws: (any Error).self) { try await check.run(within: limit) }
    }

    @Test("what has no fault of its own passes the other checks", arguments: BrokenAuthenticator.Fault.allCases)
    func spares(_ fault: BrokenAuthenticator.Fault) async throws {
        // Faults that show in several places are left out.
        let wide: Set<BrokenAuthenticator.Fault> = [
            .signsNothing, .keepsWhatWasRefused, .renewsForEach, .renewsForLatecomers, .sendsUnsigned, .hidesSecrets,
            .forgetsAnswers
        ]
        guard !wide.contains(fault) else { return }
        for check in suite(fault).checks where check.name != fault.check { try await check.run() }
    }
}
