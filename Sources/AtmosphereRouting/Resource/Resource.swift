/// How one entity is listed, read, written and merged.
package struct Resource: Sendable, Hashable {
    /// The entity.
    package var name: String
    /// How answers are read: `json`, `xml`, or what another adapter reads.
    package var format = "json"
    /// How request bodies are written: `json`, `form`, `xml`, or what another adapter writes.
    package var coding = "json"
    /// Sent as `Accept`, and as the `Content-Type` of bodies in the same format; nil for the format's own.
    package var mediaType: String?
    /// Used by the format `xml` alone.
    package var xml = XMLLayout()
    /// The request for a page of objects; `isOffered` is false where there is no list.
    package var list: Operation
    /// The request for one object.
    package var read: Operation
    /// The request that makes one.
    package var create: Operation
    /// The request that changes one.
    package var update: Operation
    /// The request that removes one.
    package var delete: Operation
    /// Sent with every request for this entity.
    package var headers: [NamedText] = []

    /// The member (or path) that holds the identifier.
    package var id = JSONPath.member("id")
    /// Who gives a new object its identifier.
    package var assigned = IDAssignment.server
    /// Identifiers are unique below their parents only: the parents' stand in front, `LIST/TASK`.
    package var isUniquePerParent = false

    /// The identifier as the API has it, of what stands at an address here.
    package func ownID(in uri: ObjectURI) -> String { isUniquePerParent ? uri.segments.last ?? uri.id : uri.id }

    /// Outermost parent first, as the list path names them.
    package var parents: [Reference] = []
    /// Members that hold identifiers of other entities, the parents' among them.
    package var references: [Reference] = []

    /// Members that the server shows as the address of an object, by name, and how they are written.
    package var links: [String: LinkForm] = [:]
    /// What stands at ``id`` is the object's address, whose last segment is the identifier.
    package var isIDLink = false

    /// Members that the server takes and never shows, such as a comment on a change.
    package var writeonly: MemberNames = []

    /// Where the items of a list stand; nil for a bare array. A body that is itself an array is the items all the same.
    package var items: JSONPath?
    /// A list without objects lacks ``items``; elsewhere that is an unexpected answer.
    package var areItemsOptional = false
    /// Where an element of a list says that it is an error in the place of an object; nil where none ever is.
    package var failedItems: JSONPath?
    /// Where the one object stands in an answer to a read or a write; nil for the whole body.
    package var item: JSONPath?
    /// One root member to strip from each item read, where it is there; nil for none.
    package var readRoot: String?
    /// The one member that each body written is put into; nil for none.
    package var writeRoot: String?

    /// How a list continues; ``Paging/none`` by default: one answer holds everything.
    package var paging = Paging.none
    /// Where an answer says whether more follows, whatever next page or token it names; nil where that is enough.
    package var more: Paging.Place?
    /// What stands there says that the page is the last one, and not that more follows.
    package var moreSaysEnd = false
    /// With these statuses the server says that a page is past the end; never looked at on the first page.
    package var endStatuses = [404, 410]
    /// When the rest of what a partial answer leaves out is read.
    package var detail = Detail.onChange
    /// How a pull asks for changes only; nil for everything each time.
    package var since: Since?
    /// How a pull learns that objects are gone; by nothing, by default.
    package var deletes = Deletes()
    /// How writes are kept from undoing another's; ``Version/compare`` by default.
    package var version = Version.compare
    /// What becomes of the token's quotes on its way into `If-Match`.
    package var versionQuotes = VersionQuotes.keep
    /// Added to the version, a whole number, wherever it is sent: an API may want the number that is to be.
    package var versionStep = 0
    /// Whether `If-Match` carries a weak entity tag (`W/"…"`), which never matches by RFC 9110 §13.1.1 and does on servers
    /// of OData; nil for the rule: one that stands in a member is sent as it came, and one from a header is not.
    package var weakVersions: WeakVersions?
    /// Members never sent.
    package var readonly: MemberNames = []
    /// How a create without an answer is found again; nil where it cannot be.
    package var lookup: Lookup?
    /// How the server says that a create has happened before; nil where it does not.
    package var duplicate: Duplicate?
    /// What happens when both sides changed an object.
    package var conflict = ConflictRules()
    /// Types of members, and how they are compared and merged.
    package var fields = FieldRules()
    /// Where fields stand in records and bodies, and under which name.
    package var mapping = FieldMapping()
    /// Fields that the store keeps sorted, so that queries by them cost what they answer; each has a type in the
    /// route file (`types`). Several in one list are sorted by the first, then by the next.
    package var indexes: [[String]] = []
    /// What answers mean that are no success.
    package var errors = ErrorRules()
    /// The right to change an object, which updates, deletes and queued actions need first.
    package var lease: Lease?
    /// nil where everything is kept.
    package var retention: Retention?
    /// Requests beyond the four of every object, by name.
    package var actions: [Action] = []
    /// Subsets that the server makes, by name.
    package var views: [View] = []
    /// Endpoints that take several writes at once, each verb in one of them at most.
    package var batches: [Batch] = []
    /// How contents of members travel, see ``attachment(_:)``.
    package var attachments: [Attachment] = []

    /// A resource with these requests and otherwise the defaults of this type, not those of a style.
    package init(
        name: String, list: Operation, read: Operation, create: Operation, update: Operation, delete: Operation
    ) {
        self.name = name
        self.list = list
        self.read = read
        self.create = create
        self.update = update
        self.delete = delete
    }

    /// The five operations with their keys, the list first.
    package var operations: [(name: String, operation: Operation)] {
        Array(zip(RouteVocabulary.operationNames, [list, read, create, update, delete])).map { ($0, $1) }
    }

    /// The endpoint that carries a verb; nil where each write is a request of its own.
    package func batch(for verb: Verb) -> Batch? { batches.first { $0.item(verb) != nil } }

    /// The endpoint that reads an object; nil where `read` is a request of its own.
    package var readBatch: Batch? { batches.first { $0.read != nil } }

    /// Where a create goes, with others or alone.
    package var createPath: PathTemplate { batch(for: .create)?.path ?? create.path }

    /// Every try of a create carries the same key, which the server knows again.
    package var createHasKey: Bool {
        guard let batch = batch(for: .create) else { return create.idempotencyHeader != nil }
        return batch.create?.idempotency.isEmpty == false
    }

    /// How the content of a member travels; nil where nothing is said of it.
    package func attachment(_ name: String) -> Attachment? {
        attachments.first { $0.name == name } ?? attachments.first { $0.name == Attachment.others }
    }

    /// The list of what was deleted as a resource of its own, so that it is asked for and read as any list is; nil where
    /// none is declared. It offers nothing but its list.
    package var tombstones: Resource? { deletes.list?.resource(like: self) }

    /// A fetch reads what the list leaves out.
    package var readsDetails: Bool { detail == .onRead && list.shape == .partial && read.isOffered }
}

/// When the members that a partial answer (``Operation/Shape``) leaves out are read.
package enum Detail: String, Sendable, Hashable, CaseIterable {
    /// With each object of a list that is new or has changed, and after each write.
    case onChange = "on-change"
    /// When the application fetches or refreshes the object.
    case onRead = "on-read"
    /// Only by an explicit refresh.
    case never
}

/// Who gives a new object its identifier.
package enum IDAssignment: String, Sendable, Hashable, CaseIterable {
    /// The server's answer to the create holds it.
    case server
    /// The client's UUID is permanent; the create sends it.
    case client
}

/// A member that holds the identifier of an object of another entity.
package struct Reference: Sendable, Hashable {
    /// The entity that is referred to.
    package var entity: String
    /// The member that holds the identifier.
    package var field: String

    /// A reference to an entity, by a member.
    package init(entity: String, field: String) {
        self.entity = entity
        self.field = field
    }
}
