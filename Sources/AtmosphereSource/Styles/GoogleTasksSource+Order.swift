internal import Atmosphere

/// Where a task stands among its siblings, and what moves it.
extension GoogleTasksSource {
    /// A new task goes to the top, or behind `previous`; one that is generated goes to the end.
    func didCreate(
        _ key: String, _ resource: Resource, _ request: SourceRequest?, _ state: inout SourceState
    ) throws(SourceRefusal) {
        guard Part(resource) == .tasks, var row = state.tables[resource.name]?[key] else { return }
        guard !state.isSeeding else {
            row.members["position"] = Self.position(row.ordinal)
            state.tables[resource.name]?.put(row)
            return
        }
        do throws(SourceRefusal) {
            let parent = try sibling("parent", request, row, resource, state)
            let previous = try sibling("previous", request, row, resource, state)
            place(row, parent: parent, behind: previous, resource, &state)
        } catch {
            state.tables[resource.name]?.delete(key, modified: state.now)
            throw error
        }
        touchList(of: row, resource, &state)
    }

    func didChange(_ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState) {
        touchList(of: row, resource, &state)
    }

    /// The first list stays; the children of a task go with it.
    func willDelete(
        _ row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState
    ) throws(SourceRefusal) {
        let table = state.tables[resource.name]
        guard Part(resource) == .tasks else {
            if table?.rows.first(where: { !$0.isDeleted })?.key == row.key {
                throw .reasoned(status: 400, "The default task list cannot be deleted.", reason: "invalid")
            }
            return
        }
        for child in table?.rows ?? [] where !child.isDeleted && child.members["parent"] == row.members["id"] {
            state.remove(resource.name, child.key)
        }
        touchList(of: row, resource, &state)
    }

    func perform(
        _ action: Action, _ match: SourceRoutes.Match, _ request: SourceRequest, _ state: inout SourceState
    ) throws(SourceRefusal) -> SourceAnswer? {
        if action.path.isLast("move") { return try move(match, request, &state) }
        if action.path.isLast("clear") { return try clear(match, &state) }
        return nil
    }

    private func move(
        _ match: SourceRoutes.Match, _ request: SourceRequest, _ state: inout SourceState
    ) throws(SourceRefusal) -> SourceAnswer {
        let resource = match.resource
        var row = try state.row(match)
        if let list = request.query("destinationTasklist"), list != row.parents.first {
            guard !resource.isUniquePerParent, let entity = resource.parents.first?.entity,
                state.tables[entity]?[list] != nil
            else { throw .notFound }
            row.parents = [list]
            row.members[resource.parents[0].field] = .string(list)
        }
        let parent = try sibling("parent", request, row, resource, state)
        let previous = try sibling("previous", request, row, resource, state)
        if parent == row.key || previous == row.key { throw Self.invalid("task", row.key) }
        state.touch(&row, resource)
        state.tables[resource.name]?.put(row)
        place(row, parent: parent, behind: previous, resource, &state)
        touchList(of: row, resource, &state)
        guard let moved = state.tables[resource.name]?[row.key] else { throw .notFound }
        return state.objectAnswer(200, moved, resource)
    }

    /// Hides what is completed in a list.
    private func clear(
        _ match: SourceRoutes.Match, _ state: inout SourceState
    ) throws(SourceRefusal) -> SourceAnswer {
        let list: String
        if Part(match.resource) == .lists {
            list = try state.row(match).key
        } else {
            guard let parent = try state.parents(of: match).first ?? nil else { throw .notFound }
            list = parent
        }
        for resource in state.api.resources where Part(resource) == .tasks {
            for var row in state.tables[resource.name]?.rows ?? []
            where !row.isDeleted && row.parents.first == list && row.members["status"] == "completed" {
                row.members["cleared"] = true
                state.touch(&row, resource)
                state.tables[resource.name]?.put(row)
            }
        }
        return SourceAnswer(204)
    }

    /// A task of the same list that a parameter names.
    private func sibling(
        _ parameter: String, _ request: SourceRequest?, _ row: SourceTable.Row, _ resource: Resource,
        _ state: SourceState
    ) throws(SourceRefusal) -> String? {
        guard let id = request?.query(parameter), !id.isEmpty else { return nil }
        let key = resource.key(id: id, parents: row.parents)
        guard let found = state.tables[resource.name]?[key], found.parents == row.parents else {
            throw Self.invalid(parameter, id)
        }
        return id
    }

    /// Puts a task behind a sibling, or first. Siblings that get another position get another version, and keep their
    /// modification time.
    private func place(
        _ row: SourceTable.Row, parent: String?, behind previous: String?, _ resource: Resource,
        _ state: inout SourceState
    ) {
        let mark = parent.map(Value.string)
        var siblings = (state.tables[resource.name]?.rows ?? []).filter {
            !$0.isDeleted && $0.key != row.key && $0.parents == row.parents && $0.members["parent"] == mark
        }
        siblings.sort { ($0.members["position"]?.string ?? "") < ($1.members["position"]?.string ?? "") }
        let behind = previous.flatMap { id in siblings.firstIndex { $0.members["id"]?.string == id } }
        var own = row
        own.members["parent"] = mark
        siblings.insert(own, at: behind.map { $0 + 1 } ?? 0)
        for (index, var sibling) in siblings.enumerated() {
            let position = Self.position(index)
            guard sibling.members["position"] != position || sibling.key == row.key else { continue }
            sibling.members["position"] = position
            sibling.version += 1
            sibling.stamp(resource, id: sibling.members["id"] ?? .null, parents: [], isNew: false)
            state.tables[resource.name]?.put(sibling)
        }
    }

    private static func position(_ index: Int) -> Value {
        let digits = String(index)
        return .string(String(repeating: "0", count: 20 - digits.count) + digits)
    }

    private func touchList(of row: SourceTable.Row, _ resource: Resource, _ state: inout SourceState) {
        guard Part(resource) == .tasks, let parent = resource.parents.first,
            let lists = state.api.resource(parent.entity), let key = row.parents.first,
            var list = state.tables[lists.name]?[key]
        else { return }
        state.touch(&list, lists)
        state.tables[lists.name]?.put(list)
    }
}
