import Atmosphere

/// With what a client asks for its former connection state: the private identifier that the server gave it, and the
/// offset of the last event that it got.
public struct SocketRecovery: Sendable, Hashable {
    public var pid: String
    public var offset: String

    public init(pid: String, offset: String) {
        self.pid = pid
        self.offset = offset
    }

    /// nil where one of them is missing or no text.
    init?(_ auth: Value.Members) {
        guard let pid = auth["pid"]?.string, let offset = auth["offset"]?.string, pid.utf8.count <= 256,
            offset.utf8.count <= 256
        else { return nil }
        self.init(pid: pid, offset: offset)
    }
}
