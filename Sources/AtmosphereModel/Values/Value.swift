/// A JSON value (RFC 8259).
///
/// Equality is by meaning: numbers by their exact decimal value, texts and names by their Unicode scalars (JSON does not
/// normalize), objects whatever the order of their members.
public enum Value: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number with its lexeme, so that nothing of it is lost.
    case number(JSONNumber)
    /// A text, decoded.
    case string(String)
    /// Elements in their order.
    case array([Value])
    /// Members in their order, each name once.
    case object(Members)
}

extension Value {
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.string(let first), .string(let second)): first.hasSameBytes(as: second)
        case (.array(let first), .array(let second)): areEqual(first, second)
        case (.object(let first), .object(let second)): first == second
        default: false
        }
    }

    /// The same as `==` of arrays, which takes twice the stack for each level.
    private static func areEqual(_ left: [Value], _ right: [Value]) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count {
            guard left[index] == right[index] else { return false }
        }
        return true
    }
}

extension Value {
    /// Whether the values are equal, and each number in them has the same text: `10` and `10.00` are equal and not
    /// written alike.
    package func isWritten(like other: Value) -> Bool {
        switch (self, other) {
        case (.number(let first), .number(let second)): first.lexeme == second.lexeme
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.isWritten(like: $1) }
        case (.object(let first), .object(let second)):
            first.count == second.count
                && first.allSatisfy { member in second[member.name].map { member.value.isWritten(like: $0) } ?? false }
        default: self == other
        }
    }
}

extension Value {
    /// The text of a string; nil for every other kind.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The number; nil for every other kind, a string of digits too.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
    /// The truth value; nil for every other kind, 0 and 1 too.
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// The elements of an array; nil for every other kind.
    public var array: [Value]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members of an object; nil for every other kind.
    public var members: Members? { if case .object(let members) = self { members } else { nil } }
    /// Whether it is `null`.
    public var isNull: Bool { self == .null }

    /// What a person reads: a string's text without quotes, else the JSON text.
    public var text: String {
        if case .string(let text) = self { return text }
        return String(decoding: json(), as: UTF8.self)
    }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A string, whatever its text looks like.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array of these elements.
    public init(arrayLiteral elements: Value...) { self = .array(elements) }
    /// An object with these members in this order; of those with the same name the first counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .object(Members(elements.map { Member(name: $0.0, value: $0.1) }))
    }
}

extension Value {
    /// Changes the members of an object in place, without a copy of them.
    ///
    /// - Returns: nil where the value is no object; nothing is changed then.
    @discardableResult
    package mutating func changeMembers<Result>(_ change: (inout Members) throws -> Result) rethrows -> Result? {
        guard case .object(var members) = self else { return Optional.none }
        // The only reference, or the change would copy all members.
        self = .null
        defer { self = .object(members) }
        return try change(&members)
    }

    /// Changes the elements of an array in place, without a copy of them.
    ///
    /// - Returns: nil where the value is no array; nothing is changed then.
    @discardableResult
    package mutating func changeElements<Result>(_ change: (inout [Value]) throws -> Result) rethrows -> Result? {
        guard case .array(var elements) = self else { return Optional.none }
        self = .null
        defer { self = .array(elements) }
        return try change(&elements)
    }
}
