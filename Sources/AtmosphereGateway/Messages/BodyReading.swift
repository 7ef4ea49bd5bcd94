internal import Atmosphere
internal import Synchronization

extension GatewayRequest {
    /// The whole body.
    ///
    /// - Throws: ``Problem`` 413.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        @Sendable func tooLarge() -> Problem {
            var problem = Problem(
                .contentTooLarge, "tooLarge", "the body is larger than \(limit) bytes; send less at a time")
            problem.closes = true
            return problem
        }
        if let length, length > Int64(limit) { throw tooLarge() }
        let whole = Mutex<[UInt8]>([])
        try await body { chunk in
            let count = whole.withLock { whole in
                whole += chunk
                return whole.count
            }
            guard count <= limit else { throw tooLarge() }
        }
        return whole.withLock { $0 }
    }

    /// The body as JSON.
    ///
    /// - Returns: nil for none.
    /// - Throws: ``Problem`` 413, 415 and 400.
    func json(_ options: Gateway.Options) async throws -> Value? {
        let bytes = try await bytes(upTo: options.bodyBytes)
        guard !bytes.isEmpty else { return nil }
        let type = (headers["Content-Type"] ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard type == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "mediaType", "the body must be JSON, with Content-Type: application/json")
        }
        let limits = JSONLimits(depth: options.depth, bytes: options.bodyBytes)
        return try Value(json: bytes, limits: limits)
    }

    /// The body as one JSON object; empty where there is no body.
    ///
    /// - Throws: ``Problem`` as above.
    func members(_ options: Gateway.Options) async throws -> Value.Members {
        guard let value = try await json(options) else { return [:] }
        guard let members = value.members else {
            throw Problem(
                .unprocessableContent, "unexpectedType", "the body must be one JSON object: {\"FIELD\": VALUE, …}")
        }
        return members
    }
}

/// A JSON object whose members a route takes one by one; what is left is told as a mistake.
struct BodyMembers {
    private var rest: Value.Members
    private let known: [String]

    /// - Parameter known: the names of all members that may be there.
    /// - Throws: ``Problem`` 422 for any other.
    init(_ members: Value.Members, known: [String]) throws(Problem) {
        rest = members
        self.known = known
        guard let stranger = members.names.first(where: { !known.contains($0) }) else { return }
        let near = NearestName.of(stranger, among: known).map { "; did you mean \($0.quoted)?" } ?? ""
        throw Problem(
            .unprocessableContent, "usage",
            "the body has no member \(stranger.quoted); it may have \(known.joined(separator: ", "))\(near)")
    }

    func has(_ name: String) -> Bool { rest[name] != nil }

    func text(_ name: String) throws(Problem) -> String? {
        try value(name, "a text", \.string)
    }

    func flag(_ name: String) throws(Problem) -> Bool? { try value(name, "true or false", \.bool) }

    func members(_ name: String) throws(Problem) -> Value.Members? { try value(name, "an object", \.members) }

    func count(_ name: String) throws(Problem) -> Int? {
        try value(name, "a whole number from 0 on") { value in
            value.number?.int64.flatMap { $0 >= 0 ? Int(exactly: $0) : nil }
        }
    }

    func texts(_ name: String) throws(Problem) -> [String]? {
        try value(name, "a list of texts") { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    private func value<Result>(
        _ name: String, _ expectation: String, _ read: (Value) -> Result?
    ) throws(Problem) -> Result? {
        guard let value = rest[name], !value.isNull else { return nil }
        if let read = read(value) { return read }
        throw Problem(.unprocessableContent, "usage", "\(name.quoted) must be \(expectation)")
    }
}
