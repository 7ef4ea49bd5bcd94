/// One object as the store holds it: the working record and its meta object.
public struct LocalObject: Sendable, Hashable {
    /// The record the application sees; nil for an object deleted here.
    public var record: ObjectRecord?
    public var meta: MetaObject

    public init(record: ObjectRecord?, meta: MetaObject) {
        self.record = record
        self.meta = meta
    }

    public var uri: ObjectURI { meta.uri }
}
