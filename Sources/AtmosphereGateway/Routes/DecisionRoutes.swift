internal import Atmosphere
internal import AtmosphereReports

extension Route {
    /// What waits, and what a person decides.
    static let decisionRoutes: [Route] = [
        Route(
            "GET", "/v1/pending", "pending", "List what waits to be sent, object by object, and why it has not been.",
            parameters: [
                entity,
                Parameter(
                    name: "limit", schema: #"{"type":"integer","minimum":0,"maximum":1000,"default":100}"#,
                    text: "No more objects than this.")
            ],
            answer: "pending",
            run: { call in
                let entity = try call.text("entity").map { try call.service.resource($0).name }
                let limit = try call.count("limit", upTo: 1_000) ?? 100
                let (shown, total) = try await call.synchronizer.store.read { snapshot in
                    let metas = limit > 0 ? try snapshot.changed(entity: entity, after: nil, limit: limit) : []
                    let counts = try snapshot.counts().filter { entity == nil || $0.key == entity }
                    return (
                        try metas.compactMap { try snapshot.object(at: $0.uri) },
                        counts.values.reduce(0) { $0 + $1.changed }
                    )
                }
                let held = try await call.synchronizer.heldChanges()
                let items = shown.compactMap { object in
                    PendingReason(object, in: call.synchronizer, held: held, namesCommands: false).map {
                        reason -> Value in
                        var members = reason.json.members ?? [:]
                        members["state"] = Value(object.meta.outgoing?.mark(of: object.meta))
                        return .object(members)
                    }
                }
                return GatewayAnswer(["items": .array(items), "total": .init(total)])
            }),
        Route(
            "GET", "/v1/diff", "diff", "Show what a push would send, request by request; nothing is sent.",
            parameters: [
                entity,
                Parameter(name: "object", schema: #"{"type":"string"}"#, text: "Only this object, as ENTITY/ID.")
            ],
            answer: "diff",
            run: { call in
                var entities = try call.text("entity").map { [try call.service.resource($0).name] } ?? []
                var uri: ObjectURI?
                if let text = call.text("object") {
                    guard let named = ObjectURI(text) else {
                        throw UsageError.usage("object=\(text): write ENTITY/ID, such as tasks/42")
                    }
                    entities = [try call.service.resource(named.entity).name]
                    guard let object = try await call.synchronizer.object(at: named) else {
                        throw SyncError(code: .notFound, message: "there is no \(named) here")
                    }
                    uri = object.uri
                }
                return GatewayAnswer(try await PushDiff(call.synchronizer, entities: entities, uri: uri).json)
            }),
        Route(
            "GET", "/v1/conflicts", "conflicts", "List objects that both sides changed, with base, mine and theirs.",
            parameters: [entity], answer: "conflicts",
            run: { try await DecisionLists($0).open { if case .conflicted = $0 { true } else { false } } }),
        Route(
            "GET", "/v1/unknown", "unknown",
            "List changes whose outcome is in doubt, with what a create may have become.", parameters: [entity],
            answer: "unknown",
            run: { try await DecisionLists($0).open { if case .unknown = $0 { true } else { false } } }),
        Route(
            "GET", "/v1/rejected", "rejected", "List changes that the server refused, with what it said.",
            parameters: [entity], answer: "rejected", run: { try await DecisionLists($0).rejected() }),
        Route(
            "GET", "/v1/objects/{entity}/{id}/candidates", "candidates",
            "List the objects that a create in doubt may have become.", answer: "candidates",
            run: { call in
                let uri = try await call.object().uri
                let found = try await call.synchronizer.candidates(for: uri)
                return GatewayAnswer(["items": .init(found.map(\.description))])
            }),
        Route(
            "POST", "/v1/objects/{entity}/{id}/resolve", "resolve",
            "Decide a conflict, or a create whose outcome is in doubt; the next push sends the decision.",
            parameters: [ifMatch], body: "decision", isBodyNeeded: true, answer: "address",
            problems: [.conflict, .preconditionFailed, .unprocessableContent],
            run: { try await DecisionRoute($0).resolve() }),
        Route(
            "POST", "/v1/objects/{entity}/{id}/retry", "retry",
            "Give a refused or failed change another try with the next push.", parameters: [ifMatch],
            answer: "address", problems: [.conflict, .preconditionFailed],
            run: { call in
                let (object, condition) = try await call.target()
                try await call.synchronizer.retry(object.uri, where: condition)
                return GatewayAnswer(["uri": .string(object.uri.description)])
            }),
        Route(
            "POST", "/v1/objects/{entity}/{id}/discard", "discard",
            "Drop what was edited here, and go back to what the server has.", parameters: [ifMatch],
            answer: "discarded", problems: [.conflict, .preconditionFailed],
            run: { try await DecisionRoute($0).discard() }),
        Route(
            "POST", "/v1/retry", "retryAll", "Give everything that was refused or failed another try.",
            answer: "retried", run: { try await DecisionLists($0).retryAll() })
    ]

    private static let entity = Parameter(name: "entity", schema: #"{"type":"string"}"#, text: "Only this entity.")
}

extension GatewayCall {
    /// What a person has to decide of an object; nil where there is nothing.
    func decision(on object: LocalObject) async throws -> OpenDecision? {
        guard object.meta.isChanged else { return nil }
        let candidates = try await synchronizer.candidates(for: object.uri)
        let files = synchronizer.routeFile.resource(object.uri.entity)?.contestedUploads(of: object)
        return OpenDecision(
            object, candidates: candidates, isAutomatic: synchronizer.findsOut(object), files: files)
    }
}

private struct DecisionLists {
    private let call: GatewayCall

    init(_ call: GatewayCall) { self.call = call }

    private func pending() async throws -> [LocalObject] {
        let entity = try call.text("entity").map { try call.service.resource($0).name }
        return try await call.synchronizer.pending(entity: entity)
    }

    func open(_ isMeant: (ObjectStatus) -> Bool) async throws -> GatewayAnswer {
        var items: [Value] = []
        for object in try await pending() where isMeant(object.status) {
            if let decision = try await call.decision(on: object) { items.append(decision.json) }
        }
        return GatewayAnswer(["items": .array(items)])
    }

    func rejected() async throws -> GatewayAnswer {
        let items = try await pending().compactMap { object -> Value? in
            guard let refusal = object.meta.outgoing?.refusal else { return nil }
            var members = refusal.json(of: object.uri).members ?? [:]
            if let upload = object.meta.openUpload { members["upload"] = upload.place }
            return .object(members)
        }
        return GatewayAnswer(["items": .array(items)])
    }

    func retryAll() async throws -> GatewayAnswer {
        var retried: [String] = []
        var left: [Value] = []
        for object in try await call.synchronizer.pending() where object.meta.outgoing?.canBeRetried == true {
            do {
                try await call.synchronizer.retry(object.uri)
                retried.append(object.uri.description)
            } catch let error as SyncError where error.code == .wrongState {
                // One that must be edited first holds up no other.
                left.append(["uri": .string(object.uri.description), "message": .string(error.message)])
            }
        }
        return GatewayAnswer(["retried": .init(retried), "left": .array(left)])
    }
}

private struct DecisionRoute {
    private let call: GatewayCall

    private var synchronizer: Synchronizer { call.synchronizer }

    init(_ call: GatewayCall) { self.call = call }

    func resolve() async throws -> GatewayAnswer {
        let resource = try call.resource()
        let body = try BodyMembers(
            await call.request.members(call.service.options), known: ["decision", "set", "else", "adopt"])
        let (object, condition) = try await call.target()
        let set = try body.members("set")
        try set?.check(against: resource, isJSON: true)
        let resolution: Synchronizer.Resolution
        switch try body.text("decision") {
        case "mine": resolution = .mine
        case "theirs": resolution = .theirs
        case "both": resolution = .both(setting: (set ?? [:]).map { (name: $0.name, value: Value?.some($0.value)) })
        case "set":
            guard let set, !set.isEmpty else {
                throw UsageError.usage(
                    "the decision “set” needs values: {\"decision\": \"set\", \"set\": {\"FIELD\": VALUE}}")
            }
            resolution = .set(try decided(set, else: body.text("else"), object, resource))
        case "adopt":
            guard let id = try body.text("adopt"), !id.isEmpty else {
                throw UsageError.usage(
                    "the decision “adopt” needs an identifier: {\"decision\": \"adopt\", \"adopt\": \"43\"}")
            }
            resolution = .adopt(ObjectID(id))
        case "resend": resolution = .resend
        case let other:
            let said = other.map { "; \($0.quoted) is none" } ?? ""
            throw UsageError.usage("decision: write mine, theirs, both, set, adopt or resend\(said)")
        }
        try await synchronizer.resolve(object.uri, resolution, where: condition)
        let present = try await synchronizer.object(at: object.uri)?.uri ?? object.uri
        return GatewayAnswer(["uri": .string(present.description)])
    }

    /// The values that were given, and a side's for what else clashes. A file that waits is mine, and no value.
    private func decided(
        _ given: Value.Members, else side: String?, _ object: LocalObject, _ resource: Resource
    ) throws -> [(name: String, value: Value?)] {
        let values = given.map { (name: $0.name, value: Value?.some($0.value)) }
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase else { return values }
        let others = conflict.fields.filter { given[$0] == nil }
        guard others.isEmpty || side == "mine" || side == "theirs" else {
            let names = others.joined(separator: ", ")
            throw UsageError.usage(
                "\(object.uri) clashes in \(names), too: set that as well, or add \"else\": \"mine\" or \"theirs\" for what "
                    + "is not set; nothing is decided")
        }
        let record = side == "mine" ? object.record?.members : conflict.theirs?.members
        let waiting = Set(resource.contestedUploads(of: object).map(\.member))
        // What else clashes is theirs unless it is set.
        let decided = others.filter { (side == "mine") != waiting.contains($0) }
        return values + decided.map { (name: $0, value: record?[$0]) }
    }

    func discard() async throws -> GatewayAnswer {
        let (object, condition) = try await call.target()
        guard object.meta.isChanged else {
            throw SyncError(
                code: .wrongState, message: "\(object.uri) has nothing to drop: it is as the server has it")
        }
        try await synchronizer.discard(object.uri, where: condition)
        return GatewayAnswer([
            "uri": .string(object.uri.description), "mayBeDone": .bool(object.meta.outgoing?.mayBeDone == true),
            "dropped": .array(object.meta.uploads.map(\.place))
        ])
    }
}
