#if Command || Demo
    internal import Atmosphere
    internal import AtmosphereReports

    extension PullReport {
        /// As JSON or as a table; problems are for ``check(_:in:)``.
        func show(_ output: Output, in routeFile: RouteFile) throws {
            if output.isJSON { return try output.json(json(in: routeFile)) }
            for (name, entity) in ordered(routeFile) {
                for warning in entity.warnings {
                    output.warning(warning.hasPrefix(name) ? warning : "\(name): \(warning)")
                }
            }
            if !output.isQuiet { try output.table(table(in: routeFile)) }
        }

        func table(in routeFile: RouteFile) -> Table {
            let expires = routeFile.resources.contains { $0.retention != nil }
            var table = Table(
                ["ENTITY", ">PAGES", ">NEW", ">UPDATED", ">UNCHANGED", ">DELETED"] + (expires ? [">EXPIRED"] : [])
                    + [">MERGED", ">CONFLICTED"])
            for (name, entity) in ordered(routeFile) {
                let counts =
                    [entity.pages, entity.inserted, entity.updated, entity.unchanged, entity.deleted]
                    + (expires ? [entity.expired] : []) + [entity.merged, entity.conflicted]
                table.add([name] + counts.map(String.init))
            }
            return table
        }

        /// Tells every problem on standard error.
        ///
        /// - Throws: ``CommandFailure`` with the status where there is one.
        func check(_ output: Output, in routeFile: RouteFile) throws {
            let failures = failures(in: routeFile)
            for failure in failures { output.failure(failure) }
            let status = ExitStatus.first(failures.map(\.status))
            if status != ExitStatus.done { throw CommandFailure.silent(status) }
        }

        /// What came, for a line among many.
        func news(in routeFile: RouteFile) -> [String] {
            ordered(routeFile).compactMap { name, entity in
                let counts = [
                    (entity.inserted, "new"), (entity.updated, "updated"), (entity.deleted, "deleted"),
                    (entity.expired, "expired"), (entity.merged, "merged"), (entity.conflicted, "conflicted")
                ]
                let came = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
                return came.isEmpty ? nil : "\(name): \(came.joined(separator: ", "))"
            }
        }

        func failures(in routeFile: RouteFile) -> [CommandFailure] {
            reportedFailures(in: routeFile).map { CommandFailure($0) }
        }
    }
#endif
