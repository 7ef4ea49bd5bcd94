/// How to find out whether a create whose answer was lost has happened: a member that the client sets and the server
/// keeps unique. Atmosphere fills it with a UUID where the application leaves it out.
package struct Lookup: Sendable, Hashable {
    /// The member that the client sets.
    package var field: String
    /// The query parameter of the list that filters by it; nil where none does: then a pull finds the object, and where
    /// ``Duplicate`` says how the server refuses a second one, the create is sent again.
    package var parameter: String?
    /// Parameters of the list that a look-up leaves out, because they would hide the object.
    package var without: Set<String>
    /// All that hide it are named in ``without``: the others, of an order or of what an answer holds, leave nothing out.
    package var knowsWhatHides = false
    /// Where the look-up is asked for by GET, with nothing but its own parameter; nil for the list.
    package var path: PathTemplate?
    /// Where the objects stand in the answer from ``path``; nil where the list has them.
    package var items: JSONPath?
    /// What stands in front of the value.
    package var prefix = ""
    /// What stands around the value; a single quote inside of single ones is written twice.
    package var quotes = Since.Quotes.none
    /// What stands behind the value and its quotes.
    package var suffix = ""

    /// A look-up by a member, in the list that a parameter filters by it, or in the next pull.
    package init(field: String, parameter: String?, without: Set<String> = []) {
        self.field = field
        self.parameter = parameter
        self.without = without
    }

    /// The parameters of a list's own query that a look-up sends, too, and that could hide the object.
    package func filters(of list: Operation) -> [NamedText] {
        path == nil && parameter != nil && !knowsWhatHides ? list.query.filter { !without.contains($0.name) } : []
    }
}

/// How the API says that a create has happened before.
package struct Duplicate: Sendable, Hashable {
    /// The statuses of such an answer.
    package var statuses: [Int]
    /// The error body has messages for this field; nil where the status is enough.
    package var field: String?

    /// Any of these statuses, with messages for the field where one is given.
    package init(statuses: [Int], field: String? = nil) {
        self.statuses = statuses
        self.field = field
    }
}
