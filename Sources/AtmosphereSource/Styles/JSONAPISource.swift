internal import Atmosphere

/// JSON:API 1.1, as strict as the specification lets a server be: media types, `type` and `id` of what is sent, error
/// objects.
///
/// - SeeAlso: <https://jsonapi.org/format/>
struct JSONAPISource: SourceStyle {
    private static let mediaType = "application/vnd.api+json"

    var invalidStatus: Int { 422 }

    /// Identifiers are strings (§7.2.1).
    func makeID(_ resource: Resource, _ ordinal: Int) -> Value? { .string(String(ordinal)) }

    func shown(_ object: Value, of row: SourceTable.Row, _ resource: Resource) -> Value {
        guard let type = resource.create.set["type"], var members = object.members else { return object }
        members["type"] = nil
        return .object(Value.Members([.init(name: "type", value: type)] + Array(members)))
    }

    /// A client that does not speak the media type is told so (§5.2), and so is one that means another object.
    func check(_ match: SourceRoutes.Match, _ request: SourceRequest, _ state: SourceState) throws(SourceRefusal) {
        let accepted = (request.headers["Accept"] ?? "*/*").split(separator: ",")
            .map { $0.filter { $0 != " " } }
        let extended = Self.mediaType + ";ext="
        guard
            accepted.contains(where: {
                $0 == Self.mediaType || $0.hasPrefix(extended) || $0.hasPrefix("*/*") || $0.hasPrefix("application/*")
            })
        else {
            throw .general(status: 406, "Not acceptable: ask for \(Self.mediaType) without parameters.")
        }
        guard case .verb(let verb) = match.target, verb == .create || verb == .update else { return }
        guard request.headers["Content-Type"] == Self.mediaType else {
            throw .general(status: 415, "Unsupported media type: send \(Self.mediaType) without parameters.")
        }
        guard let data = (try? Value(json: request.body))?.members?["data"]?.members else {
            throw .fields(status: 400, [("", "The body needs a resource object in “data”.")])
        }
        guard data["type"] == match.resource.create.set["type"] else {
            throw .general(status: 409, "The type is not one of this collection.")
        }
        if verb == .update, data["id"] != match.fields["id"].map(Value.string) {
            throw .general(status: 409, "The id is not that of the URL.")
        }
        if verb == .create, data["id"] != nil, match.resource.assigned == .server {
            throw .general(status: 403, "The server gives the id.")
        }
    }

    func answer(_ refusal: SourceRefusal) -> SourceAnswer? {
        switch refusal {
        case .unknownPath: return answer(.notFound)
        case .reasoned(let status, let message, _): return answer(.general(status: status, message))
        case .general(let status, let message, let headers):
            return SourceAnswer(
                status, ["errors": [["status": .string(String(status)), "detail": .string(message)]]], headers: headers)
        case .fields(let status, let problems):
            let errors = problems.map { problem -> Value in
                let pointer = problem.field.isEmpty ? "/data" : "/data/attributes/\(problem.field)"
                return [
                    "status": .string(String(status)), "title": "Invalid attribute",
                    "detail": .string(problem.message), "source": ["pointer": .string(pointer)]
                ]
            }
            return SourceAnswer(status, ["errors": .array(errors)])
        }
    }
}
