package import Atmosphere

extension Value.Members {
    /// - Throws: ``UsageError`` for the first value that is none of the type that the route file declares.
    package func check(against resource: Resource) throws {
        for member in self {
            guard let type = resource.fields.types[member.name], !type.accepts(member.value),
                !resource.fields.absentEquals.contains(member.value),
                // The object referred to may not have its identifier from the server yet.
                !resource.references.contains(where: { $0.field == member.name })
            else { continue }
            let text = member.value.string ?? String(decoding: member.value.json(), as: UTF8.self)
            throw type.refusal(of: text, for: member.name)
        }
    }
}

extension FieldType {
    package func refusal(of text: String, for name: String) -> UsageError {
        .usage("\(name)=\(text): the route file declares “\(name)” as \(expectation); to clear it write \(name):=null")
    }
}
