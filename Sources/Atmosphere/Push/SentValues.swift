import Synchronization

/// Which creates were sent with which look-up value, as a push knows it: the changes that wait are read once, and what the push
/// sends itself is added. A create that has got its answer since stays among them, so the store has the last word.
final class SentValues: Sendable {
    private struct Known: Sendable {
        var byValue: [ScalarText: Set<ObjectURI>] = [:]
        /// See ``SentCreates/count(in:)``.
        var count: Int64
    }

    private let known = Mutex<[String: Known]>([:])

    /// Forgets all: a push begins.
    func forget() { known.withLock { $0 = [:] } }

    /// A create is marked as being sent.
    ///
    /// - Parameter count: how many were marked with it.
    func add(_ uri: ObjectURI, _ record: ObjectRecord?, of resource: Resource, count: Int64) {
        known.withLock { all in
            // Another process, or a save at once, has sent some besides.
            guard var known = all.removeValue(forKey: resource.name), known.count == count - 1 else { return }
            known.count = count
            if let value = record.flatMap(resource.lookupValue) {
                known.byValue[ObjectID.compared(value), default: []].insert(uri)
            }
            all[resource.name] = known
        }
    }

    /// Whether another object's create was sent with this value, and has got no answer.
    func isAnothers(
        _ value: String, than uri: ObjectURI, of resource: Resource, in snapshot: any StoreSnapshot
    ) throws -> Bool {
        let count = try SentCreates(of: resource).count(in: snapshot)
        var found = known.withLock { $0[resource.name] }
        if found?.count != count {
            found = Known(count: count)
            for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                guard let sent = meta.sentValue(of: resource) else { continue }
                found?.byValue[sent, default: []].insert(meta.uri)
            }
            known.withLock { $0[resource.name] = found }
        }
        let wanted = ObjectID.compared(value)
        return try (found?.byValue[wanted] ?? []).contains { noted in
            let other = try snapshot.alias(of: noted) ?? noted
            return try other != uri && snapshot.meta(at: other)?.sentValue(of: resource) == wanted
        }
    }
}

extension MetaObject {
    /// The look-up value that the last create without an answer was sent with.
    fileprivate func sentValue(of resource: Resource) -> ScalarText? {
        guard isLocalOnly else { return nil }
        return outgoing?.creates.last.flatMap(resource.lookupValue).map(ObjectID.compared)
    }
}
