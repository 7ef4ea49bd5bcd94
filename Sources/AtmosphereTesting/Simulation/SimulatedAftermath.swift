internal import Atmosphere

/// What follows a 503 that did its work: the same request, or a later try of it, is answered in another way that says
/// nothing of the first, once to three times, and as ever after that.
struct SimulatedAftermath {
    private let model: ServerModel
    private let isDrawn: Bool
    private var random: SimulationRandom
    /// How many more tries of a write are to be refused, by who sends it where.
    private var left: [String: Int] = [:]

    init(_ scenario: SimulationScenario) {
        model = scenario.model
        isDrawn = scenario.faults.contains(.comeAgain)
        random = SimulationRandom(scenario.seed, "network aftermath")
    }

    /// What happens to a request for this; nil where nothing does, and `drawn` may.
    mutating func fault(
        on call: SimulatedServer.Call, mayRepeat: Bool, drawn: NetworkFault?
    ) -> NetworkFault? {
        guard isDrawn, call.method != "GET", mayRepeat, call.path.last != "lock" else { return nil }
        let write = Self.name(of: call)
        if let tries = left[write] {
            left[write] = tries > 1 ? tries - 1 : nil
            return random.pick(ends(of: call))
        }
        guard drawn == .comeAgain || drawn == nil && random.chance(40) else { return nil }
        left[write] = random.pick([1, 1, 2, 3])
        return .comeAgain
    }

    /// What was deleted is not there any more, and what was updated can be read: 404 and 410 would say what is.
    private func ends(of call: SimulatedServer.Call) -> [NetworkFault] {
        let any: [NetworkFault] = [.unauthorized, .forbidden, .unreachable]
        if call.isCreate(of: model) || call.path.last == "batch" { return any + [.notFound, .gone] }
        return call.method == "DELETE" || model.hasNoRead ? any : any + [.notFound]
    }

    private static func name(of call: SimulatedServer.Call) -> String {
        let key = call.headers["Idempotency-Key"] ?? ""
        return "\(call.client ?? -1) \(call.method) \(call.path.joined(separator: "/")) \(key)"
    }
}
