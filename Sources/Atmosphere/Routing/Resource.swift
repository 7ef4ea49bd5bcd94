/// How one entity is listed, read, written and merged.
public struct Resource: Sendable, Hashable {
    /// The entity.
    public var name: String
    public var format = "json"
    public var list: Operation
    public var read: Operation
    public var create: Operation
    public var update: Operation
    public var delete: Operation
    /// Sent with every request for this entity.
    public var headers: [NamedText] = []

    /// The member (or path) that holds the identifier.
    public var id = JSONPath.member("id")
    /// Who gives a new object its identifier.
    public var assigned = IDAssignment.server
    public var isUniquePerParent = false
    /// Outermost parent first, as the list path names them.
    public var parents: [Reference] = []
    /// Members that hold identifiers of other entities, the parents' among them.
    public var references: [Reference] = []

    /// Where the items of a list stand; nil for a bare array. A body that is itself an array is the items all the same.
    public var items: JSONPath?
    /// One root member to strip from each item read, and to wrap around each body written.
    public var readRoot: String?
    public var writeRoot: String?

    public var paging = Paging.none
    public var since: Since?
    public var deletes = Deletes()
    public var version = Version.compare
    /// Members never sent.
    public var readonly: Set<String> = []
    public var lookup: Lookup?
    public var duplicate: Duplicate?
    public var conflict = ConflictRules()
    public var fields = FieldRules()
    public var errors = ErrorRules()
    public var actions: [Action] = []

    public init(
        name: String, list: Operation, read: Operation, create: Operation, update: Operation, delete: Operation
    ) {
        self.name = name
        self.list = list
        self.read = read
        self.create = create
        self.update = update
        self.delete = delete
    }
}

public struct NamedText: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// One verb of a resource.
public struct Operation: Sendable, Hashable {
    /// What a write sends.
    public enum BodyKind: String, Sendable, Hashable, CaseIterable {
        case none, whole, changed
    }
    /// What an answer holds.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        case whole, partial
    }

    public var method: String
    public var path: PathTemplate
    public var body = BodyKind.none
    public var query: [NamedText] = []
    public var shape = Shape.whole
    /// The header that carries the idempotency key of a create.
    public var idempotencyHeader: String?
    /// The API does not offer it: `create: null` in the route file.
    public var isOffered = true

    public init(method: String, path: PathTemplate) {
        self.method = method
        self.path = path
    }
}

public enum IDAssignment: String, Sendable, Hashable, CaseIterable {
    /// The server's answer to the create holds it.
    case server
    /// The client's UUID is permanent; the create sends it.
    case client
}

/// A member that holds the identifier of an object of another entity.
public struct Reference: Sendable, Hashable {
    public var entity: String
    public var field: String

    public init(entity: String, field: String) {
        self.entity = entity
        self.field = field
    }
}

/// How a list continues.
public enum Paging: Sendable, Hashable {
    public struct Size: Sendable, Hashable {
        public var parameter: String
        public var value: Int

        public init(parameter: String, value: Int) {
            self.parameter = parameter
            self.value = value
        }
    }

    /// One answer holds everything.
    case none
    /// Page numbers from `first`; ends with an empty or missing page, with fewer items than asked for, or with `total`.
    case number(parameter: String, first: Int, size: Size?, total: JSONPath?)
    /// Offsets in items; `size` is the step.
    case offset(parameter: String, size: Size, total: JSONPath?)
    /// A link to the next page in the body; `null`, empty or absent at the end.
    case bodyLink(next: JSONPath, size: Size?)
    /// A token in the body that goes into a query parameter.
    case token(next: JSONPath, parameter: String, size: Size?)
}

/// How to ask for changes only.
public struct Since: Sendable, Hashable {
    public enum Origin: Sendable, Hashable {
        /// The highest value of this field on the pages.
        case field(JSONPath)
        /// The `Date` header of the first page.
        case responseDate
        /// A header of the first page.
        case header(String)
        /// A value that stands once in the body.
        case body(JSONPath)
    }

    /// The query parameter.
    public var parameter: String
    public var origin: Origin
    /// Asked for again each time, before the cursor; zero where the filter is inclusive and exact.
    public var overlap: Duration = .zero
    /// After this long without a pull everything is asked for again.
    public var expires: Duration?
    /// Added to incremental requests only.
    public var query: [NamedText] = []

    public init(parameter: String, origin: Origin) {
        self.parameter = parameter
        self.origin = origin
    }
}

/// How the server says that an object is gone, and when it may be deleted here.
public struct Deletes: Sendable, Hashable {
    /// Absence from a complete, unfiltered list means deleted; each case is confirmed where the list can shift.
    public var byAbsence = false
    /// A field that marks a deleted object; with `equals` nil any value but null and false marks it.
    public var field: JSONPath?
    public var equals: Value?
    /// A delete is refused while offline.
    public var onlineOnly = false

