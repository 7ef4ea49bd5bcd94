internal import Atmosphere

/// Knows every value that anybody wrote, and what became of it.
///
/// Every edit writes a value that no other edit writes, and ends in a number that tells it (its token); so it can be
/// followed through merges and requests. An object is known by its `mark`, which its creator sets and nobody edits.
final class Ledger: @unchecked Sendable {
    // Used from the simulation's thread only.
    struct Place: Hashable {
        var mark: Int
        var field: String
    }

    struct Written: Hashable {
        var client: Int
        var place: Place
    }

    static let fields = ["title", "notes", "rank", "slot", "list_id"]

    private let model: ServerModel
    private let world: SimulatedWorld
    private var lastToken = 0
    /// What each client wrote: the token, and the one that stood there before.
    private(set) var seen: [Written: [Int: Int?]] = [:]
    /// Under which address an edit was made.
    private var addresses: [Int: ObjectURI] = [:]
    /// The last value of each that a client was told is kept.
    private(set) var acknowledged: [Written: Int] = [:]
    private(set) var acknowledgedCreates: [Int: Int] = [:]
    /// Titles of creates that the server has left out.
    private(set) var titlesLeftOut: Set<Int> = []
    private(set) var acknowledgedDeletes: Set<Written> = []
    /// Every token that the server had.
    private(set) var history: [Place: Set<Int>] = [:]
    private(set) var tags: [Int: Set<Int>] = [:]
    private(set) var onServer: Set<Int> = []
    private(set) var deletedThere: Set<Int> = []
    /// The versions of an object that answers have shown to a client, and when they came.
    private var shown: [Written: [(version: Int, time: Int64)]] = [:]
    /// The last token when a client's person let go of an object.
    private var forgotten: [Written: Int] = [:]
    /// Since when a create is on the wire, as its store says.
    private var sendings: [Int: Int64] = [:]
    /// When a client's store says that changes of an object were on the wire: the last is open as long as one is.
    private var marked: [Written: [ClosedRange<Int64>]] = [:]
    /// When creates under a key were sent first that are in doubt: each next try says what the first has said.
    private var doubts: [Int: Int64] = [:]
    /// Creates that came when nobody could wait for them any more.
    private(set) var late: Set<Int> = []
    /// The latest of a client's own that came.
    private var latest: [Written: Int] = [:]
    /// What a client was told that the server has: the last token of each, and when it was told so first.
    private var answered: [Written: (token: Int, time: Int64)] = [:]
    private var confirmations: [Written: (updated: Int64, time: Int64)] = [:]
    /// Values of queued edits that were acknowledged.
    private var queued: Set<Int> = []
    /// Values of synchronous edits whose caller was told that they are done.
    private var saved: Set<Int> = []
    /// Actions that were done.
    private var placed: Set<Int> = []
    /// Objects whose creates were looked up: a member that was not sent has no base then.
    var lookedUp: Set<Int> = []
    /// Objects whose creates nobody was told of as a whole: the same holds for them, and an edit of such a member wins.
    private var untold: Set<Int> = []
    /// A person sent it again, or insisted on what the server had deleted or changed.
    var insisted: Set<Int> = []
    /// Objects of which a client was told that they are gone, where nothing but that refusal tells whether they are.
    private var denied: Set<Written> = []
    /// Creates that a person had sent again, whatever the server had of them: nobody knows of both.
    private(set) var resent: Set<Int> = []
    /// When clients were told that an object is there once more, after its deletion, and under which identifiers.
    private var anew: [Written: (ids: [String], time: Int64)] = [:]

    init(model: ServerModel, world: SimulatedWorld) {
        self.model = model
        self.world = world
    }

    func newToken() -> Int {
        lastToken += 1
        return lastToken
    }

    /// The number at the end of a value.
    static func token(_ value: Value?) -> Int? {
        switch value {
        case .number(let number): number.int64.map { Int($0) }
        case .string(let text):
            Int(String(text.reversed().drop { $0 == " " }.prefix { $0.isNumber }.reversed()))
        default: nil
        }
    }

    /// A time as the server writes it, in milliseconds.
    static func time(_ value: Value?) -> Int64? {
        value.flatMap { Instant($0.text) }?.timestamp.milliseconds
    }

