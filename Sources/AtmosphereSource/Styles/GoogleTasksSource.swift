internal import Atmosphere

/// Google Tasks v1 as its published discovery document (revision 20261101) describes it, as strict as that is: any other
/// query parameter, member or type is refused with 400.
///
/// Resources whose lists stand at `…/lists` are task lists, those at `…/tasks` are tasks. What the document leaves open
/// is decided for the harder case: entity tags change when a sibling takes a task's place, a list changes with its
/// tasks, a deleted task is still shown by GET, children are deleted with their parent.
struct GoogleTasksSource: SourceStyle {
    /// What of the API a resource is.
    enum Part {
        case lists, tasks

        init?(_ resource: Resource) {
            guard case .literal(let text)? = resource.list.path.parts.last else { return nil }
            switch text.split(separator: "/").last {
            case "lists": self = .lists
            case "tasks": self = .tasks
            default: return nil
            }
        }
    }

    var createdStatus: Int { 200 }
    var showsDeleted: Bool { true }

    func makeID(_ resource: Resource, _ ordinal: Int) -> Value? {
        var random = SourceRandom(state: UInt64(ordinal) &* 0x9E37 &+ (Part(resource) == .lists ? 1 : 2))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        return .string(String((0..<22).map { _ in alphabet[random.below(alphabet.count)] }))
    }

    func pageSize(_ resource: Resource) -> (usual: Int, most: Int)? {
        Part(resource) == .lists ? (1000, 1000) : (20, 100)
    }

    /// PUT beside PATCH, `move` and `clear`.
    func others(_ resource: Resource) -> [(target: SourceRoutes.Target, method: String, path: PathTemplate)] {
        let object = resource.read.path
        let action: Action
        switch Part(resource) {
        case .tasks:
            action = Action(name: "move", method: "POST", path: PathTemplate(parts: object.parts + [.literal("/move")]))
        case .lists:
            let parts: [PathTemplate.Part] = [.literal("lists/"), .field("id"), .literal("/clear")]
            action = Action(name: "clear", method: "POST", path: PathTemplate(parts: parts))
        case nil: return []
        }
        return [(.verb(.update), "PUT", object), (.action(action), action.method, action.path)]
    }

    /// `@default` is the user's first list.
    func resolve(_ match: inout SourceRoutes.Match, _ state: SourceState) {
        func first(_ entity: String) -> String? { state.tables[entity]?.rows.first { !$0.isDeleted }?.key }
        for (name, value) in match.fields where value == "@default" && Part(match.resource) == .lists {
            match.fields[name] = first(match.resource.name) ?? value
        }
        for (entity, place) in match.parents where place.value == "@default" {
            match.parents[entity] = (place.field, first(entity) ?? place.value)
        }
    }

    func validate(_ members: Value.Members, _ resource: Resource, invalidStatus: Int) throws(SourceRefusal) {
        for (name, limit) in [("title", 1024), ("notes", 8192)]
        where members[name]?.string?.unicodeScalars.count ?? 0 > limit {
            throw .reasoned(
                status: 400, "Invalid value: \(name) is longer than \(limit) characters.", reason: "invalid")
        }
    }

    // MARK: Lists

    func isListed(_ row: SourceTable.Row, _ request: SourceRequest, _ resource: Resource) -> Bool? {
        guard Part(resource) == .tasks else { return !row.isDeleted }
        func flag(_ name: String, _ usual: Bool) -> Bool { request.query(name).map { $0 == "true" } ?? usual }
        func bound(_ name: String) -> Int64? { request.query(name).flatMap(SourceTime.microseconds) }
        func time(_ name: String) -> Int64? { row.members[name]?.string.flatMap(SourceTime.microseconds) }
        if row.isDeleted, !flag("showDeleted", false) { return false }
        if row.members["cleared"] == true, !flag("showHidden", false) { return false }
        if row.members["status"] == "completed", !flag("showCompleted", true) { return false }
        // Times are shown in milliseconds, and compared as shown.
        if let least = bound("updatedMin"), row.modified / 1000 * 1000 < least { return false }
        for name in ["due", "completed"] {
            if let least = bound("\(name)Min"), time(name).map({ $0 < least }) ?? true { return false }
            if let most = bound("\(name)Max"), time(name).map({ $0 >= most }) ?? true { return false }
        }
        return true
    }

