import Synchronization

/// Creates whose outcome is not known: an arriving object that carries their lookup value is theirs, and never
/// becomes a second local object.
final class LostCreates: Sendable {
    private struct Known: Sendable {
        var byValue: [ScalarText: [ObjectURI]] = [:]
        /// How many creates had been sent then.
        var sent: Int64 = 0
    }

    private let resource: Resource
    private let store: any Store
    private let known = Mutex(Known())

    init(resource: Resource, store: any Store) async throws {
        self.resource = resource
        self.store = store
        guard resource.lookup != nil else { return }
        let found = try await store.read { try Self.known(of: resource, in: $0) }
        known.withLock { $0 = found }
    }

    /// Learns of the creates that were sent since, by any process: a page that was answered after that may show them.
    func learn() async throws {
        guard resource.lookup != nil else { return }
        let sent = known.withLock { $0.sent }
        let resource = resource
        let news = try await store.read { snapshot -> Known? in
            guard try SentCreates(of: resource).count(in: snapshot) != sent else { return nil }
            return try Self.known(of: resource, in: snapshot)
        }
        guard let news else { return }
        // Pages of several lists are stored at once.
        known.withLock { if news.sent > $0.sent { $0 = news } }
    }

    private static func known(of resource: Resource, in snapshot: any StoreSnapshot) throws -> Known {
        var known = Known(sent: try SentCreates(of: resource).count(in: snapshot))
        for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
            guard meta.isLocalOnly, let record = meta.outgoing?.creates.last ?? meta.outgoing?.refusedCreate,
                let value = resource.lookupValue(of: record)
            else { continue }
            known.byValue[ObjectID.compared(value), default: []].append(meta.uri)
        }
        return known
    }

    /// Absorbs a slice of a page without the items that belong to a lost create, which go to `adopt`.
    func absorb(
        _ page: Page, _ range: Range<Int>, _ transaction: any StoreTransaction,
        adopt: (PageItem, ObjectURI) throws -> Void
    ) throws -> Absorbed {
        let byValue = known.withLock { $0.byValue }
        guard !byValue.isEmpty else { return try transaction.absorb(page, items: range) }
        var total = Absorbed()
        var start = range.lowerBound
        for index in range {
            let item = page.items[index]
            guard let value = item.lookup.map({ page.text($0) }),
                let known = byValue[ObjectID.compared(value)],
                let uri = try own(page, item, known, transaction)
            else { continue }
            total.add(try transaction.absorb(page, items: start..<index))
            try adopt(item, uri)
            start = index + 1
        }
        total.add(try transaction.absorb(page, items: start..<range.upperBound))
        return total
    }

    /// Which of the creates with its value an item is: none where another create of this client has become it.
    private func own(
        _ page: Page, _ item: PageItem, _ known: [ObjectURI], _ transaction: any StoreTransaction
    ) throws -> ObjectURI? {
        let here = try transaction.object(at: page.uri(item))
        let engine = ChangeEngine(resource)
        let isPartial = resource.list.shape == .partial
        let shown = Representation(record: page.record(item), sequence: page.sequence, isPartial: isPartial)
        let lost = try known.compactMap { try transaction.meta(at: $0) }.filter { meta in
            guard meta.isLocalOnly, let outgoing = meta.outgoing else { return false }
            guard let sent = outgoing.creates.last else {
                return here == nil && engine.isRefused(outgoing, shown: shown)
            }
            guard let here else { return true }
            return engine.isAnew(page.record(item), outgoing)
                || !engine.isAnother(here, than: sent, nil, outgoing)
        }
        guard !lost.isEmpty, try here == nil || transaction.formerURIs(of: page.uri(item)).isEmpty else { return nil }
        return lost.own(of: page.record(item), resource)?.uri
    }
}
