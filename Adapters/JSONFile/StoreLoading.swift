internal import AtmosphereStore

/// Reads a folder, and saves from damaged files what can be trusted.
///
/// Each line has a checksum of its own, so a line is taken as it was written or not at all. Nothing is changed in the
/// folder but for the copies of damaged files.
struct StoreLoading {
    private(set) var state = StoreState()
    private(set) var files: [String: EntityFile] = [:]
    private(set) var commit: Int64 = 0
    /// The end of the journal's last whole commit; nil where a new journal is needed, because this one is damaged or ends
    /// before the other files.
    private(set) var journalSize: Int?
    /// The bytes of the other files.
    private(set) var baseSize = 0
    /// Entities with something that is in the journal only.
    private(set) var pending: Set<String> = []
    private(set) var notes: [StoreNote] = []
    private(set) var isDamaged = false
    /// There was nothing.
    private(set) var isNew = false

    private let folder: StoreFolder
    /// Entities of which something may be missing; all where it is not known which.
    private var suspects: Set<String> = []
    private var suspectsAll = false
    /// Commits are lost, which may have said that something was sent.
    private var lacksCommits = false

    init(_ folder: StoreFolder) throws(StoreError) {
        self.folder = folder
        let meta = try FileAccess.read(folder.meta)
        let journal = try FileAccess.read(folder.journal)
        let names = FileAccess.names(in: folder.entities).filter { $0.hasSuffix(EntityFileName.ending) }
        if meta == nil, names.isEmpty, journal == nil || journal == Journal.text(after: 0) {
            isNew = true
            return
        }
        let listed = try readMeta(meta)
        try readEntities(listed, present: names, listIsWhole: !suspectsAll)
        let stored = commit
        commit = max(commit, files.values.map(\.commit).max() ?? 0)
        try readJournal(journal, stored: stored, flushed: try AcknowledgedCommit.read(folder.lock))
        if isDamaged { try repair() }
    }

    /// After all files were written anew.
    mutating func replaced(files: [String: EntityFile], size: Int) {
        self.files = files
        baseSize = size
        pending = []
        journalSize = nil
    }

    // MARK: The files

    private mutating func readMeta(_ bytes: [UInt8]?) throws(StoreError) -> [String: EntityFile] {
        var listed: [String: EntityFile] = [:]
        guard let bytes else {
            try report(folder.meta, "it is missing", saved: "the objects are read from their own files")
            suspectsAll = true
            return [:]
        }
        baseSize += bytes.count
        let file = CheckedFile(bytes)
        var problem = file.damage
        for line in file.lines {
            do throws(StoreError) {
                let fields = try StoredFields(line, of: folder.meta)
                if fields.value("atmosphere-store") != nil {
                    try check(fields, "atmosphere-store", folder.meta)
                    commit = try fields.integer("commit")
                    state.highestSequence = try fields.integer("sequence")
                } else if let cursor = fields.value("cursor") {
                    try state.apply(cursor: cursor)
                } else if let alias = fields.value("alias") {
                    try state.apply(alias: alias)
                } else {
                    let name = try fields.text("file")
                    // What stands in a file never leads out of the folder.
                    guard !name.hasSlash, name.hasSuffix(EntityFileName.ending) else {
                        throw fields.wrong("file", "the name of an entity's file")
                    }
                    listed[try fields.text("entity")] = EntityFile(name: name, commit: try fields.integer("commit"))
                }
            } catch {
                problem = try Self.damage(error)
            }
        }
        if problem == nil, file.lines.first?.members?["atmosphere-store"] == nil { problem = "it has no header" }
        if let problem {
            try report(
                folder.meta, problem,
                saved: "\(Self.count(file.lines.count, "line")) could be read, and the objects from their own files")
            suspectsAll = true
        }
        return listed
    }

    private mutating func readEntities(
        _ listed: [String: EntityFile], present: [String], listIsWhole: Bool
    ) throws(StoreError) {
        for (entity, file) in listed.sorted(by: { $0.key.precedesInBytes($1.key) }) {
            try readEntity(entity, file)
        }
        guard !listIsWhole else { return }
        let known = Set(listed.values.map(\.name))
        for name in present where !known.contains(name) { try readEntity(nil, EntityFile(name: name, commit: 0)) }
    }

