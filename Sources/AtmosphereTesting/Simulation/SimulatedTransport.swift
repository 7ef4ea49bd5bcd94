internal import Atmosphere

/// One client's way to the server: it takes time, and faults happen on it.
final class SimulatedTransport: Transport {
    let process: SimulatedProcess

    init(_ process: SimulatedProcess) { self.process = process }

    func send(_ request: Request) async throws -> Response {
        let world = process.client.world
        try process.reach("send")
        try Task.checkCancellation()
        let call = try process.client.network.call(request, from: process)
        if let objection = process.pace.objection(to: call, by: process, at: world.now) {
            world.violated("\(process.name) \(objection)")
        }
        if call.method == "POST", let list = process.client.network.list(of: call), let watch = process.client.watch,
            watch.waitsForCreate(ObjectURI(entity: "lists", id: list)), !watch.hasMoved(call.body, from: list)
        {
            world.violated("\(process.name) sent a new task of lists/\(list), which waits to be created")
        }
        let waiter = Waiter<Response>()
        process.wait(for: waiter)
        let isWrite = request.method != "GET" && call.path.last != "lock"
        if isWrite {
            checkTurn()
            process.writing += 1
        }
        defer { if isWrite { process.writing -= 1 } }
        process.client.network.carry(call, request, for: process, waiter)
        let response: Response
        do {
            response = try await waiter.value()
        } catch {
            process.pace.failed(call, by: process, at: world.now)
            throw error
        }
        process.pace.answered(response, to: call, by: process, at: world.now)
        try process.reach("answer")
        world.note("\(process.name) got \(response.status) to \(request.method) \(call.path.joined(separator: "/"))")
        return response
    }
}

extension SimulatedTransport {
    /// One process at a time pushes from a store.
    private func checkTurn() {
        let others = process.client.allProcesses.compactMap(\.self).filter { $0 !== process && $0.writing > 0 }
        if let other = others.first {
            process.client.world.violated("\(process.name) and \(other.name) push from one store at the same time")
        }
    }
}

/// Carries requests to the server and answers back.
final class SimulatedNetwork: @unchecked Sendable {
    // Used from the simulation's thread only.
    let server: SimulatedServer
    let world: SimulatedWorld
    private let secret: String
    private let faults: [NetworkFault]
    /// Percent of the requests that meet a fault.
    private let rate: Int
    private let writeRate: Int
    private var random: SimulationRandom
    /// Those of the faults that servers mean otherwise than they say; they meet writes more often than others.
    private let hostile: [NetworkFault]
    private var chaos: SimulationRandom
    private let editsUnanswered: Bool
    private var aftermath: SimulatedAftermath
    /// Requests that are no lists, for ping-pong.
    private(set) var reads = 0
    private(set) var writes = 0
    /// What each client has asked since the last rest began.
    var efforts: [Int: Effort] = [:]

    init(server: SimulatedServer, scenario: SimulationScenario, secret: String) {
        self.server = server
        world = server.world
        self.secret = secret
        faults = scenario.faults
        rate = scenario.faultRate
        writeRate = scenario.writeFaultRate
        editsUnanswered = scenario.editsUnanswered
        random = SimulationRandom(scenario.seed, "network")
        hostile = NetworkFault.hostile.filter(scenario.faults.contains)
        chaos = SimulationRandom(scenario.seed, "hostile network")
        aftermath = SimulatedAftermath(scenario)
    }

