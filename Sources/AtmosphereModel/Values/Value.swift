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
    /// One name and value of an object.
    public struct Member: Sendable, Hashable {
        /// Decoded; compared by Unicode scalars.
        public var name: String
        /// What the name stands for.
        public var value: Value

        /// A name with its value.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }

        public static func == (left: Member, right: Member) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    /// An object's members in their order; a name occurs once (the first of duplicates wins).
    public struct Members: Sendable {
        private var storage: [Member]

        /// An object without members.
        public init() { storage = [] }

        /// Keeps the first member of each name.
        public init(_ members: some Sequence<Member>) {
            storage = []
            var seen = Set<ScalarText>()
            for member in members where seen.insert(ScalarText(member.name)).inserted { storage.append(member) }
        }

        /// Takes members whose names are known to differ.
        package init(unique members: [Member]) { storage = members }

        /// A member's value. Setting one keeps its place or appends it; setting nil removes it.
        public subscript(name: String) -> Value? {
            get { storage.first { $0.name.hasSameBytes(as: name) }?.value }
            set {
                let index = storage.firstIndex { $0.name.hasSameBytes(as: name) }
                switch (index, newValue) {
                case (let index?, let value?): storage[index].value = value
                case (let index?, nil): storage.remove(at: index)
                case (nil, let value?): storage.append(Member(name: name, value: value))
                case (nil, nil): break
                }
            }
        }

        /// In the order of the text.
        public var names: [String] { storage.map(\.name) }
    }
}

extension Value.Members: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { storage.count }
    /// The member at a place in the order, from 0.
    public subscript(position: Int) -> Value.Member { storage[position] }
}

extension Value.Members: Hashable, ExpressibleByDictionaryLiteral {
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        // Each value is looked at once, or the time would double with each level.
        var index = 0
        while index < left.count, left.storage[index].name.hasSameBytes(as: right.storage[index].name) {
            guard left.storage[index].value == right.storage[index].value else { return false }
            index += 1
        }
        return index == left.count || areEqualInAnyOrder(left.storage[index...], right.storage[index...])
    }

    private static func areEqualInAnyOrder(_ left: ArraySlice<Value.Member>, _ right: ArraySlice<Value.Member>) -> Bool
    {
        let others = Dictionary(right.map { (ScalarText($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
        for member in left {
            guard let other = others[ScalarText(member.name)], other == member.value else { return false }
        }
        return true
    }

    public func hash(into hasher: inout Hasher) {
        // Order must not count: fold the members' own hashes commutatively.
        var sum = 0
        for member in storage {
            var each = Hasher()
            each.combine(member)
            sum &+= each.finalize()
        }
        hasher.combine(sum)
    }

    /// These members in this order; of those with the same name the first counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { Value.Member(name: $0.0, value: $0.1) })
    }
}
