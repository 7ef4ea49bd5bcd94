package import Atmosphere
internal import AtmosphereReports

/// Why a request is not done, as RFC 9457 writes it: the command's code and message beside the status.
package struct Problem: Error, Sendable {
    var status: Status
    /// For programs; stable.
    package var code: String
    /// The place, the reason, the remedy.
    package var detail: String
    /// What is wrong with single fields: what the server said, or what the route file forbids.
    var fields: [MetaObject.FieldMessage] = []
    /// What the API's server answered with, where it refused.
    var serverStatus: Int?
    var headers: HeaderFields = [:]
    /// What is left of the request's body is not worth to be read.
    var closes = false

    init(_ status: Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// - Parameter redact: takes secrets out of texts.
    init(_ error: any Error, _ redact: (String) -> String) {
        switch error {
        case let problem as Problem: self = problem
        case let error as UsageError:
            self.init(.unprocessableContent, "usage", error.description)
            fields = error.field.map { [$0] } ?? []
        case let error as SyncError:
            self.init(Self.status(of: error), error.code.description, error.lines.joined(separator: "\n"))
            fields = error.failure?.fields ?? []
            serverStatus = error.failure?.status
        case let error as StoreError: self.init(Self.status(of: error.code), error.code.description, error.message)
        case let error as TransportError:
            self.init(error.isFinal ? .badGateway : .serviceUnavailable, error.code.description, error.message)
        case let error as JSONError:
            self.init(
                error.code == .tooLarge ? .contentTooLarge : .badRequest, error.code.description,
                "the body is not the JSON that is expected: \(error.message)")
        case is CancellationError: self.init(.serviceUnavailable, "cancelled", "the gateway ends; try again")
        default: self.init(.internalServerError, "failed", "\(error)")
        }
        detail = redact(detail)
    }

    /// What a gateway that was started with --read-only does not do.
    ///
    /// - Parameter reason: what it would have done.
    static func readOnly(_ reason: String? = nil) -> Problem {
        let message = "the gateway was started with --read-only; start it without"
        return Problem(
            .forbidden, "readOnly", reason.map { "\($0); \(message) to ask the API" } ?? "\(message) to write")
    }

    private static func status(of error: SyncError) -> Status {
        switch error.code {
        case .unknownName, .notFound: .notFound
        case .invalidRecord: .unprocessableContent
        case .invalidPath: .badRequest
        case .wrongState, .tooManyDeletes, .pushedElsewhere: .conflict
        case .leased: .locked
        case .refused: .unprocessableContent
        case .unreachable, .signInNeeded: .serviceUnavailable
        case .unexpectedAnswer: .badGateway
        default: .conflict
        }
    }

    private static func status(of code: StoreError.Code) -> Status {
        switch code {
        case .closed: .serviceUnavailable
        case .identifierTaken: .conflict
        case .full: .insufficientStorage
        default: .internalServerError
        }
    }

    package var value: Value {
        var members: Value.Members = [
            "title": .string(status.title), "status": .init(status.rawValue), "code": .string(code),
            "detail": .string(detail)
        ]
        if !fields.isEmpty {
            members["fields"] = .array(
                fields.map { ["field": .string($0.field), "message": .string($0.message)] })
        }
        if let serverStatus { members["serverStatus"] = Value(serverStatus) }
        return .object(members)
    }

    var answer: GatewayAnswer {
        var answer = GatewayAnswer(status, json: value.json(), headers: headers, type: "application/problem+json")
        answer.closes = closes
        return answer
    }
}
