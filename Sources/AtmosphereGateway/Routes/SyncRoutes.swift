internal import Atmosphere
internal import AtmosphereReports

extension Route {
    /// What goes between the local copy and the server.
    static let syncRoutes: [Route] = [
        Route(
            "GET", "/v1/status", "status", "Count objects by entity and state, and say what goes on.", answer: "status",
            run: { call in GatewayAnswer(.object(try await call.service.status())) }),
        Route(
            "POST", "/v1/pull", "pull",
            "Bring changes from the server; what is edited here is merged. Progress comes with the events.",
            body: "pull", answer: "pullReport", problems: [.conflict, .unprocessableContent],
            run: { try await SyncRouteAnswers($0).pull() }),
        Route(
            "POST", "/v1/push", "push", "Send local changes: parents first, never twice.", body: "push",
            answer: "pushReport", problems: [.conflict, .unprocessableContent],
            run: { try await SyncRouteAnswers($0).push() }),
        Route(
            "POST", "/v1/sync", "sync", "Push, then pull everything.", answer: "syncReport", problems: [.conflict],
            run: { try await SyncRouteAnswers($0).sync() }),
        Route(
            "POST", "/v1/check", "check",
            "Ask the server whether it is what the route file says; it reads, and writes nothing.",
            answer: "checkReport", run: { try await SyncRouteAnswers($0).check() }),
        Route(
            "GET", "/v1/log", "log", "Show why objects were sent, merged or skipped.",
            parameters: [
                limit,
                Parameter(name: "entity", schema: #"{"type":"string"}"#, text: "Only this entity.")
            ],
            answer: "log",
            run: { call in
                let entity = try call.text("entity").map { try call.service.resource($0).name }
                return try await SyncRouteAnswers(call).log(entity.map { LogSubject($0) })
            }),
        Route(
            "GET", "/v1/network", "network", "Say whether the gateway works offline.", answer: "network",
            run: { call in GatewayAnswer(call.service.networkValue) }),
        Route(
            "PUT", "/v1/network", "switchNetwork", "Work offline, or online again.", body: "switch",
            isBodyNeeded: true, answer: "network", problems: [.conflict, .unprocessableContent],
            run: { call in
                let body = try BodyMembers(
                    await call.request.members(call.service.options), known: ["offline"])
                guard let isOffline = try body.flag("offline") else {
                    throw UsageError.usage("the body must say {\"offline\": true} or {\"offline\": false}")
                }
                try await call.service.switchNetwork(isOffline: isOffline)
                return GatewayAnswer(call.service.networkValue)
            }),
        Route(
            "GET", "/v1/identity", "identity", "Ask the server who it takes us for.", answer: "identity",
            run: { call in
                if call.service.options.isReadOnly, call.synchronizer.routeFile.identity != nil {
                    throw Problem.readOnly("the API would be asked who it takes us for")
                }
                return GatewayAnswer(["identity": .init(try await call.synchronizer.identity())])
            }),
        Route(
            "GET", "/v1/sign-in", "signInState", "Say who is signed in, and what a person has to do for it.",
            answer: "signIn", run: { try await SyncRouteAnswers($0).signIn() }),
        Route(
            "POST", "/v1/sign-in", "signIn",
            "Start to sign in; the steps come with the events, and with the state.", answer: "signIn",
            status: .accepted, problems: [.conflict],
            run: { call in
                guard try await call.synchronizer.signInState() != nil else {
                    throw SyncError(
                        code: .wrongState,
                        message:
                            "\(call.synchronizer.routeFile.source) has no auth to sign in with; add auth.oauth2 or "
                            + "auth.session, or write ask in the place of a secret")
                }
                call.service.signIns.start(call.synchronizer, call.service.hub, call.service.onSignIn)
                return try await SyncRouteAnswers(call).signIn(.accepted)
            }),
        Route(
            "DELETE", "/v1/sign-in", "signOut", "Stop signing in, or give the tokens back and forget them.",
            answer: "signedOut", problems: [.conflict],
            run: { call in
                if call.service.signIns.cancel() { return GatewayAnswer(["problem": .null]) }
                return GatewayAnswer(["problem": .init(try await call.synchronizer.signOut())])
            })
    ]
}

extension GatewayService {
    func status() async throws -> Value.Members { try await members(of: synchronizer.syncStatus()) }

    /// A status as the gateway tells it, with what it knows of the network.
    func members(of status: SyncStatus) async throws -> Value.Members {
        var members = status.members
        members["offline"] = network.map { .bool($0.isOffline) } ?? .null
        let now = environment.now()
        let pause = try await synchronizer.store.read { try OriginPause.kept(in: $0) }
            .flatMap { $0.start <= now && $0.end > now ? $0.end.rfc3339 : nil }
        members["pausedUntil"] = Value(pause)
        return members
    }

