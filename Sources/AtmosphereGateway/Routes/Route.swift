internal import Atmosphere

/// One operation of the gateway: how it is asked for, what the description says of it, and what it does.
struct Route: Sendable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case place(String)
    }

    /// A parameter of the query or a header.
    struct Parameter: Sendable {
        var name: String
        var place = "query"
        /// JSON Schema, as JSON.
        var schema: String
        var text: String
        var isRepeated = false
    }

    var method: String
    var path: [Part]
    /// For programs that are made from the description.
    var name: String
    var text: String
    var parameters: [Parameter] = []
    /// The schema of a JSON body, as JSON; nil for none.
    var body: String?
    var isBodyNeeded = false
    /// The body and the answer are bytes of any kind, and no JSON.
    var isContent = false
    /// The schema of the answer, as JSON; nil for no body.
    var answer: String?
    var status = Status.ok
    /// Statuses of problems beside those that every route has.
    var problems: [Status] = []
    var run: @Sendable (GatewayCall) async throws -> GatewayAnswer

    init(
        _ method: String, _ path: String, _ name: String, _ text: String, parameters: [Parameter] = [],
        body: String? = nil, isBodyNeeded: Bool = false, answer: String? = nil, status: Status = .ok,
        problems: [Status] = [], run: @escaping @Sendable (GatewayCall) async throws -> GatewayAnswer
    ) {
        self.method = method
        self.path = path.split(separator: "/").map { part in
            part.first == "{" ? .place(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
        self.name = name
        self.text = text
        self.parameters = parameters
        self.body = body
        self.isBodyNeeded = isBodyNeeded
        self.answer = answer
        self.status = status
        self.problems = problems
        self.run = run
    }

    /// What stands in the places; nil where the path is another.
    func places(in segments: [String]) -> [String: String]? {
        guard segments.count == path.count else { return nil }
        var places: [String: String] = [:]
        for (part, segment) in zip(path, segments) {
            switch part {
            case .literal(let text): guard segment.hasSameBytes(as: text) else { return nil }
            case .place(let name):
                guard !segment.isEmpty else { return nil }
                places[name] = segment
            }
        }
        return places
    }
}

/// One request on its way through a route.
struct GatewayCall: Sendable {
    let service: GatewayService
    let request: GatewayRequest
    let caller: Access.Caller
    let places: [String: String]
    let query: [(name: String, value: String)]

    var synchronizer: Synchronizer { service.synchronizer }

    /// - Throws: ``Problem`` 404 where the route file has no such entity.
    func resource() throws -> Resource { try service.resource(places["entity"] ?? "") }

    /// The object that the path names.
    func uri() throws -> ObjectURI { ObjectURI(entity: try resource().name, id: places["id"] ?? "") }

    /// The object at its present address.
    ///
    /// - Throws: ``SyncError`` `notFound`.
    func object() async throws -> LocalObject {
        let uri = try uri()
        guard let object = try await synchronizer.object(at: uri) else {
            throw SyncError(code: .notFound, message: "there is no \(uri) here; pull it first, or check the identifier")
        }
        return object
    }

    // MARK: The query

    func texts(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    func text(_ name: String) -> String? { query.last { $0.name == name }?.value }

    func flag(_ name: String) throws(Problem) -> Bool {
        guard let text = text(name) else { return false }
        guard let flag = Bool(text) else {
            throw Problem(.badRequest, "usage", "\(name)=\(text): write true or false")
        }
        return flag
    }

    func count(_ name: String, upTo most: Int = .max) throws(Problem) -> Int? {
        guard let text = text(name) else { return nil }
        guard text.isDigits, let count = Int(text), count <= most else {
            let range = most == .max ? "from 0 on" : "from 0 to \(most)"
            throw Problem(.badRequest, "usage", "\(name)=\(text): write a number \(range)")
        }
        return count
    }
}
