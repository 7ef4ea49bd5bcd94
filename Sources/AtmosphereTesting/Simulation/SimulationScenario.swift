/// All that a seed decides beforehand: the server, the clients, what they do and when. A shrunk one leaves steps and
/// faults out and is otherwise the same.
public struct SimulationScenario: Sendable, Hashable {
    /// What everything is drawn from.
    public let seed: UInt64
    /// How the server behaves.
    public var model: ServerModel
    /// Clients, 2 to 5.
    public var clients: Int
    /// In the order of time.
    public var steps: [SimulationStep]
    /// The kinds of faults that happen on the network.
    public var faults: [NetworkFault]
    /// Percent of the requests that meet one.
    public var faultRate: Int
    /// Percent of the writes that meet one beside those.
    public var writeFaultRate = 0
    /// All comes to rest, and is checked, in the middle of the steps too.
    public var restsBetween = false
    /// How many of the clients have a second process on their store.
    public var pairs = 0
    /// The server says one thing and means another, and people send again what may be there.
    public var isHostile = false
    /// A user of the server edits what a create has brought whose answer is lost.
    public var editsUnanswered = false
    /// Lists and single writes alone: no live updates, leases, actions, batches or second processes.
    public let isPlain: Bool

    /// What a seed stands for.
    ///
    /// - Parameter isPlain: leaves out what was added to the simulation later; the rest is the same.
    public init(seed: UInt64, isPlain: Bool = false) {
        self.seed = seed
        self.isPlain = isPlain
        var random = SimulationRandom(seed, "scenario")
        model = ServerModel(&random)
        clients = random.pick([2, 2, 2, 3, 3, 4, 5])
        faults = NetworkFault.plain.filter { _ in random.chance(60) }
        faultRate = random.pick([0, 5, 10, 20, 35])
        steps = []
        var time = 0
        let count = random.within(15...45)
        let pace = random.pick([50, 400, 3000])
        for index in 0..<count {
            time += random.below(pace)
            let kind = SimulationStep.Kind.weighted[random.below(SimulationStep.Kind.weighted.count)]
            steps.append(
                .init(
                    index: index, time: time, client: random.below(clients), kind: kind,
                    choices: (0..<4).map { _ in Int(random.next() >> 33) }))
        }
        guard !isPlain else { return }
        var more = SimulationRandom(seed, "extras")
        model.addExtras(&more)
        if more.chance(35) { pairs = more.within(1...clients) }
        if more.chance(50) { faults.append(.late) }
        if more.chance(40) { faults.append(.refused) }
        writeFaultRate = more.pick([0, 0, 15, 40])
        addExtraSteps(until: time, &more)
        var rare = SimulationRandom(seed, "few")
        if rare.chance(50) { addRareSteps(until: time, &rare) }
        var busy = SimulationRandom(seed, "busy")
        model.isBusyAtTimes = busy.chance(50)
        restsBetween = busy.chance(30)
        var prompt = SimulationRandom(seed, "prompt")
        editsUnanswered = prompt.chance(10)
        var aftermath = SimulationRandom(seed, "aftermath")
        if aftermath.chance(15) { addAftermath(until: time, &aftermath) }
        var moving = SimulationRandom(seed, "moving rows")
        if !model.hasNoRead, moving.chance(15) { addMovingRows(until: time, &moving) }
        var counted = SimulationRandom(seed, "counted tokens")
        if model.losesRows, counted.chance(25) { model.pages = .token }
        var listed = SimulationRandom(seed, "list of deleted")
        if listed.chance(12) { addListOfDeleted(until: time, &listed) }
        var wider = SimulationRandom(seed, "wider")
        addWiderTraits(until: time, &wider)
        var mixed = SimulationRandom(seed, "mixed results")
        model.mixesResults = model.batches == .position && mixed.chance(40)
        var hostile = SimulationRandom(seed, "hostile")
        guard !model.renames, hostile.chance(40) else { return }
        isHostile = true
        model.addHostileTraits(&hostile)
        faults += NetworkFault.hostile.filter { _ in hostile.chance(50) }
        faultRate = max(faultRate, 5)
        add(
            hostile.within(2...8), of: [.delete, .delete, .create, .decide, .push, .synchronize], until: time, &hostile)
    }

    /// More of what a fault needs to be noticed and what seldom comes together otherwise; drawn apart, so that the other
    /// half of the seeds stays as it is.
    private mutating func addRareSteps(until end: Int, _ random: inout SimulationRandom) {
        model.addRareTraits(&random)
        var kinds: [SimulationStep.Kind] = [.pullDuringPush, .pullDuringPush, .brokenPull, .editNow, .edit, .cutOff]
        if model.placing != .none { kinds += [.place, .place] }
        if model.hasIdentity { kinds += [.stranger, .stranger] }
        if model.batches != .none { kinds += [.burst, .burst] }
        if random.chance(50) {
            faults = Array(NetworkFault.afterwards[random.below(NetworkFault.afterwards.count)...].prefix(2))
            (faultRate, writeFaultRate) = (max(faultRate, 10), 40)
        }
        add(random.within(4...12), of: kinds, until: end, &random)
    }

    /// Requests that may be repeated, whose repetitions are answered otherwise, and people who go on meanwhile.
    private mutating func addAftermath(until end: Int, _ random: inout SimulationRandom) {
        faults.append(.comeAgain)
        if random.chance(60) { model.creates = .key }
        add(random.within(3...8), of: [.pushAndGoOn], until: end, &random)
    }

    /// Lists of several pages whose rows go while they are read.
    private mutating func addMovingRows(until end: Int, _ random: inout SimulationRandom) {
        model.addMovingRows(&random)
        add(
            random.within(6...16), of: [.serverCreate, .serverCreate, .serverCreate, .pull, .brokenPull], until: end,
            &random)
    }

