/// Writes request bodies in one coding: JSON, a form, XML.
///
/// Synchronous and without I/O. What it writes is what the server reads; the records stay JSON inside.
///
/// To write one, see the guide "Writing a body writer" and run `BodyWriterSuite` of AtmosphereTesting.
public protocol BodyWriter: Sendable {
    /// What the route file's `coding` says to choose it.
    var coding: String { get }
    /// Sent as `Content-Type`.
    var contentType: String { get }

    /// The bytes of one body.
    ///
    /// - Throws: ``SyncError`` `invalidRecord` for a value that the coding cannot say.
    func body(of value: Value, _ layout: BodyLayout) throws -> [UInt8]
}
