#if Command
    internal import Atmosphere
    internal import AtmosphereRails

    /// The routing style that a draft begins with, and what it makes superfluous.
    enum DraftStyle: String, CaseIterable {
        case plain
        case djangoREST = "django-rest"
        case rails
        case googleTasks = "google-tasks"
        case jsonAPI = "json-api"

        /// The style that most resources follow.
        init(of resources: [FoundResource], _ description: APIDescription) {
            func most(_ isSo: (FoundResource) -> Bool) -> Bool { resources.filter(isSo).count * 2 > resources.count }
            if most(\.isJSONAPI) {
                self = .jsonAPI
            } else if most({ $0.path.ending == ".json" && $0.itemPath?.ending != "" }) {
                self = .rails
            } else if description.family == .google, most({ $0.items == .member("items") && $0.item["etag"] != nil }) {
                self = .googleTasks
            } else if most({ $0.path.hasSlash && $0.itemPath?.hasSlash != false }) {
                self = .djangoREST
            } else {
                self = .plain
            }
        }

        /// What stands behind each path.
        var ending: String {
            switch self {
            case .djangoREST: "/"
            case .rails: ".json"
            default: ""
            }
        }

        var updateMethod: String { self == .plain ? "PUT" : "PATCH" }

        /// The path of a resource that names none.
        func path(of name: String) -> String { self == .rails ? RailsStyle().plural(name) : name }

        /// Whether the style finds the objects of a list by itself.
        func finds(_ items: FoundResource.Items, of name: String) -> Bool {
            switch (self, items) {
            case (.plain, .body), (.rails, .body), (.djangoREST, .body), (.djangoREST, .member("results")),
                (.googleTasks, .member("items")), (.jsonAPI, .member("data")):
                true
            case (.rails, .member(let member)): member == RailsStyle().plural(name)
            default: false
            }
        }

        /// What the style wraps around an object that is sent.
        func root(of name: String) -> String? {
            switch self {
            case .rails: RailsStyle().singular(name)
            case .jsonAPI: "data"
            default: nil
            }
        }

        /// How the style asks for the next page.
        var pages: Value.Members {
            switch self {
            case .plain: [:]
            case .djangoREST: ["kind": "link-body", "next": "$.next"]
            case .rails: ["kind": "link-header"]
            case .jsonAPI: ["kind": "link-body", "next": "$.links.next"]
            case .googleTasks:
                [
                    "kind": "token", "next": "$.nextPageToken", "parameter": "pageToken",
                    "size": ["parameter": "maxResults", "value": 100]
                ]
            }
        }

        /// Members that the style never sends.
        var readonly: [String] {
            switch self {
            case .googleTasks: ["kind", "etag", "updated", "selfLink"]
            case .jsonAPI: ["type", "links", "meta", "relationships"]
            default: []
            }
        }
    }

    /// How the names of members become selectors.
    enum SelectorText {
        /// `$.name`, or `$['odd name']`.
        static func whole(_ name: String) -> String { JSONPath.member(name).description }

        /// The name alone where that is read as one member.
        static func member(_ name: String) -> String { (try? JSONPath(name)) == .member(name) ? name : whole(name) }
    }
#endif
