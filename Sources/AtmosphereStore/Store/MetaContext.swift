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

    /// Creates or replaces meta objects.
    func put(_ batch: [MetaObject]) throws

    /// Removes meta objects and leaves their records; unknown ones are no error.
    func removeMeta(_ batch: [ObjectURI]) throws

    /// Moves a meta object and leaves a durable alias from the old URI to the new one.
    func changeMetaIdentifier(from: ObjectURI, to: ObjectURI, id: ObjectID) throws

    /// The present URI of an object that had this one before; nil where there is no alias. Chains are followed.
    func alias(of uri: ObjectURI) throws -> ObjectURI?

    /// The URIs that the object at this one had directly before, ascending: those of which one alias leads here. It may
    /// look through all aliases, for only what a person decides asks for it.
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
