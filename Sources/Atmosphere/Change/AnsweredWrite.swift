/// A write, as an answer that is the one to it names it: by the identifier of its object, or by the value that a create was
/// given to be looked up by.
struct AnsweredWrite: Sendable {
    let uri: ObjectURI
    /// What a create has sent; nil for a write to what the server has.
    let created: ObjectRecord?

    /// Whether an answer says of itself that it is about this write. One that says nothing of that is about none.
    func isNamed(by answer: Representation, _ resource: Resource) -> Bool {
        if let created {
            if let own = resource.lookupValue(of: created), let shown = answer.record.flatMap(resource.lookupValue) {
                return ObjectID.compared(own) == ObjectID.compared(shown)
            }
            guard resource.assigned == .client else { return false }
        }
        return answer.id.map { ObjectURI(entity: uri.entity, id: $0.text) == uri } ?? false
    }

    /// The places of answers that are about other writes than those that they stand for. A write that the answer to itself
    /// names is settled: another answer that names the same write does not count as exchanged with it.
    ///
    /// - Parameter answers: one for each write; nil where it shows nothing of an object.
    static func others(
        among answers: [Representation?], to writes: [AnsweredWrite], _ resource: Resource
    ) -> Set<Int> {
        let isOwn = zip(answers, writes).map { answer, write in
            answer.map { write.isNamed(by: $0, resource) } ?? false
        }
        let open = writes.indices.filter { !isOwn[$0] }
        // One pass over the writes that no answer of their own names, for their number is as large as a batch may be.
        let byURI = Dictionary(grouping: open) { writes[$0].uri }
        let byLookup = Dictionary(grouping: open) { index in
            writes[index].created.flatMap(resource.lookupValue).map(ObjectID.compared)
        }
        var found: Set<Int> = []
        for index in open {
            guard let answer = answers[index] else { continue }
            let named = answer.id.flatMap { byURI[ObjectURI(entity: writes[index].uri.entity, id: $0.text)] } ?? []
            let shown = answer.record.flatMap(resource.lookupValue).map(ObjectID.compared)
            let lookedUp = shown.flatMap { byLookup[$0] } ?? []
            if (named + lookedUp).contains(where: { $0 != index && writes[$0].isNamed(by: answer, resource) }) {
                found.insert(index)
            }
        }
        return found
    }
}
