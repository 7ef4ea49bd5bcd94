#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    extension PushOutcome {
        /// For people; nothing with `--quiet`.
        func show(_ output: Output) throws { for line in lines { try output.remark(line) } }

        var lines: [String] {
            let uploaded = report.uploaded > 0 ? ", \(report.uploaded) uploaded" : ""
            let pushed =
                "pushed: \(report.created) created, \(report.updated) updated, \(report.deleted) deleted\(uploaded)"
            return [pushed] + left
        }

        /// What is left after the push; empty where nothing is.
        var left: [String] {
            var remaining: [String] = []
            if waiting > 0 { remaining.append("\(waiting) waiting for the next push") }
            if !held.isEmpty { remaining.append("\(held.count) held") }
            if conflicted > 0 { remaining.append("\(conflicted) conflicted (atmos conflicts)") }
            if findable > 0 { remaining.append("\(findable) with an unknown outcome, which the next push looks into") }
            if unknown > findable { remaining.append("\(unknown - findable) unknown (atmos conflicts)") }
            if rejected > 0 { remaining.append("\(rejected) rejected (atmos rejected)") }
            if notOffered > 0 { remaining.append("\(notOffered) that the API does not offer (atmos status)") }
            if undeclared > 0 { remaining.append("\(undeclared) of no entity of the route file (atmos status)") }
            let shown = held.prefix(Self.mostHeld).map { TextWidth.oneLine("held: \($0.uri) (\($0.reason))") }
            let more = held.count > shown.count ? ["held: \(held.count - shown.count) more (atmos status)"] : []
            let counted = remaining.isEmpty ? [] : ["remaining: \(remaining.joined(separator: ", "))"]
            return counted + shown + more
        }

        /// More are counted, and not named.
        private static var mostHeld: Int { 20 }

        /// Tells every problem on standard error.
        ///
        /// - Throws: ``CommandFailure`` with the status where there is one.
        func check(_ output: Output) throws {
            let failures = failures
            for failure in failures { output.failure(failure) }
            if !output.isJSON { for line in ignored { output.lastingWarning(line) } }
            let remains = conflicted + rejected + unknown + undeclared + notOffered + held.count - findable > 0
            let status = ExitStatus.first(failures.map(\.status) + (remains ? [ExitStatus.remaining] : []))
            if status != ExitStatus.done { throw CommandFailure.silent(status) }
        }

        /// What was done, for a line among many.
        var news: [String] {
            let counts = [
                (report.created, "created"), (report.updated, "updated"), (report.deleted, "deleted"),
                (report.uploaded, "uploaded")
            ]
            let done = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            return done.isEmpty ? [] : ["pushed " + done.joined(separator: ", ")]
        }

        /// What went wrong, without what waits for a person.
        var failures: [CommandFailure] { reportedFailures.map { CommandFailure($0) } }
    }
#endif
