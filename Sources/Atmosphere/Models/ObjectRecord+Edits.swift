extension ObjectRecord {
    /// This record with the members that `mine`, which may hold a part of them, has neither from one of `others` nor from
    /// here.
    func keeping(editsIn mine: ObjectRecord, since others: [ObjectRecord?]) -> ObjectRecord {
        let others = others.map { $0?.members ?? [:] }
        return replacing(
            edits(in: mine).filter { member in !others.contains { Self.says(member.value, $0[member.name]) } })
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
    func inForm(_ form: ObjectRecord?) -> ObjectRecord { form.map { replacing(Array($0.members)) } ?? self }

    /// A model layer cannot tell an absent member from one that is null.
    private static func says(_ value: Value, _ other: Value?) -> Bool { value == other ?? .null }
}
