/// Where the application's objects live, as seen inside one transaction.
///
/// This is the small part that touches a model framework: look up, create or update, change an identifier, delete.
/// All methods are synchronous and throw ``StoreError``; an instance is valid only inside the closure it was passed to.
public protocol AppContext {
    /// The working record; nil when there is none (unknown, or deleted here). Aliases are not followed.
    func record(at uri: ObjectURI) throws -> ObjectRecord?

    /// Calls `each` for every record of the query, in its order, until it returns false.
    func records(matching query: Query, _ each: (ObjectURI, ObjectRecord) throws -> Bool) throws

    /// Creates or replaces records.
    func upsert(_ batch: [(uri: ObjectURI, record: ObjectRecord)]) throws

    /// Moves an object to another identifier of the same entity; the record's own bytes are not touched.
    ///
    /// - Throws: ``StoreError`` `identifierTaken` where `to` exists; nothing changes then. An unknown `from` is no error.
    func changeIdentifier(from: ObjectURI, to: ObjectURI) throws

    /// Removes records; unknown ones are no error.
    func delete(_ batch: [ObjectURI]) throws
}
