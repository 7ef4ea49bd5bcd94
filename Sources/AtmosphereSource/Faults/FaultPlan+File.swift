public import Atmosphere

extension RESTSource.FaultPlan {
    /// Reads a plan from a small YAML or JSON file:
    ///
    /// ```yaml
    /// seed: 7
    /// rate: 0.2
    /// kinds: [drop-after, 503]
    /// rules:
    ///   - { fault: drop-after, method: POST, path: tasks, nth: 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - source: the file's path, whose extension chooses the reader.
    ///   - adapters: what reads YAML; JSON is always there.
    /// - Throws: `RouteFileError` with the place of everything that is wrong.
    public init(bytes: [UInt8], source: String, adapters: [Adapter]) throws(RouteFileError) {
        let start = RoutePlace(source: source, line: 1, column: 1)
        guard bytes.count <= 1 << 20, String(validating: bytes, as: UTF8.self) != nil else {
            throw RouteFileError([.init(place: start, message: "a plan of faults is UTF-8, and at most 1 MiB")])
        }
        let reader: any RouteDocumentReader
        do {
            reader = try adapters.documentReader(forPath: source)
        } catch {
            throw RouteFileError([.init(place: start, message: error.message)])
        }
        var file = FaultFile()
        self = file.plan(try reader.read(bytes, source: source))
        if !file.problems.isEmpty { throw RouteFileError(file.problems) }
    }
}

/// Reads a plan's document, and notes everything that cannot stand where it does.
private struct FaultFile {
    var problems: [RouteFileError.Problem] = []

    mutating func plan(_ root: RouteNode) -> RESTSource.FaultPlan {
        var plan = RESTSource.FaultPlan()
        for entry in entries(root, "a plan of faults") {
            let node = entry.node
            switch entry.key {
            case "seed": plan.seed = UInt64(whole(node, 0...Int.max) ?? 1)
            case "rate": plan.rate = rate(node) ?? 0
            case "kinds": plan.kinds = list(node).compactMap { fault($0) }
            case "most": plan.most = whole(node, 0...1_000_000_000)
            case "delay":
                if let delay = text(node).flatMap(NumberText.duration), delay <= .seconds(600) {
                    plan.delay = delay
                } else {
                    note(node.place, "“delay” must be a duration up to 10m, such as 200ms or 2s")
                }
            case "retry-after": plan.retryAfter = whole(node, 0...86_400) ?? 1
            case "rules": plan.rules = list(node).compactMap { rule($0) }
            default:
                unknown(entry, known: ["seed", "rate", "kinds", "most", "delay", "retry-after", "rules"])
            }
        }
        return plan
    }

    private mutating func rule(_ node: RouteNode) -> RESTSource.FaultPlan.Rule? {
        var rule = RESTSource.FaultPlan.Rule(.dropAfter)
        var hasFault = false
        for entry in entries(node, "a rule") {
            switch entry.key {
            case "fault":
                hasFault = true
                rule.fault = fault(entry.node) ?? rule.fault
            case "method": rule.method = text(entry.node)?.uppercased()
            case "path": rule.path = text(entry.node)
            case "nth": rule.nth = whole(entry.node, 1...1_000_000_000)
            case "every": rule.every = whole(entry.node, 1...1_000_000_000)
            default: unknown(entry, known: ["fault", "method", "path", "nth", "every"])
            }
        }
        if !hasFault { note(node.place, "a rule needs “fault”: \(Self.faults)") }
        return hasFault ? rule : nil
    }

    // MARK: Values

    private mutating func fault(_ node: RouteNode) -> RESTSource.Fault? {
        if let fault = text(node).flatMap(RESTSource.Fault.init(rawValue:)) { return fault }
        note(node.place, "a fault must be one of: \(Self.faults)")
        return nil
    }

    private mutating func whole(_ node: RouteNode, _ range: ClosedRange<Int>) -> Int? {
        if let number = text(node).flatMap({ Int($0) }), range.contains(number) { return number }
        note(node.place, "this must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private mutating func rate(_ node: RouteNode) -> Double? {
        if let number = text(node).flatMap({ Double($0) }), (0...1).contains(number) { return number }
        note(node.place, "“rate” must be a number from 0 to 1: the part of the requests that go wrong")
        return nil
    }

    private func text(_ node: RouteNode) -> String? {
        if case .scalar(let text, _) = node.content, !text.isEmpty { text } else { nil }
    }

    private mutating func list(_ node: RouteNode) -> [RouteNode] {
        if case .list(let elements) = node.content { return elements }
        note(node.place, "this must be a list")
        return []
    }

    private mutating func entries(_ node: RouteNode, _ what: String) -> [RouteNode.Entry] {
        if case .map(let entries) = node.content { return entries }
        note(node.place, "\(what) is a map of settings")
        return []
    }

    private mutating func unknown(_ entry: RouteNode.Entry, known: [String]) {
        note(entry.place, "unknown key “\(entry.key)”; known here: \(known.joined(separator: ", "))")
    }

    private mutating func note(_ place: RoutePlace, _ message: String) {
        problems.append(.init(place: place, message: message))
    }

    private static let faults = RESTSource.Fault.allCases.map(\.rawValue).joined(separator: ", ")
}
