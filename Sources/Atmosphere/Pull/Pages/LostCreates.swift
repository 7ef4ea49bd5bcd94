/// Creates whose outcome is not known: an arriving object that carries their lookup value is theirs, and never
/// becomes a second local object.
struct LostCreates: Sendable {
    private let resource: Resource
    private let byValue: [ScalarText: [ObjectURI]]

    init(resource: Resource, store: any Store) async throws {
        self.resource = resource
        guard let field = resource.lookup?.field else {
            byValue = [:]
            return
        }
        byValue = try await store.read { snapshot in
            var found: [ScalarText: [ObjectURI]] = [:]
            for meta in try snapshot.changed(entity: resource.name, after: nil, limit: .max) {
                guard meta.isLocalOnly, let record = meta.outgoing?.lostCreate?.record,
                    let value = resource.mapping.value(field, in: record)?.text
                else { continue }
                found[ObjectID.compared(value), default: []].append(meta.uri)
            }
            return found
        }
    }

    /// Absorbs a slice of a page without the items that belong to a lost create, which go to `adopt`.
    func absorb(
        _ page: Page, _ range: Range<Int>, _ transaction: any StoreTransaction,
        adopt: (PageItem, ObjectURI) throws -> Void
    ) throws -> Absorbed {
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
        let lost = try known.compactMap { try transaction.meta(at: $0) }.filter { meta in
            guard meta.isLocalOnly, let outgoing = meta.outgoing, let sent = outgoing.lostCreate else {
                return false
            }
            guard let here, let sent = sent.record else { return true }
            let engine = ChangeEngine(resource)
            return engine.isAnew(page.record(item), outgoing)
                || !engine.isAnother(here, than: sent, nil, outgoing)
        }
        guard !lost.isEmpty, try transaction.formerURIs(of: page.uri(item)).isEmpty else { return nil }
        return lost.own(of: page.record(item), resource)?.uri
    }
}
