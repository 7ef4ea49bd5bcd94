/// How `Codable` models and records are made from each other.
///
/// Numbers, instants and identifiers keep their exact value; members that a model does not name are left alone.
public struct RecordCoding: Sendable {
    /// What a field is called that a coding key names.
    public struct Keys: Sendable {
        let field: @Sendable (String) -> String
        /// What a key of this field may be called.
        private let candidates: @Sendable (String) -> [String]

        /// The same.
        public static let same = Keys(field: { $0 }, candidates: { [$0] })
        /// `dueDate` is `due_date`, `homeURL` is `home_url`.
        public static let snakeCase = Keys(field: { Self.snake($0) }, candidates: { Self.camel($0) })

        /// These names; every other key by `others`.
        public static func named(_ names: [String: String], others: Keys = .same) -> Keys {
            Keys(
                field: { names[$0] ?? others.field($0) },
                candidates: { field in
                    names.filter { $0.value == field }.map(\.key).sorted() + others.candidates(field)
                })
        }

        /// The key of a type that stands for a field, by what the type takes; nil where none does.
        func key<Key: CodingKey>(of name: String) -> Key? {
            candidates(name).lazy.filter { field($0) == name }.compactMap { Key(stringValue: $0) }.first
        }

        /// `due_date` as `dueDate`, and as `DUEDate` and `dueDATE`, for words that are written in capitals.
        private static func camel(_ field: String) -> [String] {
            let words = field.split(separator: "_").map { $0.lowercased() }
            guard words.count > 1 || field.first != "_" else { return [field] }
            func joined(_ capitals: Int?) -> String {
                words.enumerated().map { index, word in
                    if index == capitals { return word.uppercased() }
                    return index == 0 ? word : word.prefix(1).uppercased() + word.dropFirst()
                }.joined()
            }
            return [joined(nil)] + words.indices.map(joined) + [field]
        }

        private static func snake(_ key: String) -> String {
            let characters = Array(key)
            var name = ""
            for (index, character) in characters.enumerated() {
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                let endsWord = index > 0 && (!characters[index - 1].isUppercase || next?.isLowercase == true)
                if character.isUppercase, endsWord, characters[index - 1] != "_" { name += "_" }
                name += character.lowercased()
            }
            return name
        }
    }

    /// How a `Date` is written where the record has none yet. Reading takes instants and dates as texts whatever this is.
    public struct Dates: Sendable, Hashable {
        enum Form: Sendable, Hashable {
            case instant, day, seconds, milliseconds
        }

        let form: Form

        /// `2026-01-02T03:04:05Z` (RFC 3339).
        public static let instants = Dates(form: .instant)
        /// `2026-01-02`, the day in UTC.
        public static let days = Dates(form: .day)
        /// A number: seconds since 1970-01-01T00:00:00Z.
        public static let secondsSince1970 = Dates(form: .seconds)
        /// A number: milliseconds since 1970-01-01T00:00:00Z.
        public static let millisecondsSince1970 = Dates(form: .milliseconds)
    }

    /// What becomes of an object, in a list of many, that is no such model.
    public struct Unreadable: Sendable, Hashable {
        let isLeftOutOfCalls: Bool
        let isLeftOutOfStreams: Bool

        /// A call fails with the error of that object; a sequence of changes, which would end with it for good, leaves it out
        /// and goes on, and the log says why. The default.
        public static let failsCalls = Unreadable(isLeftOutOfCalls: false, isLeftOutOfStreams: true)
        /// The whole call fails, with the error of that object, and so does a sequence of changes.
        public static let fails = Unreadable(isLeftOutOfCalls: false, isLeftOutOfStreams: false)
        /// It is left out, and the log says why, once for each version of the object.
        public static let isLeftOut = Unreadable(isLeftOutOfCalls: true, isLeftOutOfStreams: true)
    }

    /// How a key of the model and a member of the record belong together; the same name by default.
    public var keys: Keys
    /// How dates are written; as instants by default.
    public var dates: Dates
    /// What becomes of an object that is no such model; ``Unreadable/failsCalls`` by default.
    public var unreadable: Unreadable

    /// Takes what differs from the defaults.
    public init(keys: Keys = .same, dates: Dates = .instants, unreadable: Unreadable = .failsCalls) {
        self.keys = keys
        self.dates = dates
        self.unreadable = unreadable
    }
}

/// A record that is not what a model says, or a model that no record can hold.
public struct ModelError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// A field that the model needs is absent or null.
        public static let missing = Code(description: "missing")
        /// A field holds something of another kind.
        public static let wrongType = Code(description: "wrongType")
        /// A number is outside of what the model's type holds exactly.
        public static let inexact = Code(description: "inexact")
        /// The model refused the value, or cannot be written.
        public static let invalid = Code(description: "invalid")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// The entity of the record or model.
    public var entity: String
    /// The object's identifier; nil for one that is being created.
    public var id: String?
    /// The fields and indices that lead to the place.
    public var path: [String]
    /// Names the object, the place, what was expected and what was found.
    public var message: String
    /// What the model's own coding threw, where it did.
    public var cause: (any Error)?

    public var description: String { message }
}

/// What is known around a model that is read or written.
struct ModelContext: Sendable {
    var coding: RecordCoding
    var entity: String
    var id: ObjectID?
    var idField: String?
    var types: [String: FieldType]

    func error(_ code: ModelError.Code, _ path: [String], _ what: String, cause: (any Error)? = nil) -> ModelError {
        let object = id.map { "\(entity)/\($0)" } ?? "a new object of \(entity)"
        let place = path.isEmpty ? "" : "“\(path.joined(separator: "."))” of "
        return ModelError(
            code: code, entity: entity, id: id?.text, path: path, message: "\(place)\(object): \(what)", cause: cause)
    }

    /// The declared type of a top-level field.
    func type(at path: [String]) -> FieldType? { path.count == 1 ? types[path[0]] : nil }
}

struct RecordKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