    /// Deletions that only a list of their own tells.
    private mutating func addListOfDeleted(until end: Int, _ random: inout SimulationRandom) {
        model.addListOfDeleted()
        if random.chance(30), !model.isPerParent, !model.hasNoRead, !model.answersNothing { model.creates = .clientID }
        add(
            random.within(4...12), of: [.serverDelete, .serverDelete, .delete, .create, .edit, .pull, .brokenPull],
            until: end, &random)
    }

    /// Clocks that are not set alike, lists that have to be read twice, identifiers that change, and lists that are created
    /// once more while tasks refer to them.
    private mutating func addWiderTraits(until end: Int, _ random: inout SimulationRandom) {
        let isFree = !model.losesRows && !model.listsDeleted
        switch random.below(100) {
        case 0..<8 where isFree:
            model.addClocks(&random)
            add(random.within(4...12), of: [.serverEdit, .serverEdit, .serverCreate, .pull, .edit], until: end, &random)
        case 8..<16 where isFree:
            model.addListsReadTwice(&random)
            add(
                random.within(6...16), of: [.serverCreate, .serverCreate, .serverDelete, .pull, .pullFull], until: end,
                &random)
        case 16..<24 where isFree:
            model.addRenames()
            add(random.within(4...12), of: [.edit, .edit, .createChild, .pull, .synchronize], until: end, &random)
        case 24..<32:
            model.deletedThere = .recreate
            add(random.within(3...8), of: [.loseList, .loseList, .synchronize, .push], until: end, &random)
        case 32..<44:
            add(random.within(3...8), of: [.editUnderEdit, .editUnderEdit, .synchronize], until: end, &random)
        default: break
        }
    }

    private mutating func addExtraSteps(until end: Int, _ random: inout SimulationRandom) {
        var kinds: [SimulationStep.Kind] = [.brokenPull]
        if model.placing != .none { kinds += [.place, .place, .place] }
        if model.leases != .none { kinds += [.keepLease, .serverLease] }
        if model.isLive { kinds += [.dropLive] }
        if model.hasNoRead, model.hasIdentity { kinds += [.stranger, .stranger] }
        add(random.within(2...12), of: kinds, until: end, &random)
    }

    private mutating func add(
        _ count: Int, of kinds: [SimulationStep.Kind], until end: Int, _ random: inout SimulationRandom
    ) {
        for index in steps.count..<(steps.count + count) {
            steps.append(
                .init(
                    index: index, time: random.below(end + 1), client: random.below(clients), kind: random.pick(kinds),
                    choices: (0..<4).map { _ in Int(random.next() >> 33) }))
        }
        steps.sort { ($0.time, $0.index) < ($1.time, $1.index) }
    }

    /// The same without some of its steps and faults.
    public func without(steps left: Set<Int>, faults others: Set<NetworkFault> = []) -> SimulationScenario {
        var scenario = self
        scenario.steps.removeAll { left.contains($0.index) }
        scenario.faults.removeAll { others.contains($0) }
        return scenario
    }
}

/// One thing that happens in a scenario.
public struct SimulationStep: Sendable, Hashable, CustomStringConvertible {
    /// What can happen: by a client, by the server, on the way between them, or to the process.
    public enum Kind: String, Sendable, CaseIterable {
        /// An edit of a client, kept here to be sent; the last three are sent at once.
        case create, createChild, edit, editTags, delete, move, createNow, editNow, deleteNow
        /// A call of a client's synchronizer, a person's decision, or the end of the client's last call.
        case synchronize, push, pull, pullFull, refresh, decide, cancel
        /// A change by somebody who uses the server without Atmosphere.
        case serverCreate, serverEdit, serverDelete
        /// No network for up to 20 seconds; another time of day; the process ends after some more commits, or the power
        /// goes with it; the server takes the client for somebody else.
        case offline, clockJump, crash, powerLoss, stranger
        /// An edit that an action sends; a form held open under a lease; a lease of somebody else; a lost live
        /// connection; a pull that is killed; an edit, a pull and a push at once; several creates in one push; a push
        /// that is killed and an edit after it; an edit or a delete of what a push has just sent; a list that is edited and
        /// gets a task while somebody deletes it on the server; an edit or a delete of what a synchronous edit has on the wire.
        case place, keepLease, serverLease, dropLive, brokenPull, pullDuringPush, burst, cutOff, pushAndGoOn, loseList
        case editUnderEdit

        /// How often each is drawn.
        var weight: Int {
            switch self {
            case .edit: 12
            case .create, .createChild: 6
            case .synchronize: 16
            case .push, .pull: 4
            case .serverEdit: 5
            case .delete, .move, .serverCreate, .serverDelete, .crash, .decide: 3
            case .editTags, .createNow, .editNow, .refresh, .pullFull, .offline, .powerLoss: 2
            case .deleteNow, .cancel, .clockJump, .stranger: 1
            // Drawn apart, where the server has them.
            case .place, .keepLease, .serverLease, .dropLive, .brokenPull, .pullDuringPush, .burst, .cutOff: 0
            case .pushAndGoOn, .loseList, .editUnderEdit: 0
            }
        }

        static let weighted = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    /// Its place in the seed's scenario.
    public var index: Int
    /// Milliseconds after the start.
    public var time: Int
    /// Counted from 0; of no meaning where no client takes part.
    public var client: Int
    /// What happens.
    public var kind: Kind
    /// Numbers from which objects and values are chosen, whatever is there when the step happens.
    public var choices: [Int]

    public var description: String { "#\(index) \(time) ms: client \(client) \(kind.rawValue)" }
}
