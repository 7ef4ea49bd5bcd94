/// How one entity is listed, read, written and merged.
public struct Resource: Sendable, Hashable {
    /// The entity.
    public var name: String
    /// How answers are read: `json`, `xml`, or what another adapter reads.
    public var format = "json"
    /// How request bodies are written: `json`, `form`, `xml`, or what another adapter writes.
    public var coding = "json"
    /// Sent as `Accept`, and as the `Content-Type` of bodies in the same format; nil for the format's own.
    public var mediaType: String?
    /// Used by the format `xml` alone.
    public var xml = XMLLayout()
    /// The request for a page of objects; `isOffered` is false where there is no list.
    public var list: Operation
    /// The request for one object.
    public var read: Operation
    /// The request that makes one.
    public var create: Operation
    /// The request that changes one.
    public var update: Operation
    /// The request that removes one.
    public var delete: Operation
    /// Sent with every request for this entity.
    public var headers: [NamedText] = []

    /// The member (or path) that holds the identifier.
    public var id = JSONPath.member("id")
    /// Who gives a new object its identifier.
    public var assigned = IDAssignment.server
    /// Identifiers are unique below their parents only: the parents' stand in front, `LIST/TASK`.
    public var isUniquePerParent = false

    /// The identifier as the API has it, of what stands at an address here.
    func ownID(in uri: ObjectURI) -> String { isUniquePerParent ? uri.segments.last ?? uri.id : uri.id }

    /// Outermost parent first, as the list path names them.
    public var parents: [Reference] = []
    /// Members that hold identifiers of other entities, the parents' among them.
    public var references: [Reference] = []

    /// Members that the server shows as the address of an object, by name, and how they are written.
    public var links: [String: LinkForm] = [:]
    /// What stands at ``id`` is the object's address, whose last segment is the identifier.
    public var isIDLink = false

    /// Members that the server takes and never shows, such as a comment on a change.
    public var writeonly: Set<String> = []

    /// Where the items of a list stand; nil for a bare array. A body that is itself an array is the items all the same.
    public var items: JSONPath?
    /// A list without objects lacks ``items``; elsewhere that is an unexpected answer.
    public var areItemsOptional = false
    /// Where an element of a list says that it is an error in the place of an object; nil where none ever is.
    public var failedItems: JSONPath?
    /// Where the one object stands in an answer to a read or a write; nil for the whole body.
    public var item: JSONPath?
    /// One root member to strip from each item read, where it is there; nil for none.
    public var readRoot: String?
    /// The one member that each body written is put into; nil for none.
    public var writeRoot: String?

    /// How a list continues; ``Paging/none`` by default: one answer holds everything.
    public var paging = Paging.none
    /// Where an answer says whether more follows, whatever next page or token it names; nil where that is enough.
    public var more: Paging.Place?
    /// What stands there says that the page is the last one, and not that more follows.
    public var moreSaysEnd = false
    /// With these statuses the server says that a page is past the end; never looked at on the first page.
    public var endStatuses = [404, 410]
    /// When the rest of what a partial answer leaves out is read.
    public var detail = Detail.onChange
    /// How a pull asks for changes only; nil for everything each time.
    public var since: Since?
    /// How a pull learns that objects are gone; by nothing, by default.
    public var deletes = Deletes()
    /// How writes are kept from undoing another's; ``Version/compare`` by default.
    public var version = Version.compare
    /// What becomes of the token's quotes on its way into `If-Match`.
    public var versionQuotes = VersionQuotes.keep
    /// Added to the version, a whole number, wherever it is sent: an API may want the number that is to be.
    public var versionStep = 0
    /// Whether `If-Match` carries a weak entity tag (`W/"…"`), which never matches by RFC 9110 §13.1.1 and does on servers
    /// of OData; nil for the rule: one that stands in a member is sent as it came, and one from a header is not.
    public var weakVersions: WeakVersions?
    /// Members never sent.
    public var readonly: Set<String> = []
    /// How a create without an answer is found again; nil where it cannot be.
    public var lookup: Lookup?
    /// How the server says that a create has happened before; nil where it does not.
    public var duplicate: Duplicate?
    /// What happens when both sides changed an object.
    public var conflict = ConflictRules()
    /// Types of members, and how they are compared and merged.
    public var fields = FieldRules()
    /// Where fields stand in records and bodies, and under which name.
    public var mapping = FieldMapping()
    /// Fields that the store keeps sorted, so that queries by them cost what they answer; each has a type in ``fields``.
    /// Several in one list are sorted by the first, then by the next.
    public var indexes: [[String]] = []
    /// What answers mean that are no success.
    public var errors = ErrorRules()
    /// The right to change an object, which updates, deletes and queued actions need first.
    public var lease: Lease?
    /// nil where everything is kept.
    public var retention: Retention?
    /// Requests beyond the four of every object, by name.
    public var actions: [Action] = []
    /// Subsets that the server makes, by name.
    public var views: [View] = []
    /// Endpoints that take several writes at once, each verb in one of them at most.
    public var batches: [Batch] = []
    /// How contents of members travel, see ``attachment(_:)``.
    public var attachments: [Attachment] = []

