/// How a simulated server behaves, composed of switches: each combination is an API that could exist.
///
/// ``routeFile()`` describes the same server, so that client and server agree about it.
public struct ServerModel: Sendable, Hashable {
    /// What the API's family fixes: envelopes, roots and where the next page is told.
    public enum Family: String, Sendable, CaseIterable { case plain, rails, django, googleTasks }
    /// Whether an identifier is a JSON number, or a text such as `t.7~x`.
    public enum Identifiers: String, Sendable, CaseIterable { case number, text }
    /// What a client can do against a create that happens twice.
    public enum CreateMeans: String, Sendable, CaseIterable { case none, lookup, key, clientID }
    /// What keeps a write from undoing another's: nothing, a comparison by the client, `If-Match` with the `ETag`
    /// header or the member `etag`, or the member `lock` in the body.
    public enum VersionCheck: String, Sendable, CaseIterable { case none, compare, header, field, lock }
    /// How a list goes on: not at all, by page numbers without or with a total, by offsets, by a link in the body or in
    /// the header `Link`, or by a token.
    public enum Pages: String, Sendable, CaseIterable { case none, number, total, offset, bodyLink, headerLink, token }
    /// In which order a list shows its objects: as they were created, the last changed first, or by title.
    public enum Order: String, Sendable, CaseIterable { case created, newest, title }
    /// How changes alone are asked for: not at all, by the time of change with or without that time itself, sorted by
    /// it, or since the `Date` of the last answer.
    public enum Since: String, Sendable, CaseIterable { case none, inclusive, exclusive, ascending, responseDate }
    /// How a list tells of a deleted object: by its absence, or by a tombstone.
    public enum Deletion: String, Sendable, CaseIterable { case absent, tombstone }
    /// What happens to a member that both sides changed.
    public enum Clash: String, Sendable, CaseIterable { case ask, mine, theirs }
    /// What happens to an object that one side deleted and the other edited.
    public enum DeleteClash: String, Sendable, CaseIterable { case ask, delete, recreate }
    /// Several writes in one request, and which result is whose.
    public enum Batches: String, Sendable, CaseIterable { case none, position, key }
    /// Whether a write needs a lease, and what happens without: refused, or taken all the same.
    public enum Leases: String, Sendable, CaseIterable { case none, enforced, advisory }
    /// A member that only an action changes, and whether that may be sent again after a lost answer.
    public enum Placing: String, Sendable, CaseIterable { case none, safe, ask }

