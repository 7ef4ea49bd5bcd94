package enum Verb: Sendable, Hashable {
    case create, update, delete
    /// A declared action that carries a change of some members.
    case action(String)
    /// The content that waits first goes into this member.
    case upload(String)

    /// The name of the action; nil for everything else.
    package var action: String? { if case .action(let name) = self { name } else { nil } }

    /// It is about an object that has an edit lease, where the resource declares one.
    package var isUnderLease: Bool { self != .create }

    /// What people read.
    package var word: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        case .action(let name): name
        case .upload: "upload"
        }
    }
}