    public init() {}
}

/// How a write makes sure that it does not undo another's.
public enum Version: Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        case field(JSONPath)
        case header(String)
    }

    /// Writes are not checked.
    case none
    /// GET and merge before each update or delete.
    case compare
    /// The token is sent as `If-Match` (RFC 9110 §13.1.1); `ordered`: a greater text is newer.
    case ifMatch(Place, ordered: Bool)
    /// The token is only stored and compared, and travels in the body of the write if it is a member of the record.
    case token(Place, ordered: Bool)
}

/// How to find out whether a create whose answer was lost has happened: a member that the client sets and the server
/// keeps unique. Atmosphere fills it with a UUID where the application leaves it out.
public struct Lookup: Sendable, Hashable {
    public var field: String
    /// The query parameter of the list that filters by it.
    public var parameter: String

    public init(field: String, parameter: String) {
        self.field = field
        self.parameter = parameter
    }
}

/// How the API says that a create has happened before.
public struct Duplicate: Sendable, Hashable {
    public var statuses: [Int]
    /// The error body has messages for this field; nil where the status is enough.
    public var field: String?

    public init(statuses: [Int], field: String? = nil) {
        self.statuses = statuses
        self.field = field
    }
}

/// What happens when both sides changed.
public struct ConflictRules: Sendable, Hashable {
    public enum Policy: String, Sendable, Hashable, CaseIterable {
        /// Members changed on one side only are combined; `clash` decides the others.
        case merge
        case mine, theirs, newest, ask
    }
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        case delete, recreate, ask
    }

    public var policy = Policy.merge
    /// For a member that both sides changed, under `merge`.
    public var clash = Policy.ask
    /// For single members.
    public var fields: [String: Policy] = [:]
    /// Deleted there, edited here.
    public var deletedThere = DeleteRule.ask
    /// Deleted here, edited there.
    public var deletedHere = DeleteRule.ask
    /// For `newest`: the member that holds the time of the last change.
    public var time: String?

    public init() {}
}

/// A member's type, for equality, comparison and formats that write no types.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    case string, integer, decimal, float, boolean, instant, date, json
}

/// How members are compared and merged.
public struct FieldRules: Sendable, Hashable {
    public enum Merge: String, Sendable, Hashable, CaseIterable {
        /// Members of a nested object are merged one by one.
        case deep
        /// Elements of an array are added and removed.
        case set
        /// Lines of a text.
        case lines
    }

    public var types: [String: FieldType] = [:]
    public var merge: [String: Merge] = [:]
    /// Members that win or lose as one.
    public var together: [[String]] = []
    /// Values that mean the same as absence.
    public var absentEquals: [Value] = []

    public init() {}
}

/// Where an error body says what was wrong, and what a status means.
public struct ErrorRules: Sendable, Hashable {
    public enum Treatment: String, Sendable, Hashable, CaseIterable {
        /// Refused for good.
        case reject
        /// Pause the origin and try again.
        case wait
        /// Try again with backoff.
        case retry
        /// The credentials are not accepted.
        case unauthorized
        case conflict
        /// The object does not exist (any more).
        case gone
    }

    public struct Rule: Sendable, Hashable {
        public var statuses: [Int]
        /// Only where the body holds this value at this path.
        public var path: JSONPath?
        public var values: [Value]
        public var treatment: Treatment

        public init(statuses: [Int], path: JSONPath? = nil, values: [Value] = [], treatment: Treatment) {
            self.statuses = statuses
            self.path = path
            self.values = values
            self.treatment = treatment
        }
    }

    /// The object whose members are fields and whose values are messages, or lists of them.
    public var fields: JSONPath?
    /// Paths of a message for the whole object; the first that is there counts.
    public var messages: [JSONPath] = []
    /// Members of the fields object that are messages for the whole object.
    public var general: [String] = []
    /// The first that fits counts; else the status decides as the guide's table says.
    public var rules: [Rule] = []

    public init() {}
}

/// A request beyond create, read, update and delete.
public struct Action: Sendable, Hashable {
    public var name: String
    public var method: String
    public var path: PathTemplate
    /// What it can be called with (`when`): a change of these members alone may be sent as this action. Empty for an
    /// action that is only called by name.
    public var arguments: [String]
    /// Arguments sent in the query; all others go into the body.
    public var query: [String]
    /// Whether it may be sent again after a lost answer.
    public var mayRepeat: Bool

    public init(
        name: String, method: String, path: PathTemplate, arguments: [String] = [], query: [String] = [],
        mayRepeat: Bool = false
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.arguments = arguments
        self.query = query
        self.mayRepeat = mayRepeat
    }
}
