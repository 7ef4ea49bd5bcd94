/// An endpoint that takes several writes in one request and answers each of them.
///
/// What is sent, when, and what an answer means stays as it is for a write of its own: a batch only carries it.
package struct Batch: Sendable, Hashable {
    /// How one write is put among the others. Paths are made of names; what is not declared is not written.
    package struct Item: Sendable, Hashable {
        /// Members that every item has, such as the name of the operation; objects are merged with what else is there.
        package var set = Value.Members()
        /// Where the body stands that the write would have alone; empty for the item itself.
        package var body: [String] = []
        /// Where the object's identifier stands.
        package var id: [String]?
        /// The version token that the server compares.
        package var version: [String]?
        /// Where a key stands that stays the same for every try of one change.
        package var idempotency: [[String]] = []
        /// A number from 1, as text, which the result repeats.
        package var key: [String]?
        /// The path that the write would have alone, with a slash in front.
        package var path: [String]?

        /// An item that is the body of the write itself.
        package init() {}
    }

    /// Which result is whose.
    package enum Match: Sendable, Hashable {
        /// They are in the order of the items, and as many.
        case position
        /// What stands at `sent` in the item stands at `found` in its result.
        case key(sent: JSONPath, found: JSONPath)
        /// What stands at `sent` in the item is the name of its result, in an object of results.
        case name(sent: JSONPath)

        /// Where the key stands in an item by which its result is known.
        package var sent: JSONPath? {
            switch self {
            case .position: nil
            case .key(let sent, _), .name(let sent): sent
            }
        }
    }

    /// Where an answer says what became of writes, and how it says so.
    package struct Results: Sendable, Hashable {
        /// What tells the status of one write.
        package enum Status: Sendable, Hashable {
            /// It stands in the result: a number, a text that begins with one, or a word that ``codes`` explains. Where it
            /// is missing the write has succeeded, unless there is an ``error``.
            case found(JSONPath)
            /// Every result at this place has it.
            case always(Int)

            /// Where it stands in a result; nil where all have the same.
            package var path: JSONPath? { if case .found(let path) = self { path } else { nil } }
            /// What all results of the place have; nil where each says its own.
            package var fixed: Int? { if case .always(let status) = self { status } else { nil } }
        }

        /// Where the list of results stands; nil for a body that is the list.
        package var path: JSONPath?
        /// By position, unless said otherwise.
        package var match = Match.position
        /// nil where a write has succeeded, unless there is an ``error``.
        package var status: Status?
        /// The HTTP status that each of the API's own words means.
        package var codes: [String: Int] = [:]
        /// Where a result says when to try again, as `Retry-After` does: seconds, or a date.
        package var retryAfter: JSONPath?
        /// Where the object stands in a result; nil for the result itself. At a place whose ``status`` is always a refusal
        /// it is the object as the server has it, which a conflict is merged with.
        package var body: JSONPath?
        /// Where the error stands; nil for ``body``, or the result itself.
        package var error: JSONPath?
        /// For results without the object.
        package var id: JSONPath?
        /// Where the version token stands in a result.
        package var version: JSONPath?
        /// Where an object of identifiers stands beside the results, by what stands at `sent` in the items.
        package var ids: Names?

        /// Identifiers that an answer gives beside the results.
        package struct Names: Sendable, Hashable {
            /// Where the object of identifiers stands in the answer.
            package var path: JSONPath
            /// Where the name of an item's identifier in that object stands in the item.
            package var sent: JSONPath

            /// Names at one path of the answer, known from another of the items.
            package init(path: JSONPath, sent: JSONPath) {
                self.path = path
                self.sent = sent
            }
        }

        /// Results in the order of the items, each the object itself.
        package init() {}

        /// Whether the place is one of refusals, whose results show the objects as the server has them.
        package var showsTheirs: Bool {
            guard body != nil, let fixed = status?.fixed else { return false }
            return !(200..<300).contains(fixed)
        }
    }

    /// `POST`, `PUT` or `PATCH`.
    package var method: String
    /// Below the base; the same for all writes of a batch.
    package var path: PathTemplate
    /// Added to the request.
    package var query: [NamedText] = []
    /// Sent as `Accept` and `Content-Type`; nil for the resource's.
    package var mediaType: String?
    /// The most writes in one request.
    package var size = 100
    /// Where the list of items stands in the body; empty for a body that is the list.
    package var items: [String] = []
    /// Members of the body beside the items.
    package var set = Value.Members()
    /// Where the body has what the resource's list would be asked with for changes since the last pull; nil where it says
    /// nothing of that. Before the first pull nothing is written there.
    package var since: [String]?
    /// nil where the endpoint does not take the verb.
    package var create: Item?
    /// nil where the endpoint does not take updates.
    package var update: Item?
    /// nil where the endpoint does not take deletes.
    package var delete: Item?
    /// How one object is asked for; nil where the endpoint reads none.
    package var read: Item?
    /// How the answer is read. Of several places the first that has a result for a write counts.
    package var results = [Results()]

    /// An endpoint that takes no verb until one is set, 100 items at most.
    package init(method: String, path: PathTemplate) {
        self.method = method
        self.path = path
    }
}

extension Batch {
    /// The places of an item by which its results are known.
    package var keys: [JSONPath] { results.compactMap(\.match.sent) }

    package func item(_ verb: Verb) -> Item? {
        switch verb {
        case .create: create
        case .update: update
        case .delete: delete
        case .action, .upload: nil
        }
    }
}
