internal import Atmosphere

/// The contents of attachments that a source has, by number, and the places for contents that somebody has asked for.
struct SourceContents: Sendable {
    struct Content: Sendable {
        var bytes: [UInt8]
        var mediaType: String
        /// Empty where the client has said none.
        var fileName = ""
    }

    struct Place: Sendable {
        var entity: String
        /// As the route file calls it.
        var attachment: String
        /// The object whose member is set when the content comes; nil where an update refers to the content.
        var key: String?
        var content: Content?
        /// What has come of a resumable upload that is not whole yet.
        var beginning: Beginning?
    }

    struct Beginning: Sendable {
        /// Without all of its bytes.
        var content: Content
        var length: Int
    }

    /// Content in a member of a row, for as long as the member holds what stands for it.
    struct Holding: Sendable {
        var number: Int
        var shown: Value
    }

    /// Below the base; no resource has such a path.
    static let folder = ".contents"
    private static let token = "content-"

    private var places: [Int: Place] = [:]
    private var last = 0

    mutating func add(_ place: Place) -> Int {
        last += 1
        places[last] = place
        return last
    }

    subscript(number: Int) -> Place? {
        get { places[number] }
        set { places[number] = newValue }
    }

    /// What an answer calls content that an update may refer to.
    func token(_ number: Int) -> Value { .string(Self.token + String(number)) }

    /// The number in a token, or in a URL of the content.
    private static func named(_ text: String) -> Int? {
        if text.hasPrefix(token) { return Int(text.dropFirst(token.count)) }
        let segments = text.split(separator: "/")
        guard let index = segments.firstIndex(where: { $0 == folder }), index + 1 < segments.count else { return nil }
        return Int(segments[index + 1])
    }

    /// The content that a value refers to, itself or somewhere inside.
    func number(in value: Value) -> Int? {
        switch value {
        case .string(let text):
            guard let number = Self.named(text), places[number]?.content != nil else { return nil }
            return number
        case .array(let elements):
            for element in elements { if let number = self.number(in: element) { return number } }
            return nil
        case .object(let members):
            for member in members { if let number = self.number(in: member.value) { return number } }
            return nil
        case .null, .bool, .number: return nil
        }
    }
}
