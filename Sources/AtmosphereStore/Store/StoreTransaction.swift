/// A transaction: everything of a snapshot, with the whole page at once for a pull.
///
/// Writing methods of ``AppContext`` and ``MetaContext`` throw ``StoreError`` `readOnly` on a plain snapshot.
public protocol StoreTransaction: StoreSnapshot {
    /// Stores a slice of a page as confirmed by the server, in one go.
    ///
    /// For each item of `items`: an object that is not known is inserted as synchronized; a synchronized one gets the
    /// item's record and version, and is not rewritten where both are the same as before; every other item is left
    /// alone and its index returned for the planner: its object is not synchronized (or has a
    /// record without a meta object, or one that is not its base), or was confirmed by a request that started after
    /// the page's, or was deleted on the server, or has another version on a page whose versions have an order.
    /// ``Absorbed/decide(_:of:known:)`` says all of this. An object that is not rewritten keeps the sequence it had.
    func absorb(_ page: Page, items: Range<Int>) throws -> Absorbed

    /// Starts to note which objects of the entity the listing `listing` shows; forgets an earlier listing's notes.
    func beginListing(entity: String, listing: Int64) throws
    /// Objects that are synchronized, were confirmed before `listing` began and were not shown by it since
    /// ``beginListing(entity:listing:)``: `limit` at most, after `after`, ascending. None for a listing that was not
    /// begun, or not last.
    func unlisted(entity: String, listing: Int64, after: ObjectURI?, limit: Int) throws -> [ObjectURI]
    /// Forgets the notes of the listing.
    func endListing(entity: String) throws
}
