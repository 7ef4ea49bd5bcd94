internal import Synchronization

/// A server may delete along with an object what is below it, or refers to it: what a change here takes away from there goes
/// first, and so does what is to be deleted itself.
final class HeldDeletes: HoldingRule {
    private let routeFile: RouteFile
    /// By entity: objects that are to be deleted and refer to each other in circles, or stand between such.
    private let circles = Mutex<[String: Set<ObjectURI>]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    func begin(_ entity: String, heldBy other: String, in snapshot: any StoreSnapshot) throws {
        guard entity == other, let resource = routeFile.resource(entity) else { return }
        let ringed = try ringed(resource, in: snapshot)
        circles.withLock { $0[entity] = ringed }
    }

    /// What the server's object refers to, and will not when its change is sent.
    func held(by change: MetaObject, of entity: String, in snapshot: any StoreSnapshot) throws -> Set<ObjectURI> {
        guard change.isChanged, let there = recordThere(change), let resource = routeFile.resource(change.uri.entity)
        else { return [] }
        var left = try referred(by: there, of: resource, to: entity, in: snapshot)
        left.remove(change.uri)
        guard !left.isEmpty else { return [] }
        guard !change.isDeleted else {
            return try left.filter { try goesBefore(change, resource, $0, in: snapshot) }
        }
        guard let record = try snapshot.record(at: change.uri) else { return [] }
        return left.subtracting(try referred(by: record, of: resource, to: entity, in: snapshot))
    }

    /// The objects that are to be deleted here and to which the server's object refers: their deletes may wait for it.
    func deletes(above uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [ObjectURI] {
        guard let resource = routeFile.resource(uri.entity), !resource.references.isEmpty || !resource.parents.isEmpty,
            let there = try snapshot.meta(at: uri).flatMap(recordThere)
        else { return [] }
        return try referred(by: there, of: resource, in: snapshot).filter { above in
            try above != uri && snapshot.meta(at: above)?.isDeleted == true
        }.sorted()
    }

    /// Whether one delete goes before another: from the leaves up. One that the server has accepted, or that is never sent, holds
    /// nothing; of objects that refer to each other none waits for the other.
    private func goesBefore(
        _ meta: MetaObject, _ resource: Resource, _ above: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> Bool {
        guard !meta.isLocalOnly, meta.outgoing?.evidence != .begun, resource.delete.isOffered else { return false }
        guard above.entity == resource.name else {
            let names = routeFile.resources.map(\.name)
            guard let own = names.firstIndex(of: resource.name), let other = names.firstIndex(of: above.entity) else {
                return false
            }
            return other < own
        }
        return circles.withLock { $0[above.entity]?.isSuperset(of: [meta.uri, above]) != true }
    }

    /// What is left where those are taken away, again and again, that refer to none of the others or to which none of them refers.
    private func ringed(_ resource: Resource, in snapshot: any StoreSnapshot) throws -> Set<ObjectURI> {
        var above: [ObjectURI: Set<ObjectURI>] = [:]
        for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) where meta.isDeleted {
            above[meta.uri] =
                try recordThere(meta).map {
                    try referred(by: $0, of: resource, to: resource.name, in: snapshot)
                } ?? []
        }
        var below: [ObjectURI: Set<ObjectURI>] = [:]
        for (uri, others) in above {
            above[uri] = others.filter { $0 != uri && above[$0] != nil }
            for other in above[uri] ?? [] { below[other, default: []].insert(uri) }
        }
        var open = above.keys.filter { above[$0]?.isEmpty == true || below[$0] == nil }
        while let next = open.popLast() {
            guard let others = above.removeValue(forKey: next) else { continue }
            for one in below.removeValue(forKey: next) ?? [] {
                above[one]?.remove(next)
                if above[one]?.isEmpty == true { open.append(one) }
            }
            for one in others {
                below[one]?.remove(next)
                if below[one]?.isEmpty == true { open.append(one) }
            }
        }
        return Set(above.keys)
    }

    // MARK: References

    /// An object as the server has it, as far as that is known; nil where it has none.
    private func recordThere(_ meta: MetaObject) -> ObjectRecord? {
        if case .conflicted(let conflict)? = meta.outgoing?.phase { return conflict.theirs }
        return meta.confirmed?.base ?? meta.outgoing?.creates.first
    }

    /// The objects to which a record refers, at their present addresses.
    ///
    /// - Parameter entity: those of this one alone; nil for all.
    private func referred(
        by record: ObjectRecord, of resource: Resource, to entity: String? = nil, in snapshot: any StoreSnapshot
    ) throws -> Set<ObjectURI> {
        let edit = Edit(resource, routeFile, snapshot)
        let members = resource.mapping.members(of: record)
        var found: Set<ObjectURI> = []
        for reference in Set(resource.parents + resource.references)
        where entity == nil || reference.entity == entity {
            let values = members[reference.field].map { $0.array ?? [$0] } ?? []
            for id in values.compactMap({ ObjectID($0) }) {
                let named = try edit.address(of: reference, id, in: members)
                found.insert(try snapshot.alias(of: named) ?? named)
            }
        }
        return found
    }
}
