/// How the content of a member goes to the server and comes from it: a picture, a document, whatever is no JSON.
///
/// The record itself holds only what stands for the content: a URL, an identifier, a description. Content is uploaded in up
/// to two requests: one that asks where it goes, where the API wants to be asked, and one that carries it.
package struct Attachment: Sendable, Hashable {
    /// A request under the base that says where content goes or where it is, such as a signed URL of a storage.
    package struct Ask: Sendable, Hashable {
        /// In capitals: `POST`.
        package var method: String
        /// Below the base.
        package var path: PathTemplate
        /// Values may hold places, see ``Attachment/places``.
        package var query: [NamedText] = []
        /// The body; values may hold the same places.
        package var set = Value.Members()
        /// Where the answer holds the URL.
        package var url: JSONPath
        /// Where the answer holds an object of headers to be sent with the content; nil for a download.
        package var headers: JSONPath?
        /// What of this answer the member is set to; nil for a download.
        package var value: JSONPath?

        /// A request without query and body, whose answer holds the URL.
        package init(method: String, path: PathTemplate, url: JSONPath) {
            self.method = method
            self.path = path
            self.url = url
        }
    }

    /// Requests by which an upload goes on where a cut has ended it.
    package enum Resumption: String, Sendable, Hashable {
        /// tus 1.0.0 (https://tus.io/protocols/resumable-upload), with its extension Creation where ``Upload/path`` is given.
        case tus
    }

    /// How content is sent.
    package struct Upload: Sendable, Hashable {
        /// nil where ``path`` says where content goes.
        package var ask: Ask?
        /// Under the base; nil where ``ask`` finds out.
        package var path: PathTemplate?
        /// The method of the request that carries the content.
        package var method = "PUT"
        /// Beside ``path``; values may hold the same places as those of ``Ask``.
        package var query: [NamedText] = []
        /// What the content is sent as; nil for the file's own type.
        package var mediaType: String?
        /// The name of the part of a `multipart/form-data` body (RFC 7578); nil where the body is the content.
        package var part: String?
        /// What the file is called, with places; nil for its own name.
        package var fileName: String?
        /// nil for one request, which begins anew after a cut.
        package var resumable: Resumption?
        /// What is told of the content when a resumable upload begins; values may hold the same places.
        package var metadata: [NamedText] = [
            .init(name: "filename", value: "{file.name}"), .init(name: "filetype", value: "{file.type}")
        ]
        /// What of the answer to the content the member is set to.
        package var value: JSONPath?
        /// What the member is set to in the place of what was found there, which has the place `{value}`; nil for that itself.
        package var set: Value?

        /// PUT of the content as the body; one of ``ask`` and ``path`` has still to say where.
        package init() {}

        /// The member is set by an edit of its own, which a push sends. Else the server knows already whose content it is,
        /// and the object is read again.
        package var setsMember: Bool { value != nil || ask?.value != nil || resumable != nil && set != nil }

        /// Whether anything of it names the object.
        package var namesObject: Bool {
            path?.namesObject == true || ask?.path.namesObject == true || places.contains("id")
        }

        /// The names in braces that its queries and the body of ``ask`` have.
        package var places: [String] {
            let own = resumable == nil ? query : query + metadata
            return own.flatMap { View.places(in: $0.value) } + (ask?.places ?? [])
        }

        /// The names in braces that ``set`` has.
        package var setPlaces: [String] { self.set.map { View.places(inTextsOf: $0) } ?? [] }
    }

    /// How content is fetched, always by GET.
    package struct Download: Sendable, Hashable {
        /// Where the content of a member is had.
        package enum Place: Sendable, Hashable {
            /// Under the base.
            case path(PathTemplate)
            /// A URL in the value of the member; `$` where the value is the URL.
            case url(JSONPath)
            /// A URL in the answer to a request.
            case ask(Ask)
        }

        /// Where the content is.
        package var place: Place
        /// What stands in the URL for the name of the file, which the server leaves to the client.
        package var fileName: String?
        /// What the content is: `image/jpeg`, or `image/*` for any picture; nil for whatever comes.
        package var mediaType: String?

        /// Fetches from a place.
        package init(_ place: Place) { self.place = place }
    }

    /// The member; `*` for every one that no other attachment is called like.
    package var name: String
    /// nil where nothing is uploaded.
    package var upload: Upload?
    /// nil where nothing is downloaded.
    package var download: Download?
    /// What tells contents apart in the member's value: two values that have the same there are equal, though the URL
    /// beside it is a new one with each answer.
    package var identity: JSONPath?
    /// Servers beside that of the base which credentials are sent to as well.
    package var origins: [String] = []
    /// How long the transfer of one content may take.
    package var timeout = Duration.seconds(600)
    /// Where the route file says that.
    package var timeoutKey: String { "attachments.\(name).timeout" }

    /// An attachment that is neither uploaded nor downloaded yet.
    package init(name: String) { self.name = name }

    /// The name of the attachment for all other members.
    package static let others = "*"

    /// What may stand in braces in the query and the body of ``Ask``, and in the query of ``Upload``, beside the members of
    /// the object and of its parents: the object's identifier, the member, and facts of the file. A text that is one place
    /// alone becomes the value itself, the size a number.
    package static let places = ["id", "member", "file.name", "file.size", "file.type", "file.md5"]
    /// What was found in the answer, in ``Upload/set``.
    package static let valuePlace = "value"
    /// The URL of a resumable upload, in ``Upload/set``.
    package static let urlPlace = "url"
    /// Those that the name of the file has.
    package static let placesInFileName = ["id", "member", "file.name"]
    /// Those that a download has, which has no file yet.
    package static let placesWithoutFile = ["id", "member"]

    /// What a download brings, by what the route file says of it or of the upload; nil where that may be anything.
    package var contentType: String? {
        let sent = upload?.mediaType.flatMap { $0.lowercased().hasPrefix("application/octet-stream") ? nil : $0 }
        return download?.mediaType ?? sent
    }

    /// Whether what came may be the content. Servers send contents as types that are too general, so only a document of JSON, XML
    /// or HTML is none, where another type is declared.
    ///
    /// - Parameter mediaType: what the answer says; nil where it says nothing.
    package func mayBeContent(_ mediaType: String?) -> Bool {
        guard let declared = contentType.map(Self.essence), let type = mediaType.map(Self.essence),
            let kind = Self.documentKind(type)
        else { return true }
        if declared.hasSuffix("/*"), declared == "*/*" || type.hasPrefix(declared.dropLast()) { return true }
        return declared == type || Self.documentKind(declared) == kind
    }

    /// Whether a character cannot stand in the name of a file: servers may take it for the end of a folder, of the name or of
    /// the line (RFC 7578 §4.2, RFC 6266 §4.3).
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "\\", "\"", "\u{2028}", "\u{2029}": true
        default: scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        }
    }

    /// A media type without parameters.
    private static func essence(_ type: String) -> String {
        String(type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }).lowercased()
    }

    private static func documentKind(_ type: String) -> String? {
        switch type {
        case "text/html", "application/xhtml+xml": "html"
        case "application/xml", "text/xml": "xml"
        case "application/json", "text/json": "json"
        default: type.hasSuffix("+json") ? "json" : nil
        }
    }
}

extension Attachment.Ask {
    /// The names in braces that its query and its body have.
    package var places: [String] { query.flatMap { View.places(in: $0.value) } + View.places(inTextsOf: .object(set)) }
}
