import Atmosphere
import AtmosphereTesting
import Synchronization

/// A server that takes each token once, and gives the next with its answer (`X-Next`).
final class TurnstileDoor: Sendable {
    private let state = Mutex((passed: 0, refused: 0))

    var passed: Int { state.withLock { $0.passed } }
    var refused: Int { state.withLock { $0.refused } }

    var transport: ScriptedTransport {
        ScriptedTransport { request in
            let next: Int? = self.state.withLock { state in
                guard request.headers["Authorization"] == "Bearer pass-\(state.passed)" else {
                    state.refused += 1
                    return nil
                }
                state.passed += 1
                return state.passed
            }
            guard let next else { return Response(status: 401) }
            let body = request.method == "POST" ? #"{"id":1,"title":"a"}"# : #"[{"id":1,"title":"a"}]"#
            return Response(
                status: request.method == "POST" ? 201 : 200,
                headers: ["Content-Type": "application/json", "X-Next": "pass-\(next)"],
                body: ResponseBody(Array(body.utf8)))
        }
    }
}