    /// What the server reads of a request.
    ///
    /// - Throws: ``TransportError`` for a request that must never be made.
    func call(_ request: Request, from process: SimulatedProcess) throws -> SimulatedServer.Call {
        guard request.url.hasPrefix(ServerModel.base + "/") else {
            world.violated("a request went elsewhere: \(request.url)")
            throw TransportError(code: .invalidRequest, message: "elsewhere", mayHaveArrived: false)
        }
        if server.model.hasIdentity, request.headers["Authorization"] != "Bearer \(secret)" {
            world.violated("a request without credentials: \(request.url)")
        }
        let target = request.url.dropFirst(ServerModel.base.count + 1)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/").map { PercentEncoding.decode(String($0)) }
        let query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (
                name: PercentEncoding.decode(sides[0]), value: PercentEncoding.decode(sides.count > 1 ? sides[1] : "")
            )
        }
        var body: Value?
        if case .bytes(let bytes) = request.body { body = try? Value(json: bytes) }
        if path.last == "lock" {
            // What a lease costs is not counted.
        } else if request.method != "GET" {
            writes += 1
            world.count("requests that write")
        } else if path.count == 2 || path.count == 4 {
            reads += 1
            world.count("requests that read one object")
        }
        world.count("requests")
        return .init(
            method: request.method, path: path, query: query, headers: request.headers, body: body,
            client: process.client.number, process: process.name, sent: world.now)
    }

    /// The list that a new task names, in its path or in its body.
    func list(of call: SimulatedServer.Call) -> String? {
        if call.path.count == 3, call.path[2] == "tasks" { return call.path[1] }
        guard call.path == ["tasks"], let sent = call.body?.members else { return nil }
        let given = server.model.family == .rails ? sent.first?.value.members ?? sent : sent
        return given["list_id"]?.text
    }

    func carry(
        _ call: SimulatedServer.Call, _ request: Request, for process: SimulatedProcess, _ waiter: Waiter<Response>
    ) {
        let client = process.client
        var fault = world.isCalm || random.below(100) >= rate || faults.isEmpty ? nil : random.pick(faults)
        if fault == nil, writeRate > 0, request.method != "GET", !world.isCalm, !faults.isEmpty,
            random.below(100) < writeRate
        {
            fault = random.pick(faults)
        }
        if let drawn = fault, !drawn.applies(to: request.method) { fault = nil }
        if fault == nil, !hostile.isEmpty, !world.isCalm, chaos.chance(20) {
            fault = chaos.pick(hostile)
            if let drawn = fault, drawn == .forbidden || !drawn.applies(to: request.method) { fault = nil }
        }
        // Whoever may not see any more what was deleted takes it for gone.
        let mayWait = server.model.isSlow || hostile.contains(.hollow)
        if fault == .forbidden, request.method == "GET", mayWait { fault = nil }
        // Where nothing can be read, an accepted delete is believed.
        if fault == .hollow, server.model.hasNoRead || call.path.last == "lock" { fault = nil }
        // A server that compares versions does so first.
        if fault == .hollow, server.isOutdated(call) { fault = nil }
        // One that compares none leaves nothing to tell a delete that was not done from one that another's edit undid.
        if fault == .hollow, call.method == "DELETE", !server.isKnown(call) { fault = nil }
        if fault == .forbidden || fault == .notFound, ["me", "lock"].contains(call.path.last) { fault = nil }
        if fault == .late, !call.isCreate(of: server.model) || !server.model.takesLate { fault = nil }
        if !world.isCalm { fault = aftermath.fault(on: call, mayRepeat: request.mayRepeat, drawn: fault) ?? fault }
        // Whoever is not told of it does not know that the server takes it for somebody else.
        if let fault, call.path == ["me"], ![.delay, .duplicate, .echo].contains(fault) {
            server.mistakes.remove(client.number)
        }
        let there = random.within(1...80)
        let back = random.within(1...80)
        world.note("\(process.name) \(Self.text(call))\(fault.map { " [\($0)]" } ?? "")")
        if let fault {
            world.count("fault \(fault)")
            if fault == .notFound { server.noteDenied(call) }
            if fault == .hollow { server.noteHollow(call) }
            if call.path.last == "lock" { server.noteTrouble(with: call) }
        }
        guard client.isOnline else {
            return world.after(1) { waiter.resume(.failure(Self.error(.cannotConnect, "offline", false))) }
        }
        if let timeout = request.timeout {
            let limit = Int(timeout.components.seconds * 1000)
            world.after(limit) { waiter.resume(.failure(Self.error(.timeout, "no answer in time", true))) }
        }
        if request.method == "POST" { server.ledger.goes(call.body) }
        let answered: (SimulatedServer.Answer) -> Void = { answer in
            if fault == nil, !process.isDead, !waiter.isAnswered {
                self.server.noteAnswer(answer, to: call)
                if request.method == "POST" { self.server.ledger.came(try? Value(json: answer.body)) }
            }
            if let shown = answer.shown, fault != .reset, fault != .truncated, !process.isDead, !waiter.isAnswered {
                self.server.ledger.read(shown.version, of: shown.mark, by: client.number)
            }
            // Nobody repeats what was not sent.
            let secret = call.headers["Authorization"] == nil ? "" : self.secret
            waiter.resume(.success(Self.response(answer, fault, secret: secret)))
        }
        // Where the server has left the title out, nobody could tell another's from the first.
        if let fault, editsUnanswered, !server.model.leavesOutTitles, NetworkFault.afterwards.contains(fault),
            call.isCreate(of: server.model)
        {
            world.after(there + 1) { self.server.editNewest() }
        }
        switch fault {
        case nil, .reset, .truncated, .echo:
            deliver(call, of: process, there) { answer in self.world.after(back) { answered(answer) } }
        case .unreachable:
            world.after(there) { waiter.resume(.failure(Self.error(.cannotConnect, "nobody listens", false))) }
        case .lostRequest:
            world.after(there) { waiter.resume(.failure(Self.error(.connectionLost, "connection lost", true))) }
        case .lostAnswer:
            deliver(call, of: process, there) { _ in
                self.world.after(back) {
                    waiter.resume(.failure(Self.error(.connectionLost, "connection lost", true)))
                }
            }
        case .delay:
            let more = random.within(100...9000)
            let later = random.within(100...9000)
            deliver(call, of: process, more) { answer in self.world.after(later) { answered(answer) } }
        case .late where !server.model.isUnique:
            // Within the time that a request may take, which is all that a client can wait for.
            world.after(there) { waiter.resume(.failure(Self.error(.connectionLost, "connection lost", true))) }
            deliver(call, of: process, there + random.below(17_000)) { _ in }
        case .late:
            server.ledger.goesTooLate(call.body)
            deliver(call, of: process, 20_000 + random.below(30_000)) { _ in }
        case .timeout:
            deliver(call, of: process, there) { answer in self.world.after(60_000) { answered(answer) } }
        case .duplicate:
            deliver(call, of: process, there) { first in
                guard request.mayRepeat else { return self.world.after(back) { answered(first) } }
                self.deliver(call, of: process, back) { second in self.world.after(back) { answered(second) } }
            }
        case .errorAfter, .unavailableAfter, .comeAgain:
            deliver(call, of: process, there) { _ in self.world.after(back) { answered(Self.refusal(fault)) } }
        default:
            world.after(there + back) { answered(Self.refusal(fault)) }
        }
    }

    private func deliver(
        _ call: SimulatedServer.Call, of process: SimulatedProcess, _ delay: Int,
        _ then: @escaping (SimulatedServer.Answer) -> Void
    ) {
        world.after(delay) {
            var call = call
            call.isLeftBehind = process.isDead
            let answer = self.server.answer(call)
            if self.world.isCalm { self.efforts[call.client ?? -1, default: .init()].note(call, answer) }
            self.world.note("server \(Self.text(call)) -> \(answer.status)")
            then(answer)
        }
    }

    private static func refusal(_ fault: NetworkFault?) -> SimulatedServer.Answer {
        let (status, headers): (Int, HeaderFields) =
            switch fault {
            case .unauthorized: (401, ["WWW-Authenticate": "Bearer"])
            case .conflict: (409, [:])
            case .preconditionFailed: (412, [:])
            case .refused: (422, [:])
            case .forbidden: (403, [:])
            case .notFound: (404, [:])
            case .hollow: (200, ["Content-Type": "application/json"])
            case .gone: (410, [:])
            case .comeAgain: (503, ["Retry-After": "2"])
            case .tooManyRequests: (429, ["Retry-After": "3"])
            case .unavailableBefore, .unavailableAfter: (503, [:])
            case .webPage: (200, ["Content-Type": "text/html"])
            default: (500, [:])
            }
        let body = fault == .webPage ? Array("<!doctype html><p>Sign in".utf8) : Array(#"{"error": "fault"}"#.utf8)
        return .init(status: status, headers: headers, body: body)
    }

    private static func response(
        _ answer: SimulatedServer.Answer, _ fault: NetworkFault?, secret: String
    ) -> Response {
        var answer = answer
        if fault == .echo, answer.status >= 400 {
            answer.body = Value.object(["error": .string("not with Bearer \(secret)")]).json()
        }
        guard fault == .reset || fault == .truncated, answer.body.count > 1 else {
            return Response(status: answer.status, headers: answer.headers, body: ResponseBody(answer.body))
        }
        let half = ResponseBody(Array(answer.body.prefix(answer.body.count / 2)))
        guard fault == .reset else { return Response(status: answer.status, headers: answer.headers, body: half) }
        return Response(
            status: answer.status, headers: answer.headers,
            body: ResponseBody { throw error(.connectionLost, "the connection ended early", true) })
    }

    private static func error(_ code: TransportError.Code, _ message: String, _ mayHaveArrived: Bool) -> TransportError
    {
        TransportError(code: code, message: message, mayHaveArrived: mayHaveArrived)
    }

    private static func text(_ call: SimulatedServer.Call) -> String {
        let query = call.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let version = call.headers["If-Match"].map { " if \($0)" } ?? ""
        let body = call.body.map { " \($0.text)" } ?? ""
        return "\(call.method) \(call.path.joined(separator: "/"))\(query.isEmpty ? "" : "?\(query)")\(version)\(body)"
    }
}

/// Signs with one secret, which must turn up nowhere else.
struct SimulatedAuthenticator: Authenticator {
    let secret: String
    /// A 401 can be answered with new credentials.
    let refreshes: Bool

    func authorize(_ request: inout Request) async throws { request.headers["Authorization"] = "Bearer \(secret)" }
    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer { refreshes ? .retry : .signInAgain }
    var usedSecrets: [Secret] { [Secret(secret)] }
}
