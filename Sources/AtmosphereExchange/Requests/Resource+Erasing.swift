extension Resource {
    /// What an update would erase on the server, because it was not read: members that the body carries, under a body for
    /// the whole object also what is noted of the object itself, and lists of which a field (`[*]`) shows some elements.
    ///
    /// - Parameters:
    ///   - body: the members that would be sent.
    ///   - records: what was read of the object, before the edit and after.
    package func erased(by body: Value.Members, of records: [ObjectRecord?]) -> [String] {
        var names: [String] = []
        var seen = Set<ScalarText>()
        for name in records.flatMap({ $0?.unreadNames ?? [] }) where seen.insert(ScalarText(name)).inserted {
            let isOwn = name.hasPrefix("@") || name.hasPrefix("#")
            if body[name] != nil || isOwn && update.body == .whole { names.append(name) }
        }
        let lists = records.flatMap { $0.map { mapping.partlyShown(in: $0, leftOutOf: body) } ?? [] }
        return names + lists.filter { seen.insert(ScalarText($0)).inserted }
    }

    /// - Throws: ``SyncError`` `invalidRecord` for an update that would erase something.
    func refuseErasing(_ body: Value.Members, of uri: ObjectURI, _ records: [ObjectRecord?]) throws {
        let names = erased(by: body, of: records)
        guard !names.isEmpty else { return }
        throw SyncError(
            code: .invalidRecord,
            message: "\(uri) cannot be updated: not everything \(Self.inside(names)) was read, and this update would "
                + "erase the rest on the server; \(remedy(forUnread: names))")
    }

    /// - Parameter names: the members that an update of the object would carry.
    /// - Throws: ``SyncError`` `wrongState` for one that would carry a member as it was before content of this client.
    func refuseStale(
        _ names: [String], in record: ObjectRecord, over confirmed: MetaObject.Confirmed, of uri: ObjectURI
    ) throws {
        guard !confirmed.stale.isEmpty else { return }
        let merge = ThreeWayMerge(self)
        let stale = names.filter {
            confirmed.isStale($0)
                && merge.same($0, mapping.value($0, in: confirmed.base), mapping.value($0, in: record))
        }
        guard !stale.isEmpty else { return }
        throw SyncError(
            code: .wrongState,
            message: "\(uri) is not updated before the server has shown \(stale.map(\.quoted).joined(separator: ", ")) "
                + "again: the update carries the whole object, with what was there before the content that was attached; "
                + "pull \(name.shellWord), or name under “readonly” what no update has to send, or send only what "
                + "changed (update: { body: changed })",
            cause: ResourceClient.NotShownSince())
    }

    /// What the names of unread things mean, for messages.
    package static func inside(_ names: [String]) -> String {
        let members = names.filter { !$0.hasPrefix("@") && !$0.hasPrefix("#") }.map(\.quoted)
        var parts = members.isEmpty ? [] : ["in \(members.joined(separator: ", "))"]
        if names.contains(where: { $0.hasPrefix("@") }) { parts.append("in the object’s own attributes") }
        if names.contains(where: { $0.hasPrefix("#") }) { parts.append("of the text beside its members") }
        return parts.joined(separator: " and ")
    }

    /// - Parameter names: what was not read.
    package func remedy(forUnread names: [String]) -> String {
        let readonly = "name under “readonly” what no update has to send"
        if names.contains(where: mapping.readsElements) {
            return "map the list as it is in “fields”, without [*], or \(readonly)"
        }
        if format == "xml", !xml.hasAttributes {
            return "read attributes with xml: { attributes: true }, or \(readonly)"
        }
        return update.body == .whole ? "\(readonly), or send only what changed (update: { body: changed })" : readonly
    }
}
