package import Atmosphere

extension CheckReport {
    /// Why the server could not be asked; else where it is not what the route file says, each with its setting.
    package var reportedFailures: [ReportedFailure] {
        if let signInNeeded {
            return [ReportedFailure(code: "signInNeeded", message: signInNeeded, isNetwork: true)]
        }
        if let unreachable { return [ReportedFailure(code: "unreachable", message: unreachable, isNetwork: true)] }
        return resources.flatMap { resource in
            resource.problems.map { problem in
                ReportedFailure(
                    code: "mismatch", message: "resources.\(resource.entity).\(problem)", isNetwork: false)
            }
        }
    }

    package var json: Value {
        let members = resources.map { resource -> Value.Member in
            let report: Value = [
                "listed": resource.listed.map { .init($0) } ?? .null,
                "total": resource.total.map { .number(JSONNumber($0)) } ?? .null,
                "more": .bool(resource.hasMore), "readable": resource.isReadable.map(Value.bool) ?? .null,
                "create": .string(resource.create.name), "lostCreateNeedsPerson": .bool(resource.create == .none),
                "version": .string(resource.version.name), "race": .bool(resource.leavesRace),
                "findings": .array(
                    resource.findings.map { finding in
                        [
                            "topic": .string(finding.topic), "holds": .bool(finding.holds),
                            "text": .string(finding.text)
                        ]
                    }),
                "problems": .init(resource.problems), "notes": .init(resource.notes)
            ]
            return .init(name: resource.entity, value: report)
        }
        return [
            "passed": .bool(isPassed), "identity": .init(identity), "entities": .object(Value.Members(members)),
            "promises": .array(
                promises.map {
                    [
                        "promise": .string($0.title), "exceptions": .init($0.exceptions),
                        "untried": .init($0.untried)
                    ]
                }),
            "warnings": .init(warnings)
        ]
    }
}

extension CheckReport.Resource {
    /// Another's change can be overwritten.
    package var leavesRace: Bool { isWritable && !isLeased && version.leavesRace }
}

extension CheckReport.CreateSafety {
    fileprivate var name: String {
        switch self {
        case .notOffered: "not offered"
        case .clientID: "client id"
        case .idempotencyKey: "idempotency key"
        case .lookup: "lookup"
        case .none: "none"
        case .refuted: "refuted"
        }
    }
}

extension Version {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .compare: "compare"
        case .ifMatch: "if-match"
        case .token: "token"
        case .body: "body"
        }
    }

    /// Between the read and the write another client may write.
    package var leavesRace: Bool {
        switch self {
        case .ifMatch, .body: false
        case .none, .compare, .token: true
        }
    }
}
