internal import Atmosphere

/// Tells clients what has changed on the server, as a notification server does: late, in another order, twice, or not at
/// all.
final class SimulatedLive: @unchecked Sendable {
    // Used from the simulation's thread only.
    private struct Follower {
        var process: SimulatedProcess
        var receive: @Sendable (MessageEvent) -> Void
        var isConnected = true
        /// What it misses meanwhile.
        var missed: [LiveUpdate] = []
    }

    private let world: SimulatedWorld
    private let model: ServerModel
    private var random: SimulationRandom
    private var followers: [Follower] = []
    private var said: [LiveUpdate] = []

    init(model: ServerModel, world: SimulatedWorld, seed: UInt64) {
        self.model = model
        self.world = world
        random = SimulationRandom(seed, "live")
    }

    func follow(_ process: SimulatedProcess, _ receive: @escaping @Sendable (MessageEvent) -> Void) {
        followers.append(Follower(process: process, receive: receive))
        process.atEnd { self.followers.removeAll { $0.process === process } }
        receive(.connected(.new))
    }

    /// What is told from here on arrives, once and soon, and who was cut off is connected again.
    func calm() {
        for index in followers.indices where !followers[index].isConnected { connect(index, .gap) }
    }

    /// Cuts the processes of a client off.
    func disconnect(_ client: Int, continuity: MessageEvent.Continuity, for milliseconds: Int) {
        for index in followers.indices where followers[index].process.client.number == client {
            guard followers[index].isConnected else { continue }
            followers[index].isConnected = false
            let process = followers[index].process
            world.note("\(process.name) is not connected to the notification server")
            followers[index].receive(.disconnected(reason: "simulated"))
            world.after(milliseconds) {
                if let index = self.followers.firstIndex(where: { $0.process === process }) {
                    self.connect(index, continuity)
                }
            }
        }
    }

    private func connect(_ index: Int, _ continuity: MessageEvent.Continuity) {
        guard !followers[index].isConnected else { return }
        followers[index].isConnected = true
        let missed = followers[index].missed
        followers[index].missed = []
        world.note("\(followers[index].process.name) is connected again: \(continuity)")
        followers[index].receive(.connected(continuity))
        if continuity == .resumed { for update in missed { followers[index].receive(.update(update)) } }
    }

    // MARK: What is told

    /// A row is there, or is another one.
    func publish(_ old: SimulatedServer.Row?, _ row: SimulatedServer.Row, shown: Value.Members, etag: String) {
        let isLong = model.isPerParent && row.entity == "tasks"
        let uri =
            isLong
            ? ObjectURI(entity: row.entity, segments: [row.list ?? "", row.id])
            : ObjectURI(entity: row.entity, id: row.id)
        let version: String? =
            switch model.version {
            case .none, .compare: nil
            case .header, .field: etag
            case .lock: String(row.version)
            }
        let before = old.map { model.version == .lock ? String($0.version) : "\"v\($0.version)\"" }
        var update = LiveUpdate(
            id: random.chance(60) ? "m\(row.version)" : nil, uri: uri, content: .changed, version: version)
        switch random.below(row.isDeleted ? 2 : 6) {
        case 0: break
        case _ where row.isDeleted: update.content = .deleted
        case 1: update.content = .attributes(shown)
        case 2: update.content = .whole(shown)
        case 3:
            update.content = .attributes(shown)
            update.version = nil
        default:
            guard let old, version != nil else { break }
            let changed = row.members.filter { old.members[$0.name] != $0.value && $0.name != "list_id" }
            var patch = Value.Members()
            for member in changed { patch[member.name] = shown[member.name] }
            for name in ["updated", "etag", "lock"] { if let value = shown[name] { patch[name] = value } }
            (update.content, update.version, update.next) = (.patch(patch), before, version)
        }
        said.append(update)
        tell(update)
        // An old one again, without the identifier by which it would be known.
        guard !world.isCalm, random.chance(10) else { return }
        var again = said[random.below(said.count)]
        again.id = nil
        world.after(random.within(1...60_000)) { self.tell(again) }
    }

    private func tell(_ update: LiveUpdate) {
        for follower in followers {
            let process = follower.process
            guard !world.isCalm else {
                world.after(random.within(1...100)) { self.deliver(update, to: process) }
                continue
            }
            if random.chance(15) {
                world.count("live updates lost")
                continue
            }
            let copies = random.chance(15) ? 2 : 1
            if copies > 1 { world.count("live updates told twice") }
            for _ in 0..<copies {
                let delay = random.chance(70) ? random.within(1...100) : random.within(100...20_000)
                world.after(delay) { self.deliver(update, to: process) }
            }
        }
    }

    private func deliver(_ update: LiveUpdate, to process: SimulatedProcess) {
        guard let index = followers.firstIndex(where: { $0.process === process }) else { return }
        guard followers[index].isConnected else { return followers[index].missed.append(update) }
        world.count("live updates")
        world.note("\(process.name) is told of \(update.uri): \(update.content.word)")
        followers[index].receive(.update(update))
    }
}

/// One process's connection to the notification server.
struct SimulatedMessages: MessageClient {
    private let live: SimulatedLive
    private let process: SimulatedProcess

    init(_ live: SimulatedLive, _ process: SimulatedProcess) {
        self.live = live
        self.process = process
    }

    func run(_ receive: @escaping @Sendable (MessageEvent) -> Void) async throws {
        try process.checkAlive()
        let end = Waiter<Void>()
        process.atEnd { end.resume(.failure(ProcessEnded())) }
        live.follow(process, receive)
        try await end.value()
    }
}

extension LiveUpdate.Content {
    fileprivate var word: String {
        switch self {
        case .changed: "changed"
        case .attributes: "attributes"
        case .whole: "all attributes"
        case .patch: "patch"
        case .edits: "edits"
        case .deleted: "deleted"
        case .unusable: "unusable"
        }
    }
}