    /// A resource with these requests and otherwise the defaults of this type, not those of a style.
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

/// A header, a parameter, a field of a form.
public struct NamedText: Sendable, Hashable {
    /// As it is sent, or as a form or a query calls it.
    public var name: String
    /// As it is before it is encoded.
    public var value: String

    /// A name with its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// One verb of a resource.
public struct Operation: Sendable, Hashable {
    /// What a write sends.
    public enum BodyKind: String, Sendable, Hashable, CaseIterable {
        /// Nothing; the whole record; the members that were changed.
        case none, whole, changed
    }
    /// What an answer holds. A member missing from a partial one is unknown, not absent.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        /// All members of an object; some of them.
        case whole, partial
    }

    /// In capitals: `PATCH`.
    public var method: String
    /// Below the base.
    public var path: PathTemplate
    /// What the request carries; nothing by default.
    public var body = BodyKind.none
    /// Values have the places of a path, and in an update or a delete `{version}`.
    public var query: [NamedText] = []
    /// Sent with this request, over the resource's; values have the same places.
    public var headers: [NamedText] = []
    /// Where the one object stands in the answer; nil for the resource's ``Resource/item``.
    public var item: JSONPath?
    /// Where the identifier stands in the answer to a create or an update that is not the object itself, inside ``item``;
    /// nothing else is taken from such an answer. nil for the resource's ``Resource/id``.
    public var id: JSONPath?
    /// Members put into the body of the write, over the record's own; for a list the body that asks for it.
    public var set = Value.Members()
    /// Of a list that is asked for with a body: the parameters of pages, changes and look-ups stay in the query.
    public var keepsParametersInQuery = false
    /// Members that the body of the write carries besides what it says anyway: unchanged ones, read-only ones, the
    /// identifier. The value is the object's.
    public var with: [String] = []
    /// Members that the body of the write never carries.
    public var without: Set<String> = []
    /// What its answer holds; ``Shape/whole`` by default.
    public var shape = Shape.whole
    /// The header that carries the idempotency key of a create.
    public var idempotencyHeader: String?
    /// A list is asked for with the entity tag that it had before (`If-None-Match`, RFC 9110 §13.1.2); a create is sent
    /// with `If-None-Match: *`, and the server refuses it where the object exists.
    public var isConditional = false
    /// The API does not offer it: `create: null` in the route file.
    public var isOffered = true

    /// A request without body and query that answers with a whole object.
    public init(method: String, path: PathTemplate) {
        self.method = method
        self.path = path
    }
}

/// When the members that a partial answer (``Operation/Shape``) leaves out are read.
public enum Detail: String, Sendable, Hashable, CaseIterable {
    /// With each object of a list that is new or has changed, and after each write.
    case onChange = "on-change"
    /// When the application fetches or refreshes the object.
    case onRead = "on-read"
    /// Only by an explicit refresh.
    case never
}

/// Who gives a new object its identifier.
public enum IDAssignment: String, Sendable, Hashable, CaseIterable {
    /// The server's answer to the create holds it.
    case server
    /// The client's UUID is permanent; the create sends it.
    case client
}

/// A member that holds the identifier of an object of another entity.
public struct Reference: Sendable, Hashable {
    /// The entity that is referred to.
    public var entity: String
    /// The member that holds the identifier.
    public var field: String

