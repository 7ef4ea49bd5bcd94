import Atmosphere
import Synchronization

extension RoutingStyleSuite {
    var documentChecks: [ConformanceCheck] {
        [
            check("the name can stand behind “style” in a route file") { suite in
                let name = suite.style.name
                let isWord =
                    name.first?.isLetter == true
                    && name.allSatisfy {
                        $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-")
                    }
                try Expect.that(isWord, "name: expected small letters, digits and “-”, got “\(name)”")
            },
            check("the document is one JSON object and always the same") { suite in
                let first = suite.style.document
                let value = try? Value(json: Array(first.utf8))
                try Expect.that(value?.members != nil, "the document is not a JSON object")
                try Expect.equal(suite.style.document, first, "the document, asked for again")
            },
            check("a route file that says no more than it must loads") { suite in
                let resource = try suite.resource()
                try Expect.that(
                    resource.list.isOffered || resource.read.isOffered, "objects can neither be listed nor read")
            },
            check("the style's settings are shown as its own") { suite in
                let origins = Set(try suite.routeFile().explanation(entity: suite.entity).map(\.origin))
                try Expect.that(
                    origins.contains("style \(suite.style.name)"), "no setting in force comes from the document")
            }
        ]
    }

    var resourceChecks: [ConformanceCheck] {
        [
            check("every place of the style is filled in") { suite in
                let places = ["{name}", "{path}", "{singular}", "{plural}", "{format}", "{id-field}"]
                for setting in try suite.routeFile().explanation(entity: suite.entity) {
                    for place in places where setting.value.contains(place) || setting.path.contains(place) {
                        throw ConformanceFailure("\(setting.path) still holds \(place): \(setting.value)")
                    }
                }
            },
            check("one object is addressed by its identifier") { suite in
                let resource = try suite.resource()
                for (name, operation) in [
                    ("read", resource.read), ("update", resource.update), ("delete", resource.delete)
                ] where operation.isOffered {
                    try Expect.that(
                        Self.namesObject(operation, of: resource),
                        "\(name): the path \(operation.path) is the same for every object; end it with /{id}, or name the "
                            + "object in the query: \"query\": { \"{id-field}\": \"{id}\" }")
                }
            },
            check("resources of other names are not the same place") { suite in
                let other = RoutingStyleSuite(style: suite.style, adapters: suite.adapters, entity: "orders")
                let (first, second) = (try suite.resource(), try other.resource())
                try Expect.that(
                    first.list != second.list || first.create != second.create || first.batches != second.batches,
                    "\(first.name) and \(second.name) are listed and created alike; use {path}, {name} or {singular}")
            },
            check("a resource's own path has an effect") { suite in
                let (usual, own) = (try suite.resource(), try suite.resource(["path": "some/other"]))
                try Expect.that(usual != own, "“path” changes nothing; use {path} in the document")
            },
            check("what a resource says itself goes before the style") { suite in
                let resource = try suite.resource(["id": "key", "pages": "none", "list": ["path": "mine"]])
                try Expect.equal(resource.id, .member("key"), "id")
                try Expect.equal(resource.paging, Paging.none, "pages")
                try Expect.equal(resource.list.path.description, "mine", "the path of the list")
            },
            check("a resource can be kept from being written") { suite in
                let resource = try suite.resource([
                    "create": nil, "update": nil, "delete": nil, "batch": nil, "version": "none"
                ])
                try Expect.that(
                    !resource.create.isOffered && !resource.update.isOffered && !resource.delete.isOffered,
                    "an operation that the route file takes away is still offered")
            }
        ]
    }

    /// Whether the request says which object is meant: in its path, in its query, or in the body of a write.
    private static func namesObject(_ operation: Operation, of resource: Resource) -> Bool {
        if operation.path.parts.contains(where: isField) { return true }
        if operation.query.contains(where: { isOfObject($0.template) }) { return true }
        guard !["GET", "DELETE"].contains(operation.method), case .member(let id)? = resource.id.steps.last else {
            return false
        }
        return operation.with.contains(id)
    }

    private static func isOfObject(_ template: PathTemplate) -> Bool {
        template.parts.contains { isField($0) && $0 != .field("version") }
    }

    private static func isField(_ part: PathTemplate.Part) -> Bool {
        if case .field = part { true } else { false }
    }