    /// ``Family/plain`` by default, as its route file's style.
    public var family = Family.plain
    /// Tasks stand under their list in the path; else in one list with the member `list_id`.
    public var isNested = false
    /// A task's identifier is unique among its list's only; needs ``isNested``.
    public var isPerParent = false
    /// Numbers by default; of no meaning where the client chooses identifiers.
    public var identifiers = Identifiers.number
    /// Looked up by a member by default.
    public var creates = CreateMeans.lookup
    /// Compared by the client by default.
    public var version = VersionCheck.compare
    /// The server looks at the version that it is sent.
    public var honoursVersion = true
    /// PATCH of what changed; else PUT of the whole record.
    public var patches = true
    /// One page for all by default.
    public var pages = Pages.none
    /// Rows of a page.
    public var pageSize = 3
    /// The next page is told by the last row of this one, so no row is missed because others move.
    public var hasStablePages = true
    /// As created by default.
    public var order = Order.created
    /// Everything each time by default.
    public var since = Since.none
    /// Times are told, and compared, without a fraction.
    public var wholeSeconds = false
    /// By absence by default.
    public var deletion = Deletion.absent
    /// Texts lose the spaces around them.
    public var normalizes = false
    /// With a list go its tasks; else they stay and refer to what is gone.
    public var cascades = true
    /// An update is answered 204, a create with `Location` alone.
    public var answersNothing = false
    /// Lists show some members only.
    public var listsPart = false
    /// Answers to writes hold some members only.
    public var answersPart = false
    /// Answers to reads have no `Date`.
    public var hasNoDate = false
    /// Next links name an address that only the server's own network knows.
    public var namesInnerHost = false
    /// `GET me` tells who is signed in, and the route file asks for it.
    public var hasIdentity = false
    /// A person decides by default, as in the route file.
    public var clash = Clash.ask
    /// An object that was deleted on the server and edited here.
    public var deletedThere = DeleteClash.ask
    /// An object that was deleted here and edited on the server.
    public var deletedHere = DeleteClash.ask
    /// Requests at once.
    public var concurrent = 4
    /// One write in each request by default.
    public var batches = Batches.none
    /// Which of `create`, `update` and `delete` go in batches.
    public var batchVerbs: [String] = []
    /// Writes in one request at most.
    public var batchSize = 3
    /// No leases by default.
    public var leases = Leases.none
    /// No action by default.
    public var placing = Placing.none
    /// Changes are told to who follows them.
    public var isLive = false
    /// Look-ups answer from a copy that is behind by up to two seconds.
    public var looksUpLate = false
    /// Every second answer to a batch lacks a result.
    public var leavesOutResults = false
    /// Results that are known by their place stand often in another order, where they show whose they are.
    var mixesResults = false
    /// A create that is sent again under its key is at times answered with 409, as if the first were still under way, and a
    /// look-up with 404.
    public var isBusyAtTimes = false
    /// A create whose look-up member is taken is refused. Where the server is at a create for longer, it must be.
    var isUnique: Bool { !isBusyAtTimes || isSlow }
    /// A create may come when its client has given up: nothing but a look-up tells that it was not sent again in vain.
    var takesLate: Bool { isUnique || creates == .lookup }
    /// A create is answered before it is done, and so is a delete (202).
    var isSlow = false
    /// A new object has no title, whatever a create says; an update gives it one.
    var leavesOutTitles = false
    /// Somebody deletes a row of a first page while its reader asks for the second.
    var losesRows = false
    /// What was deleted stands in a list of its own.
    var listsDeleted = false
    /// How far behind the clocks of the machines are, in milliseconds, that write rows: what is changed later may have the
    /// earlier time.
    var clockLag = 0
    /// Some time after the start the clock is set back for good, by days: by what a client has seen, what is changed then was
    /// changed long ago.
    var setsClockBack = false
    /// An update may give an object another identifier; the former one leads to it still.
    var renames = false
    /// Single objects cannot be read, so that an absence is believed as it is.
    public var hasNoRead = false

    /// The plainest server: one list, numbers, one page, everything each time.
    public init() {}

    /// No row is missed by a listing, whatever moves meanwhile.
    var listsSafely: Bool {
        switch pages {
        case .none: true
        case .number, .total, .offset: false
        case .bodyLink, .headerLink, .token: hasStablePages
        }
    }

    /// A list whose rows may move tells how many there are, with each page.
    var tellsTotal: Bool {
        switch pages {
        case .total: true
        case .none, .number: false
        case .offset: pageSize.isMultiple(of: 2)
        case .bodyLink, .headerLink, .token: !hasStablePages && pageSize.isMultiple(of: 2)
        }
    }

    /// The token of a next page is the number of rows before it.
    var countsByToken: Bool { losesRows && pages == .token && !hasStablePages }

    /// Two pages in a row share a row.
    var overlaps: Bool { pages == .offset && pageSize > 1 }

    /// A client can notice that a row was missed: by the total, or by pages that overlap.
    var showsMoves: Bool { tellsTotal || overlaps }

    /// A row that is changed moves behind the others, or may do so.
    var sortsByChange: Bool { since == .ascending || order == .title }

    /// A client cannot overwrite what it has not seen.
    var isVersioned: Bool {
        switch version {
        case .none, .compare: false
        case .header, .field, .lock: honoursVersion
        }
    }
}

