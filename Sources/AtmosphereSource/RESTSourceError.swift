/// Why a source cannot do what was asked.
public struct RESTSourceError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        package init(_ description: String) { self.description = description }

        /// The route file's `auth` names a secret whose value was not given.
        public static let missingSecret = Code("missingSecret")
        /// The route file names a format or a coding that no adapter knows.
        public static let missingAdapter = Code("missingAdapter")
        /// Several resources, or a write and a batch, are at the same path, and only the body tells them apart; or a resumable
        /// upload goes where the answer to a question says.
        public static let cannotServe = Code("cannotServe")
        /// The address cannot be bound.
        public static let cannotBind = Code("cannotBind")
        /// The route file has no such entity.
        public static let unknownEntity = Code("unknownEntity")
        /// There is no such object, or it was deleted.
        public static let unknownObject = Code("unknownObject")
        /// A change that the source would not accept from a client either.
        public static let refused = Code("refused")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the thing, the reason and the remedy.
    public var message: String

    /// An error whose message names the thing, the reason and the remedy.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    static func sharedPath(_ path: String, _ what: String) -> RESTSourceError {
        RESTSourceError(
            code: .cannotServe,
            message:
                "\(what) are at one path, \(path), and a source tells requests apart by their paths; it cannot serve "
                + "this route file")
    }

    static func askedAndResumable(_ attachment: String, of entity: String) -> RESTSourceError {
        RESTSourceError(
            code: .cannotServe,
            message:
                "“attachments.\(attachment).upload” of \(entity) has “ask” and “resumable”, and a source begins resumable "
                + "uploads at a “path” alone; it cannot serve this route file")
    }

    static func unknown(_ entity: String) -> RESTSourceError {
        RESTSourceError(code: .unknownEntity, message: "the route file has no resource “\(entity)”")
    }

    static func unknown(_ entity: String, _ id: String) -> RESTSourceError {
        RESTSourceError(code: .unknownObject, message: "the source has no object \(entity)/\(id)")
    }

    static func refused(_ refusal: SourceRefusal, _ place: String) -> RESTSourceError {
        let reason =
            switch refusal {
            case .general(_, let message, _), .reasoned(_, let message, _): message
            case .unknownPath: "there is no such path"
            case .fields(_, let problems): problems.map { "\($0.field): \($0.message)" }.joined(separator: " ")
            }
        return RESTSourceError(code: .refused, message: "\(place): \(reason)")
    }
}
