/// A list of what was deleted.
extension ResourceCompiler {
    /// - Parameter resource: what the list leaves out is as in this one's own.
    mutating func tombstones(_ section: RouteSection, of resource: Resource) -> TombstoneList? {
        guard section.isPresent, let path = section["path"].path else { return nil }
        var list = TombstoneList(list: Operation(method: "GET", path: path))
        list.list.query = section["query"].namedTexts
        list.id = section["id"]["field"].selector ?? resource.id
        list.isIDLink = section["id"].isPresent ? section["id"]["link"].isTrue : resource.isIDLink
        let items = section["items"]
        list.items = items.isPresent ? items["path"].selector : resource.items
        list.areItemsOptional = items.isPresent ? items["optional"].isTrue : resource.areItemsOptional
        list.failedItems = items.isPresent ? items["failed"].selector : resource.failedItems
        if section["pages"].isPresent {
            let pages = section["pages"]
            list.paging = paging(pages, "deletes.list.pages")
            if pages["end-status"].isPresent { list.endStatuses = pages["end-status"].list.compactMap(\.whole) }
            list.more = answerPlace(pages["more"])
            list.moreSaysEnd = pages["more"]["equals"].text == "false"
        } else {
            list.paging = resource.paging
            list.endStatuses = resource.endStatuses
            list.more = resource.more
            list.moreSaysEnd = resource.moreSaysEnd
        }
        list.since = since(section["since"], "deletes.list.since")
        return list
    }

    /// What a list of what was deleted needs of the resource.
    mutating func checkTombstones(_ resource: Resource) {
        guard let list = resource.deletes.list else { return }
        let section = section["deletes"]["list"]
        guard resource.list.isOffered else {
            note(
                section.place,
                "“deletes.list” needs “list”, which this resource does not offer: nothing is pulled without it")
            return
        }
        if list.list.path == resource.list.path, list.list.query == resource.list.query {
            note(
                section["path"].place,
                "“deletes.list” asks for the resource’s own list, and every object in it would count as deleted; where "
                    + "a member marks what is deleted, write deletes: { field: MEMBER }")
        }
        let known = resource.list.parentEntities
        let named = list.list.parentEntities
        if let other = named.first(where: { !known.contains($0) }) {
            note(
                section["path"].place,
                "“deletes.list” names the parent \(other.quoted), and the resource’s own list does not: it is read for "
                    + "each of the parents that “list.path” names"
                    + (known.isEmpty ? ", which names none" : ", \(known.joined(separator: ", "))"))
        } else if named != known, resource.isUniquePerParent {
            note(
                section["path"].place,
                "“deletes.list” needs all parents that “list.path” names (\(known.joined(separator: ", "))) in its path: "
                    + "with “ids: per-parent” an identifier alone does not say which object is deleted")
        }
    }

    /// Its query has the places of the resource’s own list.
    mutating func checkTombstonePlaces(_ resource: Resource) {
        guard let list = resource.deletes.list else { return }
        let section = section["deletes"]["list"]
        checkPlaces("deletes.list.query", section["query"], of: list.list, resource)
        for key in ["query", "full-query"] {
            checkPlaces("deletes.list.since.\(key)", section["since"][key], of: nil, resource)
        }
    }
}