extension ServerModel {
    /// A family with its habits, some of which are thrown over.
    init(_ random: inout SimulationRandom) {
        family = random.pick(Family.allCases)
        switch family {
        case .plain:
            (patches, pages) = (false, .none)
        case .rails:
            (pages, version, deletion) = (.headerLink, random.pick([.compare, .lock]), .tombstone)
        case .django:
            (pages, since) = (.bodyLink, .exclusive)
        case .googleTasks:
            (isNested, identifiers, pages, version) = (true, .text, .token, .field)
            (since, deletion, creates) = (.responseDate, .tombstone, .none)
        }
        func other<Element>(_ present: inout Element, _ all: [Element]) {
            if random.chance(30) { present = random.pick(all) }
        }
        let both = [true, false]
        other(&isNested, both)
        isPerParent = isNested && random.chance(30)
        other(&identifiers, Identifiers.allCases)
        if random.chance(60) { creates = random.pick(CreateMeans.allCases) }
        if isPerParent, creates == .clientID { creates = .lookup }
        other(&version, VersionCheck.allCases)
        honoursVersion = !random.chance(15)
        other(&patches, both)
        other(&pages, Pages.allCases)
        pageSize = random.within(1...5)
        hasStablePages = random.chance(60)
        order = random.pick(Order.allCases)
        other(&since, Since.allCases)
        wholeSeconds = random.chance(40)
        other(&deletion, Deletion.allCases)
        normalizes = random.chance(30)
        cascades = isNested || random.chance(50)
        answersNothing = random.chance(20)
        listsPart = random.chance(20) && !wholeSeconds
        answersPart = random.chance(20) && !answersNothing
        hasNoDate = random.chance(15)
        namesInnerHost = random.chance(20)
        hasIdentity = random.chance(25)
        if random.chance(25) { clash = random.pick(Clash.allCases) }
        if random.chance(25) { deletedThere = random.pick(DeleteClash.allCases) }
        if random.chance(25) { deletedHere = random.pick(DeleteClash.allCases) }
        concurrent = random.pick([1, 2, 4])
        if since == .ascending || (pages != .none && hasStablePages && order == .title) { order = .created }
        if hasNoDate, since == .responseDate { since = .inclusive }
        if answersNothing, creates == .clientID { answersNothing = false }
    }
}

extension ServerModel {
    /// What goes beyond lists and single writes, drawn apart so that the rest of a seed is the same without it.
    mutating func addExtras(_ random: inout SimulationRandom) {
        isLive = random.chance(40)
        if random.chance(30) {
            batches = random.pick([.position, .key])
            batchVerbs = random.pick([
                ["create"], ["update"], ["create", "update", "delete"], ["create", "update"], ["update", "delete"]
            ])
            batchSize = random.within(2...5)
        }
        if random.chance(25) { leases = random.pick([.enforced, .advisory]) }
        // A lease's token is a header of one write.
        if leases != .none { batchVerbs.removeAll { $0 != "create" } }
        if batchVerbs.isEmpty { batches = .none }
        if random.chance(30) { placing = random.pick([.safe, .ask]) }
        looksUpLate = creates == .lookup && random.chance(30)
        let canDoWithout =
            listsSafely && !listsPart && !answersPart && !answersNothing && [.lookup, .key].contains(creates)
        hasNoRead = canDoWithout && [.none, .field].contains(version) && random.chance(40)
    }

    /// Combinations that a fault needs to be noticed, and that seldom come together.
    mutating func addRareTraits(_ random: inout SimulationRandom) {
        if placing == .none, random.chance(25) { placing = .ask }
        if placing == .ask, random.chance(40) { version = .none }
        if batches == .none, random.chance(25) {
            (batches, batchVerbs, batchSize) = (.position, ["create"], random.within(2...4))
        }
        if batches != .none { leavesOutResults = random.chance(70) }
        if random.chance(30), !hasNoRead { creates = .none }
        if random.chance(35) { takeReadsAway(&random) }
    }

    /// Lists of changes whose rows can move from page to page.
    mutating func addMovingRows(_ random: inout SimulationRandom) {
        losesRows = true
        pages = random.pick([.total, .total, .number, .offset, .offset, .bodyLink, .headerLink])
        hasStablePages = false
        pageSize = random.within(2...3)
        since = random.pick([.inclusive, .exclusive, .ascending])
        if order == .newest { order = .created }
    }

