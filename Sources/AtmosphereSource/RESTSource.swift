public import Atmosphere
internal import Synchronization

/// A REST API in memory, served from the same route file that clients use: for demos, tests and trying things out.
///
/// It follows the route file: paths, methods, paging, `since`, tombstones (in lists, or in a list of their own), versions
/// with `If-Match`, nesting, identifiers, fields that are read and written in other places, partial answers, actions,
/// views, duplicate and error shapes, formats and codings, authentication, contents of attachments (raw or as a part of a form,
/// in one request or two, downloads by `Range`). Bodies may hold any members; checked are that
/// `title` is not blank, that a field is of its declared type, that parents and references exist, and that a lookup field is unique. An action sets
/// its arguments as fields, and a view shows the objects whose fields have the values of its parameters. Every GET has
/// an entity tag and heeds `If-None-Match`. In the style `google-tasks` it is as strict as Google's published
/// description. Deleting an object deletes what is below it. There is nothing to install and nothing on disk: when the
/// value goes, so does the data.
///
/// ```swift
/// let source = try RESTSource(routeFile: file, options: .init(seed: 100))
/// try await source.withServer { url in … }
/// ```
///
/// All members may be used from any thread, whether the server runs or not.
public final class RESTSource: Sendable {
    let options: Options
    private let basePath: String
    private let state: Mutex<SourceState>
    private let records = Mutex<[LogEntry]>([])
    private let faults = Mutex(FaultProgress())
    private let hook = Mutex<(@Sendable (RequestInfo) async -> Intercept?)?>(nil)

    /// Ends all sessions and access tokens, and the refresh tokens too where asked for, as a user who takes back a
    /// permission does.
    public func revokeTokens(refreshTokens: Bool = false) {
        state.withLock { state in
            state.grants.ends = [:]
            state.grants.sessions = []
            if refreshTokens { state.grants.refreshTokens = [] }
        }
    }

    /// Makes the source and its generated objects; nothing is bound yet.
    ///
    /// - Parameter adapters: what reads and writes the route file's formats and codings; JSON and forms are always
    ///   there.
    /// - Throws: ``RESTSourceError`` `missingSecret` where the route file's `auth` names a secret that the options lack,
    ///   `missingAdapter` for a format or a coding that no adapter knows.
    public convenience init(
        routeFile: RouteFile, options: Options = Options(), adapters: [Adapter] = []
    ) throws(RESTSourceError) {
        try self.init(SourceAPI(routeFile, adapters: adapters), options: options)
    }

    package init(_ api: SourceAPI, options: Options = Options()) throws(RESTSourceError) {
        let names = api.auth.serverSecretNames + (api.key?.serverSecretNames ?? [])
        for name in names.map(\.name) where options.secrets[name] == nil {
            throw RESTSourceError(
                code: .missingSecret, message: "auth names secret:\(name); give its value in the source's options")
        }
        var options = options
        if case .oauth2(let settings) = api.auth, options.oauth == nil {
            options.oauth = OAuth(settings, secrets: options.secrets)
        }
        self.options = options
        basePath = api.basePath
        state = Mutex(SourceState(api, rules: options.rules))
    }

    // MARK: Data

    /// An entity's objects in the order of their creation, as a list shows them; empty for an unknown entity.
    public func objects(_ entity: String) -> [ObjectRecord] {
        state.withLock { state in
            state.tables[entity]?.rows.filter { !$0.isDeleted }.map { ObjectRecord($0.members) } ?? []
        }
    }

    /// Creates an object as another client would.
    ///
    /// - Parameter members: fields, as the route file names them.
    /// - Returns: its identifier, as in ``ObjectURI/id``.
    /// - Throws: ``RESTSourceError`` `unknownEntity`, or `refused` with the reason.
    @discardableResult
    public func add(_ entity: String, _ members: Value.Members) throws(RESTSourceError) -> String {
        try change { state throws(RESTSourceError) in
            guard let resource = state.api.resource(entity) else { throw .unknown(entity) }
            let id = resource.assigned == .client ? resource.id.first(in: .object(resource.members(members))) : nil
            do throws(SourceRefusal) {
                return try state.add(members, id: id, parents: resource.parents.map { _ in nil }, resource).key
            } catch {
                throw .refused(error, "\(entity)")
            }
        }
    }

    /// Changes members of an object as another client would: with a new modification time and version.
    ///
    /// - Parameters:
    ///   - id: the identifier, as in ``ObjectURI/id``.
    ///   - members: fields, as the route file names them.
    /// - Throws: ``RESTSourceError`` `unknownEntity`, `unknownObject`, or `refused` with the reason.
    public func edit(_ entity: String, _ id: String, _ members: Value.Members) throws(RESTSourceError) {
        try change { state throws(RESTSourceError) in
            guard let resource = state.api.resource(entity) else { throw .unknown(entity) }
            guard let row = state.tables[entity]?[id] else { throw .unknown(entity, id) }
            do throws(SourceRefusal) {
                let changed = try state.changed(row, by: members, resource, replaces: false)
                state.tables[entity]?.put(changed)
            } catch {
                throw .refused(error, "\(entity)/\(id)")
            }
        }
    }