    static func mark(_ members: Value.Members?) -> Int? { token(members?["mark"]) }

    // MARK: What clients do

    /// - Parameter uri: where it was edited; nil for what was created with it.
    func writes(
        _ client: Int, _ mark: Int, _ field: String, _ token: Int, over before: Int?, at uri: ObjectURI? = nil
    ) {
        seen[Written(client: client, place: Place(mark: mark, field: field)), default: [:]][token] = .some(before)
        addresses[token] = uri
    }

    /// Whether an edit under a temporary address gave way to one that had been made before under the address from the server,
    /// while the object was here under both.
    func gaveWay(_ token: Int, _ written: Written) -> Bool {
        seen[written]?.keys.contains { other in
            isUnderBoth(other, token) && history[written.place]?.contains(other) == true
        } == true
    }

    private func isTemporary(_ token: Int) -> Bool? { addresses[token]?.segments.last.map { ObjectID($0).isUUID } }

    /// Whether the last edit under a temporary address has not come to the server: where the object was edited under the address
    /// from the server, too, the two clash, and so does what is edited until a person has decided.
    func clashesUnderBoth(_ field: String, of mark: Int, by client: Int) -> Bool {
        let place = Place(mark: mark, field: field)
        let tokens = seen[Written(client: client, place: place)]?.keys.filter { isTemporary($0) == true }
        guard model.creates != .clientID, let last = tokens?.max() else { return false }
        return history[place]?.contains(last) != true
    }

    /// Whether an edit under a temporary address came after one under the address from the server: so the object was here under
    /// both, and nothing told that it is one.
    func isUnderBoth(_ earlier: Int, _ later: Int) -> Bool {
        model.creates != .clientID && earlier < later && isTemporary(earlier) == false
            && isTemporary(later) == true
    }

    func kept(_ client: Int, _ mark: Int, _ field: String, _ token: Int, isQueued: Bool = true) {
        if isQueued { queued.insert(token) } else { saved.insert(token) }
        // What a person let go of while the call was on its way is not looked for.
        guard token > forgotten[Written(client: client, place: Place(mark: mark, field: ""))] ?? 0 else { return }
        acknowledged[Written(client: client, place: Place(mark: mark, field: field))] = token
        // Deleted under one address and edited under another: the edit is newer.
        acknowledgedDeletes.remove(Written(client: client, place: Place(mark: mark, field: "")))
    }

    /// Whether a value comes from a queued edit of the client.
    func isOwn(_ token: Int, _ field: String, of mark: Int, by client: Int) -> Bool {
        queued.contains(token) && token > forgotten[Written(client: client, place: Place(mark: mark, field: ""))] ?? 0
            && seen[Written(client: client, place: Place(mark: mark, field: field))]?[token] != nil
    }

    func keptCreate(_ client: Int, _ mark: Int) { acknowledgedCreates[mark] = client }

    func keptDelete(_ client: Int, _ mark: Int) {
        forget(client, mark)
        acknowledgedDeletes.insert(Written(client: client, place: Place(mark: mark, field: "")))
    }

    /// The client's person let go of what was edited here.
    func forget(_ client: Int, _ mark: Int) {
        forgotten[Written(client: client, place: Place(mark: mark, field: ""))] = lastToken
        acknowledged = acknowledged.filter { $0.key.client != client || $0.key.place.mark != mark }
        acknowledgedDeletes.remove(Written(client: client, place: Place(mark: mark, field: "")))
        if acknowledgedCreates[mark] == client { acknowledgedCreates[mark] = nil }
    }

    func forget(_ client: Int, _ mark: Int, fields: [String]) {
        for field in fields { acknowledged[Written(client: client, place: Place(mark: mark, field: field))] = nil }
    }

    /// A person has a create sent again whose outcome is not known.
    func sendsAgain(_ mark: Int) {
        insisted.insert(mark)
        resent.insert(mark)
    }

    /// The time in which its creates may still come counts as gone by.
    func setsClockForward(_ client: Int) {
        late.formUnion(acknowledgedCreates.filter { $0.value == client && !onServer.contains($0.key) }.keys)
    }

