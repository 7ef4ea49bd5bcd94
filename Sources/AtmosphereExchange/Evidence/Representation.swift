/// What the server said of one object in one answer.
package struct Representation: Equatable {
    /// nil where the server says that it is deleted.
    package var record: ObjectRecord?
    package var id: ObjectID?
    package var version: String?
    /// The start sequence of the request that brought it.
    package var sequence: Int64
    /// Members that are missing are unknown, not absent.
    package var isPartial = false

    /// With the members and fields that only `known` has, where this one is partial.
    package func completed(over known: ObjectRecord?, _ mapping: FieldMapping) -> Representation {
        guard isPartial, let record, let known else { return self }
        var whole = self
        whole.record = mapping.completed(record, over: known)
        return whole
    }
    /// The server showed the object and said that it is deleted; ``record`` is nil then.
    package var isDeleted = false

    /// It stood in a list of the entity, which shows no more of an object than a read does.
    package var isListed = false

    /// Members that it leaves out, and that the server may have set since they were shown; nil where nobody has looked at that.
    package var stale: [String]?

    /// Members that the request which it answers has set: what it shows of them is this client's own doing.
    package var own: [String] = []

    /// It was shown under the address of another identifier, which no list shows any more: the server has renamed it.
    package var isRenamed = false

    package init(
        record: ObjectRecord? = nil, id: ObjectID? = nil, version: String? = nil, sequence: Int64,
        isPartial: Bool = false, isDeleted: Bool = false, isListed: Bool = false, isRenamed: Bool = false
    ) {
        self.record = record
        self.id = id
        self.version = version
        self.sequence = sequence
        self.isPartial = isPartial
        self.isDeleted = isDeleted
        self.isListed = isListed
        self.isRenamed = isRenamed
    }

    /// Whether it says anything of the object's content.
    package var isTelling: Bool { record != nil || isDeleted }
}
