extension RouteNode {
    /// A map's entries; empty for anything else.
    package var entries: [Entry] { if case .map(let entries) = content { entries } else { [] } }

    /// A list's elements; empty for anything else.
    package var elements: [RouteNode] { if case .list(let elements) = content { elements } else { [] } }

    /// A scalar's text, quoted or not.
    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    package var isMap: Bool { if case .map = content { true } else { false } }

    /// A plain `null`, `~` or nothing at all.
    package var isNull: Bool {
        if case .scalar(let text, isPlain: true) = content { ["", "null", "~"].contains(text) } else { false }
    }

    /// A map's value. Setting keeps an entry's place among the others, or appends; setting nil removes.
    package subscript(key: String) -> RouteNode? {
        get { entries.first { $0.key == key }?.node }
        set {
            guard case .map(var entries) = content else { return }
            let index = entries.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let node?): entries[index].node = node
            case (let index?, nil): entries.remove(at: index)
            case (nil, let node?): entries.append(Entry(key: key, place: node.place, node: node))
            case (nil, nil): break
            }
            content = .map(entries)
        }
    }

    /// As a JSON value: plain `null`, `true`, `false` and JSON numbers count as such, everything else is a string.
    package var value: Value { RouteSection(self).value }

    /// Scalars, lists and maps, this one included.
    package var count: Int {
        switch content {
        case .scalar: 1
        case .list(let elements): elements.reduce(1) { $0 + $1.count }
        case .map(let entries): entries.reduce(1) { $0 + $1.node.count }
        }
    }

    /// The first node that is deeper than `limit`.
    package func tooDeep(_ limit: Int) -> RouteNode? {
        guard limit > 0 else { return self }
        for child in elements + entries.map(\.node) {
            if let deep = child.tooDeep(limit - 1) { return deep }
        }
        return nil
    }

    /// What it is, for messages.
    package var kind: String {
        switch content {
        case .scalar: "a single value"
        case .list: "a list"
        case .map: "a map"
        }
    }
}
