/// One object as the store holds it: the working record and its meta object.
public struct LocalObject: Sendable, Hashable {
    /// The record the application sees; nil for an object deleted here.
    public var record: ObjectRecord?
    /// How the object stands to the server.
    public var meta: MetaObject

    /// Puts the two together; nothing checks that they fit.
    public init(record: ObjectRecord?, meta: MetaObject) {
        self.record = record
        self.meta = meta
    }

    /// The object's address, from its meta object.
    public var uri: ObjectURI { meta.uri }
}
