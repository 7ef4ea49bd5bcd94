/// What ``StoreTransaction/absorb(_:items:)`` does with one item: the rule that every store follows.
package enum Absorption: Sendable {
    /// Keep this under the item's URI, where there was nothing.
    case insert(StoredObject)
    /// Keep this in place of what is there.
    case update(StoredObject)
    /// Leave what is there: it says the same.
    case unchanged
    /// Leave what is there, and return the item's index: the planner decides.
    case `defer`

    /// Decides about one item.
    ///
    /// - Parameter known: what the store holds under the item's address.
    package init(_ item: PageItem, of page: Page, known: StoredObject?) {
        if item.isDeleted {
            self = .defer
            return
        }
        let id = item.id.objectID
        let version = item.version.map { page.text($0) }
        guard let known else {
            self = .insert(Self.synchronized(page, item, id, version, revision: 0, waitsFor: []))
            return
        }
        // Which of its members are stale, and are shown now, the planner knows.
        guard let meta = known.meta, let confirmed = known.synchronized, confirmed.stale.isEmpty,
            confirmed.sequence <= page.sequence
        else {
            self = .defer
            return
        }
        if page.ordersVersions, confirmed.version != version {
            self = .defer
            return
        }
        // An identifier that does not stand in the URI as it is was put by the planner, which knows better.
        let kept = meta.id.text == id.text ? id : meta.id
        if confirmed.version == version, kept == meta.id,
            page.bytes[item.record].elementsEqual(confirmed.base.bytes)
        {
            self = .unchanged
        } else {
            self = .update(
                Self.synchronized(page, item, kept, version, revision: meta.revision, waitsFor: meta.waitsFor))
        }
    }

    private static func synchronized(
        _ page: Page, _ item: PageItem, _ id: ObjectID, _ version: String?, revision: Int64, waitsFor: [ObjectURI]
    ) -> StoredObject {
        let record = page.record(item)
        let confirmed = MetaObject.Confirmed(base: record, version: version, sequence: page.sequence)
        let meta = MetaObject(
            uri: page.uri(item), id: id, state: .synchronized(confirmed), revision: revision, waitsFor: waitsFor)
        return StoredObject(record: record, meta: meta)!
    }
}
