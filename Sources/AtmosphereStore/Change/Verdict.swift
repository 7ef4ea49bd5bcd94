/// Why a change is not sent any more before a person has decided, or edited it.
package enum Verdict: Sendable, Hashable {
    /// The server has refused what the attempt sent.
    case refused(Attempt)
    /// The route file does not let some of its members be sent: a retry drops these.
    case unsendable
    /// It breaks a rule of the resource.
    case invalid
    /// It refers to an object that was removed here before the server knew it, or that damage of the store took. The record
    /// as it was then: an edit of the reference gives it another chance.
    case dangling(ObjectRecord?)
    /// The server has accepted it and not done it, or not all of it.
    case notTaken
    /// What it was made for is another object there, or was here under two addresses.
    case mistaken
    /// The object cannot be read, so that nothing tells whether the change may be sent, or was done.
    case unreadable
}

extension Verdict {
    /// What was sent and refused; nil for a verdict about something else.
    package var attempt: Attempt? { if case .refused(let attempt) = self { attempt } else { nil } }
}

/// The stored form.
extension Verdict {
    func stored() -> Value {
        var fields = StoredFieldsWriter()
        switch self {
        case .refused(let attempt):
            fields.set("cause", "refused")
            fields.set("attempt", attempt.stored())
        case .unsendable: fields.set("cause", "unsendable")
        case .invalid: fields.set("cause", "invalid")
        case .dangling(let record):
            fields.set("cause", "dangling")
            fields.set("record", record)
        case .notTaken: fields.set("cause", "notTaken")
        case .mistaken: fields.set("cause", "mistaken")
        case .unreadable: fields.set("cause", "unreadable")
        }
        return fields.value
    }

    init(stored fields: StoredFields, _ uri: ObjectURI) throws(StoreError) {
        switch try fields.text("cause") {
        case "refused": self = .refused(try Attempt(stored: fields.fields("attempt"), uri))
        case "unsendable": self = .unsendable
        case "invalid": self = .invalid
        case "dangling": self = .dangling(try fields.optionalRecord("record", of: uri))
        case "notTaken": self = .notTaken
        case "mistaken": self = .mistaken
        case "unreadable": self = .unreadable
        default: throw fields.wrong("cause", "a verdict")
        }
    }
}
