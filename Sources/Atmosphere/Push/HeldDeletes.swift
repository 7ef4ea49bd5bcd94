internal import Synchronization

/// Which deletes wait for which changes. A server may delete along with an object what is below it, or refers to it: what a change
/// here takes away from there goes first, and so does what is to be deleted itself.
///
/// Reads what waits of an entity once, and looks at each change again when it is asked for it.
final class HeldDeletes: Sendable {
    private let routeFile: RouteFile
    /// By entity and object: the changes that may hold its delete, the first one last. A change that holds nothing any more is taken out.
    private let changes = Mutex<[String: [ObjectURI: [ObjectURI]]]>([:])
    /// By entity: objects that are to be deleted and refer to each other in circles, or stand between such.
    private let circles = Mutex<[String: Set<ObjectURI>]>([:])

    init(_ routeFile: RouteFile) { self.routeFile = routeFile }

    /// Reads anew what may hold deletes of an entity.
    func read(_ entity: String, in snapshot: any StoreSnapshot) throws {
        var found: [ObjectURI: [ObjectURI]] = [:]
        for resource in routeFile.resources where refers(resource, to: entity) {
            if resource.name == entity {
                let ringed = try ringed(resource, in: snapshot)
                circles.withLock { $0[entity] = ringed }
            }
            for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                for uri in try left(by: meta, resource, to: entity, in: snapshot) {
                    found[uri, default: []].append(meta.uri)
                }
            }
        }
        let read = found.mapValues { Array($0.reversed()) }
        changes.withLock { $0[entity] = read }
    }

    /// The first change that holds the delete of an object; nil where none does.
    func holder(of uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> MetaObject? {
        try readOnce(uri.entity, in: snapshot)
        while let first = changes.withLock({ $0[uri.entity]?[uri]?.last }) {
            if let meta = try present(first, holding: uri, in: snapshot) { return meta }
            changes.withLock { changes in
                guard changes[uri.entity]?[uri]?.last == first else { return }
                _ = changes[uri.entity]?[uri]?.popLast()
            }
        }
        return nil
    }

    /// All changes that hold the delete of an object.
    func holders(of uri: ObjectURI, in snapshot: any StoreSnapshot) throws -> [MetaObject] {
        try readOnce(uri.entity, in: snapshot)
        let known = changes.withLock { $0[uri.entity]?[uri] ?? [] }
        return try known.reversed().compactMap { try present($0, holding: uri, in: snapshot) }
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

    private func readOnce(_ entity: String, in snapshot: any StoreSnapshot) throws {
        guard changes.withLock({ $0[entity] == nil }) else { return }
        try read(entity, in: snapshot)
    }

    private func present(
        _ change: ObjectURI, holding uri: ObjectURI, in snapshot: any StoreSnapshot
    ) throws -> MetaObject? {
        let place = try snapshot.alias(of: change) ?? change
        guard let resource = routeFile.resource(place.entity), let meta = try snapshot.meta(at: place),
            try left(by: meta, resource, to: uri.entity, in: snapshot).contains(uri)
        else { return nil }
        return meta
    }

    /// What the server's object refers to, and will not when its change is sent.
    private func left(
        by meta: MetaObject, _ resource: Resource, to entity: String, in snapshot: any StoreSnapshot
    ) throws -> Set<ObjectURI> {
        guard meta.isChanged, let there = recordThere(meta) else { return [] }
        var left = try referred(by: there, of: resource, to: entity, in: snapshot)
        left.remove(meta.uri)
        guard !left.isEmpty else { return [] }
        guard !meta.isDeleted else { return try left.filter { try goesBefore(meta, resource, $0, in: snapshot) } }
        guard let record = try snapshot.record(at: meta.uri) else { return [] }
        return left.subtracting(try referred(by: record, of: resource, to: entity, in: snapshot))
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

    private func refers(_ resource: Resource, to entity: String) -> Bool {
        resource.parents.contains { $0.entity == entity } || resource.references.contains { $0.entity == entity }
    }

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
