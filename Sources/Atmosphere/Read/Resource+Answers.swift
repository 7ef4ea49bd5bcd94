/// What answers about an object mean for its resource, and how messages call what was asked.
extension Resource {
    /// How messages call what was asked: the request, where its address is set, and both with what may be done.
    typealias RequestWords = (request: String, setting: String, remedy: String)

    /// How messages call the request for an edit lease.
    func words(for route: Operation, status: Int = 404) -> RequestWords {
        let request = "“\(route.method) \(route.path)” (lease.acquire)"
        let remedy =
            "\(request) with \(status): correct lease.acquire of \(name) in the route file, or write mode: advisory where the "
            + "API has no leases"
        return (request, "lease.acquire", remedy)
    }

    /// How messages call a request that carries several, of which the one for an object is part.
    private func words(for verb: Verb?, in batch: Batch, status: Int) -> RequestWords {
        let section = batches.count == 1 ? "batch" : "batch[\(batches.firstIndex(of: batch) ?? 0)]"
        let place = "\(section).\(batch.method.lowercased())"
        let word = verb?.word ?? "read"
        let item: Batch.Item? = if let verb { batch.item(verb) } else { batch.read }
        // The item says the path that the request alone would have.
        let path = item?.path == nil ? "" : ", \(word).path"
        let request = "“\(batch.method) \(batch.path)” (\(place))"
        let remedy =
            "\(request) with \(status): mend \(place)\(path) or \(section).\(word) of \(name) in the route file, or leave "
            + "\(section).\(word) out where the API takes none this way"
        return (request, place, remedy)
    }

    /// How messages call the request for an object that was sent.
    func words(for verb: Verb?, status: Int = 404) -> RequestWords {
        let carrier: Batch? = if let verb { batch(for: verb) } else { readBatch }
        if let carrier { return words(for: verb, in: carrier, status: status) }
        let (method, path, setting): (String, PathTemplate, String) =
            switch verb {
            case nil: (read.method, read.path, "read")
            case .action(let name):
                actions.first { $0.name == name }.map { ($0.method, $0.path, "actions.\(name)") }
                    ?? (update.method, update.path, "update")
            case .create: (create.method, create.path, "create")
            case .upload(let name):
                attachments.first { $0.name == name }?.upload.flatMap { upload in
                    upload.path.map { (upload.method, $0, "attachments.\(name).upload") }
                } ?? (update.method, update.path, "update")
            case .update: (update.method, update.path, "update")
            case .delete: (delete.method, delete.path, "delete")
            }
        let request = "“\(method) \(path)” (\(setting))"
        let place = setting.hasPrefix("actions.") ? setting : "\(setting).path"
        let other =
            setting.contains(".") ? "" : ", or write “\(setting): null” where the API has no such request"
        return (request, place, "\(request) with \(status): mend \(place) of \(name) in the route file\(other)")
    }

    /// The method of a request for one object, also where it goes through an endpoint for several.
    var readMethod: String { readBatch?.method ?? read.method }

    /// How messages call a request for one object.
    func asked(for uri: ObjectURI) -> String { "\(readMethod) \(uri)" }

    /// The setting with which a refused read means that the object is gone, as messages propose it.
    func goneSetting(forRead status: Int) -> String {
        // No rule with a method is about one result of several.
        goneSetting(status, method: readBatch == nil ? read.method : nil)
    }

    /// The setting with which a refusal means that what was asked for is gone, as messages propose it.
    ///
    /// - Parameters:
    ///   - method: of the request; nil for a rule without one.
    ///   - sign: where a success says that it is an error, and what stands there; nil where that is not known.
    func goneSetting(_ status: Int, method: String?, sign: (path: JSONPath, value: Value?)? = nil) -> String {
        let ruled = errors.rules.filter { $0.statuses.isEmpty || $0.statuses.contains(status) }
        var parts = ["status: \(status)"]
        if let method { parts.append("method: \(method)") }
        // Of successes a rule has to say which ones it is about.
        if (200..<300).contains(status), let path = sign?.path ?? ruled.lazy.compactMap(\.path).first {
            let value = sign?.value.map { String(decoding: $0.json(), as: UTF8.self) } ?? "VALUE"
            parts += [
                "path: \(String(decoding: Value.string(path.description).json(), as: UTF8.self))", "equals: \(value)"
            ]
        }
        parts.append("treat: gone")
        var notes: [String] = []
        if !errors.rules.isEmpty {
            // The first rule that fits counts.
            let isFirst = ruled.contains { $0.treatment == .reject }
            notes.append("\(isFirst ? "before" : "behind") its other rules")
        }
        let writes = [create, update, delete].filter(\.isOffered).map(\.method) + actions.map(\.method)
        if !(200..<300).contains(status), method.map(writes.contains) ?? !writes.isEmpty {
            notes.append("with “path” and “equals” where a refused write is answered so, too")
        }
        return "“errors: { rules: [{ \(parts.joined(separator: ", ")) }] }” for \(name)"
            + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// Why what a read by an address has shown is not the object that was asked for; nil where it is, or does not say.
    func whyOther(_ found: Representation, at place: ObjectPlace) -> String? {
        guard let id = found.id, let asked = place.id else { return nil }
        let shown = ownID(in: ObjectURI(entity: name, id: id.text))
        guard shown.lowercased() != asked.lowercased() else { return nil }
        return
            "the server was asked for \(asked.quoted) and showed the object \(shown.quoted): “id” has to be the member that "
            + "“read.path” names objects by, so correct one of them in the route file; where the server has renamed the "
            + "object, pull \(name.shellWord) --full, without a change of it that waits (discard)"
    }

    /// Whether an accepted delete, of whatever method, may not be done, so that a read has to tell: where the server does it
    /// later (202, RFC 9110 §15.3.3), answers with the object and no mark that it is deleted, or with what looks like an error.
    ///
    /// - Returns: whether it may be done later; nil where the answer is final.
    func isOpen(_ reply: ResourceClient.Reply, _ found: Representation?) -> Bool? {
        guard read.isOffered, found?.isDeleted != true else { return nil }
        if reply.status == 202 { return true }
        guard reply.part == nil else { return nil }
        return found?.id != nil && found?.record != nil || soundsLikeError(reply) ? false : nil
    }

    /// What the answer to a create, an update or an action tells of the object. Where the server does it later (202, RFC 9110
    /// §15.3.3) the body describes the state of the request, so only an identifier is taken from it, for a read to prove;
    /// unless the route file says where the answer to this operation has the object.
    ///
    /// - Returns: nil where it tells nothing.
    func told(
        by reply: ResourceClient.Reply, _ found: Representation?, _ operation: Operation
    ) -> Representation? {
        guard reply.status == 202, let found, operation.item == nil, operation.id == nil else { return found }
        guard let id = found.id, reply.part?.id != nil || assigned == .server && read.isOffered else { return nil }
        return Representation(id: id, sequence: found.sequence)
    }

    /// Whether a success has what many servers say of a failure: enough to ask whether it is one, and no more than that.
    private func soundsLikeError(_ reply: ResourceClient.Reply) -> Bool {
        guard (1...65_536).contains(reply.body.count), let members = try? Value(json: reply.body).members else {
            return false
        }
        return members.contains { member in
            switch (member.name.lowercased(), member.value) {
            case ("error", let value), ("errors", let value):
                ![.null, .bool(false), .string(""), .array([]), .object([:])].contains(value)
            case ("ok", let value), ("success", let value): value == .bool(false)
            case ("status", .string(let text)), ("result", .string(let text)):
                ["error", "fail", "failed", "failure"].contains(text.lowercased())
            default: false
            }
        }
    }
}
