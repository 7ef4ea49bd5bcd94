/// What a pull did, by entity.
public struct PullReport: Sendable, Hashable {
    /// What was done with one entity.
    public struct Entity: Sendable, Hashable {
        /// Objects that were not here before.
        public var inserted = 0
        /// Synchronized objects that the server has changed.
        public var updated = 0
        /// Objects that were shown as they are here; none was written.
        public var unchanged = 0
        /// Removed here because the server says, or shows, that they are gone.
        public var deleted = 0
        /// Dropped from the local copy for their age (`retention`).
        public var expired = 0
        /// Objects edited here that the server had changed too.
        public var merged = 0
        /// Objects edited here that a person has to decide.
        public var conflicted = 0
        /// Pages that were read.
        public var pages = 0
        /// Why the pull of this entity is not complete; nil where it is.
        public var problem: String?
        /// What kind of trouble ``problem`` is; nil where there is none.
        package var problemKind: ProblemKind?
        /// What the transport said, where it could reach the server and gave up for good.
        package var transportCode: TransportError.Code?
        /// What a person should know although the pull went on.
        public var warnings: [String] = []

        /// Nothing was done; with `problem`, because of that.
        public init(problem: String? = nil) { self.problem = problem }

        /// Nothing was asked for, because the pull ended with another entity.
        init(unaskedAfter other: String) {
            problem = "not asked for, because the pull ended with \(other)"
            problemKind = .unasked
        }

        /// Nothing could be asked for.
        init(_ error: SyncError) {
            problem = error.message
            problemKind = .init(error)
        }

        /// Adds what a pull did that was given up, and begun anew.
        mutating func add(_ earlier: Self) {
            inserted += earlier.inserted
            updated += earlier.updated
            deleted += earlier.deleted
            merged += earlier.merged
            conflicted += earlier.conflicted
            pages += earlier.pages
        }

        /// One line for the log.
        var summary: String {
            let counts = [
                (pages, pages == 1 ? "page" : "pages"), (inserted, "new"), (updated, "updated"), (deleted, "deleted"),
                (expired, "expired"),
                (merged, "merged"), (conflicted, "conflicted")
            ]
            let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            let done = words.isEmpty ? "nothing new" : words.joined(separator: ", ")
            return problem.map { "pull not complete: \(done); \($0)" } ?? "pulled: \(done)"
        }
    }

    /// Why a pull is not complete, for code to tell.
    package enum ProblemKind: Sendable, Hashable {
        /// The origin cannot be reached, or asks to wait: nothing else is asked for.
        case unreached
        /// A list got no answer in time, or a 503 that does not say until when: the origin may be there all the same.
        case silent
        /// A list got no whole answer, or one that says “later” (5xx): the next pull may get through.
        case network
        /// The credentials are not accepted.
        case signInNeeded
        /// The server's answer is not what the route file says.
        case answer
        /// More objects are absent than may be deleted.
        case tooManyDeletes
        /// The pull ended with another entity, before this one was asked for.
        case unasked

        init(_ error: SyncError) {
            switch error.code {
            case .signInNeeded: self = .signInNeeded
            case .unreachable where error.cause is TransportError:
                self = (error.cause as? TransportError).map(Self.init) ?? .network
            case .unreachable where error.cause is ResourceClient.AskedToWait: self = .unreached
            case .unreachable:
                switch error.failure?.status {
                case 429: self = .unreached
                case 503: self = .silent
                default: self = .network
                }
            case .tooManyDeletes: self = .tooManyDeletes
            default: self = .answer
            }
        }

        init(_ error: TransportError) {
            if error.isFinal {
                self = .answer
            } else if error.isUnreached {
                self = .unreached
            } else {
                self = error.code == .timeout ? .silent : .network
            }
        }

        /// What an error of this kind has as its code.
        var code: SyncError.Code {
            switch self {
            case .unreached, .silent, .network, .unasked: .unreachable
            case .signInNeeded: .signInNeeded
            case .answer: .unexpectedAnswer
            case .tooManyDeletes: .tooManyDeletes
            }
        }
    }

    /// By entity; all that the pull was to list. Of those that it did not come to, ``Entity/problem`` says so.
    public var entities: [String: Entity] = [:]

    /// No entity was asked for.
    package init() {}

    /// Every entity was pulled completely.
    public var isComplete: Bool { entities.values.allSatisfy { $0.problem == nil } }
}

/// How far a pull has come.
package struct PullProgress: Sendable, Hashable {
    /// The entity that is listed.
    package var entity: String
    /// Read so far.
    package var pages: Int
    /// Shown so far on these pages, new or not.
    package var objects: Int
    /// What the server says there is in all, where it does.
    package var total: Int64?
}
