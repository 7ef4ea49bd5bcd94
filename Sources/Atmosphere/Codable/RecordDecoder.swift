#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads a model from a value.
struct RecordDecoder: Decoder, SingleValueDecodingContainer {
    let value: Value
    let codingPath: [any CodingKey]
    /// The fields that lead here.
    let path: [String]
    let context: ModelContext
    /// Keys name fields; false inside of a dictionary.
    var mapsKeys = true

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func read<Model: Decodable>(
        _ type: Model.Type, from members: Value.Members, _ context: ModelContext
    ) throws -> Model {
        let decoder = RecordDecoder(value: .object(members), codingPath: [], path: [], context: context)
        do {
            return try decoder.decode(type)
        } catch let error as DecodingError {
            throw decoder.told(error)
        }
    }

    /// What a model's own reading threw, in the words of this.
    private func told(_ error: DecodingError) -> ModelError {
        let (place, what): (DecodingError.Context?, String) =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                (context, context.debugDescription)
            @unknown default: (nil, "\(error)")
            }
        let names =
            place?.codingPath.map { key in
                key.intValue == nil ? context.coding.keys.field(key.stringValue) : key.stringValue
            } ?? []
        var found = value
        for name in names {
            found =
                Int(name).flatMap { index in found.array.flatMap { $0.indices.contains(index) ? $0[index] : nil } }
                ?? found.members?[name] ?? .null
        }
        let message = "found \(Self.brief(found)), which the model refuses: \(what)"
        return context.error(.invalid, names, message, cause: error)
    }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.members else { throw mismatch("an object") }
        return KeyedDecodingContainer(RecordKeyedDecoding<Key>(decoder: self, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch("a list") }
        return RecordUnkeyedDecoding(decoder: self, elements: elements)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func inner(_ value: Value, _ key: any CodingKey, field: String) -> RecordDecoder {
        RecordDecoder(value: value, codingPath: codingPath + [key], path: path + [field], context: context)
    }

    func mismatch(_ expected: String) -> ModelError {
        if value.isNull { return context.error(.missing, path, "expected \(expected), found null") }
        return context.error(.wrongType, path, "expected \(expected), found \(Self.brief(value))")
    }

    /// What a message says was found; no more of it than shows the kind.
    private static func brief(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number):
            number.lexeme.count <= 40 ? number.lexeme : "a number of \(number.lexeme.count) digits"
        case .string(let text): text.count <= 40 ? "the text “\(text)”" : "a text of \(text.count) characters"
        case .array(let elements): "a list of \(elements.count)"
        case .object(let members): "an object with \(members.names.prefix(5).joined(separator: ", "))"
        }
    }

    // MARK: Values

    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        if let flag = value.bool { return flag }
        switch (context.type(at: path), value.text) {
        case (.boolean?, "1"), (.boolean?, "true"): return true
        case (.boolean?, "0"), (.boolean?, "false"): return false
        default: throw mismatch("true or false")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        guard let text = value.string else { throw mismatch("a text") }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = try number().double else {
            throw context.error(.inexact, path, "\(Self.brief(value)) is too large for a Double; use JSONNumber")
        }
        return number
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let number = try number()
        if let exact = Number(number.lexeme) ?? number.int64.flatMap({ Number(exactly: $0) }) { return exact }
        throw context.error(.inexact, path, "\(Self.brief(value)) is no whole number that \(type) holds")
    }

    /// A number, or a text that is one where the field is declared as a number.
    private func number(orText: Bool = false) throws -> JSONNumber {
        if let number = value.number { return number }
        let type = context.type(at: path)
        let isNumeric = [.integer, .decimal, .float].contains(type) || type?.decimalsOfSecond != nil
        if orText || isNumeric, let number = value.string.flatMap({ JSONNumber($0) }) { return number }
        throw mismatch("a number")
    }

    func decode<Model: Decodable>(_ type: Model.Type) throws -> Model {
        func give(_ value: some Any) throws -> Model {
            guard let model = value as? Model else { throw mismatch("\(type)") }
            return model
        }
        switch type {
        case is Value.Type: return try give(value)
        case is JSONNumber.Type: return try give(number(orText: true))
        case is ObjectID.Type:
            if let id = context.id, path.count == 1, path[0] == context.idField, id.text == value.text {
                return try give(id)
            }
            guard let id = ObjectID(value) else { throw mismatch("an identifier") }
            return try give(id)
        case is Instant.Type: return try give(instant())
        case is Date.Type: return try give(date())
        case is Decimal.Type: return try give(decimal())
        case is Data.Type:
            guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
                throw mismatch("bytes in base64")
            }
            return try give(data)
        case is URL.Type:
            guard let url = value.string.flatMap({ URL(string: $0) }) else { throw mismatch("a URL") }
            return try give(url)
        default:
            var decoder = self
            decoder.mapsKeys = !(type is any StringKeyed.Type)
            return try Model(from: decoder)
        }
    }

    private func instant() throws -> Instant {
        if let moment = context.type(at: path)?.moment(value) { return moment }
        guard let text = value.string else { throw mismatch("an instant") }
        if let instant = Instant(text) { return instant }
        guard let day = Instant.day(text) else { throw mismatch("an instant (2026-01-02T03:04:05Z)") }
        return Instant(seconds: day * 86_400)
    }

    private func date() throws -> Date {
        let isDeclared = context.type(at: path)?.moment(value) != nil
        if !isDeclared, let number = value.number, let double = number.double {
            switch context.coding.dates.form {
            case .seconds: return Date(timeIntervalSince1970: double)
            case .milliseconds: return Date(timeIntervalSince1970: double / 1000)
            case .instant, .day: throw mismatch("an instant; for a number set RecordCoding.dates")
            }
        }
        let instant = try instant()
        return Date(timeIntervalSince1970: Double(instant.seconds) + Double(instant.nanoseconds) / 1e9)
    }

    private func decimal() throws -> Decimal {
        let number = try number(orText: true)
        guard let decimal = Decimal(string: number.lexeme), JSONNumber(decimal.description) == number else {
            throw context.error(
                .inexact, path, "\(Self.brief(value)) has more digits than a Decimal holds; use JSONNumber")
        }
        return decimal
    }
}

