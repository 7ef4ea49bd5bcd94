/// Where the application's objects live, as seen inside one transaction.
///
/// This is the small part that touches a model framework: look up, create or update, change an identifier, delete.
/// All methods are synchronous and throw ``StoreError``; an instance is valid only inside the closure it was passed to.
public protocol AppContext {
    /// The working record; nil when there is none (unknown, or deleted here). Aliases are not followed.
    func record(at uri: ObjectURI) throws -> ObjectRecord?

    /// Calls `each` for every record of the query, in its order, until it returns false.
    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws

    /// How many records the filter of the query holds for; its order, limit and offset are not looked at.
    ///
    /// Without an implementation of its own a context counts what ``records(matching:_:)`` gives.
    func count(matching query: Query) throws -> Int

    /// Creates or replaces records.
    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws

    /// Moves an object to another identifier of the same entity; the record's own bytes are not touched.
    ///
    /// - Throws: ``StoreError`` `identifierTaken` where `to` exists; nothing changes then. An unknown `from` is no error.
    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws

    /// Removes records; unknown ones are no error.
    func delete(_ batch: [ObjectURI]) throws
}

extension AppContext {
    /// Walks through all matching records, without order, limit and offset, and counts them.
    public func count(matching query: Query) throws -> Int {
        var query = query
        query.order = []
        query.limit = nil
        query.offset = 0
        var count = 0
        try records(matching: query) { _, _ in
            count += 1
            return true
        }
        return count
    }
}
