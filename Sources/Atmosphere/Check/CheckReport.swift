/// What ``Synchronizer/check(writing:)`` found.
package struct CheckReport: Sendable, Hashable {
    /// What one resource is like.
    package struct Resource: Sendable, Hashable {
        /// The resource's entity.
        package var entity: String
        /// Objects on the first page; nil where it could not be read.
        package var listed: Int?
        /// Objects in all, where the server says it.
        package var total: Int64?
        /// There are more pages.
        package var hasMore = false
        /// The token of the second page may be the number of a page or of a row; nil where there is no second page, or none
        /// that a token names.
        package var hasCountedPages: Bool?
        /// The answer says that there is more, and “pages” does not lead there, so a pull takes a part for all.
        package var isCutOff = false
        /// Whether one object could be read by its identifier; nil where there was none to read.
        package var isReadable: Bool?
        /// What keeps a create whose answer was lost from happening twice.
        package var create: CreateSafety
        /// How writes are kept from undoing another client's.
        package var version: Version
        /// Whether the means against a create that happens twice was tried, by writing.
        package var isCreateTried: Bool { create == .refuted || findings.contains { $0.topic == "repeat" } }
        /// Whether a stale version was sent, to see that the server refuses it.
        package var isVersionTried: Bool { findings.contains { $0.topic == "if-match" } }
        /// There are updates or deletes.
        package var isWritable = true
        /// They are sent under an edit lease and not without, so no other client writes meanwhile.
        package var isLeased = false
        /// What the server does, beyond what the route file needs it to do.
        package var findings: [Finding] = []
        /// Where the server is not what the route file says; each names the setting.
        package var problems: [String] = []
        /// What could not be tried, and why.
        package var notes: [String] = []

        /// A resource of which nothing was asked yet.
        package init(entity: String, create: CreateSafety, version: Version) {
            self.entity = entity
            self.create = create
            self.version = version
        }
    }

    /// One thing that was tried.
    package struct Finding: Sendable, Hashable {
        /// `etag`, `not-modified`, `page-size`, `since`, and with writes `create`, `repeat`, `lookup`, `update`,
        /// `if-match`, `delete`.
        package var topic: String
        /// Whether the server does it.
        package var holds: Bool
        /// One line for a person.
        package var text: String

        /// Something that was tried, whether the server does it, and a line about it.
        package init(_ topic: String, _ holds: Bool, _ text: String) {
            self.topic = topic
            self.holds = holds
            self.text = text
        }
    }

    /// One of Atmosphere's promises, and what this API keeps of it.
    package struct Promise: Sendable, Hashable {
        /// One line that names the promise.
        package var title: String
        /// Where it cannot be kept, and why; empty where it is.
        package var exceptions: [String]
        /// Where it rests on what the route file declares, and nothing that was sent has shown it; empty where it does not.
        package var untried: [String]

        /// A promise; one that is kept has no exceptions.
        package init(_ title: String, exceptions: [String] = [], untried: [String] = []) {
            self.title = title
            self.exceptions = exceptions
            self.untried = untried
        }
    }

    /// What keeps a create whose answer was lost from happening twice.
    package enum CreateSafety: Sendable, Hashable {
        /// There is nothing to create.
        case notOffered
        /// The client gives the identifier, and looks it up.
        case clientID
        /// The server knows a repeated create by this header.
        case idempotencyKey(header: String)
        /// The client sets this member, which the server keeps unique, and looks it up.
        case lookup(field: String)
        /// Nothing: such a create waits for a person.
        case none
        /// A test write has shown that what the route file declares does not hold on this server.
        case refuted

        /// What a promise rests on, with its verb; nil where it rests on nothing.
        var means: String? {
            switch self {
            case .notOffered, .none, .refuted: nil
            case .clientID: "that the server refuses a second object with the same identifier is"
            case .idempotencyKey(let header): "that the server knows a repeated create by \(header) is"
            case .lookup(let field): "that a new object is found by “\(field)” is"
            }
        }
    }

    /// In the order of the route file.
    package var resources: [Resource] = []
    /// Which promises can be kept with this API as the route file describes it.
    package var promises: [Promise] = []
    /// Who the server takes us for, where the route file has an identity check.
    package var identity: String?
    /// What is amiss beside the server, such as a secret that is too short to be one.
    package var warnings: [String] = []
    /// Why the server could not be reached; nil where it could.
    package var unreachable: String?
    /// Why the credentials are not accepted; nil where they are.
    package var signInNeeded: String?

    /// A report in which nothing was found yet.
    package init() {}

    /// The server is reachable, lets us in, and is what the route file says.
    package var isPassed: Bool {
        unreachable == nil && signInNeeded == nil && resources.allSatisfy(\.problems.isEmpty)
    }
}

extension CheckReport.CreateSafety {
    /// In the order in which a lost create is looked for.
    init(_ resource: Resource) {
        self =
            if !resource.create.isOffered {
                .notOffered
            } else if resource.assigned == .client, resource.recovery != .askPerson {
                .clientID
            } else if let header = resource.create.idempotencyHeader, resource.createHasKey {
                .idempotencyKey(header: header)
            } else if let path = resource.batch(for: .create)?.create?.idempotency.first {
                .idempotencyKey(header: path.joined(separator: "."))
            } else if let lookup = resource.lookup, resource.recovery != .askPerson {
                .lookup(field: lookup.field)
            } else {
                .none
            }
    }
}
