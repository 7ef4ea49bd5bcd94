internal import Atmosphere

extension RESTSource {
    /// What a network or a server can do to a request.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        /// The connection is closed; the request had no effect.
        case dropBefore = "drop-before"
        /// The request is processed, and the connection is closed without an answer.
        case dropAfter = "drop-after"
        /// The connection is reset (TCP RST); the request had no effect.
        case reset
        /// Processed; the answer ends in the middle of its body. One without a body is not sent at all.
        case truncate
        /// Processed after a while.
        case delay
        /// Processed twice, as by a proxy that repeats; the second answer is sent.
        case duplicate
        /// A web page with status 200, as of a login form; the request had no effect.
        case wrongType = "wrong-type"
        /// Answers without an effect, in the shape that the API's errors have.
        case unauthorized = "401"
        /// As if the object had been changed meanwhile.
        case conflict = "409"
        /// As if the version that was sent were an old one.
        case preconditionFailed = "412"
        /// With `Retry-After`.
        case tooManyRequests = "429"
        /// As if the source had failed.
        case serverError = "500"
        /// With `Retry-After`.
        case unavailable = "503"

        /// Whether the request has its effect.
        var processes: Bool { [.dropAfter, .truncate, .delay, .duplicate].contains(self) }

        /// The status of a fault that is one.
        var status: Int? { Int(rawValue) }
    }
}

/// What becomes of a connection after a request.
enum SourceOutcome {
    case answer(SourceAnswer)
    /// The head, half of the body, and the end of the connection.
    case half(SourceAnswer)
    case close
    case reset
}

extension SourceAnswer {
    /// A web page that has nothing to do with the API.
    static let webPage = SourceAnswer(
        200, headers: ["Content-Type": "text/html; charset=utf-8"],
        body: Array("<!DOCTYPE html><html><title>Sign in</title><p>Sign in to use this network.</html>".utf8))
}