    /// Deletes an object, and what is below it, as another client would.
    ///
    /// - Throws: ``RESTSourceError`` `unknownEntity` or `unknownObject`.
    public func remove(_ entity: String, _ id: String) throws(RESTSourceError) {
        try change { state throws(RESTSourceError) in
            guard state.api.resource(entity) != nil else { throw .unknown(entity) }
            guard state.tables[entity]?[id] != nil else { throw .unknown(entity, id) }
            state.remove(entity, id)
        }
    }

    private func change<Result: Sendable>(
        _ body: (inout SourceState) throws(RESTSourceError) -> Result
    ) throws(RESTSourceError) -> Result {
        let time = options.clock()
        return try state.withLock { state throws(RESTSourceError) in
            state.setTime(time)
            let result = try body(&state)
            tell(state)
            return result
        }
    }

    /// Tells what a request, or another client, has changed.
    private func tell(_ state: SourceState) {
        guard let onChange = options.onChange else { return }
        for change in state.changes() { onChange(change) }
    }

    // MARK: Requests

    /// The requests so far, in the order in which they were answered.
    public var log: [LogEntry] { records.withLock { $0 } }

    /// Forgets the requests so far, also for ``summary``; the objects stay.
    public func clearLog() { records.withLock { $0 = [] } }

    /// Asked before each request, whether it is authorized or not; nil from it, or no hook at all, lets the request
    /// through. It may wait, which holds this request back and no other; when the server ends it is cancelled.
    public var intercept: (@Sendable (RequestInfo) async -> Intercept?)? {
        get { hook.withLock { $0 } }
        set { hook.withLock { $0 = newValue } }
    }

    /// What the plan of faults has for a request.
    func fault(for request: RequestInfo) -> Fault? {
        guard let plan = options.faults else { return nil }
        return faults.withLock { $0.fault(for: request, plan) }
    }

    /// What becomes of a request, and a line in the log.
    func answer(_ request: SourceRequest, _ action: Intercept?, origin: String) -> SourceOutcome {
        var processed: SourceAnswer?
        if action?.processes ?? true {
            processed = state.withLock { state in
                if case .fault(.duplicate) = action?.kind {
                    _ = state.answer(request, at: options.clock(), origin: origin)
                    tell(state)
                }
                let answer = state.answer(request, at: options.clock(), origin: origin)
                tell(state)
                return answer
            }
        }
        let outcome = outcome(of: action?.kind, processed)
        var status: Int?
        switch outcome {
        case .answer(let answer), .half(let answer): status = answer.status
        case .close, .reset: break
        }
        var fault: Fault?
        if case .fault(let planned) = action?.kind { fault = planned }
        let entry = LogEntry(RequestInfo(request), processed: processed?.status, status, fault)
        records.withLock { $0.append(entry) }
        options.onAnswer?(entry)
        return outcome
    }

    private func outcome(of kind: Intercept.Kind?, _ processed: SourceAnswer?) -> SourceOutcome {
        let usual = processed.map { SourceOutcome.answer($0) } ?? .close
        switch kind {
        case nil: return usual
        case .close: return .close
        case .refusal(let status, let message, let reason, let headers):
            return .answer(refusal(status, message, reason, headers))
        case .answer(let status, let headers, let body):
            return .answer(SourceAnswer(status, headers: headers, body: body))
        case .fault(let fault):
            switch fault {
            case .dropBefore, .dropAfter: return .close
            case .reset: return .reset
            case .delay, .duplicate: return usual
            case .truncate: return processed.map { $0.body.count > 1 ? .half($0) : .close } ?? .close
            case .wrongType: return .answer(.webPage)
            case .unauthorized, .conflict, .preconditionFailed, .tooManyRequests, .serverError, .unavailable:
                let waits = fault == .tooManyRequests || fault == .unavailable
                let headers: HeaderFields = waits ? ["Retry-After": String(options.faults?.retryAfter ?? 1)] : [:]
                return .answer(refusal(fault.status ?? 500, "A fault that was asked for.", nil, headers))
            }
        }
    }

    func duplicates() -> (Int, [Summary.Duplicate]) { state.withLock { $0.duplicates } }

    private func refusal(
        _ status: Int, _ message: String, _ reason: String?, _ headers: HeaderFields
    ) -> SourceAnswer {
        let refusal =
            reason.map { SourceRefusal.reasoned(status: status, message, reason: $0) }
            ?? .general(status: status, message)
        var answer = state.withLock { $0.words(refusal) }
        for header in headers.fields { answer.headers.append(header.name, header.value) }
        return answer
    }

    /// The URL that stands for the route file's `base`.
    func baseURL(origin: String) -> String { origin + basePath }
}