    /// How a client's create stands in its store.
    func create(_ mark: Int, isSending: Bool, isInDoubt: Bool) {
        guard model.creates == .key else { return }
        doubts[mark] = isInDoubt ? doubts[mark] ?? sendings[mark] ?? world.now : nil
        sendings[mark] = isSending ? sendings[mark] ?? world.now : nil
    }

    /// How a client's change of an object stands in its store.
    func change(of mark: Int, by client: Int, isSending: Bool) {
        let written = Written(client: client, place: Place(mark: mark, field: ""))
        let isOpen = marked[written]?.last?.upperBound == .max
        if isSending, !isOpen { marked[written, default: []].append(world.now...(.max)) }
        if !isSending, isOpen, let start = marked[written]?.popLast()?.lowerBound {
            marked[written]?.append(start...world.now)
        }
    }

    /// When a write of an object was decided: with its mark, after which it may have waited for its turn.
    private func decided(_ mark: Int, _ client: Int, in call: SimulatedServer.Call) -> Int64 {
        let times = marked[Written(client: client, place: Place(mark: mark, field: ""))]
        return times?.last { $0.contains(call.sent) }?.lowerBound ?? call.sent
    }

    /// When what a create says was decided: with its first try, of which nobody knows the end.
    func decided(_ members: Value.Members, in call: SimulatedServer.Call) -> Int64 {
        Self.mark(members).flatMap { doubts[$0] } ?? call.sent
    }

    // MARK: What goes over the network

    /// A request goes out; a create that stands in it may get no answer.
    func goes(_ body: Value?) { untold.formUnion(Self.marks(in: body)) }

    /// A create will come when the time is over that a request may take.
    func goesTooLate(_ body: Value?) { late.formUnion(Self.marks(in: body)) }

    /// An answer came whole.
    func came(_ body: Value?) { untold.subtract(Self.marks(in: body)) }

    static func marks(in value: Value?) -> [Int] {
        switch value {
        case .object(let members): (mark(members).map { [$0] } ?? []) + members.flatMap { marks(in: $0.value) }
        case .array(let values): values.flatMap { marks(in: $0) }
        default: []
        }
    }

    // MARK: What the server does

    /// A create is done without its title.
    func leavesOut(title: Value?) {
        if let token = Self.token(title) { titlesLeftOut.insert(token) }
    }

    func created(_ row: SimulatedServer.Row, by client: Int?, rows: [SimulatedServer.Row]) {
        guard let mark = Self.mark(row.members) else {
            return world.violated("a create came without its mark: \(Value.object(row.members).text)")
        }
        let twin = rows.first { !$0.isDeleted && Self.mark($0.members) == mark && $0.entity == row.entity }
        if let twin, !insisted.contains(mark), !late.contains(mark), model.deletedThere != .recreate {
            world.violated("created twice: \(row.entity)/\(row.id) is \(row.entity)/\(twin.id) (mark \(mark))")
        }
        onServer.insert(mark)
        note(row, mark)
    }

    func updated(_ old: SimulatedServer.Row, to new: SimulatedServer.Row, by call: SimulatedServer.Call) {
        guard let mark = Self.mark(old.members) else { return }
        note(new, mark)
        guard let client = call.client else { return }
        // What is shown while the write waits for its turn comes too late for it.
        let seen = version(of: mark, shownTo: client, until: decided(mark, client, in: call))
        for field in Self.fields where field != "list_id" && old.members[field] != new.members[field] {
            check(
                field, mark, Self.token(old.members[field]), Self.token(new.members[field]), client,
                mayRace: mayRace(old, seen), isCompared: hasCompared(old, seen), isLeftBehind: call.isLeftBehind)
        }
    }

    /// A client's action was done.
    func placed(_ row: SimulatedServer.Row, by client: Int?) {
        guard let mark = Self.mark(row.members), let token = Self.token(row.members["slot"]), let client else { return }
        let isNew = placed.insert(token).inserted
        // An object that is created anew takes the place again that somebody had given it.
        let mayBeAnew = insisted.contains(mark) || model.deletedThere == .recreate
        if !isNew, model.placing == .ask, !mayBeAnew {
            world.violated("client \(client) placed mark \(mark) at \(token) twice")
        }
        if seen[Written(client: client, place: Place(mark: mark, field: "slot"))]?[token] == nil, isNew || !mayBeAnew {
            world.violated("client \(client) placed mark \(mark) at \(token), which it never did")
        }
        note(row, mark)
    }

