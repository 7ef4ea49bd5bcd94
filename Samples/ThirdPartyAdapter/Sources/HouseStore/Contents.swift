internal import AtmosphereStore

/// Everything a ``LogStore`` holds; a copy is a snapshot.
struct Contents: Sendable {
    private(set) var objects: [ObjectURI: StoredObject] = [:]
    /// Objects with something to send, and objects that wait for others: so that finding them costs what they are.
    private(set) var changed: Set<ObjectURI> = []
    private(set) var waiting: Set<ObjectURI> = []
    private(set) var aliases: [ObjectURI: ObjectURI] = [:]
    private(set) var cursors: [PullScope: PullCursor] = [:]
    private(set) var listings: [String: Listing] = [:]
    private(set) var sequence: Int64 = 0

    /// A listing under way, and what it has shown.
    struct Listing: Sendable {
        var number: Int64
        var shown: Set<ObjectURI> = []
    }

    mutating func apply(_ step: Step) {
        switch step {
        case .object(let uri, let object):
            objects[uri] = object
            if object?.isChanged == true { changed.insert(uri) } else { changed.remove(uri) }
            if object?.meta?.waitsFor.isEmpty == false { waiting.insert(uri) } else { waiting.remove(uri) }
            if object == nil { listings[uri.entity]?.shown.remove(uri) }
        case .alias(let uri, let target): aliases[uri] = target
        case .cursor(let scope, let cursor): cursors[scope] = cursor
        case .listing(let entity, let number): listings[entity] = number.map { Listing(number: $0) }
        case .shown(let uri): listings[uri.entity]?.shown.insert(uri)
        case .sequence(let number): sequence = number
        }
    }

    /// The steps that lead from nothing to here.
    var steps: [Step] {
        var steps = objects.map { Step.object($0.key, $0.value) }
        steps += aliases.map { .alias($0.key, $0.value) }
        steps += cursors.map { .cursor($0.key, $0.value) }
        for (entity, listing) in listings {
            steps.append(.listing(entity, listing.number))
            steps += listing.shown.map { .shown($0) }
        }
        if sequence > 0 { steps.append(.sequence(sequence)) }
        return steps
    }
}

/// One change of the contents: what a transaction collects, and what a line of the file lists.
enum Step: Sendable {
    case object(ObjectURI, StoredObject?)
    case alias(ObjectURI, ObjectURI?)
    case cursor(PullScope, PullCursor?)
    case listing(String, Int64?)
    case shown(ObjectURI)
    case sequence(Int64)

    /// Which change it is; the rest of the members say what it becomes.
    private static let kinds = ["object", "alias", "cursor", "listing", "shown", "sequence"]

    var value: Value {
        var members: Value.Members = [:]
        switch self {
        case .object(let uri, let object):
            members["object"] = Self.value(uri)
            members["record"] = object?.record?.embedded
            members["meta"] = object?.meta?.stored(beside: object?.record)
        case .alias(let uri, let target):
            members["alias"] = Self.value(uri)
            members["to"] = target.map(Self.value)
        case .cursor(let scope, let cursor):
            members["cursor"] = .array([scope.entity, scope.parent].compactMap { $0.map(Value.string) })
            members["is"] = cursor?.stored()
        case .listing(let entity, let number):
            members["listing"] = .string(entity)
            members["number"] = number.map { .number(JSONNumber($0)) }
        case .shown(let uri): members["shown"] = Self.value(uri)
        case .sequence(let number): members["sequence"] = .number(JSONNumber(number))
        }
        return .object(members)
    }

    /// - Throws: ``StoreError`` `damaged`, or `newerFormat`.
    init(_ value: Value, at place: String) throws {
        func damaged() -> StoreError { .damaged(place, "it holds something that this store does not write") }
        guard let members = value.members, let kind = Self.kinds.first(where: { members[$0] != nil }),
            let what = members[kind]
        else { throw damaged() }
        switch kind {
        case "object":
            guard let uri = Self.uri(what) else { throw damaged() }
            let record = try members["record"].map { try ObjectRecord(embedded: $0, of: uri) }
            let meta = try members["meta"].map { try MetaObject(stored: $0, beside: record, uri: uri) }
            self = .object(uri, StoredObject(record: record, meta: meta))
        case "alias":
            guard let uri = Self.uri(what) else { throw damaged() }
            self = .alias(uri, members["to"].flatMap(Self.uri))
        case "cursor":
            let names = what.array?.compactMap(\.string) ?? []
            guard (1...2).contains(names.count) else { throw damaged() }
            let scope = PullScope(entity: names[0], parent: names.count == 2 ? names[1] : nil)
            self = .cursor(scope, try members["is"].map { try PullCursor(stored: $0, scope: scope) })
        case "listing":
            guard let entity = what.string else { throw damaged() }
            self = .listing(entity, members["number"]?.number?.int64)
        case "shown":
            guard let uri = Self.uri(what) else { throw damaged() }
            self = .shown(uri)
        default:
            guard let number = what.number?.int64 else { throw damaged() }
            self = .sequence(number)
        }
    }

    private static func value(_ uri: ObjectURI) -> Value { [.string(uri.entity), .string(uri.id)] }

    private static func uri(_ value: Value) -> ObjectURI? {
        guard let pair = value.array, pair.count == 2, let entity = pair[0].string, let id = pair[1].string else {
            return nil
        }
        return ObjectURI(entity: entity, id: id)
    }
}