    /// A reference to an entity, by a member.
    public init(entity: String, field: String) {
        self.entity = entity
        self.field = field
    }
}

/// How a list continues.
public enum Paging: Sendable, Hashable {
    /// How many items a page is asked for with.
    public struct Size: Sendable, Hashable {
        /// The query parameter.
        public var parameter: String
        /// Items; a server may send fewer.
        public var value: Int

        /// A size in items, asked for with a parameter.
        public init(parameter: String, value: Int) {
            self.parameter = parameter
            self.value = value
        }
    }

    /// Where an answer says something of its list.
    public enum Place: Sendable, Hashable {
        /// At a path of the body.
        case body(JSONPath)
        /// In the header of this name.
        case header(String)

        /// A top-level member of the body.
        public static func member(_ name: String) -> Place { .body(.member(name)) }
    }

    /// How long the whole list is, as the server says it.
    public enum Total: Sendable, Hashable {
        /// Items in all.
        case items(Place)
        /// Pages in all.
        case pages(Place)

        /// Items in all, in a top-level member of the body.
        public static func member(_ name: String) -> Total { .items(.member(name)) }
    }

    /// One answer holds everything.
    case none
    /// Page numbers from `first`; ends with an empty or missing page, or with `total`.
    case number(parameter: String, first: Int, size: Size?, total: Total?)
    /// Offsets in items; `size` is the step.
    case offset(parameter: String, size: Size, total: Total?)
    /// A link to the next page in the body; `null`, empty or absent at the end.
    case bodyLink(next: JSONPath, size: Size?)
    /// A link to the next page in a header: the one with `rel="next"` (RFC 8288), or a bare URL.
    case headerLink(name: String, size: Size?)
    /// A token that goes into a query parameter; absent or empty at the end.
    case token(next: Place, parameter: String, size: Size?)
}

/// How to ask for changes only.
public struct Since: Sendable, Hashable {
    /// Where the value comes from that the next pull asks with. Always the server's, never this machine's clock.
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
    /// Where the value is taken from that is sent next time.
    public var origin: Origin
    /// The cursor is taken from each page, so that the last one's counts: a token that stands for all that was listed.
    public var takesLastPage = false
    /// Asked for again each time, before a cursor that is a time: what was changed in the second of the last pull, or by
    /// a transaction that was still open then, would be missed otherwise.
    public var overlap = Duration.seconds(60)
    /// After this long without a pull everything is asked for again.
    public var expires: Duration?
    /// Added to incremental requests only.
    public var query: [NamedText] = []
    /// Added to full requests only.
    public var fullQuery: [NamedText] = []
    /// The list is sorted by the cursor, ascending, so each page moves the cursor and an interrupted pull goes on from
    /// what was stored, whatever has moved between the pages meanwhile.
    public var isAscending = false
    /// How a time is written; nil for the server's own way.
    public var format: TimeFormat?
    /// What stands in front of the value.
    public var prefix = ""
    /// What stands around the value; nothing by default.
    public var quotes = Quotes.none
    /// What stands behind the value and its quotes.
    public var suffix = ""

    /// What stands around the value in the request.
    public enum Quotes: String, Sendable, Hashable, CaseIterable {
        /// Nothing; `'…'`; `"…"`.
        case none, single, double

        func around(_ text: String) -> String {
            switch self {
            case .none: text
            case .single: "'\(PathTemplate.doublingQuotes(text))'"
            case .double: "\"\(text)\""
            }
        }
    }

    /// A value that is sent as it came, with an overlap of 60 seconds where it is a time.
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
    /// What marks a deleted object at ``field``; nil for any value but null and false.
    public var equals: Value?
    /// A delete is refused while offline.
    public var onlineOnly = false

