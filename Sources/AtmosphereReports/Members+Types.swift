package import Atmosphere

extension Value.Members {
    /// - Throws: ``UsageError`` for the first value that is none of the type that the route file declares.
    ///
    /// - Parameter isJSON: the caller has written JSON, and no arguments of the command.
    package func check(against resource: Resource, isJSON: Bool = false) throws {
        for member in self {
            guard let type = resource.fields.types[member.name], !type.accepts(member.value),
                !resource.fields.absentEquals.contains(member.value),
                // The object referred to may not have its identifier from the server yet.
                !resource.references.contains(where: { $0.field == member.name })
            else { continue }
            let text = member.value.string ?? String(decoding: member.value.json(), as: UTF8.self)
            throw type.refusal(of: text, for: member.name, isJSON: isJSON)
        }
    }
}

extension FieldType {
    package func refusal(of text: String, for name: String, isJSON: Bool = false) -> UsageError {
        var error: UsageError
        let digits = text.rest(after: "-") ?? text[...]
        if self == .integer, digits.isDigits, let number = JSONNumber(text), number.int64 == nil {
            let (least, most) = (Int64.min, Int64.max)
            error = .usage("\(name)=\(text): the number is out of range; write one from \(least) to \(most)")
            error.field = MetaObject.FieldMessage(field: name, message: "out of range: from \(least) to \(most)")
        } else {
            let cleared = isJSON ? "\(name.quoted): null" : "\(name):=null"
            error = .usage(
                "\(name)=\(text): the route file declares “\(name)” as \(expectation); to clear it write \(cleared)")
            error.field = MetaObject.FieldMessage(field: name, message: "must be \(expectation)")
        }
        return error
    }
}
