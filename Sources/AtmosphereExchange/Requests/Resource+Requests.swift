extension Resource {
    package func operation(_ verb: Verb) -> Operation {
        switch verb {
        case .create: create
        case .update: update
        case .delete: delete
        case .action(let name):
            actions.first { $0.name == name }.map { Operation(method: $0.method, path: $0.path) } ?? update
        // Its answer shows nothing of the object.
        case .upload: update
        }
    }

    /// Whether a request for the verb carries the version that it was made from, so that the server can refuse it where
    /// that is an old one.
    package func carriesVersion(_ verb: Verb) -> Bool {
        let operation = operation(verb)
        let batch = batch(for: verb)?.item(verb)
        if batch == nil || batch?.path != nil, operation.query.contains(where: \.namesVersion) { return true }
        if batch == nil, operation.headers.contains(where: \.namesVersion) { return true }
        switch version {
        case .none, .compare: return false
        case .ifMatch: return true
        case .token: return batch?.version != nil
        case .body:
            let hasBody = operation.sendsBody
            return batch?.version != nil || verb != .create && hasBody
        }
    }

    /// The declared types by top-level member of a record, where they differ from the fields.
    package var typesOfMembers: [String: FieldType] {
        guard !mapping.fields.isEmpty else { return fields.types }
        var types: [String: FieldType] = [:]
        for (name, type) in fields.types {
            if let member = mapping.path(of: name).singleMember { types[member] = type }
        }
        for field in mapping.fields {
            if let name = field.write?.singleMember, types[name] == nil {
                types[name] = fields.types[field.name]
            }
        }
        return types
    }

    /// Of the members of a new object those that its create does not carry, and that an update or an action brings to the
    /// server right behind it. Null asks for nothing there.
    package func followingCreate(in members: Value.Members) -> [String] {
        let acted = actionMembers.subtracting(argumentsOfCreate)
        let never = neverSent.union(update.without).union(namedByCreate)
        return members.filter { member in
            let name = member.name
            guard !member.value.isNull else { return false }
            if acted.contains(name) { return true }
            guard update.isOffered, !never.contains(name) else { return false }
            return create.without.contains(name) || create.body == .none && !create.with.contains(name)
        }.map(\.name)
    }

    /// Members that an action carries, and a create as well: in its body (`with`), its path, its query or a header.
    package var argumentsOfCreate: MemberNames {
        actions.isEmpty ? [] : actionMembers.intersection(besideBodyOfCreate.union(create.with))
    }

    /// A record as a create sends it: without the identifier that the server gives, wherever it stands.
    package func unidentified(_ record: ObjectRecord) -> ObjectRecord {
        guard !mapping.isIdentity, assigned == .server, let id = idField, !create.with.contains(id) else {
            return record
        }
        var members = mapping.members(of: record)
        members[id] = nil
        return mapping.record(members, over: record)
    }

    /// Whether an update is a merge patch (RFC 7396), in which an object changes what it holds and removes nothing else.
    package var updatesByMergePatch: Bool {
        let declared = update.headers.first { $0.name.lowercased() == "content-type" }?.value
        let type = declared ?? (coding == format ? mediaType : nil) ?? ""
        return type.lowercased().hasPrefix("application/merge-patch+json")
    }

    /// Whether an operation puts another value in the place of one that a record has (`set`); maps merge.
    package func overrides(_ name: String, of record: ObjectRecord, with operation: Operation) -> Bool {
        guard !operation.set.isEmpty else { return false }
        let held = mapping.decoded(record)
        guard let other = mapping.value(written: name, in: operation.set, of: held) else { return false }
        let own = held.view[name]
        return own != other && (own?.members == nil || other.members == nil)
    }

    /// Members that no create carries, nor anything behind it.
    package var neverWritten: MemberNames {
        let left = update.isOffered ? create.without.intersection(update.without) : create.without
        return left.subtracting(actionMembers).subtracting(namedByCreate)
    }

    /// Members that a create says beside its body, or that are no part of what was written: its path, query and headers, the
    /// identifier, the look-up value.
    private var namedByCreate: MemberNames {
        besideBodyOfCreate.union([idField, lookup?.field].compactMap { $0 })
    }

    /// Members that stand in the path of a create, in its query or in its headers.
    private var besideBodyOfCreate: MemberNames {
        var names = MemberNames()
        for path in [createPath] + create.besidePath.map(\.template) {
            names.formUnion(path.ownFields)
            names.formUnion(parentFields(in: path))
        }
        return names
    }

    /// Members that only say what the path says already.
    package func parentFields(in path: PathTemplate) -> MemberNames {
        let named = path.parentEntities
        return MemberNames(parents.filter { named.contains($0.entity) }.map(\.field))
    }
}

extension Resource {
    /// The `Accept` that the route file declares among other headers; it goes before whatever is usual.
    var declaredAccept: String? { headers.first { $0.name.lowercased() == "accept" }?.value }
}

extension Resource {
    /// The version that a write to the object says, as text; nil where the server has shown none.
    ///
    /// - Throws: ``SyncError`` `invalidRecord`, see ``advanced(_:of:)``.
    func sentVersion(of meta: MetaObject) throws -> String? {
        guard let version = meta.confirmed?.version else { return nil }
        return versionQuotes.applied(to: try advanced(.string(version), of: meta.uri).text)
    }

    /// A version with ``versionStep`` added.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where it is no whole number.
    package func advanced(_ version: Value, of uri: ObjectURI) throws -> Value {
        guard versionStep > 0 else { return version }
        let written = String(version.text.prefix(40))
        guard let number = Int(version.text), case (let next, false) = number.addingReportingOverflow(versionStep)
        else {
            throw SyncError(
                code: .invalidRecord,
                message: "the version \(written.quoted) of \(uri) is no whole number that “version.add” could "
                    + "be added to; remove “add”, or compare “version” in the route file with what the server answers")
        }
        return version.string == nil ? .number(JSONNumber(next)) : .string(String(next))
    }
}
