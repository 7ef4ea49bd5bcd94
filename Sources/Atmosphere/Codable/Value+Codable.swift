// Models read and written by Atmosphere keep these types exactly; other coders round numbers to what they hold.

extension Value: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(JSONNumber.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([Value].self) {
            self = .array(elements)
        } else {
            let members = try container.decode([String: Value].self)
            self = .object(Members(members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) }))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let members):
            try container.encode(
                Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
        }
    }
}
