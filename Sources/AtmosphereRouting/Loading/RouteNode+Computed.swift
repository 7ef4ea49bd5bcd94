extension RouteNode {
    /// What `auth` means where it says nothing, written out, so that `atmos explain` shows it.
    var withComputedAuth: RouteNode {
        func word(_ text: String) -> RouteNode { RouteNode(.scalar(text, isPlain: false), at: .default) }
        var auth = self
        if auth["token"] != nil, auth["scheme"] == nil, auth["send"]?.isMap != true {
            auth["scheme"] = word("Token")
        }
        guard var session = auth["session"], session.isMap, session["send"] == nil, let token = session["token"] else {
            return auth
        }
        // What came as a header or cookie goes back as the same.
        let entries: [Entry] =
            if let name = token["header"] {
                [Entry(key: "header", place: .default, node: word(name.text ?? ""))]
            } else if let name = token["cookie"] {
                [Entry(key: "cookie", place: .default, node: word(name.text ?? ""))]
            } else {
                [
                    Entry(key: "header", place: .default, node: word("Authorization")),
                    Entry(key: "scheme", place: .default, node: word("Bearer"))
                ]
            }
        session["send"] = RouteNode(.map(entries), at: .default)
        auth["session"] = session
        return auth
    }

    /// What follows from other settings: the server's identifier is never sent, and a repeated GET does no harm.
    var withComputedDefaults: RouteNode {
        var node = self
        let id = RouteSection(node["id"])
        let path = id["field"].selector ?? .member("id")
        if id["assigned"].text != "client", case .member(let name)? = path.steps.first, path.steps.count == 1 {
            let names = node["readonly"] ?? RouteNode(.list([]), at: .default)
            if case .list(let elements) = names.content, !elements.contains(where: { $0.text == name }) {
                let element = RouteNode(.scalar(name, isPlain: false), at: .default)
                node["readonly"] = RouteNode(.list(elements + [element]), at: names.place)
            }
        }
        guard var actions = node["actions"], actions.isMap else { return node }
        for entry in actions.entries where entry.node.isMap && entry.node["repeat"] == nil {
            let isSafe = ["get", "put", "delete"].contains { entry.node[$0] != nil }
            var action = entry.node
            action["repeat"] = RouteNode(.scalar(isSafe ? "safe" : "ask", isPlain: true), at: .default)
            actions[entry.key] = action
        }
        node["actions"] = actions
        return node
    }
}