    var networkValue: Value { ["offline": network.map { .bool($0.isOffline) } ?? .null] }

    /// Works offline, or online again, until it is switched back; also after a new start.
    ///
    /// - Throws: ``Problem`` 409 where the program gave the gateway no switch; ``StoreError``, and nothing was switched.
    func switchNetwork(isOffline: Bool) async throws {
        guard let network else {
            throw Problem(
                .conflict, "wrongState", "this gateway has no offline switch; atmos gateway has one")
        }
        try await KeptSwitch.keep(isOffline: isOffline, in: synchronizer.store)
        network.isOffline = isOffline
        if isOffline { synchronizer.pause() } else { synchronizer.resume() }
        hub.publish("network", networkValue)
    }
}

struct SyncRouteAnswers {
    private let call: GatewayCall

    private var synchronizer: Synchronizer { call.synchronizer }
    private var routeFile: RouteFile { call.synchronizer.routeFile }

    init(_ call: GatewayCall) { self.call = call }

    func pull() async throws -> GatewayAnswer {
        let body = try BodyMembers(
            await call.request.members(call.service.options),
            known: ["entities", "full", "dryRun", "allowedDeletes", "acceptsOlder", "view", "parameters"])
        var options = Synchronizer.PullOptions()
        options.full = try body.flag("full") ?? false
        options.dryRun = try body.flag("dryRun") ?? false
        options.allowedDeletes = try body.count("allowedDeletes")
        options.acceptsOlder = try body.flag("acceptsOlder") ?? false
        let entities = try body.texts("entities")?.map { try call.service.resource($0).name } ?? []
        let report: PullReport
        if let view = try body.text("view") {
            guard entities.count == 1 else {
                throw UsageError.usage("a view is of one entity: {\"entities\": [\"tasks\"], \"view\": \(view.quoted)}")
            }
            let parameters = try (body.members("parameters") ?? [:]).map { member in
                guard let text = member.value.string ?? member.value.number?.lexeme else {
                    throw UsageError.usage("parameters.\(member.name) must be a text or a number")
                }
                return (member.name, text)
            }
            report = try await synchronizer.pull(
                view: view, of: entities[0],
                parameters: Dictionary(parameters, uniquingKeysWith: { first, _ in first }), options: options)
        } else {
            guard !body.has("parameters") else {
                throw UsageError.usage("“parameters” are those of a view; name it with “view”")
            }
            report = try await synchronizer.pull(entities: entities, options: options)
        }
        return GatewayAnswer(value(of: report))
    }

    func push() async throws -> GatewayAnswer {
        let body = try BodyMembers(await call.request.members(call.service.options), known: ["entities"])
        let entities = try body.texts("entities")?.map { try call.service.resource($0).name } ?? []
        return GatewayAnswer(try await value(of: synchronizer.push(entities: entities)))
    }

    func sync() async throws -> GatewayAnswer {
        let report = try await synchronizer.synchronize()
        // What remains is counted after the pull, which can bring conflicts.
        let push = try await value(of: report.push)
        return GatewayAnswer(["push": push, "pull": report.pull.map { value(of: $0) } ?? .null])
    }

    func check() async throws -> GatewayAnswer {
        let report = try await synchronizer.check()
        var members = report.json.members ?? [:]
        members["problems"] = .array(
            report.reportedFailures.map { failure in
                // What a transport says is told as it comes.
                ["code": .string(failure.code), "message": .string(synchronizer.redacted(failure.message))]
            })
        return GatewayAnswer(.object(members))
    }

    private func value(of report: PullReport) -> Value {
        var members = report.json(in: routeFile).members ?? [:]
        members["problems"] = .array(report.reportedFailures(in: routeFile).map(\.value))
        return .object(members)
    }

    private func value(of report: PushReport) async throws -> Value {
        let outcome = try await PushOutcome(report, in: synchronizer)
        var members = outcome.json.members ?? [:]
        members["problems"] = .array(outcome.reportedFailures.map(\.value))
        return .object(members)
    }

    func log(_ subject: LogSubject?) async throws -> GatewayAnswer {
        let limit = try call.count("limit", upTo: 1_000) ?? 50
        let all = synchronizer.logEntries()
        let entries = try await synchronizer.store.read { try subject?.filtered(all, in: $0) ?? all }.suffix(limit)
        return GatewayAnswer(["items": .array(entries.map(\.json))])
    }

    func signIn(_ status: Status = .ok) async throws -> GatewayAnswer {
        let state = try await synchronizer.signInState()
        var members = call.service.signIns.members
        members["state"] = state.map { .object($0.members) } ?? .null
        return GatewayAnswer(.object(members), status)
    }
}

extension ReportedFailure {
    fileprivate var value: Value { ["code": .string(code), "message": .string(message)] }
}
