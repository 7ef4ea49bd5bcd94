/// What stands in braces in the request that asks where content goes.
package struct AttachmentPlaces: Sendable {
    private let values: [String: Value]

    /// - Parameters:
    ///   - id: nil where the object has none that the server knows.
    ///   - md5: nil where nothing asks for it.
    package init(id: ObjectID?, member: String, _ content: AttachmentContent, md5: String?) {
        var values: [String: Value] = [
            "member": .string(member), "file.name": .string(content.fileName),
            "file.type": .string(content.mediaType), "file.size": .number(JSONNumber(Int(content.length)))
        ]
        values["id"] = id?.value
        values["file.md5"] = md5.map(Value.string)
        self.values = values
    }

    /// A text with its places filled.
    package func filled(_ text: String) -> String { View.filled(text, values.mapValues(\.text)) }

    /// The same of all texts inside; one that is a place alone becomes the value.
    package func filled(_ value: Value) -> Value {
        switch value {
        case .string(let text):
            if text.hasPrefix("{"), text.hasSuffix("}"), let whole = values[String(text.dropFirst().dropLast())] {
                return whole
            }
            return .string(filled(text))
        case .array(let elements): return .array(elements.map(filled))
        case .object(let members):
            return .object(Value.Members(members.map { .init(name: $0.name, value: filled($0.value)) }))
        case .null, .bool, .number: return value
        }
    }
}
