/// How often a change has been tried in a row for one purpose, and when it may be tried again. Each purpose has a budget of its
/// own: what is tried for another one starts from nothing.
package struct Retry: Sendable, Hashable {
    /// What the tries are for.
    package enum Purpose: Sendable, Hashable {
        /// To get an answer: to what is sent, or to a read or the edit lease that goes before it.
        case answer
        /// To have accepted what the server has refused with this status.
        case acceptance(status: Int?)
        /// To learn under which identifier the server has a create that it accepted.
        case identifier
        /// To find a create that may have happened.
        case lookUp
        /// To read what a write has done.
        case verification
        /// To see that the server has done a delete that it accepted for later.
        case deletion
    }

    package private(set) var purpose = Purpose.answer
    /// Tries in a row for the purpose; a server that asks to wait has not been tried.
    package private(set) var tries = 0
    /// Nothing is tried for the purpose any more: a person decides.
    package private(set) var isSpent = false
    /// Not tried before this moment; nil for at once, and where nothing is tried by itself.
    package var due: Timestamp?

    /// Nothing was tried.
    package init() {}

    /// As it was stored.
    package init(_ purpose: Purpose, tries: Int, isSpent: Bool = false, due: Timestamp? = nil) {
        (self.purpose, self.tries, self.isSpent, self.due) = (purpose, tries, isSpent, due)
    }

    /// One more try was in vain.
    ///
    /// - Returns: how many it were in a row.
    @discardableResult
    package mutating func count(_ purpose: Purpose) -> Int {
        tries = min(tries(for: purpose) + 1, 1 << 30)
        (self.purpose, isSpent) = (purpose, false)
        return tries
    }

    /// How many tries in a row were in vain for a purpose.
    package func tries(for purpose: Purpose) -> Int { purpose == self.purpose ? tries : 0 }

    /// A person has to decide.
    package mutating func spend(_ purpose: Purpose) {
        tries = tries(for: purpose)
        (self.purpose, isSpent, due) = (purpose, true, nil)
    }

    /// Whether nothing is tried for a purpose any more.
    package func isSpent(for purpose: Purpose) -> Bool { isSpent && purpose == self.purpose }
}

/// The stored form.
extension Retry {
    func stored() -> Value {
        var fields = StoredFieldsWriter()
        switch purpose {
        case .answer: fields.set("for", "answer")
        case .acceptance(let status):
            fields.set("for", "acceptance")
            fields.set("status", status.map(Int64.init))
        case .identifier: fields.set("for", "identifier")
        case .lookUp: fields.set("for", "lookUp")
        case .verification: fields.set("for", "verification")
        case .deletion: fields.set("for", "deletion")
        }
        fields.setUnlessZero("tries", Int64(tries))
        fields.set("spent", flag: isSpent)
        fields.set("due", due?.milliseconds)
        return fields.value
    }

    init(stored fields: StoredFields) throws(StoreError) {
        let purpose: Purpose =
            switch try fields.text("for") {
            case "answer": .answer
            case "acceptance": .acceptance(status: try fields.optionalInteger("status").map { Int(clamping: $0) })
            case "identifier": .identifier
            case "lookUp": .lookUp
            case "verification": .verification
            case "deletion": .deletion
            default: throw fields.wrong("for", "what tries are for")
            }
        let tries = try fields.optionalInteger("tries") ?? 0
        guard (0...(1 << 30)).contains(tries) else { throw fields.wrong("tries", "a number of tries") }
        self.init(
            purpose, tries: Int(tries), isSpent: try fields.flag("spent"),
            due: try fields.optionalInteger("due").map { Timestamp(milliseconds: $0) })
    }
}
