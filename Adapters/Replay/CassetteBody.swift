internal import Atmosphere
internal import Foundation

/// A body as it stands in a cassette: readable where it is text.
enum CassetteBody: Sendable, Equatable {
    case empty
    /// A JSON text that is the same bytes when it is written again.
    case json(Value)
    case text(String)
    case bytes([UInt8])

    init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .empty
        } else if let value = try? Value(json: bytes), value.json() == bytes {
            self = .json(value)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .bytes(bytes)
        }
    }

    var data: [UInt8] {
        switch self {
        case .empty: []
        case .json(let value): value.json()
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// The member of a cassette's line: `json`, `text` or `base64`; nil for no body.
    var member: Value.Member? {
        switch self {
        case .empty: nil
        case .json(let value): Value.Member(name: "json", value: value)
        case .text(let text): Value.Member(name: "text", value: .string(text))
        case .bytes(let bytes):
            Value.Member(name: "base64", value: .string(Data(bytes).base64EncodedString()))
        }
    }

    /// - Returns: nil where the members are not what ``member`` gives.
    init?(_ members: Value.Members) {
        if let value = members["json"] {
            self = .json(value)
        } else if let text = members["text"] {
            guard let text = text.string else { return nil }
            self = .text(text)
        } else if let text = members["base64"] {
            guard let text = text.string, let data = Data(base64Encoded: text) else { return nil }
            self = .bytes([UInt8](data))
        } else {
            self = .empty
        }
    }

    /// Without the members of secret names.
    func without(_ redaction: CassetteRedaction, isForm: Bool) -> CassetteBody {
        switch self {
        case .json(let value): return redaction.body(value).map(CassetteBody.json) ?? self
        case .text(let text) where isForm: return .text(redaction.form(text))
        case .text(let text):
            guard let value = try? Value(json: Array(text.utf8)), let clean = redaction.body(value) else { return self }
            return .json(clean)
        case .empty, .bytes: return self
        }
    }

    /// Without texts that are known as secrets.
    func without(_ secrets: [String]) -> CassetteBody {
        let bytes = data
        let clean = SecretTexts(secrets).removed(from: bytes)
        return clean == bytes ? self : CassetteBody(clean)
    }
}

/// Texts to take out wherever they stand.
struct SecretTexts {
    private let patterns: [[UInt8]]

    /// As they are, and as URLs and JSON have them. Longer ones go first, for one may be a part of another.
    init(_ secrets: [String]) {
        let forms = secrets.flatMap { text in
            [
                Array(text.utf8), Array(PercentEncoding.query(text).utf8),
                Array(Value.string(text).json().dropFirst().dropLast())
            ]
        }
        patterns = Set(forms).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    func removed(from bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let mark = Array(CassetteRedaction.mark.utf8)
        for pattern in patterns {
            var result: [UInt8] = []
            var index = 0
            while index < bytes.count {
                if bytes[index] == pattern[0], bytes[index...].starts(with: pattern) {
                    result += mark
                    index += pattern.count
                } else {
                    result.append(bytes[index])
                    index += 1
                }
            }
            bytes = result
        }
        return bytes
    }

    func removed(from text: String) -> String { String(decoding: removed(from: Array(text.utf8)), as: UTF8.self) }
}
