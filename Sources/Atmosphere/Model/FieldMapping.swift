/// Where the fields that the application sees stand in the records of the server, which are stored as they came.
///
/// A view is made when a record is read, merged or sent, never when it is pulled, so another mapping needs no new pull.
/// A top-level member that a field reads from, such as `project` in `project.id`, is not shown beside it; a member that
/// no field names is shown as it is. With no field the view is the record itself, and nothing is decoded.
public struct FieldMapping: Sendable, Hashable {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// What the application calls it.
        public var name: String
        /// The names of the members that lead to it in a record; one for a top-level member.
        public var read: [String]
        /// The names of the members that lead to it in the body of a write; nil where the member that `read` begins
        /// with is sent as it is.
        public var write: [String]?

        public init(name: String, read: [String], write: [String]? = nil) {
            self.name = name
            self.read = read
            self.write = write
        }
    }

    public let fields: [Field]
    /// The view is the record.
    public let isIdentity: Bool
    /// Indices of the fields by the top-level member that they read from.
    private let byRoot: [String: [Int]]
    private let byName: [String: Int]

    /// - Parameter fields: of fields with the same name the first counts.
    public init(_ fields: [Field] = []) {
        self.fields = fields
        isIdentity = fields.allSatisfy { $0.read == [$0.name] }
        byRoot = Dictionary(grouping: fields.indices) { fields[$0].read.first ?? fields[$0].name }
        byName = Dictionary(fields.indices.map { (fields[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Where a field stands in a record.
    public func path(of name: String) -> JSONPath {
        byName[name].map { JSONPath(fields[$0].read.map(JSONPath.Step.member)) } ?? .member(name)
    }

    /// The field that stands at a path; nil where no field does, and for a path that is not made of members.
    public func name(at path: JSONPath) -> String? {
        if let field = fields.first(where: { self.path(of: $0.name) == path }) { return field.name }
        guard let name = path.singleMember, byRoot[name] == nil, byName[name] == nil else { return nil }
        return name
    }

    /// The field that the server means by a name, in a message about a write.
    public func name(forWritten name: String) -> String {
        if let field = fields.first(where: { $0.write?.first == name }) { return field.name }
        if byName[name] == nil, let field = byRoot[name]?.first { return fields[field].name }
        return name
    }

    /// A member that is only shown through its fields.
    public func hides(_ name: String) -> Bool { byName[name] == nil && byRoot[name] != nil }
}

extension FieldMapping {
    /// The record as the application sees it.
    public func view(_ record: ObjectRecord) -> ObjectRecord {
        isIdentity ? record : ObjectRecord(members(of: record))
    }

    /// The fields of a record, and its members that no field names.
    ///
    /// A field below a member that is null is null; below one that is absent it is absent.
    public func members(of record: ObjectRecord) -> Value.Members {
        let members = record.members
        guard !isIdentity else { return members }
        var view: [Value.Member] = []
        for member in members {
            guard let indices = byRoot[member.name] else {
                if byName[member.name] == nil { view.append(member) }
                continue
            }
            for index in indices {
                guard let value = Self.value(fields[index].read.dropFirst(), in: member.value) else { continue }
                view.append(.init(name: fields[index].name, value: value))
            }
        }
        return Value.Members(view)
    }

    /// One field of a record; nil where it is absent.
    public func value(_ name: String, in record: ObjectRecord) -> Value? {
        guard let index = byName[name] else { return byRoot[name] == nil ? record[name] : nil }
        let path = fields[index].read
        return path.first.flatMap { record[$0] }.flatMap { Self.value(path.dropFirst(), in: $0) }
    }

    /// A record whose view is `view`.
    ///
    /// - Parameter record: what is not shown is taken from it; what is shown and the same keeps its place.
    public func record(_ view: Value.Members, over record: ObjectRecord?) -> ObjectRecord {
        guard !isIdentity else { return ObjectRecord(view) }
        var members = record?.members ?? Value.Members()
        let before = record.map { self.members(of: $0) } ?? Value.Members()
        for member in before where view[member.name] == nil { set(nil, member.name, in: &members) }
        for member in view where before[member.name] != member.value { set(member.value, member.name, in: &members) }
        return ObjectRecord(members)
    }

    /// The members that a write sends.
    ///
    /// - Parameter names: the fields to send, of those the record has.
    public func body(_ names: [String], of record: ObjectRecord) -> Value.Members {
        let view = members(of: record)
        guard !fields.isEmpty else { return Value.Members(names.map { .init(name: $0, value: view[$0] ?? .null) }) }
        var body = Value.Members()
        for name in names {
            let value = view[name] ?? .null
            guard let index = byName[name] else {
                body[name] = value
                continue
            }
            let field = fields[index]
            if let path = field.write {
                Self.set(value, path[...], in: &body)
            } else if let root = field.read.first {
                body[root] = record[root] ?? value
            }
        }
        return body
    }

    private func set(_ value: Value?, _ name: String, in members: inout Value.Members) {
        Self.set(value, (byName[name].map { fields[$0].read } ?? [name])[...], in: &members)
    }

    private static func set(_ value: Value?, _ path: ArraySlice<String>, in members: inout Value.Members) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            members[name] = value
            return
        }
        // Nothing to remove, and no object to say null in.
        if value == nil || value == .null, members[name].map({ $0.members == nil }) ?? (value == nil) { return }
        var inner = members[name]?.members ?? Value.Members()
        set(value, path.dropFirst(), in: &inner)
        members[name] = .object(inner)
    }

    private static func value(_ path: ArraySlice<String>, in value: Value) -> Value? {
        guard let name = path.first else { return value }
        if case .null = value { return .null }
        return value.members?[name].flatMap { self.value(path.dropFirst(), in: $0) }
    }
}

extension LocalObject {
    /// The object with every record as the application sees it.
    func viewed(through mapping: FieldMapping) -> LocalObject {
        guard !mapping.isIdentity else { return self }
        var object = self
        object.record = record.map(mapping.view)
        object.meta = meta.viewed(through: mapping)
        return object
    }
}

extension MetaObject {
    fileprivate func viewed(through mapping: FieldMapping) -> MetaObject {
        var meta = self
        func confirmed(_ confirmed: Confirmed) -> Confirmed {
            var copy = confirmed
            copy.base = mapping.view(confirmed.base)
            return copy
        }
        switch state {
        case .synchronized(let base): meta.state = .synchronized(confirmed(base))
        case .created: break
        case .updated(let base, let outgoing): meta.state = .updated(confirmed(base), outgoing)
        case .deleted(let base, let outgoing): meta.state = .deleted(confirmed(base), outgoing)
        }
        if var outgoing = meta.outgoing {
            outgoing.phase = outgoing.phase.viewed(through: mapping)
            meta.outgoing = outgoing
        }
        return meta
    }
}

extension MetaObject.Phase {
    fileprivate func viewed(through mapping: FieldMapping) -> Self {
        func view(_ snapshot: MetaObject.Snapshot) -> MetaObject.Snapshot {
            var copy = snapshot
            copy.record = snapshot.record.map(mapping.view)
            return copy
        }
        switch self {
        case .waiting: return self
        case .sending(let snapshot): return .sending(view(snapshot))
        case .unknown(let snapshot): return .unknown(view(snapshot))
        case .rejected(let snapshot, let failure): return .rejected(view(snapshot), failure)
        case .conflicted(var conflict):
            conflict.theirs = conflict.theirs.map(mapping.view)
            return .conflicted(conflict)
        }
    }
}
