/// How often a change has been tried in vain, for each purpose, and when it may be tried again. Each purpose has a budget of its
/// own, of tries in a row: a try for another purpose, in between, begins a new row, and a bound of all tries for the purpose ends
/// what goes on by turns (``hasUsedUp(_:for:)``). `limits.attempts`, after which a push waits for a change no longer, counts them all
/// (``total``). A success or an edit begins anew.
package struct Retry: Sendable, Hashable {
    /// What a try is for.
    package enum Purpose: String, Sendable, Hashable, CaseIterable {
        /// To get an answer: to what is sent, or to a read or the edit lease that goes before it.
        case answer
        /// To have accepted what the server refuses, as made to another version or as under way (409, 412, 428).
        case acceptance
        /// To write to an object that the server shows, and says that it has not (404, 410).
        case existence
        /// To learn under which identifier the server has a create that it accepted.
        case identifier
        /// To find a create that may have happened.
        case lookUp
        /// To read what a write has done.
        case verification
        /// To see that the server has done a delete that it accepted for later.
        case deletion
    }

    /// Tries in vain; a server that asks to wait has not been tried. Of a purpose that is missing there was none.
    private var tries: [Purpose: Int] = [:]
    /// The latest of them, as far back as they were for one purpose; nil before the first.
    private var row: Row?
    /// What nothing is tried for any more: a person decides.
    package private(set) var spent: Purpose?
    /// Not tried before this moment; nil for at once, and where nothing is tried by itself.
    package var due: Timestamp?

    /// Tries in vain for one purpose, with none for another between them.
    private struct Row: Sendable, Hashable {
        var purpose: Purpose
        var length: Int
    }

    /// Nothing was tried.
    package init() {}

    /// So many tries for one purpose.
    package init(_ purpose: Purpose, tries: Int, isSpent: Bool = false, due: Timestamp? = nil) {
        if tries > 0 { (self.tries[purpose], row) = (tries, Row(purpose: purpose, length: tries)) }
        (spent, self.due) = (isSpent ? purpose : nil, due)
    }

    /// One more try was in vain.
    ///
    /// - Returns: how many it were for the purpose.
    @discardableResult
    package mutating func count(_ purpose: Purpose) -> Int {
        let number = min(tries(for: purpose) + 1, Self.most)
        tries[purpose] = number
        row = Row(purpose: purpose, length: min(inARow(for: purpose) + 1, Self.most))
        return number
    }

    /// Whether a budget for a purpose is used up: as many tries for it were in vain in a row, or three times as many in all, for a
    /// server that answers by turns must come to an end, too.
    package func hasUsedUp(_ budget: Int, for purpose: Purpose) -> Bool {
        inARow(for: purpose) >= budget || tries(for: purpose) >= Self.turns * budget
    }

    private func inARow(for purpose: Purpose) -> Int { row.flatMap { $0.purpose == purpose ? $0.length : nil } ?? 0 }

    /// How many budgets all tries for a purpose may use up.
    package static var turns: Int { 3 }

    /// How many tries for a purpose were in vain.
    package func tries(for purpose: Purpose) -> Int { tries[purpose] ?? 0 }

    /// How many tries were in vain, whatever for.
    package var total: Int { tries.values.reduce(0, +) }

    /// A person has to decide.
    package mutating func spend(_ purpose: Purpose) { (spent, due) = (purpose, nil) }

    /// Whether a budget is spent.
    package var isSpent: Bool { spent != nil }

    /// More are not counted.
    private static var most: Int { 1 << 30 }
}

/// The stored form.
extension Retry {
    func stored() -> Value {
        var counts = StoredFieldsWriter()
        for purpose in Purpose.allCases { counts.setUnlessZero(purpose.rawValue, Int64(tries(for: purpose))) }
        var fields = StoredFieldsWriter()
        if !tries.isEmpty { fields.set("tries", counts.value) }
        if let row {
            var latest = StoredFieldsWriter()
            latest.set(row.purpose.rawValue, Int64(row.length))
            fields.set("row", latest.value)
        }
        fields.set("spent", spent?.rawValue)
        fields.set("due", due?.milliseconds)
        return fields.value
    }

    init(stored fields: StoredFields) throws(StoreError) {
        tries = try Self.counts("tries", in: fields)
        row = try Self.counts("row", in: fields).first.map { Row(purpose: $0.key, length: $0.value) }
        if let text = try fields.optionalText("spent") {
            guard let purpose = Purpose(rawValue: text) else { throw fields.wrong("spent", "what tries are for") }
            spent = purpose
        }
        due = try fields.optionalInteger("due").map { Timestamp(milliseconds: $0) }
    }

    private static func counts(
        _ name: String, in fields: StoredFields
    ) throws(StoreError) -> [Purpose: Int] {
        guard fields.value(name) != nil else { return [:] }
        var found: [Purpose: Int] = [:]
        let counts = try fields.fields(name)
        for purpose in Purpose.allCases {
            guard let number = try counts.optionalInteger(purpose.rawValue) else { continue }
            guard (1...Int64(most)).contains(number) else { throw counts.wrong(purpose.rawValue, "a number of tries") }
            found[purpose] = Int(number)
        }
        return found
    }
}
