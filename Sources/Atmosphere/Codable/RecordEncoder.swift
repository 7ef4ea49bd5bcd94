#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes a model as a value.
final class RecordEncoder: Encoder, SingleValueEncodingContainer {
    private enum Content {
        case none
        case value(Value)
        case members([(name: String, encoder: RecordEncoder)])
        case elements([RecordEncoder])
    }

    private var content = Content.none
    let codingPath: [any CodingKey]
    let path: [String]
    let context: ModelContext
    var mapsKeys = true

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(codingPath: [any CodingKey], path: [String], context: ModelContext) {
        self.codingPath = codingPath
        self.path = path
        self.context = context
    }

    static func members(of model: some Encodable, _ context: ModelContext) throws -> Value.Members {
        let encoder = RecordEncoder(codingPath: [], path: [], context: context)
        do {
            try encoder.encode(model)
        } catch let error as EncodingError {
            throw context.error(.invalid, [], "cannot be written: \(error)", cause: error)
        }
        guard let members = encoder.value.members else {
            throw context.error(.invalid, [], "a model must be an object with members, not \(type(of: model))")
        }
        return members
    }

    /// What was written; an object where nothing was.
    var value: Value {
        switch content {
        case .none: .object([:])
        case .value(let value): value
        case .members(let members): .object(Self.object(members))
        case .elements(let elements): .array(elements.map(\.value))
        }
    }

    /// Of what was written under the same name the last counts.
    private static func object(_ members: [(name: String, encoder: RecordEncoder)]) -> Value.Members {
        let fromLast = Value.Members(members.reversed().map { Value.Member(name: $0.name, value: $0.encoder.value) })
        return Value.Members(unique: fromLast.reversed())
    }

    var count: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

    // MARK: Containers

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .members = content {} else { content = .members([]) }
        return KeyedEncodingContainer(RecordKeyedEncoding<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .elements = content {} else { content = .elements([]) }
        return RecordUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func member(_ key: any CodingKey) -> RecordEncoder {
        let name = mapsKeys ? context.coding.keys.field(key.stringValue) : key.stringValue
        let inner = RecordEncoder(codingPath: codingPath + [key], path: path + [name], context: context)
        guard case .members(var members) = content else { return inner }
        // The only reference, or each member would copy those before it.
        content = .none
        members.append((name, inner))
        content = .members(members)
        return inner
    }

    func element() -> RecordEncoder {
        let inner = RecordEncoder(
            codingPath: codingPath + [RecordKey(intValue: count)], path: path + ["\(count)"], context: context)
        guard case .elements(var elements) = content else { return inner }
        content = .none
        elements.append(inner)
        content = .elements(elements)
        return inner
    }

    // MARK: Values

    func set(_ value: Value) { content = .value(value) }
    func set(_ value: some FixedWidthInteger) { content = .value(.number(JSONNumber(unchecked: "\(value)"))) }

    func encodeNil() throws { set(.null) }
    func encode(_ value: Bool) throws { set(.bool(value)) }
    func encode(_ value: String) throws { set(.string(value)) }
    func encode(_ value: Double) throws { try set(lexeme: "\(value)") }
    func encode(_ value: Float) throws { try set(lexeme: "\(value)") }
    func encode(_ value: Int) throws { set(value) }
    func encode(_ value: Int8) throws { set(value) }
    func encode(_ value: Int16) throws { set(value) }
    func encode(_ value: Int32) throws { set(value) }
    func encode(_ value: Int64) throws { set(value) }
    func encode(_ value: UInt) throws { set(value) }
    func encode(_ value: UInt8) throws { set(value) }
    func encode(_ value: UInt16) throws { set(value) }
    func encode(_ value: UInt32) throws { set(value) }
    func encode(_ value: UInt64) throws { set(value) }

    private func set(lexeme: String) throws {
        guard let number = JSONNumber(lexeme) else {
            throw context.error(.invalid, path, "\(lexeme) is no number that JSON can write")
        }
        set(.number(number))
    }

    func encode<Model: Encodable>(_ model: Model) throws {
        switch model {
        case let value as Value: set(value)
        case let number as JSONNumber: set(.number(number))
        case let id as ObjectID: set(id.value)
        case let instant as Instant: set((context.type(at: path) ?? .instant).value(of: instant))
        case let date as Date: set(try written(date))
        case let decimal as Decimal: try set(lexeme: decimal.description)
        case let data as Data: set(.string(data.base64EncodedString()))
        case let url as URL: set(.string(url.absoluteString))
        default:
            mapsKeys = !(model is any StringKeyed)
            try model.encode(to: self)
        }
    }

    /// To the microsecond, which is what a `Date` of today can tell apart.
    private func written(_ date: Date) throws -> Value {
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.down)
        // A number of the server that was read as a date may be any.
        guard whole >= Double(Instant.writable.lowerBound), whole <= Double(Instant.writable.upperBound) else {
            throw context.error(.invalid, path, "\(time) s from 1970 is no date of the years 0 to 9999")
        }
        let microseconds = ((time - whole) * 1e6).rounded()
        let carries = microseconds >= 1e6
        let instant = Instant(
            seconds: Int64(whole) + (carries ? 1 : 0), nanoseconds: carries ? 0 : Int32(microseconds) * 1000)
        if let type = context.type(at: path), type.decimalsOfSecond != nil { return type.value(of: instant) }
        if context.type(at: path) == .date { return .string(String(instant.description.prefix(10))) }
        switch context.coding.dates.form {
        case .instant: return .string(instant.description)
        case .day: return .string(String(instant.description.prefix(10)))
        case .seconds: return .number(JSONNumber("\(time)") ?? JSONNumber(instant.seconds))
        case .milliseconds: return .number(JSONNumber(instant.timestamp.milliseconds))
        }
    }
}

