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

    /// The places of answers that are about other writes than those that they stand for. What is named by the answer to
    /// itself has its own, so another that names it is no exchange, but an object that was found in the place of a new one.
    ///
    /// - Parameter answers: one for each write; nil where it shows nothing of an object.
    static func others(
        among answers: [Representation?], to writes: [AnsweredWrite], _ resource: Resource
    ) -> Set<Int> {
        let isOwn = zip(answers, writes).map { answer, write in
            answer.map { write.isNamed(by: $0, resource) } ?? false
        }
        var found: Set<Int> = []
        for (index, answer) in answers.enumerated() where !isOwn[index] {
            guard let answer else { continue }
            let isAnothers = writes.indices.contains { other in
                other != index && !isOwn[other] && writes[other].isNamed(by: answer, resource)
            }
            if isAnothers { found.insert(index) }
        }
        return found
    }
}
