/// Writes `application/x-www-form-urlencoded` (WHATWG URL §5.2): `title=Milk&done=false`.
///
/// Members of an object, and of the root, stand in brackets (`task[title]=Milk`), elements of a list behind empty ones
/// (`tags[]=a&tags[]=b`), as Rails and PHP read them. Null and an empty text are both an empty value, and an empty list
/// or object says nothing, for a form knows no difference.
package struct FormBodyWriter: BodyWriter {
    /// A writer; it has nothing to set.
    package init() {}

    /// `form`
    package var coding: String { "form" }
    /// `application/x-www-form-urlencoded`
    package var contentType: String { "application/x-www-form-urlencoded" }

    /// The members as names and values, percent-encoded; empty for an object without members.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` where the value is not an object.
    package func body(of value: Value, _ layout: BodyLayout) throws -> [UInt8] {
        guard let members = value.members else {
            throw SyncError(code: .invalidRecord, message: "a form holds names and values, so its body is an object")
        }
        var pairs: [String] = []
        for member in members {
            let name = layout.root.map { "\($0)[\(member.name)]" } ?? member.name
            Self.append(member.value, name, to: &pairs)
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    package static func append(_ value: Value, _ name: String, to pairs: inout [String]) {
        switch value {
        case .object(let members):
            for member in members { append(member.value, "\(name)[\(member.name)]", to: &pairs) }
        case .array(let elements):
            for element in elements { append(element, "\(name)[]", to: &pairs) }
        case .null, .bool, .number, .string:
            let text = value == .null ? "" : value.text
            pairs.append("\(PercentEncoding.query(name))=\(PercentEncoding.query(text))")
        }
    }
}
