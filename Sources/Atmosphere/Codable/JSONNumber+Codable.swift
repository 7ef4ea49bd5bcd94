extension JSONNumber: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            self.init(whole)
            return
        }
        let number = try container.decode(Double.self)
        guard let exact = JSONNumber("\(number)") else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(number) is no JSON number")
        }
        self = exact
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole = int64 { try container.encode(whole) } else { try container.encode(double ?? .nan) }
    }
}
