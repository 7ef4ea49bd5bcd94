#if Command
    internal import Atmosphere

    /// What an API says of itself, whatever the notation.
    struct APIDescription {
        /// One request that the API knows.
        struct Operation {
            var method: String
            var path: APIPath
            /// Query parameters with their schemas.
            var query: [(name: String, schema: APISchema?)] = []
            /// Names of header parameters.
            var headers: [String] = []
            var request: APISchema?
            /// The media type of the request's body; nil where none is described.
            var requestType: String?
            /// The body of a successful answer.
            var response: APISchema?
            /// The media type of a successful answer; nil where none is described.
            var responseType: String?
            /// Names of headers of a successful answer.
            var responseHeaders: [String] = []
            /// A status that answers a request for a page past the last one.
            var pastTheEnd: Int?
            /// A Link header names the next page.
            var linksNext = false
            /// Ways to ask for the next page that an answer makes likely.
            var pageHints: [Value] = []
            /// What the query of a list's URL was asked with, where it was looked at.
            var asked: Value.Members = [:]
            /// What an answer has that says that there is more than it holds.
            var more: String?
            /// The ways to sign in of which one is asked for, by their names; an empty one is none at all.
            var security: [Value.Members] = []

            /// It is answered without credentials, too.
            var isOpen: Bool { security.isEmpty || security.contains(where: \.isEmpty) }

            func parameter(_ names: [String]) -> (name: String, schema: APISchema?)? {
                query.first { names.contains($0.name) }
            }
        }

        /// Takes a URL that others wrote as the base where it is one.
        ///
        /// - Returns: whether it is.
        @discardableResult
        mutating func take(base url: String) -> Bool {
            let url = URLText.trimmed(url)
            if let complaint = PathText.baseComplaint(url) {
                baseComplaint = baseComplaint ?? complaint
                return false
            }
            base = url
            return true
        }

        /// How a caller signs in, as the route file writes it.
        struct SignIn {
            var setting: Value
            var remark: String?
        }

        /// What a description belongs to, where that says more than itself.
        enum Family { case google, wordPress }

        var title: String
        var family: Family?
        /// The URL that the paths are below; nil where the description does not say it.
        var base: String?
        /// Why what the description says of it is none.
        var baseComplaint: String?
        var operations: [Operation]
        var signIn: [SignIn] = []
        /// Requests without credentials are answered, too.
        var isOpen = false
        /// Reading needs no credentials, and writing does.
        var readsOpenly = false
        /// It asks for credentials in a way that no setting stands for.
        var asksOtherwise = false
        /// The ways to sign in that an OpenAPI document knows, and the URL that their endpoints are relative to.
        var schemes: Value.Members = [:]
        var schemeBase: String?
        /// What may be looked at of its schemas.
        let budget = SchemaBudget()
        /// What the description leaves open.
        var remarks: [String] = []
        /// How errors look, where that is known.
        var errors: Value?
    }

    /// A path of an API: texts and places.
    struct APIPath: Hashable {
        enum Segment: Hashable {
            case literal(String)
            case place(String)

            var literal: String? { if case .literal(let text) = self { text } else { nil } }
            var place: String? { if case .place(let name) = self { name } else { nil } }
        }

        var segments: [Segment]
        var hasSlash: Bool
        /// What stands behind the last segment to name the notation: `.json` in `/todos/{id}.json`.
        var ending = ""

        /// - Returns: nil for a path whose segments are partly places, such as `/{from}-{to}`.
        init?(_ text: String) {
            segments = []
            var bare = Substring(text)
            // Rails: the notation is part of the path, or a place of its own.
            for ending in [".json", ".{format}"] where bare.hasSuffix(ending) && bare.dropLast(ending.count).last != "/"
            {
                bare = bare.dropLast(ending.count)
                self.ending = ".json"
                break
            }
            for piece in bare.split(separator: "/") {
                if piece.hasPrefix("{"), piece.hasSuffix("}") {
                    // Google: {+name} takes several segments.
                    let name = piece.dropFirst().dropLast()
                    guard !name.isEmpty, !name.contains(where: { "{}+".contains($0) }) else { return nil }
                    segments.append(.place(String(name)))
                } else {
                    guard !piece.contains("{"), !piece.contains("}") else { return nil }
                    segments.append(.literal(String(piece)))
                }
            }
            hasSlash = text.hasSuffix("/")
        }

        init(segments: [Segment], hasSlash: Bool = false, ending: String = "") {
            self.segments = segments
            self.hasSlash = hasSlash
            self.ending = ending
        }

        var text: String {
            let pieces = segments.map { $0.literal ?? "{\($0.place ?? "")}" }
            return "/" + pieces.joined(separator: "/") + ending + (hasSlash && !pieces.isEmpty ? "/" : "")
        }
    }
#endif
