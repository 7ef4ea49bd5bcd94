extension RouteNode {
    /// Lays `over` on top of `base`: maps merge, everything else replaces, `null` removes.
    ///
    /// Each value keeps its place, and a merged map takes the place of the upper one.
    ///
    /// - Returns: nil where nothing is left.
    package static func merged(_ base: RouteNode?, _ over: RouteNode?, _ shape: RouteShape) -> RouteNode? {
        guard let over else { return base }
        if over.isNull {
            if case .map(let map) = shape, map.isOffByNull { return over }
            return nil
        }
        guard over.isMap else { return over }
        switch shape {
        case .map(let map):
            let below = kept(of: base, under: over, in: map)
            return merged(below, over) { key in map.key(key)?.shape ?? .anything }
        case .named(_, let value): return merged(base, over) { _ in value }
        case .leaf, .list, .anything: return over
        }
    }

    private static func merged(
        _ base: RouteNode?, _ over: RouteNode, shapeOf: (String) -> RouteShape
    ) -> RouteNode {
        let upper = Dictionary(over.entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var entries: [Entry] = []
        var seen: Set<String> = []
        for entry in (base?.entries ?? []) + over.entries where seen.insert(entry.key).inserted {
            let lower = base?[entry.key]
            guard let node = merged(lower, upper[entry.key]?.node, shapeOf(entry.key)) else { continue }
            entries.append(Entry(key: entry.key, place: upper[entry.key]?.place ?? entry.place, node: node))
        }
        return RouteNode(.map(entries), at: over.place)
    }

    /// What of an inherited map stays in force under `over`: nothing for another kind, and no alternative to what
    /// `over` chooses.
    private static func kept(of base: RouteNode?, under over: RouteNode, in map: RouteMapShape) -> RouteNode? {
        guard var base, base.isMap else { return nil }
        if let kind = map.kind, let chosen = over[kind]?.text, chosen != base[kind]?.text { return nil }
        let chosen = map.oneOf.filter { over[$0].map { !$0.isNull } ?? false }
        if !chosen.isEmpty {
            for key in map.oneOf where !chosen.contains(key) { base[key] = nil }
        }
        return base
    }
}
