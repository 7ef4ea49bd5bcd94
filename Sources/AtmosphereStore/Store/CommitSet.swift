/// What one commit changed.
public struct CommitSet: Sendable, Hashable {
    /// Who brought a commit about; in `otherProcess` nobody knows what for.
    public enum Origin: Sendable, Hashable {
        /// The application's own edits and decisions; a pull; a push, with the marks and outcomes of what it sends; a
        /// live update; another process that wrote to the same store.
        case application, pull, push, live, otherProcess
    }

    /// What the whole commit was made for; one commit has one.
    public var origin: Origin
    /// The changed objects by entity; an empty set says that any object of the entity may have changed.
    public var objects: [String: Set<String>]

    /// A commit of these objects; see ``objects`` for what an empty set means.
    public init(origin: Origin, objects: [String: Set<String>]) {
        self.origin = origin
        self.objects = objects
    }
}
