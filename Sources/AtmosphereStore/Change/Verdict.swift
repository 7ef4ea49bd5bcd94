/// Why a change is not sent any more before a person has decided, or edited it.
package enum Verdict: Sendable, Hashable {
    /// The server has refused what the attempt sent.
    case refused(MetaObject.Snapshot)
    /// The route file does not let some of its members be sent: a retry drops these.
    case unsendable
    /// It breaks a rule of the resource.
    case invalid
    /// It refers to an object that was removed here before the server knew it. The record as it was then: an edit of the
    /// reference gives it another chance.
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
    package var attempt: MetaObject.Snapshot? { if case .refused(let attempt) = self { attempt } else { nil } }
}