    var hookChecks: [ConformanceCheck] {
        [
            check("singular and plural are names, always the same") { suite in
                for name in ["tasks", "people", "order-lines", "a", "Ärzte", "status"] {
                    for (what, form) in [("singular", suite.style.singular), ("plural", suite.style.plural)] {
                        let found = form(name)
                        try Expect.that(
                            !found.isEmpty && !found.contains { "/{}?# ".contains($0) },
                            "the \(what) of “\(name)” is “\(found)”, which cannot stand in a path")
                        try Expect.equal(form(name), found, "the \(what) of “\(name)”, asked for again")
                    }
                }
            },
            check("rewriting a request leaves it where it goes") { suite in
                let (before, after) = suite.rewritten()
                try Expect.that(
                    after.url.hasPrefix(Self.base + "/"), "a request under \(Self.base) was sent to \(after.url)")
                try Expect.equal(after.method, before.method, "method")
            },
            check("rewriting a request keeps its body and what was set") { suite in
                let (before, after) = suite.rewritten()
                for name in ["If-Match", "Content-Type"] {
                    try Expect.equal(after.headers[name], before.headers[name], name)
                }
                guard case .bytes(let bytes) = after.body, !bytes.isEmpty else {
                    throw ConformanceFailure("the body was dropped")
                }
            },
            check("rewriting a request keeps its query, and a media type to answer in") { suite in
                let (_, after) = suite.rewritten()
                let query = after.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
                try Expect.that(
                    query.split(separator: "&").contains("a=b"), "the query “a=b” became “\(query)”")
                try Expect.that(after.headers["Accept"]?.isEmpty == false, "the header Accept was dropped")
            },
            check("rewriting a request never allows to send it twice") { suite in
                try Expect.that(!suite.rewritten().1.mayRepeat, "a request that must not be repeated may be")
            }
        ]
    }

    private func rewritten() -> (Request, Request) {
        let before = Request(
            method: "POST", url: "\(Self.base)/\(entity)?a=b",
            headers: ["If-Match": "\"v1\"", "Content-Type": "application/json", "Accept": "application/json"],
            body: .bytes(Array(#"{"title":"a"}"#.utf8)), mayRepeat: false)
        var after = before
        style.rewrite(&after)
        return (before, after)
    }

    var requestChecks: [ConformanceCheck] {
        [
            check("a pull asks for a list under the base") { suite in
                guard try suite.resource().list.isOffered else { return }
                let sent = try await suite.sent { _ = try await $0.pull() }
                guard let first = sent.first else { throw ConformanceFailure("a pull sends nothing") }
                try Expect.that(first.url.hasPrefix(Self.base + "/"), "the list is asked for at \(first.url)")
                try Expect.that(["GET", "POST"].contains(first.method), "the list is asked for by \(first.method)")
                try Expect.that(first.mayRepeat, "asking for a list may be repeated")
            },
            check("a create is sent under the base and carries the object") { suite in
                guard try suite.resource().create.isOffered else { return }
                let entity = suite.entity
                let sent = try await suite.sent { client in
                    try await client.save(["title": "unmistakable"], as: entity)
                    _ = try await client.push()
                }
                guard let create = sent.first(where: { $0.method != "GET" }) else {
                    throw ConformanceFailure("a create sends nothing but GET")
                }
                try Expect.that(create.url.hasPrefix(Self.base + "/"), "the create was sent to \(create.url)")
                guard case .bytes(let body) = create.body,
                    String(decoding: body, as: UTF8.self).contains("unmistakable")
                else { throw ConformanceFailure("the create carries nothing of the object") }
            }
        ]
    }

    /// What a client sends while nobody answers.
    private func sent(_ work: @Sendable (Synchronizer) async throws -> Void) async throws -> [Request] {
        let requests = Mutex<[Request]>([])
        let transport = ScriptedTransport { request in
            requests.withLock { $0.append(request) }
            throw TransportError(code: .cannotConnect, message: "nobody listens", mayHaveArrived: false)
        }
        let now = Mutex(Int64(1_767_225_600_000))
        let count = Mutex(0)
        let file = try routeFile()
        let environment = SyncEnvironment(
            now: { Timestamp(milliseconds: now.withLock { $0 }) },
            sleep: { until in now.withLock { $0 = max($0, until.milliseconds) } },
            makeUUID: {
                let digits = String(
                    count.withLock {
                        $0 += 1
                        return $0
                    })
                return "00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)"
            },
            random: { 0.5 })
        let synchronizer = try await Synchronizer(
            routeFile: file, store: MemoryStore(), transport: transport, style: style,
            extractors: try Set(file.resources.map(\.format)).map { try adapters.extractor(format: $0) },
            writers: try Set(file.resources.map(\.coding)).map { try adapters.writer(coding: $0) },
            environment: environment)
        do {
            try await work(synchronizer)
        } catch let error as SyncError where error.code == .unreachable {
            // Nobody answers; what was sent counts.
        }
        try await synchronizer.close()
        return requests.withLock { $0 }
    }
}
