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

    /// The list as a resource of its own, which is otherwise like that of the entity and offers nothing but its list.
    func resource(like entity: Resource) -> Resource {
        var resource = entity
        resource.list = list
        for path in [\Resource.read, \.create, \.update, \.delete] { resource[keyPath: path].isOffered = false }
        resource.id = id
        resource.isIDLink = isIDLink
        resource.items = items
        resource.areItemsOptional = areItemsOptional
        resource.failedItems = failedItems
        resource.paging = paging
        resource.more = more
        resource.moreSaysEnd = moreSaysEnd
        resource.endStatuses = endStatuses
        resource.since = since
        resource.deletes = Deletes()
        resource.lookup = nil
        resource.views = []
        resource.actions = []
        resource.batches = []
        resource.lease = nil
        return resource
    }
}
