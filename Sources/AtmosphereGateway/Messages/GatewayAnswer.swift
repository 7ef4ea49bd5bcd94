package import Atmosphere

/// What a request is answered with.
package struct GatewayAnswer: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Read once; `length` in bytes where it is known.
        case stream(length: Int64?, ResponseBody)
        /// Ends with the gateway, with its reader, or when the reader is too slow.
        case events(EventClient)
    }

    package var status: Int
    package var headers: HeaderFields
    package var body: Body
    /// What is left of the request's body is not worth to be read.
    package var closes = false

    init(_ status: Status, headers: HeaderFields = [:], body: Body = .none) {
        self.status = status.rawValue
        self.headers = headers
        self.body = body
    }

    /// JSON.
    init(_ value: Value, _ status: Status = .ok, headers: HeaderFields = [:]) {
        self.init(status, json: value.json(), headers: headers)
    }

    init(_ status: Status = .ok, json bytes: [UInt8], headers: HeaderFields = [:], type: String = "application/json") {
        self.init(status, headers: headers, body: .bytes(bytes))
        self.headers["Content-Type"] = type
    }
}

/// The statuses that the gateway answers with (RFC 9110 §15).
enum Status: Int, Sendable {
    case ok = 200, created = 201, accepted = 202, noContent = 204, partialContent = 206
    case seeOther = 303, notModified = 304
    case badRequest = 400, unauthorized = 401, forbidden = 403, notFound = 404, methodNotAllowed = 405
    case conflict = 409, preconditionFailed = 412, contentTooLarge = 413, unsupportedMediaType = 415
    case rangeNotSatisfiable = 416, misdirectedRequest = 421, unprocessableContent = 422, locked = 423
    case tooManyRequests = 429
    case internalServerError = 500, badGateway = 502, serviceUnavailable = 503, insufficientStorage = 507

    var title: String {
        switch self {
        case .ok: "OK"
        case .created: "Created"
        case .accepted: "Accepted"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .seeOther: "See Other"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .misdirectedRequest: "Misdirected Request"
        case .unprocessableContent: "Unprocessable Content"
        case .locked: "Locked"
        case .tooManyRequests: "Too Many Requests"
        case .internalServerError: "Internal Server Error"
        case .badGateway: "Bad Gateway"
        case .serviceUnavailable: "Service Unavailable"
        case .insufficientStorage: "Insufficient Storage"
        }
    }
}