    /// Nothing tells that an object is gone.
    public init() {}
}

/// How a write makes sure that it does not undo another's.
public enum Version: Sendable, Hashable {
    /// Where an answer holds the version's token.
    public enum Place: Sendable, Hashable {
        /// At a path of the record.
        case field(JSONPath)
        /// In the header of this name.
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
    /// The member that holds the token goes back in the body of every update, changed or not (`lock_version`); the
    /// server refuses an old one.
    case body(JSONPath, ordered: Bool)
}

/// What becomes of the quotes of a version token: an entity tag has them (RFC 9110 §8.8.3), and not every API keeps to
/// that.
public enum VersionQuotes: String, Sendable, Hashable, CaseIterable {
    /// Sent as it came.
    case keep
    /// Put around a token that has none.
    case add
    /// Taken from a token that has them.
    case remove
}

/// What becomes of a weak entity tag where versions go into `If-Match`.
public enum WeakVersions: String, Sendable, Hashable, CaseIterable {
    /// The object is read and merged before the write, which goes without.
    case read
    /// Sent as it came.
    case send
}

/// How to find out whether a create whose answer was lost has happened: a member that the client sets and the server
/// keeps unique. Atmosphere fills it with a UUID where the application leaves it out.
public struct Lookup: Sendable, Hashable {
    /// The member that the client sets.
    public var field: String
    /// The query parameter of the list that filters by it.
    public var parameter: String
    /// Parameters of the list that a look-up leaves out, because they would hide the object.
    public var without: Set<String>
    /// All that hide it are named in ``without``: the others, of an order or of what an answer holds, leave nothing out.
    public var knowsWhatHides = false
    /// Where the look-up is asked for by GET, with nothing but its own parameter; nil for the list.
    public var path: PathTemplate?
    /// Where the objects stand in the answer from ``path``; nil where the list has them.
    public var items: JSONPath?
    /// What stands in front of the value.
    public var prefix = ""
    /// What stands around the value; a single quote inside of single ones is written twice.
    public var quotes = Since.Quotes.none
    /// What stands behind the value and its quotes.
    public var suffix = ""

    /// A look-up by a member, in the list that a parameter filters by it.
    public init(field: String, parameter: String, without: Set<String> = []) {
        self.field = field
        self.parameter = parameter
        self.without = without
    }

    /// The parameters of a list's own query that a look-up sends, too, and that could hide the object.
    func filters(of list: Operation) -> [NamedText] {
        path == nil && !knowsWhatHides ? list.query.filter { !without.contains($0.name) } : []
    }
}

/// How the API says that a create has happened before.
public struct Duplicate: Sendable, Hashable {
    /// The statuses of such an answer.
    public var statuses: [Int]
    /// The error body has messages for this field; nil where the status is enough.
    public var field: String?

    /// Any of these statuses, with messages for the field where one is given.
    public init(statuses: [Int], field: String? = nil) {
        self.statuses = statuses
        self.field = field
    }
}

/// What happens when both sides changed.
public struct ConflictRules: Sendable, Hashable {
    /// Who wins where both sides changed.
    public enum Policy: String, Sendable, Hashable, CaseIterable {
        /// Members changed on one side only are combined; `clash` decides the others.
        case merge
        /// Decides members that both sides changed, as ``merge`` does for the others: what is here wins; what the
        /// server has; what has the later ``ConflictRules/time``, and the server's where that cannot be read on both
        /// sides; a person decides, and the object is conflicted until then.
        case mine, theirs, newest, ask
    }
    /// What wins where one side deleted what the other edited.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// The delete wins; the edit wins, and the object is created anew or kept here; a person decides.
        case delete, recreate, ask
    }

    /// For the object; ``Policy/merge`` by default.
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
    /// Asked in code for members that both sides changed, before the policies; no route file can name one.
    public var resolver: ConflictResolver?

