/// An HTTP error of Engine.IO: what the reference server answers, code for code.
public struct EngineRefusal: Sendable, Hashable {
    /// The HTTP status.
    public let status: Int
    /// nil where the reference server sends no body.
    public let code: Int?
    public let message: String

    public static let unknownTransport = EngineRefusal(status: 400, code: 0, message: "Transport unknown")
    public static let unknownSession = EngineRefusal(status: 400, code: 1, message: "Session ID unknown")
    public static let badHandshakeMethod = EngineRefusal(status: 400, code: 2, message: "Bad handshake method")
    public static let badRequest = EngineRefusal(status: 400, code: 3, message: "Bad request")
    public static let forbidden = EngineRefusal(status: 403, code: 4, message: "Forbidden")
    public static let unsupportedVersion = EngineRefusal(status: 400, code: 5, message: "Unsupported protocol version")
    public static let tooLarge = EngineRefusal(status: 413, code: nil, message: "Payload too large")

    /// `{"code":…,"message":…}`, or nothing.
    public var body: [UInt8] {
        guard let code else { return [] }
        return Array("{\"code\":\(code),\"message\":\"\(message)\"}".utf8)
    }
}
