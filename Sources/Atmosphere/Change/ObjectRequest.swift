/// One request about one object: what an event asks for next, what a push sends, and what a read is for.
enum ObjectRequest: Sendable, Equatable {
    /// Ask whether the create has happened.
    case lookUp
    /// Ask for the object's edit lease before a write.
    case lease
    /// GET the object and merge what comes.
    case read
    /// GET the object after an accepted write whose answer says too little; `before` is the base that the change was made to,
    /// nil for that of a create.
    case verify(sent: ObjectRecord, before: ObjectRecord?)
    /// GET an object of which another request was told that there is none.
    case confirmGone(after: Missed)
    /// GET an object whose delete was accepted, to be sure that it is gone. `isBegun`: the server may do it later.
    case confirmDelete(isBegun: Bool)
    /// GET an object whose delete is refused, and may have been done by another try.
    case confirmRefused
    /// Send a change.
    case send(Verb, Attempt)

    /// A request that was told that there is no such object.
    enum Missed: Sendable, Equatable {
        /// An update, an action or a delete.
        case write
        case content(Attempt)
        /// For the edit lease; what the server said.
        case lease(MetaObject.Failure)
    }
}

extension ObjectRequest {
    /// What is asked of the server, for a message.
    var word: String { if case .send(let verb, _) = self { verb.word } else { "read" } }

    /// It is about an object that the server has shown before.
    var isAboutKnown: Bool {
        switch self {
        case .send(.create, _), .lookUp, .lease, .verify(_, before: nil), .confirmDelete: false
        case .send, .read, .verify, .confirmGone, .confirmRefused: true
        }
    }

    /// It writes to an object that has an edit lease, where the resource declares one.
    var isUnderLease: Bool {
        if case .send(let verb, _) = self { verb.isUnderLease } else { false }
    }

    /// It asks what has become of a create.
    var isAboutCreate: Bool {
        switch self {
        case .lookUp, .verify(_, before: nil): true
        default: false
        }
    }

    var isAboutDelete: Bool { if case .confirmDelete = self { true } else { false } }

    /// Why it is made, for the log.
    var reason: String {
        switch self {
        case .lookUp: "to look up what has become of the create"
        case .lease: "for the edit lease"
        case .read: "to compare before the write"
        case .verify: "to see what the write has done"
        case .confirmGone, .confirmDelete, .confirmRefused: "to make sure that it is gone"
        case .send(let verb, _): verb.word
        }
    }
}
