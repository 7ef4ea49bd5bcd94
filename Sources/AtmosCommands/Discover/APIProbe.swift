#if Command
    internal import Atmosphere

    /// Looks at an API that does not describe itself: reads what stands at a URL, and one object of each list. Only
    /// reads.
    struct APIProbe {
        let reader: DescriptionReader
        private(set) var operations: [APIDescription.Operation] = []
        private(set) var remarks: [String] = []

        init(_ reader: DescriptionReader) { self.reader = reader }

        /// - Parameters:
        ///   - value: what stands at the URL.
        ///   - url: absolute.
        /// - Throws: `TransportError` where the server has gone meanwhile; ``CommandFailure`` for a list without objects.
        mutating func describe(
            _ value: Value, _ response: DescriptionReader.Answer, at url: String
        ) async throws -> APIDescription {
            let origin = URLText.origin(url) ?? url
            if let links = Self.links(in: value, below: origin) {
                for (name, link) in links {
                    guard URLText.origin(link) == origin else {
                        let other = URLText.origin(link) ?? link
                        remarks.append("\(name) leads to another server, \(other), so it is left out.")
                        continue
                    }
                    let answer = try await reader.get(link)
                    guard let listed = answer.value else {
                        remarks.append("\(name) answers \(answer.status), so it is left out.")
                        continue
                    }
                    try await look(at: listed, answer, url: link, origin)
                }
            } else {
                if Self.isEmptyList(value) { throw Self.nothing(at: url) }
                try await look(at: value, response, url: url, origin)
            }
            for secret in URLText.Query(of: url).secrets.dropFirst() {
                let name = secret.name.quoted
                remarks.append("\(name) of the URL looks like a secret, and “auth.key” holds one: it is left out.")
            }
            remarks.append("The API was looked at, not described: members that no sample had are unknown.")
            var description = APIDescription(title: "The API at \(origin)", base: origin, operations: operations)
            description.remarks = remarks
            return description
        }

        /// An object of URLs, as Django REST framework and others show at their root, or the links of HAL; some may lead to other
        /// servers.
        private static func links(in value: Value, below origin: String) -> [(String, String)]? {
            guard let members = value.members, !members.isEmpty else { return nil }
            if let links = halLinks(of: members, below: origin) { return links }
            let links = members.compactMap { member in
                member.value.string.flatMap { link($0, below: origin) }.map { (member.name, $0) }
            }
            return links.count == members.count ? links : nil
        }

        private static func link(_ text: String, below origin: String) -> String? {
            guard text.hasPrefix("http") || text.hasPrefix("/") else { return nil }
            let link = text.hasPrefix("/") ? origin + text : text
            return URLText.origin(link) != nil && URLText.isClean(link) ? link : nil
        }

        /// The links of a HAL document that is none of a list or of an object, such as a root: without those that relate it to
        /// other documents, and without what a template may add (RFC 6570 §3.2.8).
        private static func halLinks(of members: Value.Members, below origin: String) -> [(String, String)]? {
            guard let found = members["_links"]?.members, members["id"] == nil,
                members.allSatisfy({ $0.name == "_links" || $0.value.members == nil && $0.value.array == nil })
            else { return nil }
            let others: Set = [
                "self", "profile", "curies", "up", "next", "prev", "first", "last", "search", "describedby",
                "service-doc", "service-desc", "help", "documentation"
            ]
            let links = found.compactMap { member -> (String, String)? in
                guard !others.contains(member.name), let href = member.value.members?["href"]?.string
                else { return nil }
                let bare = String(href.prefix(upTo: href.firstRange(of: "{?")?.lowerBound ?? href.endIndex))
                guard !bare.contains("{") else { return nil }
                return link(bare, below: origin).map { (member.name, $0) }
            }
            return links.isEmpty ? nil : links
        }

        /// The members that may hold a list, in an envelope: some have them one level down.
        private static func envelope(_ members: Value.Members) -> Value.Members {
            if let embedded = members["_embedded"]?.members { return embedded }
            if members.contains(where: { $0.value.array != nil && !isLinks($0.name) }) { return members }
            return ResourceFinder.envelopes.lazy.compactMap { members[$0]?.members }.first ?? members
        }

        private static func isLinks(_ name: String) -> Bool { name == "links" || name == "link" }

        private static func hasIdentifier(_ members: Value.Members?) -> Bool {
            members.map { identifier(in: $0) != nil } ?? false
        }

        /// A list, or an envelope of one, that holds nothing. One object may have empty lists of its own.
        private static func isEmptyList(_ value: Value) -> Bool {
            let members = value.members.map(envelope) ?? [:]
            guard !hasIdentifier(value.members), !hasIdentifier(members) else { return false }
            let lists = value.array.map { [$0] } ?? members.filter { !isLinks($0.name) }.compactMap(\.value.array)
            return !lists.isEmpty && lists.allSatisfy(\.isEmpty)
        }

        private static func nothing(at url: String) -> CommandFailure {
            let pieces = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
            let end = pieces.lastIndex { !$0.isEmpty } ?? 0
            let base = pieces[..<end].joined(separator: "/").shellWord
            return CommandFailure(
                code: "unexpectedAnswer",
                [
                    "\(URLText.shown(url)) is a list without objects, which shows nothing of them; ask again when it has one, or begin "
                        + "by hand: atmos init --base \(base) --resource \(String(pieces[end]).shellWord)"
                ], status: ExitStatus.failed)
        }

        private mutating func look(
            at value: Value, _ answer: DescriptionReader.Answer, url: String, _ origin: String
        ) async throws {
            let bare = String(url.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" })
            guard var path = APIPath(bare), let name = path.segments.last?.literal else { return }
            if path.ending.isEmpty, !path.hasSlash, answer.headers["X-Runtime"] != nil {
                // Rails says how long it took, and mostly knows the notation in the path, as its routing style has it.
                let query = url.prefix { $0 != "#" }.dropFirst(origin.count + bare.count)
                let same = try await reader.get(origin + path.text + ".json" + String(query))
                if same.value?.array != nil || same.value?.members != nil { path.ending = ".json" }
            }
            let schema = Self.schema(of: value)
            var list = APIDescription.Operation(method: "GET", path: path)
            list.response = APISchema(schema, in: DescribedDocument(schema, SchemaBudget()))
            list.asked = asked(URLText.Query(of: url), name)
            let type = answer.headers["Content-Type"]?.prefix { $0 != ";" }.lowercased()
            list.responseType = type == "application/vnd.api+json" ? type : nil
            let items = list.response.flatMap { ResourceFinder.items(in: $0, of: name) }?.0
            let names = items?.names ?? []
            let objects = items == nil ? nil : names.reduce(value as Value?) { $0?.members?[$1] }?.array
            list.linksNext = LinkHeader.namesNext(answer.headers.values(of: "Link"))
            if !list.linksNext {
                let count = objects?.count ?? 0
                list.pageHints = Self.pageHints(in: value, answer, listed: count)
                let around = value.members ?? [:]
                list.more = MoreHint.find(answer.headers, around: around, count: count, items: names)?.text
            }
            operations.append(list)
            guard let sample = objects?.first?.members else {
                remarks.append("\(name): the list is empty or is none, so nothing more could be seen.")
                return
            }
            try await lookAtObject(sample, path, name, origin, answer)
        }

        /// What the route file asks the list with, too: what the URL says, except secrets and what is said of pages.
        private mutating func asked(_ query: URLText.Query, _ name: String) -> Value.Members {
            var asked: Value.Members = [:]
            for parameter in query.parameters where !parameter.isSecret {
                let why: String
                if parameter.isPlace {
                    why = "it says where a page begins"
                } else if parameter.isPageSize {
                    why = "it says how many objects a page has"
                } else if asked[parameter.name] != nil {
                    why = "a query has each name once"
                } else if parameter.isUnspeakable {
                    why = "“query” cannot hold it"
                } else {
                    asked[parameter.name] = .string(parameter.value)
                    continue
                }
                remarks.append("\(name): \(parameter.text) of the URL is left out: \(why).")
            }
            return asked
        }

        /// Settings for what an answer shows of a next page; how that is asked for no answer shows.
        private static func pageHints(
            in value: Value, _ answer: DescriptionReader.Answer, listed: Int
        ) -> [Value] {
            var hints: [Value] = []
            let counted = ["X-Total-Count", "X-Total", "X-WP-Total"].first {
                answer.headers[$0].flatMap { Int64($0) } != nil
            }
            for name in ["X-Next-Page", "X-Next-Cursor", "X-Next-Token"] {
                guard let next = answer.headers[name], !next.isEmpty else { continue }
                var hint: Value.Members =
                    next.contains("/")
                    ? ["kind": "link-header", "header": .string(name)]
                    : ["kind": "token", "next": ["header": .string(name)], "parameter": "page"]
                // It tells of rows that move between the pages.
                if let counted { hint["total"] = ["header": .string(counted)] }
                hints.append(.object(hint))
            }
            let members = value.members ?? [:]
            let more = ["has_more", "hasMore", "more"].first { members[$0]?.bool != nil }
            let tokens = [
                "cursor", "next_cursor", "nextCursor", "nextPageToken", "next_page_token", "nextToken", "next_token"
            ]
            for name in tokens where members[name]?.string?.isEmpty == false {
                var hint: Value.Members = ["kind": "token", "next": .string("$.\(name)")]
                hint["parameter"] = .string(name.hasPrefix("next") ? "page_token" : name)
                if let more { hint["more"] = .string("$.\(more)") }
                hints.append(.object(hint))
            }
            let total = ["total", "count", "total_count", "totalCount"].first { name in
                members[name]?.number?.int64.map { $0 > listed } ?? false
            }
            if hints.isEmpty, let total {
                hints.append(["kind": "number", "parameter": "page", "total": .string("$.\(total)")])
            }
            return hints
        }

        private mutating func lookAtObject(
            _ sample: Value.Members, _ path: APIPath, _ name: String, _ origin: String,
            _ answer: DescriptionReader.Answer
        ) async throws {
            guard let id = Self.identifier(in: sample) else {
                remarks.append("\(name): no member looks like an identifier.")
                return
            }
            var item = APIPath(
                segments: path.segments + [.place("id")], hasSlash: path.hasSlash, ending: path.ending)
            var one = try await reader.get(origin + Self.filled(item, id))
            if one.value == nil, item.ending.isEmpty {
                item.hasSlash.toggle()
                one = try await reader.get(origin + Self.filled(item, id))
            }
            let allowed = (answer.headers["Allow"].map { [$0] } ?? []) + (one.headers["Allow"].map { [$0] } ?? [])
            let methods = Set(allowed.joined(separator: ",").uppercased().split { $0 == "," || $0 == " " })
            guard let value = one.value else {
                remarks.append("\(name): no object could be read at \(item.text) (\(one.status)).")
                return
            }
            let schema = Self.schema(of: value)
            var read = APIDescription.Operation(method: "GET", path: item)
            read.response = APISchema(schema, in: DescribedDocument(schema, SchemaBudget()))
            read.responseHeaders = one.headers.fields.map(\.name)
            operations.append(read)
            if methods.isEmpty {
                remarks.append(
                    "\(name): nothing was written; create, update and delete are guesses until you try them.")
            }
            let isAPI = operations.last { $0.path.segments == path.segments }?.responseType != nil
            let usual = path.hasSlash || !path.ending.isEmpty || isAPI ? ["PATCH", "PUT"] : ["PUT", "PATCH"]
            let update = usual.first { methods.contains(Substring($0)) } ?? usual[0]
            let writes: [(String, APIPath)] = [("POST", path), (update, item), ("DELETE", item)]
            for (method, place) in writes where methods.isEmpty || methods.contains(Substring(method)) {
                operations.append(APIDescription.Operation(method: method, path: place))
            }
        }

        /// What may only be a name is asked for as well, and is a suggestion in the file.
        private static func identifier(in members: Value.Members) -> String? {
            ["id", "uuid", "_id", "pk", "slug", "key", "name"].compactMap { members[$0]?.text }.first
        }

        private static func filled(_ path: APIPath, _ id: String) -> String {
            let pieces = path.segments.map { $0.literal ?? PercentEncoding.segment(id) }
            return "/" + pieces.joined(separator: "/") + path.ending + (path.hasSlash ? "/" : "")
        }

        /// The schema that a sample fits.
        private static func schema(of value: Value) -> Value {
            switch value {
            case .null: return [:]
            case .bool: return ["type": "boolean"]
            case .number(let number): return ["type": number.int64 == nil ? "number" : "integer"]
            case .string(let text):
                if text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil { return ["type": "string", "format": "date"] }
                let isInstant = text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*/#) != nil
                return isInstant ? ["type": "string", "format": "date-time"] : ["type": "string"]
            case .array(let elements):
                return ["type": "array", "items": elements.first.map(schema) ?? [:]]
            case .object(let members):
                let properties = members.map { member -> Value.Member in
                    // The last page's next is null; that there is one is what counts.
                    let isNext = member.name == "next" && member.value.isNull
                    // What an object of JSON:API is.
                    let isKind = member.name == "type" && members["attributes"]?.members != nil
                    let kind: Value = isKind ? ["type": "string", "enum": [member.value]] : schema(of: member.value)
                    return .init(name: member.name, value: isNext ? ["type": "string"] : kind)
                }
                return ["type": "object", "properties": .object(Value.Members(properties))]
            }
        }
    }
#endif