    func list(_ body: Value, _ resource: Resource) -> Value {
        var members: Value.Members = [
            "kind": Part(resource) == .lists ? "tasks#taskLists" : "tasks#tasks",
            "etag": .string("\"\(SourceAnswer.digest(of: body.json()))\"")
        ]
        for member in body.members ?? [:] where member.value != .array([]) { members[member.name] = member.value }
        return .object(members)
    }

    // MARK: One object

    /// The members in the order of the real answers; what is empty is absent.
    func shown(_ object: Value, of row: SourceTable.Row, _ resource: Resource) -> Value {
        guard let part = Part(resource), let id = object.members?["id"], let text = id.string else { return object }
        let own = row.members
        let updated = Value.string(SourceTime.text(milliseconds: row.modified / 1000))
        let etag = own["etag"] ?? .string("\"\(row.version)\"")
        let root = "https://www.googleapis.com/tasks/v1"
        if part == .lists {
            return [
                "kind": "tasks#taskList", "id": id, "etag": etag, "title": own["title"] ?? "", "updated": updated,
                "selfLink": .string("\(root)/users/@me/lists/\(text)")
            ]
        }
        var shown: Value.Members = [
            "kind": "tasks#task", "id": id, "etag": etag, "title": own["title"] ?? "", "updated": updated,
            "selfLink": .string("\(root)/lists/\(row.parents.first ?? "")/tasks/\(text)")
        ]
        for name in ["parent", "position", "notes", "status", "due", "completed"] {
            if let value = own[name], !value.isNull, value != "" { shown[name] = value }
        }
        if row.isDeleted { shown["deleted"] = true }
        if own["cleared"] == true { shown["hidden"] = true }
        shown["links"] = []
        shown["webViewLink"] = .string("https://tasks.google.com/task/\(text)")
        return .object(shown)
    }

    /// Only what a client may decide; `null` clears a member.
    func accepted(
        _ members: Value.Members, over row: SourceTable.Row?, _ resource: Resource, at time: Int64
    ) throws(SourceRefusal) -> Value.Members {
        var taken = Value.Members(members.filter { ["title", "notes", "status", "due", "completed"].contains($0.name) })
        guard Part(resource) == .tasks else {
            return Value.Members(taken.filter { $0.name == "title" } + parentFields(members, resource))
        }
        if let due = taken["due"]?.string, !due.isEmpty {
            guard let day = Instant.day(due) else { throw Self.invalid("task.due", due) }
            taken["due"] = .string("\(SourceTime.date(days: day))T00:00:00.000Z")
        }
        if let completed = taken["completed"]?.string {
            guard let instant = Instant(completed) else { throw Self.invalid("task.completed", completed) }
            taken["completed"] = .string(SourceTime.text(milliseconds: instant.timestamp.milliseconds))
        }
        let status = taken["status"] ?? (taken["completed"]?.string == nil ? row?.members["status"] : "completed")
        switch status ?? "needsAction" {
        case "completed":
            taken["status"] = "completed"
            if taken["completed"]?.string == nil {
                let since = row?.members["status"] == "completed" ? row?.members["completed"] : nil
                taken["completed"] = since ?? .string(SourceTime.text(milliseconds: time / 1000))
            }
        case "needsAction", .null:
            taken["status"] = "needsAction"
            taken["completed"] = .null
            taken["cleared"] = .null
        case let other: throw Self.invalid("task.status", other.text)
        }
        return Value.Members(taken + parentFields(members, resource))
    }

    /// Never in a body, where they are not known; in what the source's own tests and generator say.
    private func parentFields(_ members: Value.Members, _ resource: Resource) -> [Value.Member] {
        members.filter { resource.isParent($0.name) }
    }

    static func invalid(_ place: String, _ text: String) -> SourceRefusal {
        .reasoned(status: 400, "Invalid value at '\(place)', \"\(text.prefix(80))\"", reason: "invalid")
    }
}