    /// Members are merged, and a person decides what both sides changed.
    public init() {}
}

/// A member's type, for equality, comparison and formats that write no types.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    /// How a value is read to be compared, from a JSON value of the kind or from its text: by Unicode scalars; as exact
    /// numbers, whole ones and others; as a binary number; as true or false, also 1 and 0; as a time (RFC 3339); as a
    /// day; as the JSON value it is.
    case string, integer, decimal, float, boolean, instant, date, json
    /// A time that is written as a number, which counts from 1970.
    case seconds, milliseconds, microseconds
}

/// How members are compared and merged.
public struct FieldRules: Sendable, Hashable {
    /// How a member of which both sides changed parts is put together.
    public enum Merge: String, Sendable, Hashable, CaseIterable {
        /// Members of a nested object are merged one by one.
        case deep
        /// Elements of an array are added and removed.
        case set
        /// Lines of a text.
        case lines
    }

    /// By member; one without a type is compared as JSON, numbers by value.
    public var types: [String: FieldType] = [:]
    /// By member; one that is not here is one piece.
    public var merge: [String: Merge] = [:]
    /// Members that win or lose as one.
    public var together: [[String]] = []
    /// Values that mean the same as absence.
    public var absentEquals: [Value] = []
    /// Where the value of a member tells which content it stands for; `*` is for every member that is not there. Values
    /// that have the same there are equal.
    public var identities: [String: JSONPath] = [:]
    /// Members that are links, which hold identifiers: `1` and `"1"` mean the same object.
    public var links: Set<String> = []

    /// How a member says a point in time; without a type that does so as a text.
    func typeOfMoment(_ name: String) -> FieldType { types[name].flatMap { $0.isMoment ? $0 : nil } ?? .instant }

    /// No types: members are compared as JSON, and each is one piece.
    public init() {}
}

/// Where an error body says what was wrong, and what a status means.
public struct ErrorRules: Sendable, Hashable {
    /// What an answer that is no success means for the change.
    public enum Treatment: String, Sendable, Hashable, CaseIterable {
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
    public struct Rule: Sendable, Hashable {
        /// Any of these.
        public var statuses: [Int]
        /// Only answers to requests with one of these methods; empty for all. One result of a batch answers none.
        public var methods: [String] = []
        /// Only where the body holds this value at this path.
        public var path: JSONPath?
        /// Any of these stands at ``path``; empty for any value there.
        public var values: [Value]
        /// What such an answer means.
        public var treatment: Treatment

        /// A rule for answers to any method.
        public init(statuses: [Int], path: JSONPath? = nil, values: [Value] = [], treatment: Treatment) {
            self.statuses = statuses
            self.path = path
            self.values = values
            self.treatment = treatment
        }
    }

    /// What says which field was wrong; the first path that is there counts. An object's members are fields and its
    /// values messages, or lists of them; a list holds an object for each message, see ``field`` and ``message``.
    public var fields: [JSONPath] = []
    /// Where the field stands in an object of such a list.
    public var field = JSONPath.member("field")
    /// Where the message stands in such an object; the first path that is there counts.
    public var message = [JSONPath.member("message")]
    /// Paths of a message for the whole object; the first that is there counts.
    public var messages: [JSONPath] = []
    /// Members of the fields object that are messages for the whole object.
    public var general: [String] = []
    /// The first that fits counts; else the status decides as the guide's table says.
    public var rules: [Rule] = []

    /// Nothing is declared: the status decides.
    public init() {}
}

/// A request beyond create, read, update and delete.
public struct Action: Sendable, Hashable {
    /// What the application and the command call it.
    public var name: String
    /// In capitals: `POST`.
    public var method: String
    /// Below the base; `{id}` is the object.
    public var path: PathTemplate
    /// The members whose change is sent by this action instead of by the update (`when`), with the values of all of
    /// them. Empty for an action that is only called by name.
    public var arguments: [String]
    /// Arguments sent in the query; all others go into the body.
    public var query: [String]
    /// Arguments sent in the body; nil for any. A name that is declared nowhere is refused then.
    public var body: [String]?
    /// The member around the body; nil for none.
    public var root: String?
    /// Whether it may be sent again after a lost answer.
    public var mayRepeat: Bool

    /// An action that takes any argument in its body, and is not repeated after a lost answer unless `mayRepeat` says
    /// so.
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
