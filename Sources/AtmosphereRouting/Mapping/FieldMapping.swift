/// Where the fields that the application sees stand in the records of the server, which are stored as they came.
///
/// A view is made when a record is read, merged or sent, never when it is pulled, so another mapping needs no new pull.
/// A top-level member that a field reads from, such as `project` in `project.id`, is not shown beside it; a member that
/// no field names is shown as it is. With no field the view is the record itself, and nothing is decoded.
package struct FieldMapping: Sendable, Hashable {
    /// One field.
    package struct Field: Sendable, Hashable {
        /// What the application calls it.
        package var name: String
        /// Where it stands in a record: behind the name of a top-level member names, `[0]`, and one `[*]` at most, which
        /// makes a list of what stands in each element.
        package var read: JSONPath
        /// Where it stands in the body of a write, with the same steps; nil where the member that `read` begins with is
        /// sent as it is.
        package var write: JSONPath?
        /// Members that stand beside the value where it is written, such as the type of a reference. Where the value is
        /// null, so is the object that would hold them.
        package var beside: Value.Members
        /// Where the value is null, the object that would hold it is.
        package var nullsHolder: Bool

        /// A field that is read at a path; without `write` its member is sent as it is.
        package init(
            name: String, read: JSONPath, write: JSONPath? = nil, beside: Value.Members = [:], nullsHolder: Bool = false
        ) {
            self.name = name
            self.read = read
            self.write = write
            self.beside = beside
            self.nullsHolder = nullsHolder
        }

        /// The member of the body that its value goes into.
        package var writtenMember: String? { write?.firstMember }
    }

    /// Where every name stands that no field has.
    package struct Others: Sendable, Hashable {
        /// The names in front of the member's own and behind it.
        package struct Place: Sendable, Hashable {
            /// The names that lead to the object which holds the member, outermost first.
            package var before: [String]
            /// The names that lead on from the member to the value; empty for the member's own value.
            package var after: [String]

            /// A place between these names.
            package init(before: [String], after: [String] = []) {
                self.before = before
                self.after = after
            }

            /// The names of the whole path to the value of one member.
            package func path(of name: String) -> [String] { before + [name] + after }

            package func steps(of name: String) -> [JSONPath.Step] { path(of: name).map(JSONPath.Step.member) }

            /// The name that a path is of; nil for another path.
            package func name(of path: [String]) -> String? {
                guard path.count == before.count + 1 + after.count, path.starts(with: before) else { return nil }
                return path.suffix(after.count).elementsEqual(after) ? path[before.count] : nil
            }
        }

        /// In a record; there is a name in front.
        package var read: Place
        /// In the body of a write; nil where the member that ``read`` begins with is sent as it is.
        package var write: Place?

        /// Takes the place of reading, and of writing where it differs from sending the member as it is.
        package init(read: Place, write: Place? = nil) {
            self.read = read
            self.write = write
        }
    }

    /// As they were given; of those with the same name the first counts.
    package let fields: [Field]
    /// What becomes of names that no field has; nil where they are members of the record itself.
    package let others: Others?
    /// The view is the record.
    package let isIdentity: Bool
    /// Indices of the fields by the top-level member that they read from.
    private let byRoot: [String: [Int]]
    private let byName: [String: Int]
    /// Names of members at the place of the others that fields read, each under its own name.
    private let readInside: Set<String>

    /// A mapping of these fields; without any the view is the record itself.
    ///
    /// - Parameter fields: of fields with the same name the first counts.
    package init(_ fields: [Field] = [], others: Others? = nil) {
        self.fields = fields
        self.others = others
        isIdentity = others == nil && fields.allSatisfy { $0.read == .member($0.name) }
        byRoot = Dictionary(grouping: fields.indices) { fields[$0].read.firstMember ?? fields[$0].name }
        byName = Dictionary(fields.indices.map { (fields[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        readInside = Set(fields.compactMap { $0.read.memberNames.flatMap { others?.read.name(of: $0) } })
    }

    /// Where a field may stand in a record: the first of these places that a record has counts. A field has one place, any
    /// other name that of the others, and behind it the record itself.
    package func paths(of name: String) -> [JSONPath] {
        if let index = byName[name] { return [fields[index].read] }
        guard let others, !readInside.contains(name) || hides(name) else { return [.member(name)] }
        let inside = JSONPath(others.read.steps(of: name))
        return hides(name) ? [inside] : [inside, .member(name)]
    }

    /// Where a field stands in a record that has it nowhere yet.
    package func path(of name: String) -> JSONPath { paths(of: name)[0] }

    /// Where a name stands in these members: a member of the record itself counts where the others have none so called.
    private func place(of name: String, in members: Value.Members) -> [JSONPath.Step] {
        let paths = paths(of: name)
        guard paths.count > 1, members[name] != nil, othersValue(name, from: { members[$0] }) == nil else {
            return paths[0].steps
        }
        return paths[1].steps
    }

    /// What stands under a name at the place of the others: nothing where the object around it is null.
    ///
    /// - Parameter member: gives the top-level members of the record.
    private func othersValue(_ name: String, from member: (String) -> Value?) -> Value? {
        guard let place = others?.read, !readInside.contains(name), let root = place.before.first,
            let holder = member(root),
            let around = Self.value(place.before.dropFirst().map(JSONPath.Step.member)[...], in: holder)?.members
        else { return nil }
        return around[name].flatMap { Self.value(place.after.map(JSONPath.Step.member)[...], in: $0) }
    }

    /// The field that stands at a path; nil where no field does, and for a path that is not made of members.
    package func name(at path: JSONPath) -> String? {
        if let field = fields.first(where: { self.path(of: $0.name) == path }) { return field.name }
        if let others, let names = path.memberNames, let name = others.read.name(of: names) {
            return byName[name] == nil ? name : nil
        }
        guard let name = path.singleMember, byRoot[name] == nil, byName[name] == nil else { return nil }
        return name
    }

    /// The field that the server means by a name, in a message about a write.
    package func name(forWritten name: String) -> String {
        if let field = fields.first(where: { $0.writtenMember == name }) { return field.name }
        if byName[name] == nil, let field = byRoot[name]?.first { return fields[field].name }
        return name
    }

    /// The field that the server means by a JSON Pointer (RFC 6901) into the body of a write: the one that the place is
    /// in, or that is in the place.
    ///
    /// - Parameter root: the member around each body.
    /// - Returns: nil where the pointer means the whole object, or the body.
    package func name(forPointer pointer: String, root: String? = nil) -> String? {
        var path = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.unescaped)
        if let root, path.first == root { path.removeFirst() }
        guard let last = path.last else { return nil }
        let found = fields.first { field in
            // An index is written as it is in a pointer; `[*]` stands for any.
            let own = (field.write ?? field.read).steps.prefix(path.count).enumerated().map { index, step in
                switch step {
                case .member(let name): name
                case .index(let number): String(number)
                case .all: path[index]
                }
            }
            return own.starts(with: path) || path.starts(with: own)
        }
        if let found { return found.name }
        for place in [others?.write, others?.read].compactMap(\.self)
        where path.count > place.before.count && path.starts(with: place.before) {
            return path[place.before.count]
        }
        return path.count == 1 ? name(forWritten: last) : last
    }

    /// A part of a pointer (RFC 6901 §4).
    private static func unescaped(_ part: Substring) -> String {
        var text = ""
        var isEscaped = false
        for character in part {
            if isEscaped {
                text += character == "1" ? "/" : character == "0" ? "~" : "~\(character)"
            } else if character != "~" {
                text.append(character)
            }
            isEscaped = !isEscaped && character == "~"
        }
        return text
    }

    /// A member that is only shown through its fields.
    package func hides(_ name: String) -> Bool {
        byName[name] == nil && (byRoot[name] != nil || others?.read.before.first == name)
    }
}

extension FieldMapping {
    /// The record as the application sees it.
    package func view(_ record: ObjectRecord) -> ObjectRecord {
        isIdentity ? record : ObjectRecord(members(of: record))
    }

    /// The fields of a record, and its members that no field names.
    ///
    /// A field below a member that is null is null; below one that is absent it is absent.
    package func members(of record: ObjectRecord) -> Value.Members { view(of: record.members) }

    /// The same of a record that is decoded already.
    private func view(of members: Value.Members) -> Value.Members {
        guard !isIdentity else { return members }
        let inside = othersMembers(of: members)
        let namesInside = Set(inside.map { ScalarText($0.name) })
        var view: [Value.Member] = []
        for member in members {
            for index in byRoot[member.name] ?? [] {
                guard let value = Self.value(fields[index].read.steps.dropFirst(), in: member.value) else { continue }
                view.append(.init(name: fields[index].name, value: value))
            }
            if others?.read.before.first == member.name {
                view += inside
            } else if byRoot[member.name] == nil, byName[member.name] == nil,
                !namesInside.contains(ScalarText(member.name))
            {
                view.append(member)
            }
        }
        return Value.Members(view)
    }

    /// The names that no field has, from where they stand.
    private func othersMembers(of members: Value.Members) -> [Value.Member] {
        guard let place = others?.read,
            let around = Self.value(place.before.map(JSONPath.Step.member)[...], in: .object(members))?.members
        else { return [] }
        return around.compactMap { member in
            guard byName[member.name] == nil, !readInside.contains(member.name),
                let value = Self.value(place.after.map(JSONPath.Step.member)[...], in: member.value)
            else { return nil }
            return .init(name: member.name, value: value)
        }
    }

    /// The record with what only `known` has: members, and fields that stand inside a member which both have.
    package func completed(_ record: ObjectRecord, over known: ObjectRecord) -> ObjectRecord {
        let whole = record.completed(over: known)
        guard !isIdentity else { return whole }
        var view = members(of: whole)
        let shown = view.count
        for member in members(of: known) where view[member.name] == nil { view[member.name] = member.value }
        return view.count == shown ? whole : self.record(view, over: whole)
    }

    /// The top-level members in which two records differ by what no field shows.
    package func unseenChanges(from old: ObjectRecord, to new: ObjectRecord) -> [String] {
        guard !isIdentity, old != new else { return [] }
        let (before, after) = (unseen(in: old.members), unseen(in: new.members))
        return (after.names + before.names.filter { after[$0] == nil })
            .filter { Self.left(of: before[$0]) != Self.left(of: after[$0]) }
    }

    /// The members that are not shown, and of those that fields read from what is left of them. Of a list that a field reads from
    /// nothing is.
    private func unseen(in record: Value.Members) -> Value.Members {
        var members = record
        let inside = Set(othersMembers(of: record).map { ScalarText($0.name) })
        members.removeAll { member in
            byRoot[member.name] == nil && byName[member.name] == nil && others?.read.before.first != member.name
                && !inside.contains(ScalarText(member.name))
        }
        for field in fields { Self.set(nil, field.read.steps.prefix(while: \.isMember), in: &members) }
        if let holder = others?.read.before { Self.set(nil, holder.map(JSONPath.Step.member)[...], in: &members) }
        return members
    }

    /// A value without the nulls and the empty objects in it, which a field leaves behind that was set and taken back.
    private static func left(of value: Value?) -> Value? {
        guard let value, !value.isNull else { return Value?.none }
        guard let members = value.members else { return value }
        let held = members.compactMap { member in
            left(of: member.value).map { Value.Member(name: member.name, value: $0) }
        }
        return held.isEmpty ? Value?.none : Value.object(Value.Members(held))
    }

    /// One field of a record; nil where it is absent.
    package func value(_ name: String, in record: ObjectRecord) -> Value? {
        if let index = byName[name] {
            let path = fields[index].read
            return path.firstMember.flatMap { record[$0] }.flatMap { Self.value(path.steps.dropFirst(), in: $0) }
        }
        return othersValue(name, from: { record[$0] }) ?? (hides(name) ? nil : record[name])
    }

    /// A record whose view is `view`.
    ///
    /// - Parameter record: what is not shown is taken from it; what is shown and the same keeps its place.
    package func record(_ view: Value.Members, over record: ObjectRecord?) -> ObjectRecord {
        guard !isIdentity else { return ObjectRecord(view) }
        var members = record?.members ?? Value.Members()
        let before = record.map { self.members(of: $0) } ?? Value.Members()
        remove(before.filter { view[$0.name] == nil }.map(\.name), from: &members)
        for member in view where before[member.name]?.isWritten(like: member.value) != true {
            set(member.value, member.name, in: &members)
        }
        return ObjectRecord(members)
    }

    /// The members that a write sends.
    ///
    /// - Parameter names: the fields to send, of those the record has.
    package func body(_ names: [String], of record: ObjectRecord) -> Value.Members { body(names, of: decoded(record)) }

    /// A record that is decoded once, to be asked about many of its fields.
    package struct DecodedRecord: Sendable {
        fileprivate var members: Value.Members
        /// As the application sees it.
        package var view: Value.Members
    }

    /// Decodes a record for ``body(_:of:)`` and ``value(written:in:of:)``.
    package func decoded(_ record: ObjectRecord) -> DecodedRecord {
        let members = record.members
        return DecodedRecord(members: members, view: view(of: members))
    }

    /// The members that a write of a decoded record sends.
    ///
    /// - Parameter names: the fields to send, of those the record has.
    package func body(_ names: [String], of decoded: DecodedRecord) -> Value.Members {
        let (record, view) = (decoded.members, decoded.view)
        guard !fields.isEmpty || others != nil else {
            return Value.Members(names.map { .init(name: $0, value: view[$0] ?? .null) })
        }
        let places = names.map { name in (name, place(of: name, in: record), writtenPlace(of: name, in: record)) }
        // Members that go as they are, whatever else is written into them.
        let whole = Set(places.compactMap { _, read, path in path == nil ? JSONPath(read).firstMember : nil })
        var body = Value.Members()
        for (name, read, path) in places {
            let value = view[name] ?? .null
            guard let root = JSONPath(path ?? read).firstMember else { continue }
            if whole.contains(root), body[root] == nil { body[root] = record[root] ?? (path == nil ? value : nil) }
            guard let path else { continue }
            if JSONPath(read).firstMember == root { copyList(of: path, from: record, to: &body) }
            write(value, at: path, byName[name].map { fields[$0] }, in: &body)
        }
        return body
    }

    /// The members that a write of the whole object sends: the fields, and what stands in the record beside them. Of a member
    /// that goes as it is none of its fields may have a value, and a field may have the name of another member.
    ///
    /// - Parameters:
    ///   - names: the fields to send, of those the record has.
    ///   - never: names that are not to be sent.
    package func wholeBody(
        _ names: [String], of decoded: DecodedRecord, without never: MemberNames
    ) -> Value.Members {
        var body = body(names, of: decoded)
        guard !isIdentity else { return body }
        for member in decoded.members where body[member.name] == nil && goesAsItIs(member.name, without: never) {
            body[member.name] = member.value
        }
        return body
    }

    /// Whether a member of a record is sent as it stands there.
    private func goesAsItIs(_ name: String, without never: MemberNames) -> Bool {
        let isAround = others?.read.before.first == name
        if isAround, others?.write == nil { return true }
        guard let own = byRoot[name] else { return !isAround && !never.contains(name) }
        return own.contains { fields[$0].write == nil && !never.contains(fields[$0].name) }
    }

    /// The fields whose lists, where they are written to what is read, a body takes the place of without the elements that were not shown, because they lack the member
    /// that the field reads of each.
    package func partlyShown(in record: ObjectRecord, leftOutOf body: Value.Members) -> [String] {
        fields.filter { field in
            guard let place = field.read.steps.firstIndex(of: .all),
                let list = field.write?.steps.prefix(while: { $0 != .all }), list == field.read.steps[..<place],
                let written = Self.value(list, in: .object(body)),
                let held = field.read.firstMember.flatMap({ record[$0] })
            else { return false }
            let (around, inside) = (field.read.steps[1..<place], field.read.steps[(place + 1)...])
            let unshown = Self.value(around, in: held)?.array?.filter { Self.value(inside, in: $0) == nil } ?? []
            let sent = written.array ?? []
            return unshown.contains { !sent.contains($0) }
        }.map(\.name)
    }

    /// Whether a field is a list of what stands in each element of another.
    package func readsElements(_ name: String) -> Bool {
        byName[name].map { fields[$0].read.steps.contains(.all) } ?? false
    }

    /// What the body of a write says of a field; nil where it says nothing.
    package func value(written name: String, in body: Value.Members, of record: DecodedRecord) -> Value? {
        let path = writtenPlace(of: name, in: record.members) ?? place(of: name, in: record.members)
        return Self.value(path[...], in: .object(body))
    }

    /// Where a name stands in the body of a write; nil where the member that it is read from goes as it is.
    private func writtenPlace(of name: String, in members: Value.Members) -> [JSONPath.Step]? {
        if let index = byName[name] { return fields[index].write?.steps }
        let read = place(of: name, in: members)
        return read.count == 1 ? read : others?.write?.steps(of: name)
    }

    /// The list that a path leads through, as the record has it: it is sent as it stands, but for the value. What stands
    /// beside it is not sent for its sake.
    private func copyList(of path: [JSONPath.Step], from record: Value.Members, to body: inout Value.Members) {
        let names = path.prefix { if case .member = $0 { true } else { false } }
        guard names.count < path.count, Self.value(names, in: .object(body)) == nil,
            let root = JSONPath(path).firstMember,
            let list = record[root].flatMap({ Self.value(names.dropFirst(), in: $0) }), list.array != nil
        else { return }
        Self.set(list, names, in: &body)
    }

    private func write(_ value: Value, at path: [JSONPath.Step], _ field: Field?, in body: inout Value.Members) {
        guard let field, path.count > 1, field.nullsHolder || !field.beside.isEmpty else {
            return Self.set(value, path[...], in: &body)
        }
        // Of nothing there is no type either: the whole reference is null.
        guard !value.isNull else { return Self.set(.null, path.dropLast(), in: &body) }
        Self.set(value, path[...], beside: field.beside, in: &body)
    }

    private func set(_ value: Value?, _ name: String, in members: inout Value.Members) {
        Self.set(value, place(of: name, in: members)[...], in: &members)
    }

    /// Removes what stands at the places of these names: of each object that holds many of them in one pass.
    private func remove(_ names: [String], from members: inout Value.Members) {
        var ofRecord: [String] = []
        var ofOthers: [String] = []
        for name in names {
            let place = place(of: name, in: members)
            if place.count == 1, case .member(let own)? = place.first {
                ofRecord.append(own)
            } else if byName[name] == nil, others?.read.after.isEmpty == true {
                ofOthers.append(name)
            } else {
                Self.set(nil, place[...], in: &members)
            }
        }
        members.removeAll(named: ofRecord)
        if let holder = others?.read.before, !ofOthers.isEmpty {
            Self.changeObject(at: holder[...], in: &members) { $0.removeAll(named: ofOthers) }
        }
    }

    /// Changes the object at a path of names in place; nothing where there is none.
    private static func changeObject(
        at path: ArraySlice<String>, in members: inout Value.Members, _ change: (inout Value.Members) -> Void
    ) {
        guard let name = path.first else { return change(&members) }
        guard members[name]?.members != nil else { return }
        members[name]?.changeMembers { changeObject(at: path.dropFirst(), in: &$0, change) }
    }

    private static func set(
        _ value: Value?, _ path: ArraySlice<JSONPath.Step>, beside: Value.Members = [:], in members: inout Value.Members
    ) {
        guard case .member(let name)? = path.first else { return }
        guard path.count > 1 else {
            for member in beside where value != nil { members[member.name] = member.value }
            members[name] = value
            return
        }
        // Nothing to remove, and no object to say null in.
        let holds = members[name].map { $0.members != nil || $0.array != nil } ?? false
        if value == nil || value == .null, !holds, value == nil || members[name] != nil { return }
        change(&members[name], to: value, path.dropFirst(), beside: beside)
    }

    /// Changes what stands at the first step of a path that goes on, so that the value stands at its end: an object in
    /// place, for many values may go into one.
    private static func change(
        _ present: inout Value?, to value: Value?, _ path: ArraySlice<JSONPath.Step>, beside: Value.Members
    ) {
        guard case .member? = path.first else {
            present = setting(value, path, beside: beside, in: present)
            return
        }
        if present?.members == nil { present = .object(Value.Members()) }
        present?.changeMembers { set(value, path, beside: beside, in: &$0) }
    }

    /// What is to stand at the first step of a path that goes on, so that the value stands at its end.
    private static func setting(
        _ value: Value?, _ path: ArraySlice<JSONPath.Step>, beside: Value.Members, in old: Value?
    ) -> Value? {
        guard let step = path.first else { return value }
        switch step {
        case .member:
            var new = old
            change(&new, to: value, path, beside: beside)
            return new
        case .index:
            // A list without its first element is empty.
            guard let value, !value.isNull else { return .array([]) }
            var elements = old?.array ?? []
            let first = setting(value, path.dropFirst(), beside: beside, in: elements.first) ?? value
            if elements.isEmpty { elements = [first] } else { elements[0] = first }
            return .array(elements)
        case .all:
            guard let values = value?.array else { return .array([]) }
            // An element that says what another said keeps what else it says.
            let known = old?.array ?? []
            if known.compactMap({ self.value(path.dropFirst(), in: $0) }) == values { return .array(known) }
            // Of each value the elements that say it, the first at the end.
            var left: [Value: [Value]] = [:]
            for element in known.reversed() {
                if let said = self.value(path.dropFirst(), in: element) { left[said, default: []].append(element) }
            }
            return .array(
                values.map { each in
                    let element = left[each]?.popLast()
                    return setting(each, path.dropFirst(), beside: beside, in: element) ?? each
                })
        }
    }

    /// What stands at a path of names, `[0]` and `[*]`; null below null, and for the first of an empty list.
    package static func value(_ path: ArraySlice<JSONPath.Step>, in value: Value) -> Value? {
        guard let step = path.first else { return value }
        if case .null = value { return .null }
        switch step {
        case .member(let name): return value.members?[name].flatMap { self.value(path.dropFirst(), in: $0) }
        case .index:
            guard let elements = value.array else { return nil }
            return elements.first.map { self.value(path.dropFirst(), in: $0) } ?? .null
        case .all:
            return value.array.map { .array($0.compactMap { self.value(path.dropFirst(), in: $0) }) }
        }
    }
}
