internal import Atmosphere

/// A server in memory that behaves as its model says.
///
/// Used from the simulation's thread only.
final class SimulatedServer: @unchecked Sendable {
    struct Row {
        var entity: String
        var id: String
        /// The list a task stands in, as its identifier's text.
        var list: String?
        /// What clients may write: title, notes, rank, tags, mark, token, list_id.
        var members: Value.Members
        var updated: Int64
        var version: Int
        var created: Int64 = 0
        var isDeleted = false
        /// Its delete was accepted for later.
        var isLeaving = false
        /// What it was called before, which leads to it still.
        var formerIDs: Set<String> = []
    }

    struct Call {
        var method: String
        var path: [String]
        var query: [(name: String, value: String)]
        var headers: HeaderFields
        var body: Value?
        /// Who asks; nil for the server's own users.
        var client: Int?
        /// The process that asks.
        var process = ""
        /// The identifier that an item of a batch names for its new object.
        var batchID: String?
        /// When it was sent.
        var sent: Int64 = 0
        /// Its process had ended when it came.
        var isLeftBehind = false

        func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
    }

    struct Answer: Sendable {
        var status: Int
        var headers: HeaderFields = [:]
        var body: [UInt8] = []
        /// The items of a batch that were refused.
        var refusedItems = 0
        /// The object that a read shows.
        var shown: (mark: Int, version: Int)?
    }

    let model: ServerModel
    let world: SimulatedWorld
    let ledger: Ledger
    /// In the order of their creation.
    var rows: [Row] = []
    /// What was accepted, and is not there yet.
    var underWay: [Row] = []
    var nextID = 1
    var revision = 0
    var remembered: [String: Answer] = [:]
    /// The processes that are taken for somebody else since they last asked who they are. What one of two on a store is told
    /// says nothing to the other.
    private var strangers: Set<String> = []
    /// Clients that were taken for a stranger once: what was listed then shows less than there is.
    private(set) var formerStrangers: Set<Int> = []
    var shownPages = ShownPages()
    /// The next time that a client asks, it is taken for somebody else.
    var mistakes: Set<Int> = []
    /// Edit leases, by the index of the row.
    var lent: [Int: SimulatedLease] = [:]
    var leaseCount = 0
    /// Values that were looked up once, so that the copy which answers is up to date with them.
    var lookedUp: Set<String> = []
    /// Who was told that there are no leases, and writes without one.
    var unlent: Set<Unlent> = []
    /// Who was told so of what is accepted, and not there yet.
    var unlentAhead: [UnlentAhead] = []
    /// What deletes have left as it was that were answered as done, by client, and its version then.
    var hollowDeletes: [Int: [ObjectURI: Int]] = [:]
    /// nil where nobody is told what changes.
    let live: SimulatedLive?
    /// What goes wrong here, of what was added to the simulation later.
    var chaos: SimulationRandom
    private let start: Int64

    init(model: ServerModel, world: SimulatedWorld, ledger: Ledger, seed: UInt64) {
        self.model = model
        self.world = world
        self.ledger = ledger
        live = model.isLive ? SimulatedLive(model: model, world: world, seed: seed) : nil
        chaos = SimulationRandom(seed, "chaos")
        start = world.now
    }

    /// Who follows is told of the change of a row.
    func tell(_ old: Row?, _ row: Row) {
        live?.publish(old, row, shown: representation(row), etag: etag(row))
    }

    func answer(_ call: Call) -> Answer {
        var answer = route(call)
        if !model.hasNoDate { answer.headers["Date"] = Self.date(now) }
        if !answer.body.isEmpty, answer.headers["Content-Type"] == nil {
            answer.headers["Content-Type"] = "application/json"
        }
        return answer
    }

    private func route(_ call: Call) -> Answer {
        if call.path == ["me"] { return identity(call) }
        if let deleted = deleted(call) { return deleted }
        guard let entity = call.path.first else { return refusal(404, "no such path") }
        if entity == "lists", call.path.count >= 3, call.path[2] == "tasks", model.isNested {
            let list = present(call.path[1], of: "lists")
            guard rows.contains(where: { $0.entity == "lists" && $0.id == list && !$0.isDeleted }) else {
                return refusal(404, "no such list")
            }
            if call.path.count == 4, call.path[3] == "batch" { return batch("tasks", under: list, call) }
            return resource("tasks", under: list, id: call.path.count > 3 ? call.path[3] : nil, call)
        }
        if call.path.count == 2, call.path[1] == "batch" { return batch(entity, under: nil, call) }
        let isExtra = call.path.count == 3 && ["lock", "place"].contains(call.path[2])
        guard entity == "lists" || (entity == "tasks" && !model.isNested), call.path.count <= 2 || isExtra else {
            return refusal(404, "no such path")
        }
        return resource(entity, under: nil, id: call.path.count > 1 ? call.path[1] : nil, call)
    }

