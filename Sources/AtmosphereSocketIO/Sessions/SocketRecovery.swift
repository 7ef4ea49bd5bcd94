import AtmosphereModel

/// With what a client asks for its former connection state: the private identifier that the server gave it, and the
/// offset of the last event that it got.
public struct SocketRecovery: Sendable, Hashable {
    /// Empty where the client asks by its offset alone.
    public var pid: String
    /// As the server has written it behind the last event.
    public var offset: String

    /// What a client asks with; neither may be longer than 256 bytes where a server reads it.
    public init(pid: String, offset: String) {
        self.pid = pid
        self.offset = offset
    }

    /// nil where there is no offset, or one of them is too long or no text.
    init?(_ auth: Value.Members) {
        let pid = auth["pid"] ?? .null
        guard let pid = pid.isNull ? "" : pid.string, let offset = auth["offset"]?.string, pid.utf8.count <= 256,
            offset.utf8.count <= 256
        else { return nil }
        self.init(pid: pid, offset: offset)
    }
}
