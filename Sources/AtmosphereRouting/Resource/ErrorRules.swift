/// Where an error body says what was wrong, and what a status means.
package struct ErrorRules: Sendable, Hashable {
    /// What an answer that is no success means for the change.
    package enum Treatment: String, Sendable, Hashable, CaseIterable {
        /// Refused for good.
        case reject
        /// Pause the origin and try again.
        case wait
        /// Try again with backoff.
        case retry
        /// The credentials are not accepted.
        case unauthorized
        /// The object is not as the client knew it: it is read and merged before the next try. A create, which has nothing
        /// to be merged with, is refused, or tried again under its key.
        case conflict
        /// The object does not exist (any more).
        case gone
    }

    /// What an answer with one of some statuses means; the first rule that fits counts.
    package struct Rule: Sendable, Hashable {
        /// Any of these.
        package var statuses: [Int]
        /// Only answers to requests with one of these methods; empty for all. One result of a batch answers none.
        package var methods: [String] = []
        /// Only where the body holds this value at this path.
        package var path: JSONPath?
        /// Any of these stands at ``path``; empty for any value there.
        package var values: [Value]
        /// What such an answer means.
        package var treatment: Treatment

        /// A rule for answers to any method.
        package init(statuses: [Int], path: JSONPath? = nil, values: [Value] = [], treatment: Treatment) {
            self.statuses = statuses
            self.path = path
            self.values = values
            self.treatment = treatment
        }
    }

    /// What says which field was wrong; the first path that is there counts. An object's members are fields and its
    /// values messages, or lists of them; a list holds an object for each message, see ``field`` and ``message``.
    package var fields: [JSONPath] = []
    /// Where the field stands in an object of such a list.
    package var field = JSONPath.member("field")
    /// Where the message stands in such an object; the first path that is there counts.
    package var message = [JSONPath.member("message")]
    /// Paths of a message for the whole object; the first that is there counts.
    package var messages: [JSONPath] = []
    /// Members of the fields object that are messages for the whole object.
    package var general: [String] = []
    /// The first that fits counts; else the status decides as the guide's table says.
    package var rules: [Rule] = []

    /// Nothing is declared: the status decides.
    package init() {}

    /// What the errors of all resources have in common: what the file says at its top is among it.
    package init(sharedBy resources: [Resource]) {
        self.init()
        guard let first = resources.first?.errors else { return }
        if resources.allSatisfy({ $0.errors == first }) {
            self = first
        } else {
            rules = first.rules.filter { rule in resources.allSatisfy { $0.errors.rules.contains(rule) } }
        }
    }

    /// Whether the route file says where errors tell what was wrong.
    package var isDeclared: Bool { !fields.isEmpty || !messages.isEmpty || !general.isEmpty }

    /// Whether anything of them stands in an attribute of XML; else attributes would only be in the way.
    package var nameAttributes: Bool {
        (rules.compactMap(\.path) + fields + messages + [field] + message).contains { path in
            path.steps.contains { if case .member(let name) = $0 { name.hasPrefix("@") } else { false } }
        }
    }

    /// What an element of a list of errors says.
    package func message(in element: Value) -> Value? {
        message.lazy.compactMap { $0.first(in: element) }.first { $0 != .null && $0 != "" }
    }

    /// For an answer of which nothing is declared: the members that most APIs use.
    package static let unknownAPI: ErrorRules = {
        var rules = ErrorRules()
        rules.general = ["message", "detail", "title", "error", "error_description"]
        return rules
    }()
}
