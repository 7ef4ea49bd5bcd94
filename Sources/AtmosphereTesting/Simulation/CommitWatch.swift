internal import Atmosphere

/// Looks at every commit of one client: at what no commit may leave behind, even if the next one would make it good.
///
/// It sees stores in memory only; what others keep is looked at with each step.
final class CommitWatch: @unchecked Sendable {
    // Used from the simulation's thread only.
    /// An object that a commit has changed; none where it is gone from there, with the address that it has now.
    struct Change {
        var uri: ObjectURI
        var object: LocalObject?
        var alias: ObjectURI?
    }

    private let client: Int
    private let server: SimulatedServer
    private var world: SimulatedWorld { server.world }
    private var ledger: Ledger { server.ledger }
    /// What was created here, by its temporary address.
    private var temporary: [ObjectURI: Int] = [:]
    /// The last confirmed change of each object that was taken in.
    private var reached: [Int: Int64] = [:]
    /// Commits that changed an object.
    private(set) var count = 0
    /// What waits to be created, or its create to be confirmed, and since when.
    private var waiting: [ObjectURI: Int64] = [:]
    /// The list in which each new task stands here.
    private var lists: [Int: String] = [:]

    /// Whether a list is not known to be on the server, and has not been for a while.
    func waitsForCreate(_ uri: ObjectURI) -> Bool { waiting[uri].map { world.now > $0 + 1000 } ?? false }

    /// Whether a new task was moved out of a list here. What a create has said that may have arrived, its next try says again.
    func hasMoved(_ task: Value?, from list: String) -> Bool {
        Ledger.marks(in: task).contains { mark in lists[mark].map { $0 != list } ?? false }
    }

    init(client: Int, server: SimulatedServer) {
        self.client = client
        self.server = server
    }

    /// What a process knew that has ended, the next may ask for again.
    func lostMemory() { reached = [:] }

    /// With the power went what was not flushed: so did what it said of a list that waits.
    func lostPower(leaving state: StoreState) {
        waiting = waiting.filter { state[$0.key]?.meta?.isLocalOnly == true }
    }

    func committed(_ changes: [Change], by name: String) {
        guard !changes.isEmpty else { return }
        count += 1
        for change in changes {
            world.note(
                "\(name)   \(change.uri): \(change.object?.outline ?? change.alias.map { "is \($0)" } ?? "gone")")
            waiting[change.uri] = change.object?.meta.isLocalOnly == true ? waiting[change.uri] ?? world.now : nil
            guard let object = change.object else {
                checkMove(change, changes, name)
                continue
            }
            for record in [object.record, object.meta.confirmed?.base].compactMap({ $0 }) {
                guard let mark = Ledger.mark(record.members) else {
                    world.violated("\(name): \(change.uri) is not whole: \(record.description)")
                    return
                }
                checkIdentity(change.uri, object, mark, name)
            }
            checkAge(change.uri, object, name)
            checkRefusal(change.uri, object, name)
            checkConflict(change.uri, object, name)
        }
    }

    /// An address keeps its object.
    private func checkIdentity(_ uri: ObjectURI, _ object: LocalObject, _ mark: Int, _ name: String) {
        let isSending = if case .sending? = object.meta.outgoing?.phase { true } else { false }
        ledger.change(of: mark, by: client, isSending: isSending)
        if object.meta.isLocalOnly {
            temporary[uri] = mark
            if let outgoing = object.meta.outgoing {
                ledger.create(mark, isSending: isSending, isInDoubt: outgoing.evidence.mayHaveArrived)
            }
            if let list = object.record?["list_id"]?.text { lists[mark] = list }
            return
        }
        let isLong = server.model.isPerParent && uri.entity == "tasks" && uri.segments.count > 1
        let row = server.rows.last { row in
            row.entity == uri.entity && row.id == uri.segments.last && (!isLong || row.list == uri.segments[0])
        }
        guard let row, let theirs = Ledger.mark(row.members), theirs != mark else { return }
        world.violated("\(name): \(uri) holds mark \(mark), and there it is mark \(theirs)")
    }

