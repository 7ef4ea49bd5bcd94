/// Runs the lanes of several objects side by side. What they send in a verb that goes in batches waits until no lane is
/// on its way any more, and goes together then; so do the engine's decisions, which one transaction marks. Everything
/// else each lane does alone.
struct BatchMachine: SyncMachine {
    /// What one lane wants to send.
    struct Passenger: Sendable {
        var lane: Int
        var order: ObjectRequest
        var basis: LaneMachine.Basis
    }

    /// What one lane asks the engine.
    struct Question: Sendable, Hashable {
        var lane: Int
        var hasCompared: Bool
    }

    enum Event: Sendable {
        case start
        case lane(Int, LaneMachine.Event)
        /// One event for each passenger, or for each question.
        case together([(lane: Int, event: LaneMachine.Event)])
    }

    enum Effect: Sendable {
        case lane(Int, LaneMachine.Effect)
        /// Ask the engine for all of them in one transaction.
        case decide([Question])
        case carry([Passenger])
    }

    private(set) var lanes: [LaneMachine]
    private let isCarried: @Sendable (Verb) -> Bool
    private var underway: Set<Int> = []
    private var waiting: [Passenger] = []
    private var questions: [Question] = []

    init(lanes: Int, isCarried: @escaping @Sendable (Verb) -> Bool) {
        self.lanes = Array(repeating: LaneMachine(), count: lanes)
        self.isCarried = isCarried
    }

    mutating func step(_ event: Event) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .start: for lane in lanes.indices { effects += take(.start, in: lane) }
        case .lane(let lane, let event): effects += take(event, in: lane)
        case .together(let events): for each in events { effects += take(each.event, in: each.lane) }
        }
        guard underway.isEmpty else { return effects }
        if !questions.isEmpty {
            let asked = questions.sorted { $0.lane < $1.lane }
            underway = Set(asked.map(\.lane))
            questions = []
            return effects + [.decide(asked)]
        }
        guard !waiting.isEmpty else { return effects }
        let passengers = waiting.sorted { $0.lane < $1.lane }
        underway = Set(passengers.map(\.lane))
        waiting = []
        return effects + [.carry(passengers)]
    }

    private mutating func take(_ event: LaneMachine.Event, in lane: Int) -> [Effect] {
        underway.remove(lane)
        var effects: [Effect] = []
        for effect in lanes[lane].step(event) {
            if case .exchange(let order, let basis) = effect, case .send(let verb, _) = order, isCarried(verb) {
                waiting.append(Passenger(lane: lane, order: order, basis: basis))
            } else if case .decide(let hasCompared) = effect {
                questions.append(Question(lane: lane, hasCompared: hasCompared))
            } else {
                underway.insert(lane)
                effects.append(.lane(lane, effect))
            }
        }
        return effects
    }
}
