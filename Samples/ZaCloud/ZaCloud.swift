// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmospherePlain
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation

    struct Note: Codable {
        var id = ObjectID.unassigned
        var title: String
        var note: String
        var createDate: Date
        /// "1" while another device edits it.
        var locked: String?
        var lockingDevice: String?
    }

    /// The notes of a user on this device.
    struct Notepad: Sendable {
        let api: Synchronizer
        let notes: Objects<Note>

        init(routeFile: String) async throws {
            api = try await Synchronizer.open(routeFile, adapters: [.yaml, .plain, .curl, .sqlite])
            notes = api.objects(Note.self, in: "notes")
        }

        // MARK: Without a network

        func list(_ notes: [TypedObject<Note>]) {
            for note in notes {
                let state =
                    switch note.status {
                    case .synchronized where note.locked == "1":
                        "  (read-only: \(note.lockingDevice ?? "another device") edits it)"
                    case .synchronized: ""
                    case .conflicted(_, let conflict) where conflict.retryAt != nil: "  (waits for the lease)"
                    case .conflicted: "  (in conflict)"
                    case .rejected: "  (refused)"
                    case .waiting, .sending, .unknown: "  (to be sent)"
                    }
                say("\(note.title): \(note.note)\(state)")
            }
        }

        func list() async throws { list(try await notes.matching(order: Self.order)) }

        func new(_ title: String, _ text: String) async throws {
            guard !text.isEmpty else { return say("an empty note is not kept") }
            let now = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded(.down))
            try await notes.create(Note(title: title, note: text, createDate: now))
        }

        /// Is sent under a lease by the next push that gets one.
        func write(_ title: String, _ text: String) async throws {
            guard !text.isEmpty else { return say("an empty note is not kept") }
            try await notes.edit(try await note(title).uri) { $0.note = text }
        }

        /// Decides a conflict.
        func keep(_ title: String, _ side: Synchronizer.Resolution) async throws {
            try await api.resolve(try await note(title).uri, side)
        }

        // MARK: With the server

        /// Keeps the note to this device while somebody types. Where another device has it, the note is shown, and the end of
        /// that is told.
        func edit(_ title: String) async throws {
            let note = try await self.note(title)
            let uri = note.uri
            let watch = Task { try await tellEnd(of: uri, title) }
            defer { watch.cancel() }
            do {
                try await api.withLease(on: uri) {
                    if note.status.change != .create { try await notes.refresh(uri) }
                    try await list(notes.matching(Query.Field("title") == .string(title)))
                    say("editing “\(title)” until the input ends")
                    var lines: [String] = []
                    for await line in typedLines() { lines.append(line) }
                    let text = lines.joined(separator: "\n")
                    guard !text.isEmpty else {
                        say("an empty note is not kept")
                        return
                    }
                    try await notes.edit(uri) { $0.note = text }
                    _ = try await synchronize()
                }
            } catch let error as SyncError where error.code == .unreachable {
                throw Failure("there is no network; use write")
            } catch let error as SyncError where error.code == .leased {
                say("read-only: \(error.failure?.message ?? error.message)")
                while try await isEditedElsewhere(uri) { try await Task.sleep(for: .seconds(1)) }
                try await notes.refresh(uri)
                try await list()
                say("“\(title)” is free")
            }
        }

        /// Who asks for the lease is told.
        private func isEditedElsewhere(_ uri: ObjectURI) async throws -> Bool {
            do {
                try await api.withLease(on: uri) {}
                return false
            } catch let error as SyncError where error.code == .leased {
                return true
            }
        }

        private func tellEnd(of uri: ObjectURI, _ title: String) async throws {
            var told: EditLease?
            for try await leases in api.leaseChanges() {
                guard let lease = leases.first(where: { $0.uri == uri && $0.hasEnded }), lease != told else { continue }
                told = lease
                say("the lease of “\(title)” has ended; what you type is kept, and another device may edit the note")
            }
        }

        /// The server is asked first: a note is deleted there, or nowhere.
        func delete(_ title: String) async throws {
            let uri = try await note(title).uri
            do {
                try await notes.delete(uri)
            } catch let error as SyncError where error.code == .unreachable {
                throw Failure("a note is deleted with the server only, and that is away")
            }
        }

        /// - Returns: whether all was sent and read that could be.
        func synchronize() async throws -> Bool {
            let report = try await api.synchronize()
            if let reason = report.push.unreachable ?? report.push.signInNeeded ?? report.push.problem {
                say("later: \(reason)")
                return false
            }
            say("sent: \(report.push.created) new, \(report.push.updated) updated")
            if let pull = report.pull?.entities["notes"] {
                say("received: \(pull.inserted) new, \(pull.updated + pull.merged) updated, \(pull.deleted) deleted")
                if let problem = pull.problem { say("not read: \(problem)") }
            }
            for object in try await api.pending() { tell(object) }
            return report.pull?.isComplete == true
        }

        /// Why a change is not sent, or what a person has to decide.
        private func tell(_ object: LocalObject) {
            let title = object.record?["title"]?.text ?? object.uri.id
            switch object.status {
            case .waiting(_, .retry(_, let failure)): say("“\(title)” waits: \(failure.message)")
            case .rejected(_, let failure): say("“\(title)” is refused: \(failure.message)")
            case .conflicted(_, let conflict) where conflict.retryAt != nil:
                say("“\(title)” waits: another device edits it")
            case .conflicted(_, let conflict):
                say("“\(title)” was edited on both sides, or deleted on one")
                for name in conflict.fields {
                    say("  \(name), mine:   \(object.record?[name]?.text ?? "nothing")")
                    say("  \(name), theirs: \(conflict.theirs?[name]?.text ?? "nothing")")
                }
            case .synchronized, .waiting, .sending, .unknown: break
            }
        }

        /// Each minute, after each edit, and whenever somebody presses Return; shows the notes whenever something has changed.
        func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await api.run(Synchronizer.Triggers(interval: .seconds(60))) }
                group.addTask { for try await present in notes.changes(order: Self.order) { list(present) } }
                group.addTask { for await _ in typedLines() { api.requestSynchronization() } }
                _ = try await group.next()
                group.cancelAll()
            }
        }

        private static let order = [Query.Order("createDate"), Query.Order("title")]

        private func note(_ title: String) async throws -> TypedObject<Note> {
            let found = try await notes.matching(Query.Field("title") == .string(title))
            guard let note = found.first else { throw Failure("there is no note “\(title)”") }
            guard found.count == 1 else { throw Failure("there are \(found.count) notes “\(title)”") }
            return note
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// At once, also into a file.
    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Reading waits on a thread of its own.
    func typedLines() -> AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
    }

    @main struct Program {
        static let usage = """
            ZaCloud ROUTEFILE list | new TITLE TEXT | write TITLE TEXT | keep TITLE mine|theirs
                              edit TITLE | delete TITLE | sync | run
            """

        static func main() async throws {
            let words = Array(CommandLine.arguments.dropFirst())
            do {
                guard words.count > 1 else { throw Failure(usage) }
                let notepad = try await Notepad(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("list", 2): try await notepad.list()
                case ("new", 4): try await notepad.new(words[2], words[3])
                case ("write", 4): try await notepad.write(words[2], words[3])
                case ("keep", 4) where words[3] == "mine": try await notepad.keep(words[2], .mine)
                case ("keep", 4) where words[3] == "theirs": try await notepad.keep(words[2], .theirs)
                case ("edit", 3): try await notepad.edit(words[2])
                case ("delete", 3): try await notepad.delete(words[2])
                case ("sync", 2): status = try await notepad.synchronize() ? 0 : 4
                case ("run", 2): try await notepad.run()
                default: throw Failure(usage)
                }
                try await notepad.api.close()
                exit(status)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(1)
            }
        }
    }
#else
    @main struct Program { static func main() { print("ZaCloud needs the default traits") } }
#endif
