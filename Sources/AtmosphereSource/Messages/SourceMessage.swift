package import Atmosphere

/// A request as the state sees it.
package struct SourceRequest: Sendable {
    package var method: String
    /// Percent-encoded, without the query.
    package var path: String
    /// Decoded, in the order of the URL.
    package var query: [NamedText]
    package var headers: HeaderFields
    package var body: [UInt8]

    /// - Parameter target: the path with its query, as it stands in the request line.
    package init(method: String, target: String, headers: HeaderFields = [:], body: [UInt8] = []) {
        self.method = method
        let parts = target.divided(at: "?")
        path = String(parts?.before ?? target[...])
        query = PercentEncoding.pairs(in: parts?.after ?? "").map { NamedText(name: $0.name, value: $0.value) }
        self.headers = headers
        self.body = body
    }

    /// The first value of a query parameter.
    func query(_ name: String) -> String? { query.first { $0.name.hasSameBytes(as: name) }?.value }
}

/// The answer to a request.
package struct SourceAnswer: Sendable {
    package var status: Int
    package var headers: HeaderFields
    package var body: [UInt8]
    /// What is to be written into the body, in the resource's format.
    var value: Value?
    var part = Part.other
    /// The length is told, and nothing else: the answer to a HEAD.
    package var omitsBody = false

    init(_ status: Int, headers: HeaderFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ status: Int, _ value: Value, _ part: Part = .other, headers: HeaderFields = [:]) {
        self.init(status, headers: headers)
        self.value = value
        self.part = part
    }

    /// An answer in JSON, whatever format resources have.
    init(_ status: Int, json: Value, headers: HeaderFields = [:]) {
        self.init(status, headers: headers, body: json.json())
        self.headers["Content-Type"] = "application/json"
    }

    /// What an answer's value is, for formats in which that has a name.
    enum Part: Sendable {
        case object, list, other
    }
}
