extension Resource {
    /// How a create whose answer was lost is brought to an end.
    package enum Recovery: Equatable {
        /// Sent again: an idempotency key, or a PUT to an identifier that the client chose.
        case repeatSafely
        /// Looked up by a member that the client set.
        case lookUp
        /// Read at the identifier that the client chose.
        case readByID
        case askPerson
    }

    /// What a create carries by which it, or what has become of it, is told from any other.
    package struct Marks: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// An idempotency key.
        package static let key = Marks(rawValue: 1)
        /// An identifier that the client chose.
        package static let identifier = Marks(rawValue: 2)
        /// A value in the member to be looked up by.
        package static let value = Marks(rawValue: 4)

        /// Those that a record does not show itself, by which they are stored.
        private static let stored: [(word: String, mark: Marks)] = [("key", .key), ("identifier", .identifier)]

        package var words: [String] { Self.stored.filter { contains($0.mark) }.map(\.word) }

        package init(words: [String]) { self.init(Self.stored.filter { words.contains($0.word) }.map(\.mark)) }
    }

    /// What a create to come carries, as the route file says.
    package var marks: Marks {
        var marks: Marks = []
        if createHasKey { marks.insert(.key) }
        if assigned == .client { marks.insert(.identifier) }
        if lookup != nil { marks.insert(.value) }
        return marks
    }

    /// Of a create to come.
    package var recovery: Recovery { recovery(carrying: marks) }

    /// - Parameter carried: what the create was sent with. The route file may say since how another one goes, which is of no use
    ///   to this one.
    package func recovery(carrying carried: Marks) -> Recovery {
        let useful = marks.intersection(carried)
        if useful.contains(.key) { return .repeatSafely }
        if useful.contains(.identifier) {
            // Read first: a repeated PUT would undo what another client has changed since the first.
            if read.isOffered { return .readByID }
            if create.method == "PUT", batch(for: .create) == nil { return .repeatSafely }
        }
        guard useful.contains(.value) else { return .askPerson }
        if canLookUp(carrying: carried) { return .lookUp }
        // The server refuses a second one, and a pull shows the first.
        return duplicate == nil ? .askPerson : .repeatSafely
    }

    /// Whether a create that the server has, and whose identifier it does not say, is found by a pull alone.
    package func isFoundByPulls(carrying carried: Marks) -> Bool {
        let useful = marks.intersection(carried)
        return useful.contains(.value) && !useful.contains(.key) && !canLookUp(carrying: carried)
    }

    /// A look-up reads the identifier that the client chose.
    package var looksUpByID: Bool { assigned == .client && read.isOffered }

    /// Whether anything can be asked that tells whether a create has happened.
    package func canLookUp(carrying carried: Marks) -> Bool {
        let useful = marks.intersection(carried)
        return looksUpByID ? useful.contains(.identifier) : useful.contains(.value) && lookup?.parameter != nil
    }

    /// Members whose change an action carries.
    package var actionMembers: MemberNames { MemberNames(actions.flatMap(\.arguments)) }

    /// Members that the server alone decides: read-only, or set by an action, and not to be changed by an action's call either.
    /// A version that goes back in the body is among them.
    package var fixed: MemberNames {
        var names = readonly.union([ObjectRecord.unread])
        if let field = versionField { names.insert(field) }
        return actions.isEmpty ? names : names.union(effects).subtracting(actionMembers)
    }

    /// The field that holds the version, where updates send it back (`version.send: body`).
    package var versionField: String? {
        guard case .body(let path, _) = version else { return nil }
        return mapping.name(at: path) ?? path.memberNames?.first
    }

    /// Members no create or update may carry: those declared read-only, those that an action carries or sets, and the identifier
    /// where the server gives it.
    package var neverSent: MemberNames {
        var names = actions.isEmpty ? readonly : readonly.union(actionMembers).union(effects)
        names.insert(ObjectRecord.unread)
        if assigned == .server, let id = idField { names.insert(id) }
        if let field = versionField { names.insert(field) }
        return names
    }

    /// Members that the route file names anywhere: known, although no object may have shown them yet.
    package var namedMembers: MemberNames {
        var names = readonly.union(writeonly).union(actionMembers).union(effects)
        names.formUnion(fields.types.keys)
        names.formUnion(fields.merge.keys)
        names.formUnion(fields.together.joined())
        names.formUnion(mapping.fields.map(\.name))
        names.formUnion((parents + references).map(\.field))
        names.formUnion(conflict.fields.keys)
        for operation in [create, update, delete] {
            names.formUnion(operation.with)
            names.formUnion(operation.without)
        }
        names.formUnion([lookup?.field, conflict.time, idField].compactMap { $0 })
        return names
    }

    /// The field that holds the identifier, where one does.
    package var idField: String? { mapping.name(at: id) }
}

extension Resource {
    /// What a lost create of this record is looked up by; nil where the member is absent, null or empty, for many objects may be
    /// like that.
    package func lookupValue(of record: ObjectRecord) -> String? {
        guard let lookup, let value = mapping.value(lookup.field, in: record), !value.isNull else { return nil }
        let text = value.text
        return text.isEmpty ? nil : text
    }

    /// The member by which creates are looked up, where a create carries it.
    package var sentLookupField: String? {
        lookup.flatMap { neverSent.contains($0.field) || create.without.contains($0.field) ? nil : $0.field }
    }
}

extension Resource {
    /// A version where `If-Match` may carry it: a weak entity tag never matches there (RFC 9110 §13.1.1), and is sent where
    /// the route file says so all the same.
    package func matchable(_ version: String?) -> String? {
        version.flatMap { $0.hasPrefix("W/") && !sendsWeakVersions ? nil : $0 }
    }

    /// Whether `If-Match` carries a weak entity tag. One in a member was named for it by the route file; one in a header
    /// may come and go with what stands in front of the API.
    package var sendsWeakVersions: Bool { weakVersions.map { $0 == .send } ?? (version.path != nil) }
}
