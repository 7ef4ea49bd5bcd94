extension ResourceCompiler {
    /// The elements that repeat, as paths from an object on.
    mutating func xmlLists(_ section: RouteSection) -> [String: XMLLayout.ListForm] {
        var lists: [String: XMLLayout.ListForm] = [:]
        for each in section.list {
            guard let text = each.text, !text.isEmpty else { continue }
            let names = text.split(separator: "/", omittingEmptySubsequences: false).map { String($0).underscored }
            guard (1...2).contains(names.count), names.allSatisfy(XMLLayout.isName) else {
                note(
                    each.place,
                    "“xml.lists”: \(text.quoted) is no element that repeats: write tags/tag for "
                        + "<tags><tag>…</tag></tags>, or tag for <tag>…</tag><tag>…</tag>")
                continue
            }
            guard lists[names[0]] == nil else {
                note(each.place, "“xml.lists” names \(names[0].quoted) twice")
                continue
            }
            lists[names[0]] = names.count == 2 ? .wrapped(item: names[1]) : .repeated
        }
        return lists
    }

    /// A name that cannot be written would be found out with the first edit.
    mutating func checkElementNames(_ resource: Resource) {
        guard resource.coding == "xml" else { return }
        var names = ["root", "item"].map { (section["xml"][$0], "xml.\($0)") }
        names.append((section["root"]["write"], "root.write"))
        for (section, key) in names {
            guard let text = section.text, !XMLLayout.isName(text) else { continue }
            noteElementName(text, section.place, key)
        }
        for operation in ["create", "update"] {
            for (name, place, _) in section[operation]["set"].named {
                let isAttribute = resource.xml.hasAttributes && name.hasPrefix("@")
                guard name != "#text", !XMLLayout.isName(isAttribute ? String(name.dropFirst()) : name) else {
                    continue
                }
                noteElementName(name, place, "\(operation).set")
            }
        }
    }

    private mutating func noteElementName(_ name: String, _ place: RoutePlace, _ key: String) {
        guard !name.hasPrefix("@") || section["xml"]["attributes"].isTrue else {
            return note(place, "\(key.quoted): \(name.quoted) is an attribute; add xml: { attributes: true }")
        }
        note(
            place,
            "\(key.quoted): \(name.quoted) cannot be the name of an XML element; use letters, digits, “_” and “-”")
    }

    /// XML is read with underscores in the place of dashes, so a name with a dash would be nobody's.
    mutating func checkDashes(_ resource: Resource) {
        guard resource.format == "xml" else { return }
        var names: [(name: String, place: RoutePlace, key: String)] = []
        for key in ["fields", "types", "merge", "references"] {
            names += section[key].named.map { ($0.name, $0.place, "\(key).\($0.name)") }
        }
        names += section["conflict"]["fields"].named.map { ($0.name, $0.place, "conflict.fields.\($0.name)") }
        names += section["readonly"].list.compactMap { each in each.text.map { ($0, each.place, "readonly") } }
        for (_, _, member) in section["parent"].named {
            if let text = member.text { names.append((text, member.place, "parent")) }
        }
        let lookup = section["lookup"]["field"]
        if let text = lookup.text { names.append((text, lookup.place, "lookup.field")) }
        for (name, place, key) in names where name.contains("-") {
            note(
                place,
                "\(key.quoted): XML is read with “_” for “-”, so this member is \(name.underscored.quoted); "
                    + "xml: { dashes: true } writes it with dashes")
        }
    }
}