private struct RecordKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordDecoder
    let members: Value.Members

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] {
        members.names.compactMap { decoder.mapsKeys ? decoder.context.coding.keys.key(of: $0) : Key(stringValue: $0) }
    }

    private func field(_ key: Key) -> String {
        decoder.mapsKeys ? decoder.context.coding.keys.field(key.stringValue) : key.stringValue
    }

    private func at(_ key: Key) throws -> RecordDecoder {
        let field = field(key)
        guard let value = members[field] else {
            throw decoder.context.error(.missing, decoder.path + [field], "the model needs it, and it is absent")
        }
        return decoder.inner(value, key, field: field)
    }

    func contains(_ key: Key) -> Bool { members[field(key)] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { members[field(key)]?.isNull ?? true }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).integer(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).integer(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).integer(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).integer(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).integer(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).integer(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).integer(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).integer(type) }
    func decode<Model: Decodable>(_ type: Model.Type, forKey key: Key) throws -> Model { try at(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try at(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try at(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        decoder.inner(members["super"] ?? .null, RecordKey(stringValue: "super"), field: "super")
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }
}

private struct RecordUnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: RecordDecoder
    let elements: [Value]
    private(set) var currentIndex = 0

    init(decoder: RecordDecoder, elements: [Value]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func present() throws -> RecordDecoder {
        guard !isAtEnd else {
            throw decoder.context.error(.missing, decoder.path + ["\(currentIndex)"], "the list has no more elements")
        }
        return decoder.inner(elements[currentIndex], RecordKey(intValue: currentIndex), field: "\(currentIndex)")
    }

    private mutating func next<Element>(_ read: (RecordDecoder) throws -> Element) throws -> Element {
        let element = try read(present())
        currentIndex += 1
        return element
    }

    mutating func decodeNil() throws -> Bool {
        guard try present().value.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.integer(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.integer(type) } }
    mutating func decode<Model: Decodable>(_ type: Model.Type) throws -> Model { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next { try $0.container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
