internal import Atmosphere

extension GoogleTasksSource {
    /// The error body of Google's APIs; a path that does not exist is answered by a web page.
    func answer(_ refusal: SourceRefusal) -> SourceAnswer? {
        switch refusal {
        case .unknownPath:
            let page = "<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p>404. That’s an error."
            return SourceAnswer(404, headers: ["Content-Type": "text/html; charset=UTF-8"], body: Array(page.utf8))
        case .reasoned(let status, let message, let reason):
            return Self.body(status, message, reason)
        case .general(let status, let message, let headers):
            var answer = Self.body(status, Self.sentence(status) ?? message, Self.reason(status))
            for header in headers.fields { answer.headers.append(header.name, header.value) }
            if status == 401 {
                answer.headers["WWW-Authenticate"] =
                    "Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\""
            }
            return answer
        case .fields(let status, let problems):
            let violations = problems.map { problem -> Value in
                ["field": .string(problem.field), "description": .string(problem.message)]
            }
            let message = problems.map(\.message).joined(separator: "\n")
            return Self.body(status, message, Self.reason(status), violations: violations)
        }
    }

    private static func body(_ status: Int, _ message: String, _ reason: String, violations: [Value] = [])
        -> SourceAnswer
    {
        var error: Value.Members = [
            "code": .number(JSONNumber(status)), "message": .string(message),
            "errors": [["message": .string(message), "domain": "global", "reason": .string(reason)]],
            "status": .string(word(status))
        ]
        if !violations.isEmpty {
            error["details"] = [
                ["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(violations)]
            ]
        }
        return SourceAnswer(status, ["error": .object(error)])
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 401: "authError"
        case 403: "forbidden"
        case 404: "notFound"
        case 409: "conflict"
        case 412: "conditionNotMet"
        case 429: "rateLimitExceeded"
        case 500...: "backendError"
        default: "invalid"
        }
    }

    private static func word(_ status: Int) -> String {
        switch status {
        case 401: "UNAUTHENTICATED"
        case 403: "PERMISSION_DENIED"
        case 404: "NOT_FOUND"
        case 409: "ABORTED"
        case 412: "FAILED_PRECONDITION"
        case 429: "RESOURCE_EXHAUSTED"
        case 503: "UNAVAILABLE"
        case 500...: "INTERNAL"
        default: "INVALID_ARGUMENT"
        }
    }

    private static func sentence(_ status: Int) -> String? {
        switch status {
        case 401: "Request had invalid authentication credentials. Expected OAuth 2 access token."
        case 404: "Requested entity was not found."
        case 412: "Precondition check failed."
        default: nil
        }
    }
}
