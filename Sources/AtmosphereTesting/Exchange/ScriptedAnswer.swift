public import Atmosphere

/// What ``ScriptedTransport`` does with one request.
public struct ScriptedAnswer: Sendable {
    let make: @Sendable (Request) async throws -> Response

    /// Computed from the request.
    public init(_ make: @escaping @Sendable (Request) async throws -> Response) {
        self.make = make
    }

    /// An answer with a body in one chunk.
    public static func respond(
        _ status: Int = 200, headers: HeaderFields = [:], body: [UInt8] = []
    ) -> ScriptedAnswer {
        ScriptedAnswer { request in
            guard body.count <= request.maximumResponseBytes else {
                throw TransportError(
                    code: .bodyTooLarge,
                    message: "\(request.method) \(request.url): the scripted body is larger than "
                        + "\(request.maximumResponseBytes) bytes", mayHaveArrived: true)
            }
            return Response(status: status, headers: headers, body: ResponseBody(body))
        }
    }

    /// An answer of type `application/json`.
    public static func json(_ text: String, status: Int = 200, headers: HeaderFields = [:]) -> ScriptedAnswer {
        var headers = headers
        if headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return respond(status, headers: headers, body: Array(text.utf8))
    }

    /// No answer: `send` throws.
    public static func fail(_ error: any Error) -> ScriptedAnswer {
        ScriptedAnswer { _ in throw error }
    }

    /// No answer: the connection ends, and the request may or may not have arrived.
    public static func lose(mayHaveArrived: Bool = true) -> ScriptedAnswer {
        ScriptedAnswer { request in
            throw TransportError(
                code: mayHaveArrived ? .connectionLost : .cannotConnect,
                message: "\(request.method) \(request.url): the script loses this request",
                mayHaveArrived: mayHaveArrived)
        }
    }

    /// The same answer, given when the gate is open.
    public func held(by gate: Gate) -> ScriptedAnswer {
        ScriptedAnswer { [make] request in
            try await gate.pass()
            return try await make(request)
        }
    }
}