    /// A client got the answer to its update of these members.
    func answered(_ members: Value.Members, _ row: SimulatedServer.Row, to client: Int) {
        guard let mark = Self.mark(row.members) else { return }
        for member in members {
            guard let token = Self.token(member.value), Self.token(row.members[member.name]) == token else { continue }
            let written = Written(client: client, place: Place(mark: mark, field: member.name))
            if answered[written]?.token != token { answered[written] = (token, world.now) }
        }
    }

    /// A client was told when the server has changed a row for it.
    func confirm(_ updated: Int64, of mark: Int, to client: Int) {
        let written = Written(client: client, place: Place(mark: mark, field: ""))
        if let known = confirmations[written], known.updated >= updated { return }
        confirmations[written] = (updated, world.now)
    }

    /// The last change of a row that was confirmed to a client before a time; nil also where there may be several rows of
    /// one origin.
    func confirmed(_ mark: Int, to client: Int, before time: Int64 = .max) -> Int64? {
        guard model.deletedThere != .recreate, !model.renames, !insisted.contains(mark) else { return nil }
        let known = confirmations[Written(client: client, place: Place(mark: mark, field: ""))]
        return known.flatMap { $0.time < time ? $0.updated : nil }
    }

    /// What a client knew before it lost power or was killed, it may ask for again.
    func lostMemory(_ client: Int) {
        answered = answered.filter { $0.key.client != client }
        anew = anew.filter { $0.key.client != client }
        confirmations = confirmations.filter { $0.key.client != client }
    }

    /// An update that sends only what the server had confirmed to the client when it left, and still has.
    func checkNews(_ members: Value.Members, _ row: SimulatedServer.Row, by call: SimulatedServer.Call) {
        guard let client = call.client, let mark = Self.mark(row.members), !insisted.contains(mark) else { return }
        let fields = members.filter { ["title", "notes", "rank"].contains($0.name) }
        guard !fields.isEmpty, members.allSatisfy({ $0.name == "lock" || Self.fields.contains($0.name) }) else {
            return
        }
        let isOld = fields.allSatisfy { member in
            let written = Written(client: client, place: Place(mark: mark, field: member.name))
            guard let token = Self.token(member.value), let known = answered[written], known.token == token,
                known.time <= call.sent
            else { return false }
            return Self.token(row.members[member.name]) == token
        }
        if isOld {
            let names = fields.map { "\($0.name) \(Self.token($0.value) ?? 0)" }.joined(separator: ", ")
            world.violated("client \(client) sent \(names) of mark \(mark) again, which was answered")
        }
    }

    /// A write of the object is answered with 404 though it is there.
    func denies(_ row: SimulatedServer.Row, to client: Int) {
        if let mark = Self.mark(row.members) {
            denied.insert(Written(client: client, place: Place(mark: mark, field: "")))
        }
    }

    func isDenied(_ mark: Int, to client: Int) -> Bool {
        denied.contains(Written(client: client, place: Place(mark: mark, field: "")))
    }

    func deleted(_ row: SimulatedServer.Row) {
        if let mark = Self.mark(row.members) { deletedThere.insert(mark) }
    }

    /// Whoever knows the object under its former identifier alone may take it for deleted.
    func renamed(_ row: SimulatedServer.Row) { deleted(row) }

    /// A client was told that what the server had deleted is there once more.
    func isMadeAnew(_ mark: Int, as id: String, by client: Int) {
        let written = Written(client: client, place: Place(mark: mark, field: ""))
        anew[written] = ((anew[written]?.ids ?? []).filter { $0 != id } + [id], world.now)
    }

    /// Whether another client was told that it has made the object anew under this identifier: what stands there is of its copy,
    /// whoever wrote that once.
    func isMadeAnew(_ mark: Int, as id: String, byAnotherThan client: Int) -> Bool {
        anew.contains { $0.key.place.mark == mark && $0.key.client != client && $0.value.ids.contains(id) }
    }

