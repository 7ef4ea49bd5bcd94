/// An HTTP error of Engine.IO: what the reference server answers, code for code.
public struct EngineRefusal: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// nil where the reference server sends no body.
    public let code: Int?
    /// In the reference server's words.
    public let message: String

    /// The query's `transport` is neither `polling` nor `websocket`.
    public static let unknownTransport = EngineRefusal(status: 400, code: 0, message: "Transport unknown")
    /// No session has this `sid`, or it is over.
    public static let unknownSession = EngineRefusal(status: 400, code: 1, message: "Session ID unknown")
    /// A session is opened with another method than GET.
    public static let badHandshakeMethod = EngineRefusal(status: 400, code: 2, message: "Bad handshake method")
    /// The request is out of place: a parameter twice, a second poll or post, polling after an upgrade.
    public static let badRequest = EngineRefusal(status: 400, code: 3, message: "Bad request")
    /// The server takes no requests from pages of this origin.
    public static let forbidden = EngineRefusal(status: 403, code: 4, message: "Forbidden")
    /// The query's `EIO` is not 4.
    public static let unsupportedVersion = EngineRefusal(status: 400, code: 5, message: "Unsupported protocol version")
    /// The body is longer than ``EngineLimits/payloadBytes``; answered without a body.
    public static let tooLarge = EngineRefusal(status: 413, code: nil, message: "Payload too large")

    /// `{"code":…,"message":…}`, or nothing.
    public var body: [UInt8] {
        guard let code else { return [] }
        return Array("{\"code\":\(code),\"message\":\"\(message)\"}".utf8)
    }
}
