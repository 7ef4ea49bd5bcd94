#if Command
    internal import Atmosphere

    /// Finds the resources of an API among its operations.
    struct ResourceFinder {
        private let description: APIDescription
        private let places: OperationPlaces
        private(set) var resources: [FoundResource] = []
        /// What was left out, and why.
        private(set) var remarks: [String] = []
        /// Lists in whose paths a place stays that no other list fills.
        private(set) var orphans: [FoundResource] = []
        /// Lists of objects with more members than are looked at.
        private var tooWide: Set<[APIPath.Segment]> = []
        private static let mostMembers = 5_000

        /// - Throws: `CancellationError`: some descriptions are very large.
        init(_ description: APIDescription) throws {
            self.description = description
            places = OperationPlaces(description.operations)
            for operation in description.operations where operation.method == "GET" {
                try Task.checkCancellation()
                if let resource = resource(operation) { resources.append(resource) }
            }
            nameApart()
            findParents()
            let lists = Set(resources.map(\.path.segments))
            for index in resources.indices { resources[index].actions = actions(of: resources[index], lists) }
            noteOthers()
        }

        // MARK: Lists

        private mutating func resource(_ list: APIDescription.Operation) -> FoundResource? {
            guard let name = list.path.segments.last?.literal, let body = list.response,
                description.budget.spend(body.names.count), let (items, item) = Self.items(in: body, of: name)
            else { return nil }
            guard item.names.count <= Self.mostMembers else {
                tooWide.insert(list.path.segments)
                remarks.append(
                    "GET \(list.path.text) is left out: its objects have \(item.names.count) members, and "
                        + "\(Self.mostMembers) are the most.")
                return nil
            }
            var resource = FoundResource(
                name: Self.entityName(name), path: list.path, list: list, items: items, item: item)
            let own = list.path.segments
            resource.create = operation("POST", at: own)
            let beneath = places.below[own, default: []].filter { $0.path.segments.last?.place != nil }
            resource.itemPath =
                (beneath.first { $0.method == "GET" } ?? beneath.first)?.path ?? shallowPath(of: resource)
            // Objects without declared members are some where one of them has a path, and may be anything elsewhere.
            if let path = resource.itemPath {
                resource.read = operation("GET", at: path.segments)
                resource.update = operation("PATCH", at: path.segments) ?? operation("PUT", at: path.segments)
                resource.delete = operation("DELETE", at: path.segments)
            } else if item.names.isEmpty {
                return nil
            }
            // The draft looks at each member about ten times.
            let schemas = [item, resource.read?.response, resource.create?.request, resource.update?.request]
            let count = schemas.reduce(0) { $0 + ($1?.names.count ?? 0) }
            return description.budget.spend(10 * count) ? resource : nil
        }

        /// Where single objects stand that are listed below their parent, but have paths without it: `/notes/{id}` beside
        /// `/lists/{list}/notes`.
        private func shallowPath(of resource: FoundResource) -> APIPath? {
            guard resource.path.segments.contains(where: { $0.place != nil }), let name = resource.path.segments.last
            else { return nil }
            let names = resource.item.names
            let fitting = places.single[name, default: []].lazy.filter { operation in
                guard let response = operation.response, description.budget.spend(names.count) else { return false }
                return names.allSatisfy(response.has)
            }
            let found = Array(fitting.prefix(2))
            // What has a list of its own is another resource, or the same one with another list.
            guard found.count == 1, self.operation("GET", at: found[0].path.segments.dropLast()) == nil else {
                return nil
            }
            return found[0].path
        }

        private func operation(_ method: String, at segments: [APIPath.Segment]) -> APIDescription.Operation? {
            places.exact[Array(segments)]?.first { $0.method == method }
        }

        /// Where the objects stand: the body is an array of them, or one member is, which HAL and others have one level down.
        static func items(in body: APISchema, of name: String) -> (FoundResource.Items, APISchema)? {
            if body.type == "array" {
                guard let item = body.items, !item.names.isEmpty || item.type == "object" else { return nil }
                return (.body, item)
            }
            if body["id"] == nil, let embedded = body["_embedded"], let (member, item) = list(in: embedded, of: name) {
                return (.inner("_embedded", member), item)
            }
            if let (member, item) = list(in: body, of: name) { return (.member(member), item) }
            return innerList(in: body, of: name)
        }

        /// The only list of an envelope in an envelope: `{"data": {"items": […]}}`.
        private static func innerList(in body: APISchema, of name: String) -> (FoundResource.Items, APISchema)? {
            guard body["id"] == nil else { return nil }
            let found = envelopes.compactMap { outer -> (FoundResource.Items, APISchema)? in
                guard let inner = body[outer], inner.type == "object", inner["id"] == nil else { return nil }
                let member = usual(name).first { inner[$0]?.type == "array" && inner[$0]?.items?.type == "object" }
                guard let member, let item = inner[member]?.items else { return nil }
                return (.inner(outer, member), item)
            }
            return found.count == 1 ? found[0] : nil
        }

        /// Members that hold an envelope of their own.
        static let envelopes = ["data", "result", "results", "response", "payload", "body", "hits"]

        /// What lists in an envelope are called.
        private static func usual(_ name: String) -> [String] {
            ["items", "results", "data", "objects", "records", "values", name, "entries", "content", "features", "hits"]
        }

        /// Links of the list itself stand beside its objects.
        private static func isLink(_ item: APISchema) -> Bool {
            (item.has("rel") || item.has("relation")) && ["href", "url", "uri"].contains { item.has($0) }
        }

        /// The member of an envelope that is the list, and what stands in it.
        private static func list(in body: APISchema, of name: String) -> (member: String, item: APISchema)? {
            let all = body.names.filter { body[$0]?.type == "array" && body[$0]?.items?.type == "object" }
            let others = all.filter { body[$0]?.items.map(isLink) != true }
            let lists = others.isEmpty ? all : others
            let declared = lists.filter { body[$0]?.items?.names.isEmpty == false }
            let arrays = declared.isEmpty ? lists : declared
            // An object that has a list among much else is not a list.
            let only = arrays.count == 1 && body.names.count <= 8 ? arrays[0] : nil
            let chosen = usual(name).first { arrays.contains($0) } ?? only
            guard let chosen, body["id"] == nil, let item = body[chosen]?.items else { return nil }
            return (chosen, item)
        }

        private static func entityName(_ text: String) -> String {
            let cleaned = String(
                text.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") ? $0 : "_" }
            )
            return cleaned.first.map { $0.isLetter || $0 == "_" } == true && !cleaned.hasPrefix("x-")
                ? cleaned : "_\(cleaned)"
        }

        // MARK: Parents

        /// Keeps the resources whose places other resources can fill.
        private mutating func findParents() {
            var kept: [FoundResource] = []
            var byItem: [[APIPath.Segment]: String] = [:]
            var byPlace: [String: String] = [:]
            // Shorter paths first: a parent is known before its children.
            for resource in resources.sorted(by: { $0.path.segments.count < $1.path.segments.count }) {
                var resource = resource
                var open: String?
                for (index, segment) in resource.path.segments.enumerated() {
                    guard let place = segment.place else { continue }
                    guard let parent = byItem[Array(resource.path.segments[...index])] ?? byPlace[place] else {
                        open = place
                        break
                    }
                    let member = Self.member(for: place, parent, in: resource.item)
                    resource.parents.append((place, parent, member))
                }
                if let open {
                    orphans.append(resource)
                    remarks.append(
                        "GET \(resource.path.text) is left out: no list shows what {\(open)} can be.")
                } else {
                    kept.append(resource)
                    guard let item = resource.itemPath?.segments else { continue }
                    if byItem[item] == nil { byItem[item] = resource.name }
                    if let place = item.last?.place, byPlace[place] == nil { byPlace[place] = resource.name }
                }
            }
            let order = Dictionary(zip(resources.map(\.path), 0...), uniquingKeysWith: { first, _ in first })
            resources = kept.sorted { (order[$0.path] ?? 0) < (order[$1.path] ?? 0) }
        }

        /// The member in which an object shows its parent.
        private static func member(for place: String, _ parent: String, in item: APISchema) -> String {
            let singular = parent.singular
            let names = item.names
            let known = [place, "\(singular)_id", "\(singular)Id", singular, parent].first(where: names.contains)
            if let known { return known }
            return place == "id" || place == "pk" ? "\(singular)_id" : place
        }

        /// Two lists can end with the same word: the one with the shortest path keeps it.
        private mutating func nameApart() {
            var taken: Set<String> = []
            var counts: [String: Int] = [:]
            let order = resources.indices.sorted {
                (resources[$0].path.segments.count, $0) < (resources[$1].path.segments.count, $1)
            }
            for index in order {
                let name = resources[index].name
                guard !taken.insert(name).inserted else { continue }
                let before = resources[index].path.segments.dropLast().compactMap(\.literal).last ?? "other"
                let both = "\(Self.entityName(before))_\(name)"
                var apart = both
                while !taken.insert(apart).inserted {
                    counts[both, default: 1] += 1
                    apart = "\(both)_\(counts[both] ?? 0)"
                }
                resources[index].name = apart
            }
        }

        // MARK: The rest

        private func actions(
            of resource: FoundResource, _ lists: Set<[APIPath.Segment]>
        ) -> [(name: String, operation: APIDescription.Operation)] {
            guard let path = resource.itemPath?.segments else { return [] }
            return places.below[path, default: []].compactMap { operation in
                let segments = operation.path.segments
                guard operation.method != "GET", let name = segments.last?.literal, !lists.contains(segments) else {
                    return nil
                }
                return (name, operation)
            }
        }

        private mutating func noteOthers() {
            var known = tooWide.union(orphans.map(\.path.segments))
            for resource in resources {
                known.formUnion([resource.path, resource.itemPath].compactMap { $0?.segments })
                known.formUnion(resource.actions.map { $0.operation.path.segments })
            }
            let unknown = description.operations.filter { !known.contains($0.path.segments) }
            let isXML = { (operation: APIDescription.Operation) in
                operation.method == "GET" && operation.responseType?.lowercased().contains("xml") == true
            }
            if let first = unknown.first(where: isXML) {
                let count = unknown.filter(isXML).count
                let others = count > 1 ? ", and \(count - 1) more" : ""
                remarks.append(
                    "GET \(first.path.text) answers \(first.responseType ?? "XML")\(others): XML is not looked at here. "
                        + "A route file reads it with “format: xml”, “items” and “id”.")
            }
            let left = unknown.filter { !isXML($0) }
            guard !left.isEmpty else { return }
            let names = left.prefix(12).map { "\($0.method) \($0.path.text)" }
            let more = left.count > 12 ? ", and \(left.count - 12) more" : ""
            remarks.append("No list of objects, so left out: \(names.joined(separator: ", "))\(more).")
        }
    }

    /// Operations by their places, so that very large descriptions are read once.
    private struct OperationPlaces {
        typealias Operations = [APIDescription.Operation]

        private(set) var exact: [[APIPath.Segment]: Operations] = [:]
        /// By the path above their last segment.
        private(set) var below: [[APIPath.Segment]: Operations] = [:]
        /// Reads of one object that need its identifier alone, by the text in front of it.
        private(set) var single: [APIPath.Segment: Operations] = [:]

        init(_ operations: Operations) {
            for operation in operations {
                let segments = operation.path.segments
                exact[segments, default: []].append(operation)
                guard let last = segments.last else { continue }
                below[Array(segments.dropLast()), default: []].append(operation)
                guard operation.method == "GET", last.place != nil, let name = segments.dropLast().last,
                    segments.filter({ $0.place != nil }).count == 1
                else { continue }
                single[name, default: []].append(operation)
            }
        }
    }
#endif
