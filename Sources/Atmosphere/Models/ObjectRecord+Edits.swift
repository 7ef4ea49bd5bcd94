extension ObjectRecord {
    /// This record with the members that `mine`, which may hold a part of them, has neither from one of `others` nor from
    /// here.
    func keeping(editsIn mine: ObjectRecord, since others: [ObjectRecord?]) -> ObjectRecord {
        var record = self
        let others = others.map { $0?.members ?? [:] }
        for member in edits(in: mine) where !others.contains(where: { Self.says(member.value, $0[member.name]) }) {
            record = record.replacing(member: member.name, with: member.value)
        }
        return record
    }

    /// The members that `mine`, which may hold a part of them, has otherwise than this record, and than the form in which
    /// the model layer gives this record back.
    func edits(in mine: ObjectRecord, form: ObjectRecord? = nil) -> [Value.Member] {
        let here = members
        let form = form?.members ?? [:]
        return mine.members.filter { member in
            !Self.says(member.value, here[member.name])
                && (form[member.name].map { !Self.says(member.value, $0) } ?? true)
        }
    }

    /// As the model layer gives it back.
    func inForm(_ form: ObjectRecord?) -> ObjectRecord {
        var record = self
        for member in form?.members ?? [:] { record = record.replacing(member: member.name, with: member.value) }
        return record
    }

    func replacing(_ edits: [Value.Member]) -> ObjectRecord {
        var record = self
        for edit in edits { record = record.replacing(member: edit.name, with: edit.value) }
        return record
    }

    /// A model layer cannot tell an absent member from one that is null.
    private static func says(_ value: Value, _ other: Value?) -> Bool { value == other ?? .null }
}
