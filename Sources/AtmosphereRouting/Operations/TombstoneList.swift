/// A list of what was deleted, beside the list of what is there: every item says that the object with its identifier is
/// gone. Its parts mean what those of the same name mean for the list of a resource.
package struct TombstoneList: Sendable, Hashable {
    /// The request for a page. Its path may name the parents that the path of the resource's own list names.
    package var list: Operation
    /// Where an item has the identifier of the deleted object.
    package var id: JSONPath
    /// What stands at ``id`` is the object's address, whose last segment is the identifier.
    package var isIDLink = false
    /// Where the items stand; nil for a bare array.
    package var items: JSONPath?
    /// A list without items lacks ``items``.
    package var areItemsOptional = false
    /// Where an item says that it is an error; nil where none ever is.
    package var failedItems: JSONPath?
    /// How the list continues; ``Paging/none`` by default.
    package var paging = Paging.none
    /// Where an answer says whether more follows; nil where the next page is enough.
    package var more: Paging.Place?
    /// What stands there says that the page is the last one, and not that more follows.
    package var moreSaysEnd = false
    /// What the server answers for a page past the end.
    package var endStatuses = [404, 410]
    /// How to ask for what was deleted since; nil where each pull reads the whole list. Where its value is a field, that is
    /// the time of the deletion.
    package var since: Since?

    /// A list of one page whose items have the identifier as `id`.
    package init(list: Operation, id: JSONPath = .member("id")) {
        self.list = list
        self.id = id
    }
}

extension Resource {
    /// The list of what was deleted as a resource of its own, so that it is asked for and read as any list is; nil where
    /// none is declared. It offers nothing but its list.
    package var tombstones: Resource? {
        guard let deleted = deletes.list else { return nil }
        var resource = self
        resource.list = deleted.list
        for path in [\Resource.read, \.create, \.update, \.delete] { resource[keyPath: path].isOffered = false }
        resource.id = deleted.id
        resource.isIDLink = deleted.isIDLink
        resource.items = deleted.items
        resource.areItemsOptional = deleted.areItemsOptional
        resource.failedItems = deleted.failedItems
        resource.paging = deleted.paging
        resource.more = deleted.more
        resource.moreSaysEnd = deleted.moreSaysEnd
        resource.endStatuses = deleted.endStatuses
        resource.since = deleted.since
        resource.deletes = Deletes()
        resource.lookup = nil
        resource.views = []
        resource.actions = []
        resource.batches = []
        resource.lease = nil
        return resource
    }
}
