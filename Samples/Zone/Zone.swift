// The condition is for this repository alone, which is also built without its adapters.
#if Command
    import Atmosphere
    import AtmosphereCurl
    import AtmospherePlain
    import AtmosphereSQLite
    import AtmosphereYAML
    import Foundation

    /// A time that somebody was in the zone, for a project.
    struct Zone: Codable {
        var id = ObjectID.unassigned
        var project: ObjectID
        var started: Date
        var ended: Date?
        var note: String?
    }

    struct Project: Codable {
        var id: ObjectID
        var name: String
    }

    struct Invoice: Codable {
        var id = ObjectID.unassigned
        var project: ObjectID
        var month: String
        var number: String?
        var hours: Double?
        var total: String?
    }

    /// What a person does, all but `sync`, `report` and `invoice` without a network.
    struct ZoneBook {
        let api: Synchronizer
        let zones: Objects<Zone>
        let projects: Objects<Project>
        let invoices: Objects<Invoice>

        init(routeFile: String) async throws {
            api = try await Synchronizer.open(routeFile, adapters: [.yaml, .plain, .curl, .sqlite])
            zones = api.objects(Zone.self, in: "zones")
            projects = api.objects(Project.self, in: "projects")
            invoices = api.objects(Invoice.self, in: "invoices")
        }

        /// Starts a zone, and ends the one that is running.
        func start(_ project: String, note: String?, at moment: Date) async throws {
            let project = try await self.project(project)
            if try await running() != nil { try await stop(at: moment) }
            try await zones.create(Zone(project: project.model.id, started: moment, note: note))
            print("in the zone: \(project.name)")
        }

        func stop(at moment: Date) async throws {
            guard let zone = try await running() else {
                throw Failure("nobody is in the zone; begin one with: in PROJECT")
            }
            guard moment >= zone.started else { throw Failure("the zone began at \(zone.started.formatted(.iso8601))") }
            try await zones.edit(zone.uri) { $0.ended = moment }
            print("out of the zone after \(duration(moment.timeIntervalSince(zone.started)))")
        }

        /// - Returns: whether all was sent and read that could be.
        func synchronize() async throws -> Bool {
            let report = try await api.synchronize()
            let later = report.push.unreachable ?? report.push.signInNeeded ?? report.push.problem
            if let later { print("later: \(later)") }
            // What was not asked for has its reason with another entity.
            let problems = (report.pull?.entities ?? [:]).values.compactMap(\.problem)
            for problem in Set(problems).sorted() where problem != later && !problem.hasPrefix("not asked for") {
                print("not read: \(problem)")
            }
            for object in try await api.rejected() { print("refused: \(object.uri); atmos rejected says why") }
            for status in try await api.status() where status.counts.objects > 0 {
                let waiting = status.counts.changed
                print("\(status.entity): \(status.counts.objects)\(waiting > 0 ? ", \(waiting) to be sent" : "")")
            }
            return later == nil && report.pull?.isComplete == true
        }

        func show(_ week: Week) async throws {
            let started = Query.Field("started")
            // A zone may have begun in the week before.
            let from = week.days[0].start.addingTimeInterval(-86_400).formatted(.iso8601)
            let found = try await zones.matching(
                started >= .string(from) && started < .string(week.end.formatted(.iso8601)))
            print(week.chart(of: found.map(\.model)))
        }

        /// The report of a week, or an invoice, as the service prints it; what was read once is there without a network, too.
        func save(_ uri: ObjectURI, to file: String) async throws {
            let content = try await api.content(of: "pdf", at: uri)
            var bytes: [UInt8] = []
            for try await chunk in content.bytes { bytes += chunk }
            try Data(bytes).write(to: URL(fileURLWithPath: file))
            print("\(file): \(bytes.count) bytes")
        }

        /// There is one for each project and month; it is asked for here, and made by the service.
        func invoice(_ project: String, month: String, file: String) async throws {
            guard month.wholeMatch(of: #/[0-9]{4}-(0[1-9]|1[0-2])/#) != nil else {
                throw Failure("\(month) is no month; write it as 2026-11")
            }
            let project = try await self.project(project)
            let known = try await invoices.matching(Query.Field("month") == .string(month))
            let uri =
                if let invoice = known.first(where: { $0.project == project.model.id }) { invoice.uri } else {
                    try await invoices.create(Invoice(project: project.model.id, month: month))
                }
            try await api.push()
            guard let invoice = try await invoices.at(uri), let number = invoice.number else {
                throw Failure("the invoice waits for the service; ask for it again when that is back")
            }
            print("invoice \(number): \(invoice.hours ?? 0) hours, \(invoice.total ?? "0.00") EUR")
            try await save(invoice.uri, to: file)
        }

        private func running() async throws -> TypedObject<Zone>? {
            try await zones.matching(Query.Field("ended") == nil, order: [.init("started")]).last
        }

        private func project(_ name: String) async throws -> TypedObject<Project> {
            let found = try await projects.matching()
            if let project = found.first(where: { $0.name.lowercased() == name.lowercased() }) { return project }
            throw Failure("there is no project \(name): \(found.map(\.model.name).formatted())")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @main struct Program {
        static let usage = """
            Zone ROUTEFILE in PROJECT [NOTE] | out | week [2026-W48] | sync
                           report 2026-W48 FILE | invoice PROJECT 2026-11 FILE
            in and out take --at 2026-11-23T09:00:00Z
            """

        static func main() async throws {
            var words = Array(CommandLine.arguments.dropFirst())
            var moment = Date.now
            if let place = words.firstIndex(of: "--at"), place + 1 < words.count {
                guard let given = try? Date(words[place + 1], strategy: .iso8601) else {
                    fail("--at \(words[place + 1]) is no time")
                }
                moment = given
                words.removeSubrange(place...(place + 1))
            }
            guard words.count > 1 else { fail(usage) }
            do {
                let book = try await ZoneBook(routeFile: words[0])
                var status: Int32 = 0
                switch (words[1], words.count) {
                case ("in", 3...4): try await book.start(words[2], note: words.count > 3 ? words[3] : nil, at: moment)
                case ("out", 2): try await book.stop(at: moment)
                case ("sync", 2): status = try await book.synchronize() ? 0 : 4
                case ("week", 2...3):
                    guard let week = words.count > 2 ? Week(words[2]) : Week(of: moment) else {
                        fail("\(words[2]) is no week")
                    }
                    try await book.show(week)
                case ("report", 4): try await book.save(ObjectURI(entity: "reports", id: words[2]), to: words[3])
                case ("invoice", 5): try await book.invoice(words[2], month: words[3], file: words[4])
                default: fail(usage)
                }
                try await book.api.close()
                exit(status)
            } catch { fail("\(error)") }
        }

        static func fail(_ text: String) -> Never {
            FileHandle.standardError.write(Data("\(text)\n".utf8))
            exit(1)
        }
    }
#else
    @main struct Program { static func main() { print("Zone needs the default traits") } }
#endif
