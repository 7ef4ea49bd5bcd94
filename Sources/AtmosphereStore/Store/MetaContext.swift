/// Where the meta objects live, as seen inside one transaction, with what else synchronization must remember.
///
/// All methods are synchronous and throw ``StoreError``; an instance is valid only inside the closure it was passed to.
public protocol MetaContext {
    /// The meta object; nil where there is none. Aliases are not followed.
    func meta(at uri: ObjectURI) throws -> MetaObject?

    /// Meta objects that are not synchronized, in ascending order of ``ObjectURI``, after `after`, `limit` at most.
    ///
    /// Costs what the change costs, whatever the size of the store.
    func changed(entity: String?, after: ObjectURI?, limit: Int) throws -> [MetaObject]

    /// Creates or replaces meta objects. Where none was, an object comes to stand at the URI: an alias of it ends, and the
    /// aliases that led to it through this one go on leading to that object; those that lead here from an object that is gone
    /// end. ``StoreTransaction/absorb(_:items:)`` does the same for what it inserts.
    func put(_ batch: [MetaObject]) throws

    /// Removes meta objects and leaves their records; unknown ones are no error.
    func removeMeta(_ batch: [ObjectURI]) throws

    /// Moves a meta object and leaves a durable alias from the old URI to the new one. It comes to stand there as one that is
    /// put; where it moves back, what led to the new URI leads to it still.
    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws

    /// The present URI of an object that had this one before; nil where there is no alias. Chains are followed.
    func alias(of uri: ObjectURI) throws -> ObjectURI?

    /// Leaves a durable alias from a URI at which no object stands to that of one: nothing where one stands there.
    func putAlias(of former: ObjectURI, to uri: ObjectURI) throws

    /// The URIs that the object at this one had directly before, ascending: those of which one alias leads here.
    func formerURIs(of uri: ObjectURI) throws -> [ObjectURI]

    /// Meta objects whose ``MetaObject/waitsFor`` holds `uri`.
    func dependents(of uri: ObjectURI) throws -> [ObjectURI]

    /// Where the next pull of the scope goes on; nil before the first.
    func cursor(for scope: PullScope) throws -> PullCursor?
    /// Creates or replaces the cursor of the scope.
    func put(_ cursor: PullCursor, for scope: PullScope) throws
    /// Forgets the cursor of the scope; that there is none is no error.
    func removeCursor(for scope: PullScope) throws
    /// Every scope of the entity that has a cursor.
    func cursors(entity: String) throws -> [(scope: PullScope, cursor: PullCursor)]

    /// The highest start sequence ever recorded here; 0 in a new store.
    func highestSequence() throws -> Int64
    /// Records that sequences up to this one are taken; a lower one changes nothing.
    func raiseSequence(to sequence: Int64) throws
}
