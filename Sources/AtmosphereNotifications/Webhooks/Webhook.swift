public import Atmosphere

/// How one incoming webhook becomes updates: how it is signed, and where in its body the object stands.
public struct Webhook: Sendable {
    /// How a sender proves that it knows the secret: an HMAC with SHA-256 of the body, or of a text with time and body.
    public struct Signature: Sendable, Hashable {
        public var header: String
        /// What stands before the code itself.
        public var prefix: String
        public var isBase64: Bool
        /// What is signed, before and after the body.
        public var before: [Part]
        public var after: [Part]

        public enum Part: Sendable, Hashable {
            case text(String)
            case time
        }
    }

    /// A text, or what is found in the body.
    public enum Source: Sendable, Hashable {
        case text(String)
        case selector(JSONPath)
        case header(String)
    }

    /// Something that must be so, or the webhook is none of our business.
    public struct Condition: Sendable, Hashable {
        public var source: Source
        public var values: [Value]
    }

    public var path: String
    public var secret: Secret
    public var signature: Signature
    /// The header with the seconds since 1970 at which it was signed, and how old it may be in seconds.
    public var time: (header: String, tolerance: Int64)?
    /// Says that two deliveries are the same.
    public var delivery: Source?
    public var conditions: [Condition]
    /// What each update is made from; the whole body by default.
    public var items: JSONPath
    public var entity: Source
    public var id: JSONPath
    public var version: JSONPath?
    public var attributes: JSONPath?
    public var deleted: Condition?
    /// Texts may have `{entity}` and `{id}`.
    public var rooms: [Source]
    public var users: [Source]
}