    /// - Parameter entity: nil where only the file itself knows.
    private mutating func readEntity(_ entity: String?, _ listed: EntityFile) throws(StoreError) {
        let path = folder.entity(listed.name)
        var found = listed
        guard let bytes = try FileAccess.read(path) else {
            guard let entity else { return }
            try report(path, "it is missing", saved: "nothing of \(entity) but what the journal holds")
            suspects.insert(entity)
            files[entity] = found
            return
        }
        baseSize += bytes.count
        found.size = bytes.count
        let file = CheckedFile(bytes)
        var problem = file.damage
        var name = entity
        var objects = 0
        for line in file.lines {
            do throws(StoreError) {
                let fields = try StoredFields(line, of: "an object of \(entity ?? path)")
                if fields.value("atmosphere-entity") != nil {
                    try check(fields, "atmosphere-entity", path)
                    let own = try fields.text("entity")
                    if let name, name != own { throw .damaged(path, "it is the file of “\(own)”") }
                    name = own
                    found.commit = try fields.integer("commit")
                    state.highestSequence = max(state.highestSequence, try fields.integer("sequence"))
                    if found.commit < listed.commit { problem = "it is older than store.jsonl" }
                } else if fields.value("listing") != nil {
                    try state.apply(listing: line)
                } else if let name {
                    try state.apply(object: fields, of: name)
                    objects += 1
                }
            } catch {
                problem = try Self.damage(error)
            }
        }
        if let name { files[name] = found }
        guard let problem else { return }
        if let name { suspects.insert(name) } else { suspectsAll = true }
        // The header is one of the lines that are counted.
        let all = file.expected.map { $0 > objects ? " of about \($0 - 1)" : "" } ?? ""
        try report(path, problem, saved: "\(Self.count(objects, "object"))\(all) could be saved")
    }

    /// - Parameters:
    ///   - stored: the last commit in `store.jsonl`.
    ///   - flushed: the last commit that was on the device for certain.
    private mutating func readJournal(_ bytes: [UInt8]?, stored: Int64, flushed: Int64) throws(StoreError) {
        guard let bytes else {
            suspectsAll = true
            lacksCommits = true
            defer { commit = max(commit, flushed) }
            return try report(folder.journal, "it is missing", saved: "changes since commit \(commit) are lost")
        }
        var problem = bytes.isEmpty ? "it is empty" : nil
        var last: Int64?
        var applied = 0
        var unreadable = 0
        var repeated = 0
        var isTorn = false
        var end = 0
        // Of a damaged file the journal has what it has lost, perhaps.
        let isMetaWhole = !suspectsAll
        let whole = suspectsAll ? [:] : files.filter { !suspects.contains($0.key) }.mapValues(\.commit)
        for line in CheckedLines(bytes) {
            isTorn = line.isTorn
            if isTorn { break }
            end = line.end
            if line.isUnended { problem = "its last line has no end" }
            guard let value = line.fields else {
                unreadable += 1
                continue
            }
            do throws(StoreError) {
                let fields = try StoredFields(value, of: "a commit in \(folder.journal)")
                if fields.value("atmosphere-journal") != nil {
                    try check(fields, "atmosphere-journal", folder.journal)
                    last = try fields.integer("after")
                    if last! > stored, !suspectsAll { problem = "it is newer than store.jsonl" }
                    continue
                }
                let number = try fields.integer("commit")
                if let last, number <= last {
                    repeated += 1
                    continue
                }
                if let last, number > last + 1 {
                    problem = "\(Self.count(Int(clamping: number - last - 1), "commit")) cannot be read"
                }
                last = number
                var next = state
                // A file that is newer than the commit has it, and perhaps what came after.
                try next.apply(
                    record: fields, withShared: !isMetaWhole || number > stored
                ) { whole[$0].map { number > $0 } ?? true }
                state = next
                applied += 1
                notePending(fields)
            } catch {
                problem = try Self.damage(error)
            }
        }
        lacksCommits = problem != nil || unreadable > 0
        if repeated > 0 { problem = repeated == 1 ? "a commit stands twice" : "\(repeated) commits stand twice" }
        if unreadable > 0 { problem = "\(Self.count(unreadable, "line")) cannot be read" }
        if problem == nil, last == nil { problem = "it has no header" }
        // What the files have is not missing.
        let known = max(commit, last ?? 0)
        if problem == nil, known < flushed {
            problem = "it was cut: it lacks \(Self.count(Int(clamping: flushed - known), "commit")) that it had"
        }
        commit = max(known, flushed)
        if known < flushed { lacksCommits = true }
        if let problem {
            suspectsAll = true
            return try report(folder.journal, problem, saved: "\(Self.count(applied, "commit")) could be read")
        }
        if isTorn {
            notes.append(
                StoreNote(
                    isWarning: false,
                    message: "\(folder.journal): the commit that was being written when a process ended was cut off"))
        }
        // The next commit has to follow the last one of the journal.
        if last == commit { journalSize = end }
    }

