internal import Synchronization

/// Says which changes hold which.
protocol HoldingRule: Sendable {
    /// The objects of an entity that a change holds, at their present addresses.
    func held(by change: MetaObject, of entity: String, in snapshot: any StoreSnapshot) throws -> Set<ObjectURI>
    /// The changes of an entity that may hold those of another are about to be read.
    func begin(_ entity: String, heldBy other: String, in snapshot: any StoreSnapshot) throws
}

extension HoldingRule {
    func begin(_ entity: String, heldBy other: String, in snapshot: any StoreSnapshot) throws {}
}

/// What waits for what by one rule.
///
/// Reads the changes of an entity once. What was edited since they were read has them read anew: what was changed before that
/// edit goes before it.
final class HeldList<Rule: HoldingRule>: Sendable {
    private struct Pair: Hashable {
        var held: String
        var other: String
    }

    private struct Reading: Sendable {
        let held: ReadChanges
        /// The changes that may hold an object's, the first one last. One that holds nothing any more is taken out.
        var holders: [ObjectURI: [ObjectURI]]
    }

    let rule: Rule
    private let readings = Mutex<[Pair: Reading]>([:])

    init(_ rule: Rule) { self.rule = rule }

    func forget() { readings.withLock { $0 = [:] } }

    /// The first change of some entities that holds an object's; nil where none does.
    func holder(
        of object: MetaObject, by entities: [String], in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        let uri = object.uri
        for other in entities {
            let pair = try read(object, by: other, in: snapshot)
            while let first = readings.withLock({ $0[pair]?.holders[uri]?.last }) {
                if let change = try present(first, holding: uri, in: snapshot) { return change }
                readings.withLock { readings in
                    guard readings[pair]?.holders[uri]?.last == first else { return }
                    _ = readings[pair]?.holders[uri]?.popLast()
                }
            }
        }
        return nil
    }

    /// All changes of some entities that hold an object's.
    func holders(of object: MetaObject, by entities: [String], in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        try entities.flatMap { other in
            let pair = try read(object, by: other, in: snapshot)
            let known = readings.withLock { $0[pair]?.holders[object.uri] ?? [] }
            return try known.reversed().compactMap { try present($0, holding: object.uri, in: snapshot) }
        }
    }

    /// Reads what may hold an object's change, unless that was known when it was read last.
    private func read(_ object: MetaObject, by other: String, in snapshot: any StoreSnapshot) throws -> Pair {
        let pair = Pair(held: object.uri.entity, other: other)
        if let held = readings.withLock({ $0[pair]?.held }), try held.knows(object, in: snapshot) { return pair }
        try rule.begin(pair.held, heldBy: other, in: snapshot)
        var holders: [ObjectURI: [ObjectURI]] = [:]
        for change in try snapshot.changed(entity: other, after: nil, limit: .max) {
            for uri in try rule.held(by: change, of: pair.held, in: snapshot) {
                holders[uri, default: []].append(change.uri)
            }
        }
        let reading = try Reading(
            held: ReadChanges(of: pair.held, in: snapshot), holders: holders.mapValues { $0.reversed() })
        readings.withLock { $0[pair] = reading }
        return pair
    }

    private func present(
        _ change: ObjectURI, holding uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        guard let meta = try snapshot.meta(at: snapshot.alias(of: change) ?? change),
            try rule.held(by: meta, of: uri.entity, in: snapshot).contains(uri)
        else { return nil }
        return meta
    }
}

/// The changes of an entity that waited when they were read.
struct ReadChanges: Sendable {
    private let revisions: [ObjectURI: Int64]

    init(of entity: String, in snapshot: any StoreSnapshot) throws {
        self.init(try snapshot.changed(entity: entity, after: nil, limit: .max))
    }

    init(_ changes: [MetaObject]) {
        revisions = Dictionary(changes.map { ($0.uri, $0.revision) }) { first, _ in first }
    }

    /// Whether an object was not edited since; it may have been called otherwise then.
    func knows(_ object: MetaObject, in snapshot: any StoreSnapshot) throws -> Bool {
        if let revision = revisions[object.uri] { return revision == object.revision }
        return try snapshot.formerURIs(of: object.uri).contains { revisions[$0] == object.revision }
    }
}
