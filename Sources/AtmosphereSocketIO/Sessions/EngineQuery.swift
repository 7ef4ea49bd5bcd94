/// The query parameters of an Engine.IO request, checked.
public struct EngineQuery: Sendable, Hashable {
    /// The transport that the request belongs to.
    public let transport: EngineTransport
    /// nil on the request that opens a session.
    public let sid: String?

    /// Reads the part behind the question mark. Other parameters are for others (`t` only defeats caches).
    ///
    /// - Throws: ``EngineRefusal`` for another protocol version, an unknown transport, and for one of these parameters
    ///   that is there twice.
    public init(_ query: Substring) throws(EngineRefusal) {
        var found: [Substring: Substring] = [:]
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first, name == "EIO" || name == "transport" || name == "sid" else { continue }
            let value = pair.count > 1 ? pair[1] : ""
            guard found.updateValue(value, forKey: name) == nil else { throw .badRequest }
        }
        switch found["transport"] {
        case "polling": transport = .polling
        case "websocket": transport = .webSocket
        default: throw .unknownTransport
        }
        guard found["EIO"] == "4" else { throw .unsupportedVersion }
        sid = found["sid"].flatMap { $0.isEmpty ? nil : String($0) }
    }
}

extension EngineRefusal: Error {}