    private mutating func notePending(_ record: StoredFields) {
        for name in ["objects", "listings"] {
            for each in (try? record.list(name)) ?? [] {
                if let entity = each.members?["entity"]?.string { pending.insert(entity) }
            }
        }
    }

    // MARK: Damage

    /// What may be missing has to be listed anew, from the beginning; sequences must not go back.
    private mutating func repair() throws(StoreError) {
        for scope in state.cursors.keys where suspectsAll || suspects.contains(scope.entity) {
            state.cursors[scope] = nil
        }
        for (entity, all) in state.entities {
            if suspectsAll || suspects.contains(entity) { state.setListing(nil, of: entity) }
            for (_, object) in all.objects {
                guard case .synchronized(let confirmed)? = object.meta?.state else { continue }
                state.highestSequence = max(state.highestSequence, confirmed.sequence)
            }
        }
        pending.formUnion(state.entities.keys)
        pending.formUnion(files.keys)
        if lacksCommits { doubtCreates() }
    }

    /// What was lost may have said that a new object was on the wire: sent once more, there would be two on the server. Those
    /// that wait for another one were not sent before what names it is here.
    private mutating func doubtCreates() {
        var count = 0
        for (entity, all) in state.entities {
            for (key, object) in all.objects {
                guard var meta = object.meta, case .created(var outgoing, let deleting) = meta.state,
                    outgoing.phase == .waiting, !outgoing.evidence.mayHaveArrived, meta.waitsFor.isEmpty
                else { continue }
                outgoing.evidence.lose()
                outgoing.phase = .unknown(
                    .init(record: object.record, revision: meta.revision, sequence: state.highestSequence))
                meta.state = .created(outgoing, deleting: deleting)
                state[ObjectURI(entity: entity, id: key.text)] = StoredObject(record: object.record, meta: meta)
                count += 1
            }
        }
        guard count > 0 else { return }
        notes.append(
            StoreNote(
                isWarning: true,
                message: "\(Self.count(count, "new object")) may have been sent already, which the lost commits would "
                    + "say: the next push looks for them on the server, and where the API has no means for that you decide "
                    + "(atmos status)"))
    }

    private mutating func report(_ path: String, _ problem: String, saved: String) throws(StoreError) {
        var contents: String?
        if !isDamaged { contents = try ContentFolder.keepCopies(of: folder.path, with: folder.path + ".damaged") }
        isDamaged = true
        let copy = try FileAccess.keepCopy(of: path).map { "; the damaged file is kept as \($0)" } ?? ""
        notes.append(
            StoreNote(
                isWarning: true,
                message: "\(path) is damaged: \(problem); \(saved)\(copy); pull to get back what the server has, and "
                    + "look for changes of yours that were not sent\(contents.map(ContentFolder.adviceOfKept) ?? "")"))
    }

    private func check(_ fields: StoredFields, _ name: String, _ path: String) throws(StoreError) {
        guard try fields.integer(name) <= StoreFolder.version else {
            throw StoreError(
                code: .newerFormat, message: "\(path) was written by a newer version of Atmosphere; use that version")
        }
    }

    /// A line of a newer version is refused, every other fault is damage.
    private static func damage(_ error: StoreError) throws(StoreError) -> String {
        if error.code == .newerFormat { throw error }
        return "a line is not what a store writes"
    }

    private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}