    /// A list of what was deleted; nothing else tells of it, but that children go with their parents' lists.
    mutating func addListOfDeleted() {
        listsDeleted = true
        deletion = .absent
    }

    /// Updates that give objects other identifiers.
    mutating func addRenames() {
        renames = true
        if creates == .clientID { creates = .lookup }
        (isPerParent, isLive, hasNoRead, leases, batches, batchVerbs) = (false, false, false, .none, .none, [])
        // Nothing else tells of the former identifier.
        deletion = .absent
    }

    /// Several machines that write, whose clocks are not set alike.
    mutating func addClocks(_ random: inout SimulationRandom) {
        if since == .none { since = random.pick([.inclusive, .exclusive, .ascending]) }
        if since == .ascending { order = .created }
        setsClockBack = !hasNoDate && random.chance(40)
        clockLag = setsClockBack ? 0 : random.pick([500, 2000])
    }

    /// Rows slide to pages that were read, and nothing but a second listing tells that from a deletion.
    mutating func addListsReadTwice(_ random: inout SimulationRandom) {
        takeReadsAway(&random)
        losesRows = true
        (pages, pageSize) = (random.pick([.number, .total, .offset, .bodyLink, .headerLink]), random.within(1...3))
        (hasStablePages, order, since, deletion) = (false, .created, .none, .absent)
    }

    /// What servers do that say one thing and mean another.
    mutating func addHostileTraits(_ random: inout SimulationRandom) {
        isSlow = random.chance(40) && [.none, .lookup].contains(creates) && !hasNoRead && !batchVerbs.contains("create")
        leavesOutTitles = random.chance(35) && !answersPart && !answersNothing && order != .title
    }

    /// Single objects cannot be read, and whatever else that needs.
    private mutating func takeReadsAway(_ random: inout SimulationRandom) {
        if ![.lookup, .key].contains(creates) { creates = random.pick([.lookup, .key]) }
        if ![.none, .field].contains(version) { version = random.pick([.none, .field]) }
        (listsPart, answersPart, answersNothing) = (false, false, false)
        if !listsSafely { (pages, hasStablePages) = (.bodyLink, true) }
        if pages != .none, order == .title { order = .created }
        if random.chance(60) { deletion = .absent }
        if random.chance(60) { hasIdentity = true }
        hasNoRead = true
    }
}

extension ServerModel: CustomStringConvertible {
    public var description: String {
        let flags: [(Bool, String)] = [
            (isNested, "nested"), (isPerParent, "per-parent"), (!honoursVersion, "ignores-versions"),
            (hasStablePages, "stable"), (wholeSeconds, "seconds"), (normalizes, "normalizes"),
            (cascades, "cascades"), (answersNothing, "answers-nothing"), (listsPart, "lists-part"),
            (answersPart, "answers-part"), (hasNoDate, "no-date"),
            (namesInnerHost, "inner-host"), (hasIdentity, "identity"), (isLive, "live"),
            (looksUpLate, "late-look-ups"), (leavesOutResults, "leaves-out-results"), (hasNoRead, "no-read"),
            (isBusyAtTimes, "busy"), (losesRows, "loses-rows"), (isSlow, "slow"),
            (leavesOutTitles, "leaves-out-titles"), (mixesResults, "mixes-results"),
            (listsDeleted, "lists-deleted"), (clockLag > 0, "clocks-behind"), (renames, "renames"),
            (setsClockBack, "clock-set-back")
        ]
        var words = [
            family.rawValue, "ids=\(identifiers)", "creates=\(creates)", "version=\(version)",
            patches ? "patch" : "put", "pages=\(pages)/\(pageSize)", "order=\(order)", "since=\(since)",
            "deletes=\(deletion)", "clash=\(clash)", "there=\(deletedThere)", "here=\(deletedHere)",
            "concurrent=\(concurrent)"
        ]
        if batches != .none { words.append("batches=\(batches)/\(batchSize) of \(batchVerbs.joined(separator: ","))") }
        if leases != .none { words.append("leases=\(leases)") }
        if placing != .none { words.append("placing=\(placing)") }
        return (words + flags.filter(\.0).map(\.1)).joined(separator: " ")
    }
}
