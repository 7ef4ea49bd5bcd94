/// Why there is no (whole) answer.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        /// A code of a transport's own, where none of those below says it. A name in camel case; it stays what it is.
        /// A push counts it as a network that fails and tries again.
        public init(_ description: String) { self.description = description }

        /// The URL, a header or the body cannot be sent.
        public static let invalidRequest = Code("invalidRequest")
        /// The name does not resolve, or nobody listens.
        public static let cannotConnect = Code("cannotConnect")
        /// The certificate is not valid, or TLS failed otherwise.
        public static let tls = Code("tls")
        /// Also where there was no connection within ``TransportSettings/connectTimeout``.
        public static let timeout = Code("timeout")
        /// The connection ended before the whole answer had arrived.
        public static let connectionLost = Code("connectionLost")
        /// The answer is not HTTP.
        public static let invalidResponse = Code("invalidResponse")
        /// The answer has more than ``Request/maximumResponseBytes``.
        public static let bodyTooLarge = Code("bodyTooLarge")
        /// A redirect to another origin, or one that would lose method or body, or too many.
        public static let redirect = Code("redirect")
        /// The application switched the network off.
        public static let offline = Code("offline")
        /// A cassette holds no exchange that fits the request.
        public static let notRecorded = Code("notRecorded")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the URL without its query, the reason and the remedy.
    public var message: String
    /// False only where it is certain that the server has not seen the request; decides whether a create becomes
    /// `unknown`.
    public var mayHaveArrived: Bool
    /// What the server answered, where it is a redirect within the origin that was not followed.
    package var redirection: Redirection?

    /// A redirect (RFC 9110 §15.4).
    package struct Redirection: Sendable, Hashable {
        /// The 3xx status.
        package var status: Int
        /// The path that it leads to, percent-encoded.
        package var path: String

        /// A redirect to a path within the origin.
        package init(status: Int, path: String) {
            self.status = status
            self.path = path
        }
    }

    /// An error for an exchange without a whole answer.
    ///
    /// - Parameters:
    ///   - message: names the URL without its query, the reason and the remedy.
    ///   - mayHaveArrived: false only where it is certain that the server has not seen the request.
    public init(code: Code, message: String, mayHaveArrived: Bool) {
        self.code = code
        self.message = message
        self.mayHaveArrived = mayHaveArrived
    }

    public var description: String { message }

    /// The server can be reached, and asking again would end alike: an answer that is refused, or a request that cannot
    /// be sent.
    package var isFinal: Bool { [.redirect, .bodyTooLarge, .invalidRequest, .notRecorded].contains(code) }

    /// There is no way to the server now, for this request or any other.
    package var isUnreached: Bool { [.cannotConnect, .offline, .tls].contains(code) }
}
