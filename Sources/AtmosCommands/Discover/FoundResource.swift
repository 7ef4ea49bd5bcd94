#if Command
    internal import Atmosphere

    /// A kind of object that an API's description shows: a list, and what can be done with one of its objects.
    struct FoundResource {
        typealias Operation = APIDescription.Operation

        /// How the items stand in the answer of the list.
        enum Items: Equatable {
            /// The body is the array.
            case body
            /// A member holds it.
            case member(String)
            /// A member of a member holds it: of `_embedded`, as HAL has it, or of `data`.
            case inner(String, String)

            /// The members that lead to it.
            var names: [String] {
                switch self {
                case .body: []
                case .member(let name): [name]
                case .inner(let outer, let name): [outer, name]
                }
            }
        }

        var name: String
        /// The list's path.
        var path: APIPath
        /// The path of one object, with its last place; nil where there is none.
        var itemPath: APIPath?
        var list: Operation
        var items: Items
        /// One object as the list shows it.
        var item: APISchema
        var read: Operation?
        var create: Operation?
        var update: Operation?
        var delete: Operation?
        /// Requests beyond these, by name.
        var actions: [(name: String, operation: Operation)] = []
        /// For each place of the path the resource that it names, and the member that holds it.
        var parents: [(place: String, entity: String, member: String)] = []

        /// Where the identifier stands; nil where the server does not say it and no member looks like one.
        var idPath: JSONPath? { item.identifier ?? id.map(JSONPath.member) }

        /// The member that holds the identifier; nil where none looks like one, and where it stands inside another.
        var id: String? {
            if let path = item.identifier { return path.singleMember }
            let place = itemPath?.segments.last?.place
            let plain = place.map { $0.split(separator: "_").last.map(String.init) ?? $0 }
            let candidates = [place, "id", "_id", "uuid", "guid", "pk", plain, "\(name.singular)_id"]
            let names = item.names
            // Of an object whose members nobody declared the usual one is taken.
            if names.isEmpty { return place == nil ? nil : "id" }
            // The place is named after the member, or the member is called what nearly every API calls it.
            if names.contains("id") { return "id" }
            return candidates.compactMap { $0 }.first { names.contains($0) }
        }

        /// The member that may hold the identifier where none looks like one: two objects can have the same name.
        var guess: String? { idPath == nil ? ["slug", "key", "name"].first(where: item.names.contains) : nil }

        /// The member that a create wraps around the object; nil where it is the object.
        var createRoot: String? {
            guard let request = create?.request else { return nil }
            let names = request.names
            if names.count == 1, request[names[0]]?.type == "object", item[names[0]] == nil { return names[0] }
            // Beside what a GET wraps around the object a create may take more, such as permissions.
            guard let root = root(read?.response), request[root]?.type == "object", item[root] == nil else {
                return nil
            }
            return root
        }

        /// Whether the objects are those of JSON:API.
        var isJSONAPI: Bool {
            items == .member("data") && item["attributes"] != nil && item["type"] != nil && item["id"] != nil
        }

        /// What a create sends of the object; nil where that is not described.
        var created: APISchema? { createRoot.flatMap { create?.request?[$0] } ?? create?.request }

        /// What the answer to a GET or a create wraps around the object; nil where it is the object.
        func root(_ schema: APISchema?) -> String? {
            guard let schema, let id, schema[id] == nil else { return nil }
            let wrappers = schema.names.filter { schema[$0]?[id] != nil }
            return wrappers.count == 1 ? wrappers[0] : nil
        }
    }

    extension String {
        /// The usual English singular: good enough to compare names, not to make any.
        var singular: String {
            if hasSuffix("ies") { return dropLast(3) + "y" }
            if hasSuffix("sses") || hasSuffix("xes") { return String(dropLast(2)) }
            return hasSuffix("s") && !hasSuffix("ss") ? String(dropLast()) : self
        }
    }
#endif
