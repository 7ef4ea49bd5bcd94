internal import AtmosphereExchange
internal import Foundation

/// A body as it stands in a cassette: readable where it is text.
enum CassetteBody: Sendable, Equatable {
    case empty
    /// JSON. Where it is not exact, the bytes had other spaces or escapes, and only the meaning is kept.
    case json(Value, isExact: Bool)
    case text(String)
    case bytes([UInt8])

    init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .empty
        } else if let value = try? Value(json: bytes) {
            let isExact = value.json() == bytes
            // A word or a number that is spaced is more likely a text of another kind.
            let isText = !isExact && value.members == nil && value.array == nil
            self = isText ? .text(String(decoding: bytes, as: UTF8.self)) : .json(value, isExact: isExact)
        } else if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .bytes(bytes)
        }
    }

    var data: [UInt8] {
        switch self {
        case .empty: []
        case .json(let value, _): value.json()
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// The members of a cassette's line: `json`, `text` or `base64`; none for no body. `rewritten` says of JSON that the
    /// server's bytes were others.
    var members: [Value.Member] {
        switch self {
        case .empty: []
        case .json(let value, let isExact):
            [Value.Member(name: "json", value: value)]
                + (isExact ? [] : [Value.Member(name: "rewritten", value: .bool(true))])
        case .text(let text): [Value.Member(name: "text", value: .string(text))]
        case .bytes(let bytes):
            [Value.Member(name: "base64", value: .string(Data(bytes).base64EncodedString()))]
        }
    }

    /// - Returns: nil where the members are not what ``members`` gives.
    init?(_ members: Value.Members) {
        if let value = members["json"] {
            self = .json(value, isExact: members["rewritten"]?.bool != true)
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

    /// Without what has a secret name. What should be JSON or markup and cannot be read is left out whole.
    ///
    /// - Parameter mediaType: what the message says that the body is; nil where it says nothing.
    func without(_ redaction: CassetteRedaction, mediaType: String?) -> CassetteBody {
        switch self {
        case .empty: return self
        case .json(let value, let isExact): return .json(redaction.body(value) ?? value, isExact: isExact)
        case .text, .bytes:
            let bytes = data
            if Self.isStructured(mediaType), !BodyEncoding.isReadable(bytes) { return .text(CassetteRedaction.mark) }
            let isForm = Self.isForm(mediaType)
            let clean = BodyEncoding.changed(bytes) { isForm ? redaction.form($0) : redaction.document($0) }
            return clean == bytes ? self : CassetteBody(clean)
        }
    }

    static func isForm(_ mediaType: String?) -> Bool { essence(mediaType) == "application/x-www-form-urlencoded" }

    /// Whether a media type is one of JSON or markup.
    private static func isStructured(_ mediaType: String?) -> Bool {
        let type = essence(mediaType)
        return ["json", "jsonl", "json-seq", "xml", "html"].contains(where: type.hasSuffix)
    }

    /// Without parameters (RFC 9110 §8.3.1).
    private static func essence(_ mediaType: String?) -> String {
        let end = (mediaType ?? "").prefix { $0 != ";" }
        return end.filter { !$0.isWhitespace }.lowercased()
    }

    /// Without texts that are known as secrets.
    func without(_ secrets: SecretTexts) -> CassetteBody {
        let bytes = data
        var clean = secrets.removed(from: bytes)
        if BodyEncoding.possible(for: clean) != [.utf8] {
            clean = BodyEncoding.changed(clean) { secrets.removed(from: $0) }
        }
        guard clean != bytes else { return self }
        let body = CassetteBody(clean)
        if case .json(_, false) = self, case .json(let value, _) = body { return .json(value, isExact: false) }
        return body
    }
}
