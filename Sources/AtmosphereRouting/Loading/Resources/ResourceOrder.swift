/// Puts resources into the order in which they are listed: parents first, then what a resource refers to, else as in
/// the file.
struct ResourceOrder {
    private(set) var sorted: [Resource] = []
    /// Resources that are their own ancestors: the names along each circle, the first one again at its end.
    private(set) var cycles: [[String]] = []

    init(_ resources: [Resource]) {
        let parents = Dictionary(
            resources.map { ($0.name, $0.parents.map(\.entity)) }, uniquingKeysWith: { first, _ in first })
        findCycles(resources.map(\.name), parents)
        guard cycles.isEmpty else {
            sorted = resources
            return
        }
        var all = Dictionary(
            resources.map { ($0.name, $0.references.map(\.entity)) }, uniquingKeysWith: { first, _ in first })
        let graph = all
        for (name, targets) in graph {
            // A reference whose target depends on us in turn cannot come first; a parent always does.
            all[name] = targets.filter { target in
                parents[name, default: []].contains(target)
                    || Self.path(from: target, to: name, along: graph) == nil && target != name
            }
        }
        sort(resources, all)
    }

    private mutating func findCycles(_ names: [String], _ parents: [String: [String]]) {
        var known: Set<String> = []
        for name in names where !known.contains(name) {
            guard
                let parent = parents[name, default: []].first(where: {
                    Self.path(from: $0, to: name, along: parents) != nil
                })
            else { continue }
            let circle = [name] + (Self.path(from: parent, to: name, along: parents) ?? [])
            known.formUnion(circle)
            cycles.append(circle)
        }
    }

    /// The names from `start` to `end`, both included; nil where no way leads there.
    private static func path(from start: String, to end: String, along edges: [String: [String]]) -> [String]? {
        var cameFrom: [String: String] = [:]
        var seen: Set<String> = [start]
        var queue = [start]
        var index = 0
        while index < queue.count {
            let name = queue[index]
            index += 1
            if name == end {
                var path = [name]
                while let last = path.last, let before = cameFrom[last] { path.append(before) }
                return path.reversed()
            }
            for next in edges[name, default: []] where seen.insert(next).inserted {
                cameFrom[next] = name
                queue.append(next)
            }
        }
        return nil
    }

    private mutating func sort(_ resources: [Resource], _ needs: [String: [String]]) {
        let names = Set(resources.map(\.name))
        var placed: Set<String> = []
        var waiting = resources
        while !waiting.isEmpty {
            let ready = waiting.firstIndex { resource in
                needs[resource.name, default: []].allSatisfy { placed.contains($0) || !names.contains($0) }
            }
            let next = waiting.remove(at: ready ?? 0)
            placed.insert(next.name)
            sorted.append(next)
        }
    }
}
