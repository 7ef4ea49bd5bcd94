import AtmosphereTesting
import Synchronization

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

/// Stands before a server, and lets in what is signed. The token that the first request of each kind shows is refused
/// for that kind from then on, so that every kind of request meets a refusal.
final class SignedDoor: Sendable {
    private struct State {
        /// The present token of the client.
        var number = 1
        var renewals = 0
        var refused: [String] = []
        /// What each kind showed first.
        var ended: [String: String] = [:]
        /// So many requests wait for each other before they are refused together.
        var crowd: (size: Int, ended: String, gate: Gate)?

        var token: String { "Bearer token-\(number)" }
    }

    private let state = Mutex(State())

    var renewals: Int { state.withLock { $0.renewals } }
    /// What was answered with 401, in order.
    var refused: [String] { state.withLock { $0.refused } }

    /// The present token ends for all kinds, and so many requests are refused once all of them are there.
    func gather(_ size: Int) {
        state.withLock { $0.crowd = (size, $0.token, Gate()) }
    }

    /// Supplied by the application, which knows how to get the next token.
    var authenticator: ClosureAuthenticator {
        ClosureAuthenticator {
            .header("Authorization", self.state.withLock { $0.token })
        } renew: {
            self.state.withLock { state in
                state.renewals += 1
                state.number += 1
            }
            return true
        }
    }

    func transport(before server: ScriptedTransport) -> ScriptedTransport {
        ScriptedTransport { request in
            guard try await self.admits(request) else { return Response(status: 401) }
            return try await server.send(request)
        }
    }

    private func admits(_ request: Request) async throws -> Bool {
        let path = request.url.dropFirst("https://tiny.example/api/".count).prefix { $0 != "?" }
        let kind = "\(request.method) \(String(path.map { $0.isNumber ? "1" : $0 }))"
        let shown = request.headers["Authorization"]
        let (isAdmitted, gate) = state.withLock { state -> (Bool, Gate?) in
            let ended = state.crowd?.ended ?? state.ended[kind]
            if let shown, let ended, shown != ended, shown.hasPrefix("Bearer token-") { return (true, nil) }
            state.refused.append(kind)
            state.ended[kind] = ended ?? shown
            if let crowd = state.crowd, state.refused.count >= crowd.size { crowd.gate.open() }
            return (false, state.crowd?.gate)
        }
        try await gate?.pass()
        return isAdmitted
    }
}
