#if XML
    internal import CLibxml2

    extension XMLReader {
        /// What `type` and `nil` say, nil where there is neither; and whether other attributes say something.
        static func kind(
            _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
        ) -> (kind: XMLTree.Kind?, hasOthers: Bool) {
            guard let attributes else { return (nil, false) }
            var kind: XMLTree.Kind?
            var hasOthers = false
            for attribute in 0..<count {
                // Five pointers each: local name, prefix, URI, start and end of the value.
                guard let name = attributes[5 * attribute], let start = attributes[5 * attribute + 3],
                    let end = attributes[5 * attribute + 4]
                else { continue }
                let value = UnsafeBufferPointer(start: start, count: end - start)
                if bytes(name).elementsEqual("nil".utf8) {
                    let isNull = value.elementsEqual("true".utf8) || value.elementsEqual("1".utf8)
                    kind = isNull ? .null : kind ?? .untyped
                    continue
                }
                if bytes(name).elementsEqual("type".utf8) {
                    let said: XMLTree.Kind =
                        switch String(decoding: value, as: UTF8.self) {
                        case "array": .array
                        case "integer", "float": .number
                        case "boolean": .boolean
                        default: .string
                        }
                    if kind != .null { kind = said }
                    guard said == .string else { continue }
                }
                let space = attributes[5 * attribute + 2]
                hasOthers = hasOthers || !isAboutSchema(space) && !isAboutType(name, space, start, end)
            }
            return (kind, hasOthers)
        }

        /// What Rails calls a type, here and in the types that only its writer knows.
        private static let typeNames: Set<String> = [
            "array", "base64Binary", "binary", "boolean", "date", "dateTime", "datetime", "decimal", "double",
            "duration", "file", "float", "hash", "hexBinary", "integer", "string", "symbol", "time", "yaml"
        ]

        /// Whether an attribute says of what type an element is. A `type` may also be one of the API's own words, as in
        /// Atom's links.
        static func isAboutType(
            _ name: UnsafePointer<xmlChar>, _ space: UnsafePointer<xmlChar>?, _ start: UnsafePointer<xmlChar>,
            _ end: UnsafePointer<xmlChar>
        ) -> Bool {
            if bytes(name).elementsEqual("nil".utf8) { return true }
            guard bytes(name).elementsEqual("type".utf8) else { return false }
            let value = UnsafeBufferPointer(start: start, count: end - start)
            return isAboutSchema(space) || typeNames.contains(String(decoding: value, as: UTF8.self))
        }

        /// Whether an attribute of this name space says only by which schema the document can be checked.
        private static func isAboutSchema(_ space: UnsafePointer<xmlChar>?) -> Bool {
            guard let space else { return false }
            return bytes(space).elementsEqual("http://www.w3.org/2001/XMLSchema-instance".utf8)
        }

        static func bytes(_ text: UnsafePointer<xmlChar>) -> UnsafeBufferPointer<xmlChar> {
            UnsafeBufferPointer(start: text, count: Int(xmlStrlen(text)))
        }
    }
#endif
