import Atmosphere
import AtmosphereTesting
import Synchronization

/// A token endpoint and a login in memory, behind a scripted transport.
final class FakeAuthorizationServer: Sendable {
    private struct State {
        var count = 0
        var refresh: Set<String> = ["first-refresh"]
        var given: [String] = []
        var forms: [String] = []
    }

    private let state = Mutex(State())
    private let isReachable: Bool
    private let refuses: Bool
    let gate: Gate?

    /// - Parameter gate: holds each answer until it is open.
    init(isReachable: Bool = true, refuses: Bool = false, gate: Gate? = nil) {
        self.isReachable = isReachable
        self.refuses = refuses
        self.gate = gate
    }

    /// Requests that were answered with something new.
    var count: Int { state.withLock { $0.count } }
    /// Everything that was given out.
    var given: [String] { state.withLock { $0.given } }
    /// What was sent, decoded as far as a person needs.
    var forms: [String] { state.withLock { $0.forms } }

    var transport: ScriptedTransport {
        ScriptedTransport { [self] request in
            guard isReachable else {
                throw TransportError(code: .connectionLost, message: "no network", mayHaveArrived: true)
            }
            try await gate?.pass()
            var text = ""
            if case .bytes(let bytes) = request.body { text = String(decoding: bytes, as: UTF8.self) }
            return answer(request, text)
        }
    }

    private func answer(_ request: Request, _ form: String) -> Response {
        state.withLock { state in
            state.forms.append(form)
            if refuses {
                return json(400, #"{"error":"invalid_grant","error_description":"gone with \#(form)"}"#)
            }
            if request.url.hasSuffix("/login") {
                state.count += 1
                let token = "session-\(state.count)"
                state.given.append(token)
                return Response(
                    status: 200, headers: ["Set-Cookie": "sid=\(token); HttpOnly", "X-Token": token],
                    body: ResponseBody(Array(#"{"data":{"token":"\#(token)"}}"#.utf8)))
            }
            var members = ""
            if form.contains("grant_type=refresh_token") {
                let known = state.refresh.first { form.contains("refresh_token=\($0)&") || form.hasSuffix($0) }
                guard let token = known else { return json(400, #"{"error":"invalid_grant"}"#) }
                state.refresh.remove(token)
                let next = "refresh-\(state.count + 1)"
                state.refresh.insert(next)
                state.given.append(next)
                members = #","refresh_token":"\#(next)""#
            }
            state.count += 1
            let access = "access-\(state.count)"
            state.given.append(access)
            return json(200, #"{"access_token":"\#(access)","token_type":"bearer","expires_in":3600\#(members)}"#)
        }
    }

    private func json(_ status: Int, _ text: String) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"], body: ResponseBody(Array(text.utf8)))
    }
}