    /// Under which identifiers, the latest last, and when it was told so. nil where a person had a create sent again, whatever
    /// there may have been: then several objects have the mark, and nothing tells which of them is the one once more.
    func madeAnew(_ mark: Int, by client: Int) -> (ids: [String], time: Int64)? {
        guard !resent.contains(mark) else { return nil }
        return anew[Written(client: client, place: Place(mark: mark, field: ""))]
    }

    private func note(_ row: SimulatedServer.Row, _ mark: Int) {
        for field in Self.fields where field != "list_id" {
            if let token = Self.token(row.members[field]) {
                history[Place(mark: mark, field: field), default: []].insert(token)
            }
        }
        for tag in row.members["tags"]?.array ?? [] {
            if let token = Self.token(tag) { tags[mark, default: []].insert(token) }
        }
    }

    /// A client was shown the version of an object.
    func read(_ version: Int, of mark: Int, by client: Int) {
        shown[Written(client: client, place: Place(mark: mark, field: "")), default: []].append((version, world.now))
    }

    /// Whether what the client was shown last is the row as it is.
    func hasSeen(_ row: SimulatedServer.Row, _ client: Int) -> Bool {
        guard let mark = Self.mark(row.members) else { return true }
        return version(of: mark, shownTo: client, until: world.now) == row.version
    }

    /// The version of an object that a client was shown last, at a time.
    private func version(of mark: Int, shownTo client: Int, until time: Int64) -> Int? {
        shown[Written(client: client, place: Place(mark: mark, field: ""))]?.last { $0.time <= time }?.version
    }

    /// A whole record that is sent without a check of versions can undo what came in between. Where the client looks
    /// first, that is only what came after it looked.
    ///
    /// - Parameter seen: the version that the client was shown last before it sent the record.
    private func mayRace(_ row: SimulatedServer.Row, _ seen: Int?) -> Bool {
        guard !model.isVersioned, !model.patches else { return false }
        guard model.version == .compare else { return true }
        return seen.map { $0 < row.version } ?? false
    }

    /// The client looks before it writes, and the row is as it was when it looked.
    private func hasCompared(_ row: SimulatedServer.Row, _ seen: Int?) -> Bool {
        guard model.version == .compare, !model.hasNoRead else { return false }
        return seen == row.version
    }

    private func check(
        _ field: String, _ mark: Int, _ old: Int?, _ new: Int?, _ client: Int, mayRace: Bool,
        isCompared: Bool, isLeftBehind: Bool
    ) {
        let written = Written(client: client, place: Place(mark: mark, field: field))
        guard let new, let before = seen[written]?[new] else {
            // Who creates an object anew sends what others wrote, and its title by an update.
            let isAnew = model.leavesOutTitles && (insisted.contains(mark) || model.deletedThere == .recreate)
            if !mayRace, !isAnew {
                world.violated(
                    "client \(client) wrote \(field) of mark \(mark) back to \(new ?? 0), which it never edited")
            }
            return
        }
        // A synchronous edit whose caller was told of a failure leaves what was queued before it, which goes then also where the
        // edit was done after all.
        let isChecked = model.isVersioned || isCompared
        let isFailed = latest[written].map { !saved.contains($0) } == true
        let mayWin =
            (model.clash == .mine || !isChecked || isFailed) && latest[written].map { !queued.contains($0) } == true
        let hasNoBase = before == nil && (lookedUp.contains(mark) || untold.contains(mark))
        // What a process had on its way that was killed can come after what the next one has sent.
        let mayBeLate = isLeftBehind && !model.isVersioned
        if let last = latest[written], new < last, !mayRace, !mayWin, !mayBeLate, !hasNoBase, !insisted.contains(mark) {
            world.violated("client \(client) sent \(field) of mark \(mark) as \(new) after \(last)")
        }
        latest[written] = max(new, latest[written] ?? new)
        guard isChecked, model.clash == .ask, !insisted.contains(mark), let old else { return }
        var known = before
        while let present = known, present != old { known = seen[written]?[present] ?? nil }
        // Its own, which it has sent before, it knows anyway.
        if known != old, seen[written]?[old] == nil {
            world.violated("client \(client) overwrote \(field) \(old) of mark \(mark) with \(new) unseen")
        }
    }
}
