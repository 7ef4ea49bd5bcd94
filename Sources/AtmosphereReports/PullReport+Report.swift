package import Atmosphere

extension PullReport {
    /// What went wrong, in the order of the route file.
    package func reportedFailures(in routeFile: RouteFile) -> [ReportedFailure] {
        let failures = ordered(routeFile).compactMap { name, entity -> ReportedFailure? in
            guard let problem = entity.problem, entity.problemKind != .unasked else { return nil }
            let (code, isNetwork) =
                switch entity.problemKind {
                case .unreached, .silent, .network: ("unreachable", true)
                case .signInNeeded: ("signInNeeded", true)
                case .tooManyDeletes: ("tooManyDeletes", false)
                case .answer: (entity.transportCode?.description ?? "unexpectedAnswer", false)
                case .unasked, nil: ("skipped", false)
                }
            let message = problem.hasPrefix(name) ? problem : "\(name): \(problem)"
            return ReportedFailure(code: code, message: message, isNetwork: isNetwork)
        }
        return failures + unasked(routeFile)
    }

    /// What the pull did not come to, in one line.
    private func unasked(_ routeFile: RouteFile) -> [ReportedFailure] {
        let unasked = ordered(routeFile).filter { $0.1.problemKind == .unasked }
        guard let problem = unasked.first?.1.problem else { return [] }
        let names = unasked.map { $0.0 }.joined(separator: ", ")
        return [ReportedFailure(code: "skipped", message: "\(names): \(problem)", isNetwork: false)]
    }

    package func json(in routeFile: RouteFile) -> Value {
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

    package func ordered(_ routeFile: RouteFile) -> [(String, Entity)] {
        routeFile.resources.compactMap { resource in entities[resource.name].map { (resource.name, $0) } }
    }
}
