package import AtmosphereExchange

/// How one incoming webhook becomes updates: how it is signed, and where in its body the object stands. A file says it, which
/// ``load(path:adapters:secret:)`` reads.
public struct Webhook: Sendable {
    /// How a sender proves that it knows the secret: an HMAC with SHA-256 of the body, or of a text with time and body.
    package struct Signature: Sendable, Hashable {
        /// The header with the code; a request that has it twice is refused.
        package var header: String
        /// What stands before the code itself.
        package var prefix: String
        /// Whether the code is written in Base64; else in 64 hexadecimal digits.
        package var isBase64: Bool
        /// What is signed before the body.
        package var before: [Part]
        /// What is signed behind the body.
        package var after: [Part]

        /// A piece of what is signed beside the body.
        package enum Part: Sendable, Hashable {
            /// This text, as its UTF-8.
            case text(String)
            /// What the header of ``Webhook/time`` says, letter by letter.
            case time
        }
    }

    /// A text, or what is found in the body or in a header.
    package enum Source: Sendable, Hashable {
        /// The text itself.
        case text(String)
        /// Texts and numbers at a path of the item; of the whole body in a condition and for the delivery.
        case selector(JSONPath)
        /// The first header of this name.
        case header(String)
    }

    /// Something that must be so, or the webhook is none of our business.
    package struct Condition: Sendable, Hashable {
        /// Where to look; a text never fulfils a condition.
        package var source: Source
        /// One of them must stand there: equal JSON in the body, the same text in a header.
        package var values: [Value]
    }

    /// Where the server takes it.
    package var path: String
    /// What the sender signs with; at least 16 bytes.
    package var secret: Secret
    /// How the request is signed.
    package var signature: Signature
    /// The header with the seconds since 1970 at which it was signed, and how old it may be in seconds.
    package var time: (header: String, tolerance: Int64)?
    /// Says that two deliveries are the same.
    package var delivery: Source?
    /// All must hold of a body; else it is answered and nothing is published.
    package var conditions: [Condition]
    /// What each update is made from; the whole body by default.
    package var items: JSONPath
    /// The entity; a selector looks into the item.
    package var entity: Source
    /// Where the item has the object's identifier, a text or a number.
    package var id: JSONPath
    /// Where the item has the object's version; nil, or nothing there, for an update without one.
    package var version: JSONPath?
    /// Where the item has the object's members; nil for updates that only say that it changed.
    package var attributes: JSONPath?
    /// Those are all that the object has, as a GET of the API shows it.
    package var isWhole: Bool
    /// Where all hold of a request, its items are deleted; none for never.
    package var deleted: [Condition]
    /// The rooms that get each update; texts may have `{entity}` and `{id}`.
    package var rooms: [Source]
    /// The users who get each update; texts may have `{entity}` and `{id}`.
    package var users: [Source]
}
