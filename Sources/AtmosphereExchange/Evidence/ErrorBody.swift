/// The body of an answer that is an error: the messages in it, and the fields that they are about.
struct ErrorBody {
    var value: Value
    /// The format that it was read in.
    var format: String

    /// A format without types: a scalar is its text, and a list of one element is that element.
    var isXML: Bool { format == "xml" }

    /// Every message with the field it is about, as the server calls it; nil for one about the whole object.
    func fieldMessages(_ rules: ErrorRules) -> [(field: String?, message: String)] {
        let path = rules.fields.first { $0.first(in: value) != nil }
        let place = rules.fields.isEmpty ? value : path?.first(in: value)
        var found: [(field: String?, message: String)] = []
        if !rules.fields.isEmpty, let place {
            // A list of one is no list where the server writes its only element alone, as XML always does.
            if isOneError(place, rules) { return Self.listed(.array([place]), rules) }
            if let text = place.string { return text.isEmpty ? [] : [(nil, text)] }
        }
        if let members = place?.members {
            for member in members where !member.name.hasPrefix("@") {
                // Nothing says which member holds the fields, so one that is a map of messages does.
                let inner = rules.fields.isEmpty ? Self.fields(inside: member.value, rules) : []
                // Without a declaration a list is a field's, though “title” and the like are mostly for the whole.
                let isGeneral =
                    rules.general.contains(member.name) && (rules != .unknownAPI || member.value.array == nil)
                // The message of the whole stands there.
                let steps = (path?.steps ?? []) + [.member(member.name)]
                if inner.isEmpty, !isGeneral, isMessage(steps, rules) { continue }
                // Where the message is declared and the fields are not, a text beside it is no field's message.
                let isDetail = rules.fields.isEmpty && !rules.messages.isEmpty && member.value.array == nil
                if inner.isEmpty, !isGeneral, isDetail { continue }
                found += inner.isEmpty ? Self.messages(member.value).map { (isGeneral ? nil : member.name, $0) } : inner
            }
        }
        return found + (place.map { Self.listed($0, rules) } ?? [])
    }

    /// The message for the whole; empty where the body has none.
    func message(_ rules: ErrorRules) -> String {
        let declared = rules.messages.lazy.compactMap { $0.first(in: value) }.compactMap { Self.messages($0).first }
        return declared.first ?? usualMessage(rules) ?? value.string ?? ""
    }

    /// Whether a place holds, or is, what is declared as the message of the whole.
    private func isMessage(_ steps: [JSONPath.Step], _ rules: ErrorRules) -> Bool {
        rules.messages.contains { path in
            path.steps.starts(with: steps) && path.first(in: value).map { !Self.messages($0).isEmpty } == true
        }
    }

    /// Whether an object is one error of a list, and not a map of fields: it has the declared members of such an error.
    private func isOneError(_ place: Value, _ rules: ErrorRules) -> Bool {
        guard let members = place.members, rules.message(in: place)?.string != nil else { return false }
        guard let field = rules.field.first(in: place) else {
            // Who says where one error has its field, and shows a message without it, means the whole.
            return isXML && members.count == 1 || rules.field != .member("field")
        }
        return field.string != nil || field.isNull
    }

    /// The message for the whole object where the route file says nothing of it: the members that most APIs use, beside
    /// those that are declared to hold the fields.
    private func usualMessage(_ rules: ErrorRules) -> String? {
        // Where the body itself holds the fields, its members are theirs.
        guard rules.messages.isEmpty, !rules.fields.isEmpty, let members = value.members else { return nil }
        let places = rules.fields.filter { $0.first(in: value) != nil }.prefix(1)
        guard !places.contains(where: \.steps.isEmpty) else { return nil }
        return ErrorRules.unknownAPI.general.lazy
            .filter { name in !places.contains { $0.steps == [.member(name)] } }
            .compactMap { members[$0]?.string ?? members[$0]?.members?["message"]?.string }.first { !$0.isEmpty }
    }

    /// The messages of a list that holds an object for each.
    private static func listed(_ value: Value, _ rules: ErrorRules) -> [(field: String?, message: String)] {
        (value.array ?? []).flatMap { element in
            let field = rules.field.first(in: element)?.string
            let texts = rules.message(in: element).map(messages) ?? messages(element)
            let isGeneral = field.map { rules.general.contains($0) && rules != .unknownAPI } ?? true
            return texts.map { (isGeneral ? nil : field, $0) }
        }
    }

    /// The fields of `{"errors": {"title": ["is required"]}}` and of `{"errors": [{"field": "title", "message": …}]}`; none
    /// where the value is no such thing.
    private static func fields(inside value: Value, _ rules: ErrorRules) -> [(field: String?, message: String)] {
        if let members = value.members {
            let isMap = members.allSatisfy { member in
                member.value.string != nil || member.value.array?.allSatisfy { $0.string != nil } == true
            }
            guard isMap, members["message"] == nil, members["title"]?.string == nil else { return [] }
            return members.flatMap { member in messages(member.value).map { (member.name, $0) } }
        }
        let found = listed(value, rules)
        return found.contains { $0.field != nil } ? found : []
    }

    /// The texts of a message, a list of messages or an object that holds some.
    private static func messages(_ value: Value) -> [String] {
        switch value {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let elements): elements.flatMap(messages)
        case .object(let members):
            (members["message"] ?? members["title"]).map(messages)
                ?? members.flatMap { $0.name.hasPrefix("@") ? [] : messages($0.value) }
        case .null, .bool, .number: []
        }
    }
}
