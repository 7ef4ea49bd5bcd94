/// What happened, and why.
public struct SyncLogEntry: Sendable, Hashable {
    /// When it happened, by ``SyncEnvironment/now``.
    public var time: Timestamp
    /// An object's address, or an entity.
    public var subject: String
    /// One line for a person; holds no secret and no body.
    public var message: String
    /// Of interest only while it happens, such as each page of a list: not kept in the log.
    public var isRoutine: Bool
    /// The subject of what was told of the same object before: the server has given it another address since. nil for the
    /// same subject.
    package var former: String?

    /// An entry; routine ones are shown and not kept.
    package init(time: Timestamp, subject: String, message: String, isRoutine: Bool = false) {
        self.time = time
        self.subject = subject
        self.message = message
        self.isRoutine = isRoutine
    }

    /// Reads a line of the file.
    init?(line: [UInt8]) {
        guard let value = try? Value(json: line), let members = value.members,
            let time = members["time"]?.number?.int64, let subject = members["subject"]?.string,
            let message = members["message"]?.string
        else { return nil }
        self.init(time: Timestamp(milliseconds: time), subject: subject, message: message)
        former = members["former"]?.string
    }
}
