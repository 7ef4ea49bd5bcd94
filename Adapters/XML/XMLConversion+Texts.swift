#if XML
    internal import AtmosphereExchange

    extension XMLConversion {
        mutating func writeText(_ element: Int32, as declared: FieldType?) {
            let kind = tree[element].kind
            switch (kind, declared) {
            case (.string, _), (.untyped, .string): break
            case (.untyped, nil), (.null, _), (.array, _):
                if tree.text(of: element).isEmpty, !tree.usesTypes {
                    tookEmptyForNull = true
                    return append("null")
                }
            default:
                let text = tree.trimmedText(of: element)
                if text.isEmpty { return append(kind == .untyped && declared == .json ? "[]" : "null") }
                switch (kind, declared) {
                case (.boolean, _), (.untyped, .boolean):
                    if let flag = Self.boolean(text) { return append(flag ? "true" : "false") }
                case (.number, _), (.untyped, .integer), (.untyped, .float):
                    if Self.isNumber(text) { return out.append(contentsOf: text) }
                default: break
                }
            }
            Self.writeString(tree.text(of: element), to: &out)
        }

        private static func boolean(_ text: ArraySlice<UInt8>) -> Bool? {
            switch String(decoding: text, as: UTF8.self) {
            case "true", "True", "1": true
            case "false", "False", "0": false
            default: nil
            }
        }

        /// The grammar of RFC 8259 §6.
        private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
            JSONNumber(String(decoding: text, as: UTF8.self)) != nil
        }

        /// XML text has no control characters but these three (XML 1.0 §2.2), so these are all there is to escape.
        static func writeString(_ text: ArraySlice<UInt8>, to out: inout [UInt8]) {
            out.append(UInt8(ascii: "\""))
            text.withUnsafeBufferPointer { bytes in
                var start = 0
                for index in bytes.indices {
                    let escaped: UInt8
                    switch bytes[index] {
                    case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped = bytes[index]
                    case UInt8(ascii: "\n"): escaped = UInt8(ascii: "n")
                    case UInt8(ascii: "\r"): escaped = UInt8(ascii: "r")
                    case UInt8(ascii: "\t"): escaped = UInt8(ascii: "t")
                    default: continue
                    }
                    out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                    out.append(UInt8(ascii: "\\"))
                    out.append(escaped)
                    start = index + 1
                }
                out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            }
            out.append(UInt8(ascii: "\""))
        }

        mutating func append(_ text: StaticString) {
            text.withUTF8Buffer { out.append(contentsOf: $0) }
        }
    }
#endif
