internal import Atmosphere

/// A request that is refused, before it is known in which words.
enum SourceRefusal: Error {
    /// A message for the whole request.
    case general(status: Int, String, headers: HeaderFields = [:])
    /// A message with the API's own word for the reason.
    case reasoned(status: Int, String, reason: String)
    /// The API has no such path.
    case unknownPath
    /// Messages by field.
    case fields(status: Int, [(field: String, message: String)])

    static let notFound = SourceRefusal.general(status: 404, "Not found.")
}

extension ErrorRules {
    /// An answer in the shape that the route file says the API's errors have: a message at the first path of
    /// `messages` (`$.error` where none is declared), field messages at the first of `fields`, as lists by field, or as
    /// a list of objects where the route file says how those look.
    func answer(_ refusal: SourceRefusal) -> SourceAnswer {
        switch refusal {
        case .unknownPath: return answer(.notFound)
        case .reasoned(let status, let message, _): return answer(.general(status: status, message))
        case .general(let status, let message, let headers):
            let path = messages.first { !$0.steps.isEmpty } ?? .member("error")
            return SourceAnswer(status, Value.object([:]).setting(.string(message), at: path), headers: headers)
        case .fields(let status, let problems):
            let path = fields.first ?? JSONPath.member("errors")
            let shown = isList ? .array(problems.map(element)) : Self.byField(problems)
            return SourceAnswer(status, Value.object([:]).setting(shown, at: path))
        }
    }

    /// Whoever says where the field stands in an element means a list.
    private var isList: Bool { field != ErrorRules().field || message != ErrorRules().message }

    private func element(_ problem: (field: String, message: String)) -> Value {
        Value.object([:]).setting(.string(problem.field), at: field).setting(
            .string(problem.message), at: message.first ?? .member("message"))
    }

    private static func byField(_ problems: [(field: String, message: String)]) -> Value {
        var members = Value.Members()
        for (field, message) in problems {
            members[field] = .array((members[field]?.array ?? []) + [.string(message)])
        }
        return .object(members)
    }
}
