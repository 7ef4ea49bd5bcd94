#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports
    internal import Foundation

    struct StatusCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Count objects by entity and state.",
            discussion: """
                Each object that is not in step with the server stands in one column: NEW, EDITED and DELETED wait to be \
                sent, the others for a person, or for a push that finds out. Below the table stands what waits to be sent, \
                object by object, and why it has not been; --limit says how many of them. With --json, “changed” counts \
                all of them, and “localOnly” and “deleted” say what they are, whatever they wait for.

                EXAMPLE
                  atmos status --json
                """)

        @OptionGroup var global: GlobalOptions

        @Option(help: ArgumentHelp("No more waiting objects than this.", valueName: "n"))
        var limit = 20

        func validate() throws {
            if limit < 0 { throw ValidationError("--limit takes a number from 0 on") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let entities = try await synchronizer.status()
                let waiting = entities.reduce(0) { $0 + $1.counts.changed }
                let shown = try await synchronizer.store.read { [limit] snapshot in
                    let waiting = limit > 0 ? try snapshot.changed(entity: nil, after: nil, limit: limit) : []
                    return try waiting.compactMap { try snapshot.object(at: $0.uri) }
                }
                let held = try await synchronizer.heldChanges()
                let reasons = shown.compactMap { PendingReason($0, in: synchronizer, held: held) }
                let live = LiveStatusFile(of: synchronizer.routeFile)?.read()
                let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
                let pause = try await synchronizer.store.read { try OriginPause.kept(in: $0) }
                    .flatMap { $0.start <= now && $0.end > now ? $0.end.rfc3339 : nil }
                if output.isJSON {
                    var members = StatusReport(entities: entities, pending: reasons).members
                    if let pause { members["pausedUntil"] = .string(pause) }
                    if let live { members["live"] = .object(live) }
                    return try output.json(.object(members))
                }
                let standings = try await synchronizer.store.read { try StatusTable.Standings($0) }
                try output.table(StatusTable.table(entities, standings))
                try output.lines(reasons.map { TextWidth.oneLine("\($0.meta.uri)  \($0.reason)") })
                if waiting > shown.count { try output.remark("and \(waiting - shown.count) more; --limit shows them") }
                if let pause { try output.remark("the server asks to wait: nothing is sent before \(pause)") }
                if let live { try output.remark(TextWidth.oneLine(live.liveLine)) }
            }
        }
    }
#endif
