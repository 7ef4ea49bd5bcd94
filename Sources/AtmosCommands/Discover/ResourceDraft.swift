#if Command
    internal import Atmosphere

    /// One resource of the draft: what differs from the style.
    struct ResourceDraft {
        private var found: FoundResource
        private let style: DraftStyle
        private let family: APIDescription.Family?
        private let dropped: Int
        private var lines: [RouteFileDraft.Line] = []
        /// What an object of JSON:API is besides its attributes.
        private var kind: String?
        private var relationships: [String] = []
        /// The list is asked for deleted objects, too.
        private var showsDeleted = false

        init(_ found: FoundResource, style: DraftStyle, of family: APIDescription.Family? = nil, dropping dropped: Int)
        {
            self.found = found
            self.style = style
            self.family = family
            self.dropped = dropped
            guard style == .jsonAPI, found.isJSONAPI, let attributes = found.item.attributes else { return }
            kind = found.item["type"]?.constant
            relationships = found.item["relationships"]?.names ?? []
            self.found.item = attributes
        }

        mutating func resource(among names: ReferenceNames) -> RouteFileDraft.Resource {
            writePaths()
            writeIdentity()
            writeOperations()
            writeMediaTypes()
            writeItems()
            writePages()
            writeQuery()
            writeVersion()
            writeMembers(among: names)
            writeActions()
            writeOpenQuestions()
            return RouteFileDraft.Resource(name: found.name, lines: lines)
        }

        // MARK: Paths

        /// A path under the base, with the members of parents in its places.
        private func text(_ path: APIPath, ending: String? = nil, isItem: Bool) -> String {
            let segments = path.segments.dropFirst(dropped)
            let last = path.segments.count - 1
            let pieces = segments.indices.map { index -> String in
                guard let place = segments[index].place else { return segments[index].literal ?? "" }
                if isItem, index == last { return "{id}" }
                let parent = found.parents.first { $0.place == place }
                return parent.map { "{\($0.entity).id}" } ?? "{id}"
            }
            return pieces.joined(separator: "/") + (ending ?? path.ending + (path.hasSlash ? "/" : ""))
        }

        private var collection: String { text(found.path, ending: "", isItem: false) }

        private mutating func writePaths() {
            if collection != style.path(of: found.name) { lines.append(.setting("path", .string(collection))) }
            if let kind, kind != found.name { lines.append(.setting("singular", .string(kind))) }
            if !found.parents.isEmpty {
                let members = found.parents.map { Value.Member(name: $0.entity, value: .string($0.member)) }
                lines.append(.setting("parent", .object(Value.Members(members))))
            }
        }

        private mutating func writeIdentity() {
            guard let path = found.idPath else {
                let why =
                    found.guess.map {
                        "No member looks like an identifier; two objects with the same “\($0)” would be one here. Without"
                            + " an identifier nothing can be stored."
                    } ?? "No member looks like an identifier; without one nothing can be stored."
                lines += [
                    .remark(why),
                    .suggestion("id", .string(SelectorText.member(found.guess ?? found.item.names.first ?? "id")))
                ]
                return
            }
            if found.item.names.isEmpty {
                lines.append(.remark("No member of these objects is declared; the identifier is taken to be “id”."))
            }
            let selector = Value.string(path.singleMember.map(SelectorText.member) ?? path.description)
            let byClient: Value = ["field": selector, "assigned": "client"]
            let offered = offeredID
            if let offered, found.created?.required.contains(offered) == true {
                lines += [.remark("A create has to say it."), .setting("id", byClient)]
            } else {
                if path != .member("id") { lines.append(.setting("id", selector)) }
                if let offered {
                    lines += [
                        .remark("A create may say “\(offered)”. If the server takes what it says:"),
                        .suggestion("id", byClient)
                    ]
                }
            }
            if let parent = found.parents.last {
                lines += [
                    .remark("Where objects of two \(parent.entity) can have the same identifier:"),
                    .suggestion("ids", "per-parent")
                ]
            }
        }

        /// The member of the identifier, where a create may say it.
        private var offeredID: String? {
            guard style != .jsonAPI, let id = found.id, let own = found.created?[id], !own.isReadOnly,
                found.item[id]?.isReadOnly != true
            else { return nil }
            return id
        }

        // MARK: Operations

        private mutating func writeOperations() {
            write("list", found.list, usual: "GET", isItem: false)
            if found.idPath == nil, found.read == nil {
                lines.append(
                    .remark(
                        "Nothing could be tried below the list. Once “id” is set, remove what the API does offer of these:"
                    ))
            }
            write("read", found.read, usual: "GET", isItem: true)
            write("create", found.create, usual: "POST", isItem: false)
            write("update", found.update, usual: style.updateMethod, isItem: true)
            write("delete", found.delete, usual: "DELETE", isItem: true)
        }

        private mutating func write(_ name: String, _ operation: FoundResource.Operation?, usual: String, isItem: Bool)
        {
            guard let operation else { return lines.append(.setting(name, nil)) }
            var setting: Value.Members = [:]
            // An item may stand elsewhere than below its list.
            let expected = collection + (isItem ? "/{id}" : "") + style.ending
            let path = text(operation.path, isItem: isItem)
            if path != expected { setting["path"] = .string(path) }
            if operation.method != usual {
                setting["method"] = .string(operation.method)
                setting["body"] = .string(operation.method == "PATCH" ? "changed" : "whole")
            }
            if let type = ownType(operation) { setting["headers"] = ["Content-Type": .string(type)] }
            if name == "create", let key = idempotencyHeader {
                lines.append(.remark("The header that makes a repeated create harmless: as declared, not tried."))
                setting["idempotency-header"] = .string(key)
            }
            if !setting.isEmpty { lines.append(.setting(name, .object(setting))) }
        }

        private var idempotencyHeader: String? {
            found.create?.headers.first { $0.lowercased() == "idempotency-key" }
        }

        // MARK: Bodies

        private static let form = "application/x-www-form-urlencoded"

        private var writes: [FoundResource.Operation] { [found.create, found.update].compactMap { $0 } }

        /// What requests and answers are written as, where all of them are the same and are not plain JSON.
        private var mediaType: String? {
            guard let type = found.list.responseType, type.hasSuffix("+json") else { return nil }
            return type
        }

        /// The type of a body, where it is JSON under another name than that of the other bodies.
        private func ownType(_ operation: FoundResource.Operation) -> String? {
            guard let type = operation.requestType, type != mediaType, type.isJSONType else { return nil }
            let isPlain = type.hasPrefix("application/json") || type.hasPrefix("*/*")
            return isPlain ? mediaType.map { _ in "application/json" } : type
        }

        private mutating func writeMediaTypes() {
            if let mediaType, style != .jsonAPI || mediaType != "application/vnd.api+json" {
                lines.append(.setting("media-type", .string(mediaType)))
            }
            let types = writes.compactMap(\.requestType)
            if !types.isEmpty, types.allSatisfy({ $0.hasPrefix(Self.form) }) {
                return lines.append(.setting("coding", "form"))
            }
            for operation in writes {
                guard let type = operation.requestType, !type.isJSONType else { continue }
                let isForm = type.hasPrefix(Self.form)
                lines.append(
                    .remark(
                        "\(operation.method) \(operation.path.text) takes \(type), which is not what is sent here"
                            + (isForm ? ", as other requests take JSON." : ".")))
                if isForm { lines.append(.suggestion("coding", "form")) }
                if type.lowercased().contains("xml") { lines.append(.suggestion("coding", "xml")) }
            }
        }

        private mutating func writeItems() {
            if !style.finds(found.items, of: found.name) {
                switch found.items {
                case .body: lines.append(.setting("items", "$"))
                case .inner(let outer, let member):
                    let path = SelectorText.whole(outer) + String(SelectorText.whole(member).dropFirst())
                    lines.append(.setting("items", .string(path)))
                case .member(let member):
                    let path = Value.string(SelectorText.whole(member))
                    // Google leaves an empty list out.
                    lines.append(
                        .setting("items", family == .google ? ["path": path, "optional": true] : path))
                }
            }
            let read = found.root(found.read?.response)
            let write = found.createRoot
            if let usual = style.root(of: found.name) {
                let isWritten = found.create?.request.map { !$0.names.isEmpty } ?? false
                if read ?? usual == usual, write == usual || !isWritten { return }
                // The style strips a root where there is one, and always writes it.
                if read == nil, write == nil { return lines.append(.setting("root", nil)) }
            }
            switch (read, write) {
            case (nil, nil): break
            case (let name?, let other?) where name == other: lines.append(.setting("root", .string(name)))
            default:
                var root: Value.Members = [:]
                root["read"] = read.map { .string($0) }
                root["write"] = write.map { .string($0) }
                lines.append(.setting("root", .object(root)))
            }
        }

        private mutating func writePages() {
            let list = found.list
            let size = list.parameter([
                "page_size", "per_page", "pageSize", "perPage", "limit", "size", "maxResults", "count",
                "page[size]", "page[limit]", "_limit"
            ])
            let setting = size.map { size -> Value in
                let most = size.schema?.maximum ?? size.schema?.fallback ?? 100
                return ["parameter": .string(size.name), "value": .init(integerLiteral: max(1, min(most, 1000)))]
            }
            var pages: Value.Members = [:]
            let totals = ["total", "count", "total_count", "totalCount", "totalItems"]
            let counts = ["x-total-count", "x-wp-total", "x-total"]
            let total =
                totals.first { list.response?[$0]?.type == "integer" }.map { Value.string("$.\($0)") }
                ?? list.responseHeaders.first { counts.contains($0.lowercased()) }.map { ["header": .string($0)] }
            let token = ["nextPageToken", "next_page_token", "nextToken", "next_cursor", "nextCursor", "cursor"].first {
                list.response?[$0]?.type == "string"
            }
            let tokenParameter = list.parameter(["pageToken", "page_token", "nextToken", "cursor", "after"])
            if list.linksNext {
                pages = ["kind": "link-header"]
            } else if let token, let parameter = tokenParameter {
                pages = ["kind": "token", "next": .string("$.\(token)"), "parameter": .string(parameter.name)]
            } else if list.response?["next"]?.type == "string" {
                pages = ["kind": "link-body", "next": "$.next"]
            } else if list.response?["_links"]?.has("next") == true {
                pages = ["kind": "link-body", "next": "$._links.next.href"]
            } else if let offset = list.parameter(["offset", "skip"]), setting != nil {
                pages = ["kind": "offset", "parameter": .string(offset.name)]
                if let total { pages["total"] = total }
            } else if let page = list.parameter(["page", "page_number", "pageNumber"]) {
                pages = ["kind": "number", "parameter": .string(page.name)]
                if (page.schema?.minimum ?? page.schema?.fallback ?? 1) == 0 { pages["first"] = 0 }
                if let total { pages["total"] = total }
                if let status = list.pastTheEnd { pages["end-status"] = .init(integerLiteral: status) }
            }
            guard !pages.isEmpty else {
                if style == .jsonAPI {
                    if let setting { lines.append(.setting("pages", ["size": setting])) }
                } else if style == .googleTasks {
                    lines += [
                        .remark("No paging is described: one answer is taken to hold everything."),
                        .setting("pages", "none")
                    ]
                } else if !list.pageHints.isEmpty {
                    lines.append(.remark("The answer says that more follows; by what it is asked for is a guess:"))
                    lines += list.pageHints.map { .suggestion("pages", $0) }
                } else if let more = list.more {
                    lines += [
                        .remark("The answer has \(more), so more follows; write where the next page is, such as"),
                        .suggestion("pages", ["kind": "token", "next": "$.paging.next", "parameter": "after"])
                    ]
                } else if style == .plain {
                    lines.append(.remark("No paging is described: one answer is taken to hold everything."))
                }
                return
            }
            if let setting { pages["size"] = setting }
            guard pages != style.pages else { return }
            // The style’s own size is a parameter that this list does not take.
            if setting == nil, style.pages["size"] != nil { pages["size"] = .null }
            lines.append(.setting("pages", .object(pages)))
        }

        // MARK: What a list hides

        private mutating func writeQuery() {
            if !found.list.asked.isEmpty {
                lines += [.remark("What the URL of the list said."), .setting("query", .object(found.list.asked))]
            }
            let hiding = HidingParameters(of: found.list, showsDeletion: found.item["deleted"]?.type == "boolean")
            if !hiding.query.isEmpty {
                lines += [
                    .remark("Without these its list leaves objects out, by their names: as declared, not tried."),
                    .setting("query", .object(hiding.query))
                ]
            }
            showsDeleted = hiding.showsDeleted
            if showsDeleted { lines.append(.setting("deletes", ["field": "deleted", "equals": true])) }
            for each in hiding.choices {
                lines += [
                    .remark("“\(each.name)” is “\(each.usual)” unless it is sent. If the list leaves objects out so:"),
                    .suggestion("query", .object([each.name: .string(each.all)]))
                ]
            }
        }

        private mutating func writeVersion() {
            let writes = [found.update, found.delete].compactMap { $0 }
            let takesMatch = writes.contains { $0.headers.contains { $0.lowercased() == "if-match" } }
            let givesTag = (found.read?.responseHeaders ?? []).contains { $0.lowercased() == "etag" }
            let byTag: Value = ["header": "ETag", "send": "if-match"]
            if takesMatch {
                lines += [
                    .remark("If-Match: as declared, not tried; “atmos check --write” tries whether it protects."),
                    .setting("version", byTag)
                ]
            } else if style == .googleTasks {
                lines.append(
                    found.item["etag"] == nil
                        ? .setting("version", "compare")
                        : .remark(
                            "The style sends “etag” in If-Match: as declared, not tried; “atmos check --write” tries it."
                        ))
            } else if givesTag {
                lines += [
                    .remark(
                        "Answers have an ETag, which does not say that If-Match is heeded; “atmos check --write” tries:"
                    ),
                    .suggestion("version", byTag)
                ]
            } else if found.item["etag"]?.type == "string" {
                lines += [
                    .remark("The description shows an “etag”, and not whether If-Match is honoured."),
                    .suggestion("version", ["field": "etag", "send": "if-match"])
                ]
            } else if !writes.isEmpty, found.read == nil {
                lines += [
                    .remark("There is no request for one object, so nothing can be compared before a write."),
                    .setting("version", "none")
                ]
            }
        }

        // MARK: Members

        private mutating func writeMembers(among names: ReferenceNames) {
            let types = found.item.names.compactMap { name in
                Self.type(of: found.item[name]).map { Value.Member(name: name, value: .string($0)) }
            }.filter { style != .googleTasks || $0.name != "updated" }
            if !types.isEmpty { lines.append(.setting("types", .object(Value.Members(types)))) }
            let parents = Set(found.parents.map(\.member))
            let writes = [found.create?.request, found.update?.request].compactMap { $0 }
            let id = found.id
            let readonly = found.item.names.filter { name in
                guard name != id, !parents.contains(name) else { return false }
                if found.item[name]?.isReadOnly == true { return true }
                return !writes.isEmpty && writes.allSatisfy { !$0.names.isEmpty && !$0.has(name) }
                    && !writes.contains { $0.names.count == 1 }
            }
            // A list replaces that of the style.
            let all = readonly + style.readonly.filter { found.item[$0] != nil && !readonly.contains($0) }
            if Set(all) != Set(style.readonly).intersection(found.item.names), !writes.isEmpty {
                lines.append(.setting("readonly", .array(all.map { .string($0) })))
            }
            if !relationships.isEmpty {
                lines.append(
                    .remark(
                        "Each relationship is a field once “fields” names it; the guide shows how: "
                            + relationships.prefix(12).joined(separator: ", ")))
            }
            let references = found.item.names.filter { !parents.contains($0) && $0 != id }.compactMap { member in
                names.resource(member, of: found.name).map { Value.Member(name: member, value: .string($0)) }
            }.filter { found.item[$0.name]?.type != "object" && found.item[$0.name]?.type != "array" }
            guard !references.isEmpty else { return }
            lines += [
                .remark("By its name; a new object goes after the new one that it refers to."),
                .setting("references", .object(Value.Members(references)))
            ]
        }

        /// The type that the server says itself, else one that compares in another way than its JSON does.
        private static func type(of schema: APISchema?) -> String? {
            if let type = schema?.declaredType { return type.rawValue }
            switch (schema?.type, schema?.format) {
            case ("string", "date"): return "date"
            case ("string", "date-time"): return "instant"
            case ("string", "decimal"), ("number", "decimal"): return "decimal"
            default: return nil
            }
        }

        private mutating func writeActions() {
            let actions = found.actions.map { name, operation -> Value.Member in
                let path = text(operation.path, isItem: false)
                var action: Value.Members = [operation.method.lowercased(): .string(path)]
                let query = operation.query.filter { !$0.name.isEmpty }.map { Value.string($0.name) }
                if !query.isEmpty { action["query"] = .array(query) }
                return Value.Member(name: name, value: .object(action))
            }
            if !actions.isEmpty { lines.append(.setting("actions", .object(Value.Members(actions)))) }
        }

        // MARK: What no description says

        private mutating func writeOpenQuestions() {
            let since = found.list.parameter([
                "modified_since", "updated_since", "updated_after", "modified_after", "since", "updatedMin",
                "updated_at__gte",
                "updated__gte", "modified__gte", "_since"
            ])
            if let since {
                let field = ["modified", "updated", "updated_at", "modified_at", "last_modified", "updatedAt"].first {
                    found.item[$0] != nil
                }
                let from: Value = field.map { ["field": .string($0)] } ?? "response-date"
                lines += [
                    .remark("“\(since.name)” may ask for changes only; if it does, pulls cost what changed:"),
                    .suggestion("since", ["send": .string(since.name), "from": from])
                ]
            }
            writeDeletes()
            guard found.create != nil, idempotencyHeader == nil else { return }
            let unique = ["uuid", "guid", "client_id", "external_id", "slug"].first {
                found.item[$0] != nil && $0 != found.id
            }
            lines += [
                .remark("A create whose answer is lost waits for a person, unless a unique member can be looked up:")
            ]
            let member = unique ?? "uuid"
            lines.append(.suggestion("lookup", ["field": .string(member), "query": .string(member)]))
        }

        private mutating func writeDeletes() {
            guard !showsDeleted else { return }
            if found.item.tellsDeletesByAbsence { return lines.append(.setting("deletes", "absent")) }
            if family == .wordPress, found.delete != nil {
                lines += [
                    .remark("A deleted object goes to the trash; where there is none, or to delete it for good:"),
                    .suggestion("delete", ["query": ["force": "true"]])
                ]
            }
            let complete =
                found.list.pageHints.isEmpty && found.list.more == nil ? "is always complete" : "has all its pages"
            lines += [
                .remark("How the server shows that an object is gone is not described. If its list \(complete):"),
                .suggestion("deletes", "absent")
            ]
        }
    }
#endif
