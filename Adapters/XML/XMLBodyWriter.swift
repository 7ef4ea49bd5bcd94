#if XML
    public import AtmosphereExchange

    /// Writes request bodies in XML: a member becomes an element, by the layout with Rails' types or without any.
    ///
    /// The root element is the body's root, or what `xml.root` says. With `xml.types` an element says what it is:
    /// `type="integer"`, `"decimal"`, `"float"`, `"boolean"`, `"date"`, `"dateTime"` or `"array"`, from the declared type
    /// of the member or else from the value, and `nil="true"` for null; a number's digits are written as they are.
    /// Without, null is an empty element, which many readers cannot tell from an empty text.
    ///
    /// - SeeAlso: <https://api.rubyonrails.org/v6.1/classes/Hash.html#method-c-from_xml>
    public struct XMLBodyWriter: BodyWriter {
        /// A writer; it has nothing to set.
        public init() {}

        /// `xml`
        public var coding: String { "xml" }
        /// `application/xml; charset=utf-8`
        public var contentType: String { "application/xml; charset=utf-8" }

        /// The value as an XML document in UTF-8, under the layout's root or `object`.
        ///
        /// - Throws: ``SyncError`` `invalidRecord` for a member whose name is no XML name, or a text with a character
        ///   that XML cannot hold (XML 1.0 §2.2 and §2.3).
        public func body(of value: Value, _ layout: BodyLayout) throws -> [UInt8] {
            var output = Output(layout: layout.xml)
            let root = layout.xml.root ?? layout.root ?? "object"
            try output.write(
                value, named: root, type: nil, types: layout.types, lists: layout.xml.lists, item: layout.item)
            return Array((#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + output.text + "\n").utf8)
        }

        private struct Output {
            let layout: XMLLayout
            var text = ""

            init(layout: XMLLayout) { self.layout = layout }

            /// - Parameters:
            ///   - types: declared for the members of the value, or of its elements.
            ///   - lists: declared for the same members.
            ///   - item: what its elements are called.
            mutating func write(
                _ value: Value, named name: String, type: FieldType?, types: [String: FieldType] = [:],
                lists: [String: XMLLayout.ListForm] = [:], item: String? = nil
            ) throws {
                let tag = layout.dashesNames ? String(name.map { $0 == "_" ? "-" : $0 }) : name
                guard XMLLayout.isName(tag) else {
                    throw SyncError(
                        code: .invalidRecord,
                        message: "“\(name)” cannot be the name of an XML element; use letters, digits, “_” and “-”")
                }
                switch value {
                case .null: text += layout.writesTypes ? "<\(tag) nil=\"true\"/>" : "<\(tag)></\(tag)>"
                case .object(let members):
                    text += "<\(tag)"
                    for member in members where isAttribute(member) { try writeAttribute(member) }
                    text += ">"
                    for member in members where !isAttribute(member) {
                        if layout.hasAttributes, member.name == "#text" {
                            try write(member.value.text, in: name)
                        } else {
                            try write(member, type: types[member.name], list: lists[member.name])
                        }
                    }
                    text += "</\(tag)>"
                case .array(let elements):
                    text += layout.writesTypes ? "<\(tag) type=\"array\">" : "<\(tag)>"
                    let item =
                        item ?? layout.item ?? (name.count > 1 && name.hasSuffix("s") ? String(name.dropLast()) : name)
                    for element in elements {
                        try write(element, named: item, type: nil, types: types, lists: lists)
                    }
                    text += "</\(tag)>"
                case .string, .number, .bool:
                    let attribute = layout.writesTypes ? Self.attribute(value, type).map { " type=\"\($0)\"" } : nil
                    text += "<\(tag)\(attribute ?? "")>"
                    try write(value.text, in: name)
                    text += "</\(tag)>"
                }
            }

            private mutating func write(
                _ member: Value.Member, type: FieldType?, list: XMLLayout.ListForm?
            ) throws {
                switch (list, member.value) {
                case (.repeated?, .array(let elements)):
                    for element in elements { try write(element, named: member.name, type: nil) }
                case (.wrapped(let item)?, _): try write(member.value, named: member.name, type: type, item: item)
                default: try write(member.value, named: member.name, type: type)
                }
            }

            private func isAttribute(_ member: Value.Member) -> Bool {
                layout.hasAttributes && member.name.hasPrefix("@")
            }

            /// Null is no attribute.
            private mutating func writeAttribute(_ member: Value.Member) throws {
                let own = String(member.name.dropFirst())
                let tag = layout.dashesNames ? String(own.map { $0 == "_" ? "-" : $0 }) : own
                guard XMLLayout.isName(tag), member.value.array == nil, member.value.members == nil else {
                    throw SyncError(
                        code: .invalidRecord,
                        message:
                            "“\(member.name)” cannot be an XML attribute; it needs a name of letters, digits, “_” and "
                            + "“-”, and one value")
                }
                guard !member.value.isNull else { return }
                text += " \(tag)=\""
                try write(member.value.text, in: own, isAttribute: true)
                text += "\""
            }

            private mutating func write(_ content: String, in name: String, isAttribute: Bool = false) throws {
                for scalar in content.unicodeScalars {
                    switch scalar {
                    case "&": text += "&amp;"
                    case "<": text += "&lt;"
                    case ">": text += "&gt;"
                    // A reader would make it a line feed (XML 1.0 §2.11).
                    case "\r": text += "&#13;"
                    case "\"" where isAttribute: text += "&quot;"
                    // In an attribute a reader makes spaces of them (XML 1.0 §3.3.3).
                    case "\t", "\n":
                        if isAttribute { text += "&#\(scalar.value);" } else { text.unicodeScalars.append(scalar) }
                    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                        throw SyncError(
                            code: .invalidRecord,
                            message: "“\(name)” holds a control character, which XML cannot say; remove it, or use "
                                + "another coding")
                    default: text.unicodeScalars.append(scalar)
                    }
                }
            }

            /// The declared type where the value can be read as it, else what the value is.
            private static func attribute(_ value: Value, _ type: FieldType?) -> String? {
                switch value {
                case .bool: return "boolean"
                case .number(let number):
                    if type == .float { return "float" }
                    return type != .decimal && number.lexeme.allSatisfy { $0.isNumber || $0 == "-" }
                        ? "integer" : "decimal"
                case .string(let text):
                    switch type {
                    case .date where Instant.day(text) != nil: return "date"
                    case .instant where Instant(text) != nil: return "dateTime"
                    case .decimal where JSONNumber(text) != nil: return "decimal"
                    case .integer where JSONNumber(text) != nil: return "integer"
                    default: return nil
                    }
                case .null, .array, .object: return nil
                }
            }
        }
    }
#endif