    func resource(_ entity: String, under list: String?, id asked: String?, _ call: Call) -> Answer {
        guard let id = asked.map({ present($0, of: entity) }) else {
            switch call.method {
            case "GET": return listing(entity, under: list, call)
            case "POST": return create(entity, under: list, id: nil, call)
            default: return refusal(405, "not here")
            }
        }
        // An identifier that a client chose can come again after the first of its name was deleted.
        let index = rows.lastIndex { $0.entity == entity && $0.id == id && (list == nil || $0.list == list) }
        guard let index else {
            if call.method == "PUT", call.headers["If-None-Match"] != nil {
                return create(entity, under: list, id: id, call)
            }
            if call.path.last == "lock", let client = call.client {
                unlentAhead.append(UnlentAhead(client: client, entity: entity, list: list, id: id))
            }
            return refusal(404, "not found")
        }
        if rows[index].isDeleted, call.method == "PUT", model.creates == .clientID, !model.patches,
            call.headers["If-None-Match"] != nil
        {
            return create(entity, under: list, id: id, call)
        }
        guard !rows[index].isDeleted else { return refusal(model.wholeSeconds ? 410 : 404, "gone") }
        switch call.path.last {
        case "lock" where model.leases != .none && call.path.count % 2 == 1: return lock(index, call)
        case "place" where model.placing != .none && call.path.count % 2 == 1: return place(index, call)
        default: break
        }
        switch call.method {
        case "GET":
            var answer = one(rows[index])
            if let mark = Ledger.mark(rows[index].members) {
                if model.creates == .clientID { ledger.lookedUp.insert(mark) }
                answer.shown = (mark, rows[index].version)
            }
            return answer
        case "PUT" where call.headers["If-None-Match"] == "*": return refusal(412, "it exists")
        case "PUT", "PATCH": return update(index, call)
        case "DELETE": return delete(index, call)
        default: return refusal(405, "not here")
        }
    }

    private func identity(_ call: Call) -> Answer {
        guard let client = call.client else { return refusal(401, "who?") }
        let isMistaken = mistakes.remove(client) != nil && !world.isCalm
        if isMistaken {
            strangers.insert(call.process)
            formerStrangers.insert(client)
        } else {
            strangers.remove(call.process)
        }
        return Answer(status: 200, body: Value.object(["id": isMistaken ? "guest" : "ada"]).json())
    }

    /// A stranger's lists show every second row.
    func isHidden(_ row: Row, from process: String) -> Bool {
        strangers.contains(process) && row.version % 2 == 0
    }

    // MARK: How things are written

    func one(_ row: Row, status: Int = 200, isWritten: Bool = false) -> Answer {
        var answer = Answer(status: status, body: rooted(row, isPart: isWritten && model.answersPart).json())
        if model.version == .header { answer.headers["ETag"] = etag(row) }
        return answer
    }

    func rooted(_ row: Row, isPart: Bool = false) -> Value {
        let value = Value.object(representation(row, isPart: isPart))
        guard model.family == .rails else { return value }
        return .object([row.entity == "lists" ? "list" : "task": value])
    }

    func representation(_ row: Row, isPart: Bool = false) -> Value.Members {
        var members: Value.Members = ["id": identifier(row.id)]
        if row.isDeleted {
            members["deleted"] = true
            members["updated"] = .string(time(row.updated))
            return members
        }
        for member in row.members where !(model.isNested && member.name == "list_id") {
            if isPart, !["title", "token", "list_id"].contains(member.name) { continue }
            members[member.name] = member.value
        }
        members["updated"] = .string(time(row.updated))
        if model.version == .field { members["etag"] = .string(etag(row)) }
        if model.version == .lock { members["lock"] = .number(JSONNumber(row.version)) }
        return members
    }

    func identifier(_ id: String) -> Value {
        if model.creates != .clientID, model.identifiers == .number, let number = JSONNumber(id) {
            return .number(number)
        }
        return .string(id)
    }

    func etag(_ row: Row) -> String { "\"v\(row.version)\"" }

    /// What the server takes for the time.
    var now: Int64 {
        model.setsClockBack && world.now > start + Self.setBackAfter ? world.now - Self.setBackBy : world.now
    }

    private static let setBackAfter: Int64 = 20_000
    private static let setBackBy: Int64 = 10 * 86_400_000

    /// The clock of the machine that writes a row, as exact as it is.
    ///
    /// - Parameter last: when the row was changed before; a row's own times never go back.
    func clock(after last: Int64 = 0) -> Int64 {
        let lag = model.clockLag > 0 && !world.isCalm ? Int64(chaos.below(model.clockLag + 1)) : 0
        let time = now - lag
        let whole = model.wholeSeconds ? time / 1000 * 1000 : time
        // Where a list shows a part of a row, nothing else may tell that the rest of it has changed.
        return max(model.listsPart && last > 0 ? last + 1 : last, whole)
    }

    func time(_ milliseconds: Int64) -> String {
        Instant(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000).description
    }

    func refusal(_ status: Int, _ message: String) -> Answer {
        Answer(status: status, body: Value.object(["error": .string(message)]).json())
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; the day of the week is not looked at.
    private static func date(_ milliseconds: Int64) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let text = Instant(seconds: milliseconds / 1000).description
        let parts = text.split { "-T:Z.".contains($0) }.map(String.init)
        guard parts.count >= 6, let month = Int(parts[1]) else { return text }
        return "Sun, \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }
}
