internal import Atmosphere

/// One run of a scenario.
// Used from the simulation's thread only.
final class SimulationRun: @unchecked Sendable {
    static let secret = "s3cr3t-c0ffee"

    let scenario: SimulationScenario
    let world: SimulatedWorld
    let ledger: Ledger
    let server: SimulatedServer
    let network: SimulatedNetwork
    private(set) var clients: [SimulatedClient] = []
    private let openStore: Simulation.OpenStore?
    /// Synchronizations of all clients.
    var rounds = 0

    init(_ scenario: SimulationScenario, keepsTrace: Bool, openStore: Simulation.OpenStore?) {
        self.scenario = scenario
        self.openStore = openStore
        world = SimulatedWorld(seed: scenario.seed, keepsTrace: keepsTrace)
        ledger = Ledger(model: scenario.model, world: world)
        server = SimulatedServer(model: scenario.model, world: world, ledger: ledger, seed: scenario.seed)
        network = SimulatedNetwork(server: server, scenario: scenario, secret: Self.secret)
    }

    func run() {
        world.note("seed \(scenario.seed): \(scenario.clients) clients, server: \(scenario.model)")
        let routeFile: RouteFile
        do {
            routeFile = try scenario.model.routeFile()
        } catch {
            return world.violated("the route file does not load: \(error)")
        }
        clients = (0..<scenario.clients).map {
            SimulatedClient(
                $0, network: network, routeFile: routeFile, seed: scenario.seed, secret: Self.secret,
                openStore: openStore, isPair: $0 < scenario.pairs, isPlain: scenario.isPlain,
                isImpatient: scenario.isHostile)
        }
        for client in clients { client.open() }
        let middle = scenario.steps.count / (scenario.restsBetween ? 2 : 1)
        for steps in [scenario.steps[..<middle], scenario.steps[middle...]]
        where !steps.isEmpty && world.violations.isEmpty {
            world.isCalm = false
            let start = world.now - Int64(steps.startIndex == 0 ? 0 : steps.first?.time ?? 0)
            for step in steps {
                world.at(start + 1 + Int64(step.time)) { self.perform(step) }
            }
            world.run(until: start + Int64(steps.last?.time ?? 0) + 2)
            calm()
            comeToRest()
        }
    }

    private func perform(_ step: SimulationStep) {
        world.note("step \(step)")
        switch step.kind {
        case .serverCreate: serverCreates(step.choices)
        case .serverEdit: serverEdits(step.choices)
        case .serverDelete: serverDeletes(step.choices)
        case .serverLease: server.lend(step.choices)
        default: clients[step.client % clients.count].perform(step)
        }
    }

    /// Lets happen what is left to happen. Who follows live updates as somebody else asks again and again, until a pull
    /// accepts that.
    func runOut() {
        let model = scenario.model
        world.run(until: model.hasIdentity && model.isLive ? world.now + 600_000 : .max)
    }

    /// Faults end; what is under way ends too.
    private func calm() {
        world.note("faults end")
        world.isCalm = true
        server.mistakes = []
        for client in clients {
            client.isOnline = true
            client.crashAfter = nil
            client.acting = 0
        }
        server.live?.calm()
        runOut()
        for client in clients {
            for process in client.allProcesses {
                if let process, process.running > 0 {
                    world.violated("\(process.name): \(process.running) calls never return")
                } else if process?.synchronizer == nil {
                    world.violated("client \(client.number) has not come back")
                }
            }
        }
    }

    /// Lets go of everything: what clients, processes and what was to happen hold of each other would stay for ever.
    func end() {
        for client in clients { client.end() }
        world.end()
        clients = []
    }

    // MARK: What the server's own users do

    private func serverCreates(_ choices: [Int]) {
        let lists = server.rows.filter { $0.entity == "lists" && !$0.isDeleted }
        let list = lists.isEmpty || choices[0] % 3 == 0 ? nil : lists[choices[0] % lists.count]
        var body: Value.Members = [
            "title": .string("Title \(ledger.newToken())"), "mark": .string("mark \(ledger.newToken())")
        ]
        if let list, !server.model.isNested { body["list_id"] = server.identifier(list.id) }
        if server.model.creates == .clientID { body["id"] = .string("server-\(ledger.newToken())") }
        var path = [list == nil ? "lists" : "tasks"]
        if let list, server.model.isNested { path = ["lists", list.id, "tasks"] }
        _ = server.answer(call("POST", path, .object(body)))
    }

    private func serverEdits(_ choices: [Int]) {
        guard let row = choose(choices[0]) else { return }
        var changes: Value.Members = [:]
        for (place, field) in ["title", "notes", "rank"].enumerated() where choices[1] >> place & 1 == 1 {
            let token = ledger.newToken()
            changes[field] = field == "rank" ? .number(JSONNumber(token)) : .string("\(field) \(token)")
        }
        if !server.model.patches {
            for member in row.members where changes[member.name] == nil { changes[member.name] = member.value }
        }
        _ = server.answer(call("PATCH", path(of: row), .object(changes)))
    }

    private func serverDeletes(_ choices: [Int]) {
        guard let row = choose(choices[0]) else { return }
        _ = server.answer(call("DELETE", path(of: row), nil))
    }

    private func choose(_ choice: Int) -> SimulatedServer.Row? {
        let rows = server.rows.filter { !$0.isDeleted }
        return rows.isEmpty ? nil : rows[choice % rows.count]
    }

    private func path(of row: SimulatedServer.Row) -> [String] {
        guard row.entity == "tasks", server.model.isNested, let list = row.list else { return [row.entity, row.id] }
        return ["lists", list, "tasks", row.id]
    }

    private func call(_ method: String, _ path: [String], _ body: Value?) -> SimulatedServer.Call {
        world.note("a user of the server: \(method) \(path.joined(separator: "/")) \(body?.text ?? "")")
        return .init(method: method, path: path, query: [], headers: [:], body: body, client: nil)
    }
}
