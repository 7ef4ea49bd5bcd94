#if Command || Demo
    internal import Atmosphere

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
            let failures = ordered(routeFile).compactMap { name, entity -> CommandFailure? in
                guard let problem = entity.problem, entity.problemKind != .unasked else { return nil }
                let (code, status) =
                    switch entity.problemKind {
                    case .unreached, .silent, .network: ("unreachable", ExitStatus.network)
                    case .signInNeeded: ("signInNeeded", ExitStatus.network)
                    case .tooManyDeletes: ("tooManyDeletes", ExitStatus.failed)
                    case .answer: (entity.transportCode?.description ?? "unexpectedAnswer", ExitStatus.failed)
                    case .unasked, nil: ("skipped", ExitStatus.failed)
                    }
                let message = problem.hasPrefix(name) ? problem : "\(name): \(problem)"
                return CommandFailure(code: code, [message], status: status)
            }
            return failures + unasked(routeFile)
        }

        /// What the pull did not come to, in one line.
        private func unasked(_ routeFile: RouteFile) -> [CommandFailure] {
            let unasked = ordered(routeFile).filter { $0.1.problemKind == .unasked }
            guard let problem = unasked.first?.1.problem else { return [] }
            let names = unasked.map { $0.0 }.joined(separator: ", ")
            return [CommandFailure(code: "skipped", ["\(names): \(problem)"], status: ExitStatus.failed)]
        }

        func json(in routeFile: RouteFile) -> Value {
            let members = ordered(routeFile).map { name, entity -> Value.Member in
                let report: Value = [
                    "pages": .init(entity.pages), "inserted": .init(entity.inserted), "updated": .init(entity.updated),
                    "unchanged": .init(entity.unchanged), "deleted": .init(entity.deleted),
                    "expired": .init(entity.expired), "merged": .init(entity.merged),
                    "conflicted": .init(entity.conflicted), "problem": .init(entity.problem),
                    "warnings": .init(entity.warnings)
                ]
                return .init(name: name, value: report)
            }
            return ["entities": .object(Value.Members(members))]
        }

        private func ordered(_ routeFile: RouteFile) -> [(String, Entity)] {
            routeFile.resources.compactMap { resource in entities[resource.name].map { (resource.name, $0) } }
        }
    }
#endif
