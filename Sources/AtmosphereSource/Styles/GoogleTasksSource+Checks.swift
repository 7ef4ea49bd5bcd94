internal import Atmosphere

extension GoogleTasksSource {
    /// The type of a query parameter.
    private enum Parameter: Sendable { case text, int32, boolean, time }

    /// What a body's member holds.
    private indirect enum Shape: Sendable {
        case text, boolean
        case object([String: Shape])
        case list(Shape)
    }

    func check(_ match: SourceRoutes.Match, _ request: SourceRequest, _ state: SourceState) throws(SourceRefusal) {
        guard let part = Part(match.resource) else { return }
        try checkQuery(request, Self.parameters(part, match.target).merging(Self.common) { own, _ in own })
        if case .verb(let verb) = match.target, verb == .create || verb == .update {
            try checkBody(match, request, part)
        }
    }

    // MARK: The query

    private func checkQuery(_ request: SourceRequest, _ known: [String: Parameter]) throws(SourceRefusal) {
        for parameter in request.query {
            guard let type = known[parameter.name] else {
                let name = "\"\(parameter.name)\""
                throw .fields(
                    status: 400,
                    [
                        (
                            "",
                            "Invalid JSON payload received. Unknown name \(name): Cannot bind query parameter. "
                                + "Field '\(parameter.name)' could not be found in request message."
                        )
                    ])
            }
            let isRight =
                switch type {
                case .text: true
                case .int32: Int32(parameter.value) != nil
                case .boolean: ["true", "false"].contains(parameter.value)
                case .time: Instant(parameter.value) != nil && !parameter.value.contains(" ")
                }
            let isToken = parameter.name == "pageToken"
            guard isRight, !isToken || parameter.value.isEmpty || Int(parameter.value) != nil else {
                throw Self.invalid(Self.snake(parameter.name), parameter.value)
            }
        }
    }

    private static let common: [String: Parameter] = Dictionary(
        uniqueKeysWithValues: [
            "$.xgafv", "access_token", "alt", "callback", "fields", "key", "oauth_token", "quotaUser", "uploadType",
            "upload_protocol"
        ].map { ($0, .text) } + [("prettyPrint", .boolean)])

    private static func parameters(_ part: Part, _ target: SourceRoutes.Target) -> [String: Parameter] {
        switch (part, target) {
        case (.lists, .verb(.list)): ["maxResults": .int32, "pageToken": .text]
        case (.tasks, .verb(.list)):
            [
                "completedMax": .time, "completedMin": .time, "dueMax": .time, "dueMin": .time, "maxResults": .int32,
                "pageToken": .text, "showAssigned": .boolean, "showCompleted": .boolean, "showDeleted": .boolean,
                "showHidden": .boolean, "updatedMin": .time
            ]
        case (.tasks, .verb(.create)): ["parent": .text, "previous": .text]
        case (.tasks, .action(let action)) where action.path.isLast("move"):
            ["destinationTasklist": .text, "parent": .text, "previous": .text]
        default: [:]
        }
    }

    private static func snake(_ name: String) -> String {
        name.reduce(into: "") { text, letter in text += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)" }
    }

    // MARK: The body

    private func checkBody(
        _ match: SourceRoutes.Match, _ request: SourceRequest, _ part: Part
    ) throws(SourceRefusal) {
        let value: Value
        do {
            value = try Value(json: request.body)
        } catch {
            throw .reasoned(
                status: 400, "Invalid JSON payload received. \(error.message)", reason: "parseError")
        }
        let place = part == .lists ? "task_list" : "task"
        try check(value, .object(part == .lists ? Self.list : Self.task), at: place)
        if request.method == "PUT", let id = match.fields["id"], value.members?["id"]?.string != id {
            throw .reasoned(status: 400, "Missing task ID", reason: "required")
        }
    }

    private func check(_ value: Value, _ shape: Shape, at place: String) throws(SourceRefusal) {
        switch (shape, value) {
        case (_, .null), (.text, .string), (.boolean, .bool): break
        case (.list(let element), .array(let elements)):
            for (index, each) in elements.enumerated() { try check(each, element, at: "\(place)[\(index)]") }
        case (.object(let known), .object(let members)):
            for member in members {
                guard let inner = known[member.name] else {
                    let message =
                        "Invalid JSON payload received. Unknown name \"\(member.name)\" at '\(place)': Cannot find field."
                    throw .fields(status: 400, [(place, message)])
                }
                try check(member.value, inner, at: "\(place).\(Self.snake(member.name))")
            }
        case (.text, let other): throw .fields(status: 400, [(place, Self.wrong(place, "TYPE_STRING", other))])
        case (.boolean, let other): throw .fields(status: 400, [(place, Self.wrong(place, "TYPE_BOOL", other))])
        case (.object, let other), (.list, let other):
            throw .fields(status: 400, [(place, Self.wrong(place, "TYPE_MESSAGE", other))])
        }
    }

    private static func wrong(_ place: String, _ type: String, _ value: Value) -> String {
        "Invalid value at '\(place)' (\(type)), \(String(decoding: value.json().prefix(80), as: UTF8.self))"
    }

    private static let list: [String: Shape] = [
        "etag": .text, "id": .text, "kind": .text, "selfLink": .text, "title": .text, "updated": .text
    ]

    private static let task: [String: Shape] = [
        "assignmentInfo": .object([
            "driveResourceInfo": .object(["driveFileId": .text, "resourceKey": .text]), "linkToTask": .text,
            "spaceInfo": .object(["space": .text]), "surfaceType": .text
        ]),
        "completed": .text, "deleted": .boolean, "due": .text, "etag": .text, "hidden": .boolean, "id": .text,
        "kind": .text, "links": .list(.object(["description": .text, "link": .text, "type": .text])), "notes": .text,
        "parent": .text, "position": .text, "selfLink": .text, "status": .text, "title": .text, "updated": .text,
        "webViewLink": .text
    ]
}

extension PathTemplate {
    /// Whether the last segment is this literal.
    func isLast(_ segment: String) -> Bool {
        guard case .literal(let text)? = parts.last else { return false }
        return text.split(separator: "/").last.map(String.init) == segment
    }
}