private struct RecordKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func at(_ key: Key) -> RecordEncoder { encoder.member(key) }

    mutating func encodeNil(forKey key: Key) throws { try at(key).encodeNil() }
    mutating func encode(_ value: Bool, forKey key: Key) throws { try at(key).encode(value) }
    mutating func encode(_ value: String, forKey key: Key) throws { try at(key).encode(value) }
    mutating func encode(_ value: Double, forKey key: Key) throws { try at(key).encode(value) }
    mutating func encode(_ value: Float, forKey key: Key) throws { try at(key).encode(value) }
    mutating func encode(_ value: Int, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { at(key).set(value) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { at(key).set(value) }
    mutating func encode<Model: Encodable>(_ value: Model, forKey key: Key) throws { try at(key).encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { at(key).container(keyedBy: type) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { encoder.member(RecordKey(stringValue: "super")) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { at(key) }
}

private struct RecordUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    private func next() -> RecordEncoder { encoder.element() }

    mutating func encodeNil() throws { try next().encodeNil() }
    mutating func encode(_ value: Bool) throws { try next().encode(value) }
    mutating func encode(_ value: String) throws { try next().encode(value) }
    mutating func encode(_ value: Double) throws { try next().encode(value) }
    mutating func encode(_ value: Float) throws { try next().encode(value) }
    mutating func encode(_ value: Int) throws { next().set(value) }
    mutating func encode(_ value: Int8) throws { next().set(value) }
    mutating func encode(_ value: Int16) throws { next().set(value) }
    mutating func encode(_ value: Int32) throws { next().set(value) }
    mutating func encode(_ value: Int64) throws { next().set(value) }
    mutating func encode(_ value: UInt) throws { next().set(value) }
    mutating func encode(_ value: UInt8) throws { next().set(value) }
    mutating func encode(_ value: UInt16) throws { next().set(value) }
    mutating func encode(_ value: UInt32) throws { next().set(value) }
    mutating func encode(_ value: UInt64) throws { next().set(value) }
    mutating func encode<Model: Encodable>(_ value: Model) throws { try next().encode(value) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { next() }
}
