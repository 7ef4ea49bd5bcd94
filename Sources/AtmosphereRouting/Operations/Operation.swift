/// One verb of a resource.
package struct Operation: Sendable, Hashable {
    /// What a write sends.
    package enum BodyKind: String, Sendable, Hashable, CaseIterable {
        /// Nothing; the whole record; the members that were changed.
        case none, whole, changed
    }
    /// What an answer holds. A member missing from a partial one is unknown, not absent.
    package enum Shape: String, Sendable, Hashable, CaseIterable {
        /// All members of an object; some of them.
        case whole, partial
    }

    /// In capitals: `PATCH`.
    package var method: String
    /// Below the base.
    package var path: PathTemplate
    /// What the request carries; nothing by default.
    package var body = BodyKind.none
    /// Values have the places of a path, and in an update or a delete `{version}`.
    package var query: [NamedText] = []
    /// Sent with this request, over the resource's; values have the same places.
    package var headers: [NamedText] = []
    /// Where the one object stands in the answer; nil for the resource's ``Resource/item``.
    package var item: JSONPath?
    /// Where the identifier stands in the answer to a create or an update that is not the object itself, inside ``item``;
    /// nothing else is taken from such an answer. nil for the resource's ``Resource/id``.
    package var id: JSONPath?
    /// Members put into the body of the write, over the record's own; for a list the body that asks for it.
    package var set = Value.Members()
    /// Of a list that is asked for with a body: the parameters of pages, changes and look-ups stay in the query.
    package var keepsParametersInQuery = false
    /// Members that the body of the write carries besides what it says anyway: unchanged ones, read-only ones, the
    /// identifier. The value is the object's.
    package var with: [String] = []
    /// Members that the body of the write never carries.
    package var without: MemberNames = []
    /// What its answer holds; ``Shape/whole`` by default.
    package var shape = Shape.whole
    /// The header that carries the idempotency key of a create.
    package var idempotencyHeader: String?
    /// A list is asked for with the entity tag that it had before (`If-None-Match`, RFC 9110 §13.1.2); a create is sent
    /// with `If-None-Match: *`, and the server refuses it where the object exists.
    package var isConditional = false
    /// The API does not offer it: `create: null` in the route file.
    package var isOffered = true

    /// A request without body and query that answers with a whole object.
    package init(method: String, path: PathTemplate) {
        self.method = method
        self.path = path
    }

    /// Whether a write has a body.
    package var sendsBody: Bool { body != .none || !set.isEmpty || !with.isEmpty }

    /// What stands beside the path, and may have places too.
    package var besidePath: [NamedText] { query + headers }

    /// The entities whose objects the request names, in its path first.
    package var parentEntities: [String] {
        var entities = path.parentEntities
        for text in besidePath {
            for entity in text.template.parentEntities where !entities.contains(entity) { entities.append(entity) }
        }
        return entities
    }

    /// Whether the query names the object: `id=eq.{id}`.
    var namesObjectBesidePath: Bool {
        query.contains { text in
            text.template.parts.contains { if case .field(let name) = $0 { name != NamedText.version } else { false } }
        }
    }

    /// The body of a list that takes the parameters of pages, changes and look-ups; nil where they go into the query.
    package var bodyOfParameters: Value.Members? { self.set.isEmpty || keepsParametersInQuery ? nil : self.set }

    /// The body of a list whose parameters go into the query all the same.
    package var bodyBesideQuery: Value.Members? { self.set.isEmpty || !keepsParametersInQuery ? nil : self.set }
}
