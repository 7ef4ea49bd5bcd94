#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct LogCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "Show why each object was sent, merged or skipped.",
            discussion: """
                The log stands beside the store, outlives every command and keeps about the last twenty thousand lines. \
                For an object it goes back through the identifiers that the object had before, and ends with how the \
                object stands now.

                EXAMPLE
                  atmos log tasks/42
                  atmos log --limit 20
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("Only this ENTITY or ENTITY/ID.", valueName: "object"))
        var subject: String?

        @Option(
            parsing: .unconditional, help: ArgumentHelp("No more than so many lines, the newest.", valueName: "n"))
        var limit = 50

        func validate() throws {
            if limit < 0 { throw ValidationError("--limit takes a number from 0 on") }
        }

        func run(_ output: Output) async throws {
            try await withSynchronizer(output) { synchronizer in
                let subject = try subject.map { text in
                    _ = try synchronizer.routeFile.known(text.hasSlash ? ObjectURI.argument(text).entity : text)
                    return LogSubject(text)
                }
                guard let file = synchronizer.logFile else {
                    return try output.isJSON ? output.json([]) : output.remark("a store in memory keeps no log")
                }
                let all = file.entries()
                let entries = try await synchronizer.store.read { snapshot in
                    try subject?.filtered(all, in: snapshot) ?? all
                }.suffix(limit)
                if let uri = subject?.uri, entries.isEmpty, try await synchronizer.object(at: uri) == nil {
                    throw SyncError(code: .notFound, message: "there is no \(uri) here, and the log tells of none")
                }
                if output.isJSON { return try output.json(.array(entries.map(\.json))) }
                try output.lines(
                    entries.map { entry in
                        output.dim(entry.time.rfc3339) + TextWidth.oneLine("  \(entry.subject)  \(entry.message)")
                    })
                guard let uri = subject?.uri else {
                    return entries.isEmpty ? try output.remark("nothing was logged yet") : ()
                }
                let object = try await synchronizer.object(at: uri)
                let state = object.map { $0.meta.outgoing?.summary(of: $0.meta) ?? "as the server has it" }
                try output.remark(TextWidth.oneLine("now: \(object?.uri ?? uri), \(state ?? "not here")"))
            }
        }
    }
#endif
