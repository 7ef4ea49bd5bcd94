/// What a store keeps under one URI: a record, a meta object or both.
///
/// A reference, because tables of them are copied.
public final class StoredObject: Sendable {
    /// The working record; nil for an object deleted here.
    public let record: ObjectRecord?
    /// nil for a record that synchronization does not know.
    public let meta: MetaObject?

    /// Takes what there is of the two.
    ///
    /// - Returns: nil where there is nothing to keep.
    public init?(record: ObjectRecord?, meta: MetaObject?) {
        if record == nil, meta == nil { return nil }
        self.record = record
        self.meta = meta
    }

    /// What the server last confirmed, where nothing was changed here since; nil for every other object.
    package var synchronized: MetaObject.Confirmed? {
        guard case .synchronized(let confirmed)? = meta?.state, confirmed.base == record else { return nil }
        return confirmed
    }

    /// The start sequence of the request that showed the object as it is; nil where it was changed here since, or the server
    /// does not know it. A listing that has begun later, and has not shown the object, leaves it
    /// ``StoreTransaction/unlisted(entity:listing:after:limit:)``.
    public var sequence: Int64? { synchronized?.sequence }

    /// Not synchronized: something is to be sent.
    public var isChanged: Bool { meta?.isChanged ?? false }
}

extension StoredObject: Equatable {
    public static func == (left: StoredObject, right: StoredObject) -> Bool {
        left === right || (left.record == right.record && left.meta == right.meta)
    }
}