    /// What was created here is the object that it has become.
    private func checkMove(_ change: Change, _ changes: [Change], _ name: String) {
        guard let mark = temporary[change.uri], let alias = change.alias,
            let object = changes.first(where: { $0.uri == alias })?.object,
            let now = Ledger.mark((object.record ?? object.meta.confirmed?.base)?.members), now != mark
        else { return }
        world.violated("\(name): \(change.uri) with mark \(mark) has become \(alias) with mark \(now)")
    }

    /// What was confirmed and taken in does not go back.
    private func checkAge(_ uri: ObjectURI, _ object: LocalObject, _ name: String) {
        guard let base = object.meta.confirmed?.base, let mark = Ledger.mark(base.members),
            let updated = Ledger.time(base["updated"]), let known = ledger.confirmed(mark, to: client)
        else { return }
        if let last = reached[mark], updated < last {
            world.violated("\(name): \(uri) went back behind what was confirmed: \(base.description)")
        }
        if updated >= known { reached[mark] = known }
    }

    /// What was edited after it was sent has not been refused.
    private func checkRefusal(_ uri: ObjectURI, _ object: LocalObject, _ name: String) {
        guard case .rejected(.refused(let snapshot), let failure)? = object.meta.outgoing?.phase,
            snapshot.revision != object.meta.revision
        else { return }
        world.violated("\(name): \(uri) counts as refused, and was edited since: \(failure.message)")
    }

    /// Nobody is in conflict with an own edit.
    private func checkConflict(_ uri: ObjectURI, _ object: LocalObject, _ name: String) {
        guard case .conflicted(let conflict)? = object.meta.outgoing?.phase, let theirs = conflict.theirs,
            let mark = Ledger.mark(theirs.members), let base = object.meta.confirmed?.base,
            server.model.isVersioned || server.model.patches
        else { return }
        let fields =
            object.meta.isDeleted
            ? Ledger.fields.filter { $0 != "list_id" && theirs[$0] != base[$0] } : conflict.fields
        // A server that writes texts in another form hides whose they are.
        let known = fields.filter { $0 != "notes" || !server.model.normalizes }
        guard !known.isEmpty, known.count == fields.count else { return }
        if let id = theirs["id"]?.text, ledger.isMadeAnew(mark, as: id, byAnotherThan: client) { return }
        let isOwn = known.allSatisfy { field in
            guard let token = Ledger.token(theirs[field]) else { return false }
            // One of the two came under another address.
            if let mine = Ledger.token(object.record?[field]), mine < token || ledger.isUnderBoth(token, mine) {
                return false
            }
            if ledger.clashesUnderBoth(field, of: mark, by: client) { return false }
            return ledger.isOwn(token, field, of: mark, by: client)
        }
        if isOwn {
            let names = known.map { "\($0) \(Ledger.token(theirs[$0]) ?? 0)" }.joined(separator: ", ")
            world.violated("\(name): \(uri) is in conflict with its own \(names)")
        }
    }
}

extension LocalObject {
    /// How an object stands, by what anybody can see of it, in one line of the trace.
    fileprivate var outline: String {
        let state =
            switch meta.state {
            case .synchronized: "synchronized"
            case .created(_, let deleting): deleting ? "created and deleted" : "created"
            case .updated: "updated"
            case .deleted: "deleted"
            }
        let phase: String? =
            switch meta.outgoing?.phase {
            case nil: nil
            case .waiting: "waits"
            case .sending: "on the wire"
            case .unknown: "in doubt"
            case .conflicted(let conflict): "in conflict with \(conflict.theirs?.description ?? "a deletion")"
            case .rejected(_, let failure): "refused: \(failure.message)"
            }
        var parts = [[state, phase].compactMap(\.self).joined(separator: ", ")]
        if let record { parts.append(record.description) }
        if let base = meta.confirmed?.base, base != record { parts.append("over \(base.description)") }
        if let due = meta.outgoing?.retry.due { parts.append("again at \(due.milliseconds % 100_000_000)") }
        return parts.joined(separator: " ")
    }
}
