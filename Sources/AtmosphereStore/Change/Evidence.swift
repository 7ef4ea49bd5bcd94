/// What is known of whether the server has what the attempts of a change have sent: one value for all of them.
///
/// It rises with each attempt whose answer is lost or says little, and falls only where the server denies every attempt.
package enum Evidence: Sendable, Hashable {
    /// No attempt has reached the server, as far as anybody knows.
    case none
    /// Of a create: the server calls it a duplicate, and no answer was lost, so what it has may be another's.
    case duplicate
    /// Of a create with an idempotency key: each answer was a conflict (409) that a server gives while it is still at the
    /// first attempt; no answer was lost.
    case underWay
    /// An answer was lost. `isLookedFor`: a look-up has shown nothing of the create since.
    case inDoubt(isLookedFor: Bool)
    /// Of a create: the server has it, and does not say under which identifier. It is looked up where that can be, and never
    /// sent again by itself.
    case nameless
    /// Of a create: the server has accepted it under the identifier that the object has now, and has not shown it there yet.
    /// `isLookedFor`: a read under that identifier has shown nothing.
    case named(isLookedFor: Bool)
    /// Of a delete: the server has accepted it for later (202), and still showed the object since.
    case begun
}

extension Evidence {
    /// An attempt may have reached the server, so the server may know what was sent.
    package var mayHaveArrived: Bool {
        switch self {
        case .none, .duplicate: false
        case .underWay, .inDoubt, .nameless, .named, .begun: true
        }
    }

    /// Of a create: the server has said that it has what was sent.
    package var isKnownThere: Bool {
        switch self {
        case .duplicate, .nameless, .named: true
        case .none, .underWay, .inDoubt, .begun: false
        }
    }

    /// Of a create: accepted under an identifier.
    package var isNamed: Bool { if case .named = self { true } else { false } }

    /// The answer to an attempt was lost, or says nothing of its outcome.
    package mutating func lose() {
        switch self {
        case .none, .underWay: self = .inDoubt(isLookedFor: false)
        case .duplicate: self = .nameless
        case .inDoubt, .nameless, .named, .begun: break
        }
    }

    /// The server says that it has what was sent, and not as which object.
    package mutating func recognize() {
        switch self {
        case .none: self = .duplicate
        case .underWay, .inDoubt: self = .nameless
        case .duplicate, .nameless, .named, .begun: break
        }
    }

    /// A look-up of what may be on its way, or a read of what was named, has shown nothing.
    package mutating func missing() {
        switch self {
        case .underWay, .inDoubt: self = .inDoubt(isLookedFor: true)
        case .named: self = .named(isLookedFor: true)
        case .none, .duplicate, .nameless, .begun: break
        }
    }

    /// Of a delete that was accepted for later: nobody waits for it any more, and it may still be done.
    package mutating func endWait() { if self == .begun { self = .inDoubt(isLookedFor: false) } }

    /// A look-up says that what was sent is not there: it is sent again, and may still arrive late.
    package mutating func settle() { if case .inDoubt = self { self = .inDoubt(isLookedFor: false) } }
}

/// The stored form.
extension Evidence {
    var isLookedFor: Bool {
        switch self {
        case .inDoubt(let isLookedFor), .named(let isLookedFor): isLookedFor
        case .none, .duplicate, .underWay, .nameless, .begun: false
        }
    }

    /// nil where there is none.
    var word: String? {
        switch self {
        case .none: nil
        case .duplicate: "duplicate"
        case .underWay: "underWay"
        case .inDoubt: "inDoubt"
        case .nameless: "nameless"
        case .named: "named"
        case .begun: "begun"
        }
    }

    init(stored fields: StoredFields) throws(StoreError) {
        let isLookedFor = try fields.flag("lookedFor")
        switch try fields.optionalText("evidence") {
        case nil: self = .none
        case "duplicate": self = .duplicate
        case "underWay": self = .underWay
        case "inDoubt": self = .inDoubt(isLookedFor: isLookedFor)
        case "nameless": self = .nameless
        case "named": self = .named(isLookedFor: isLookedFor)
        case "begun": self = .begun
        default: throw fields.wrong("evidence", "a kind of evidence")
        }
    }
}
