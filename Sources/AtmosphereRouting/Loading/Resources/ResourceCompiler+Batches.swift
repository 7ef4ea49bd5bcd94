/// Endpoints for several writes at once.
extension ResourceCompiler {
    /// Each endpoint with its name in messages.
    var batchSections: [(name: String, section: RouteSection)] {
        let sections = section["batch"].list
        return sections.enumerated().map { (sections.count == 1 ? "batch" : "batch[\($0)]", $1) }
    }

    mutating func batches() -> [Batch] { batchSections.map { batch($0.name, $0.section) } }

    private mutating func batch(_ name: String, _ section: RouteSection) -> Batch {
        let verb = RouteVocabulary.batchVerbs.first { section[$0].isPresent } ?? "post"
        var batch = Batch(method: verb.uppercased(), path: section[verb].path ?? PathTemplate(parts: []))
        batch.query = section["query"].namedTexts
        batch.mediaType = section["media-type"].text
        batch.size = section["size"].whole ?? batch.size
        batch.items = members(section["items"], "\(name).items") ?? []
        batch.set = values(section["set"])
        batch.since = members(section["since"], "\(name).since")
        batch.create = item("\(name).create", section["create"])
        batch.update = item("\(name).update", section["update"])
        batch.delete = item("\(name).delete", section["delete"])
        batch.read = item("\(name).read", section["read"])
        let places = section["results"].list
        if !places.isEmpty { batch.results = places.map { results($0) } }
        return batch
    }

    private func results(_ section: RouteSection) -> Batch.Results {
        var results = Batch.Results()
        results.path = section["path"].selector
        if let sent = section["match"]["sent"].selector, let found = section["match"]["found"].selector {
            results.match = .key(sent: sent, found: found)
        } else if let sent = section["match"]["sent"].selector {
            results.match = .name(sent: sent)
        }
        if let path = section["ids"]["path"].selector, let sent = section["ids"]["sent"].selector {
            results.ids = .init(path: path, sent: sent)
        }
        results.status =
            section["status"].whole.map(Batch.Results.Status.always)
            ?? section["status"].selector.map(Batch.Results.Status.found)
        for (code, _, status) in section["codes"].named { results.codes[code] = status.whole }
        results.retryAfter = section["retry-after"].selector
        results.body = section["body"].selector
        results.error = section["error"].selector
        results.id = section["id"].selector
        results.version = section["version"].selector
        return results
    }

    /// Where several places of an answer have results, those that say nothing of ``Batch/Results/match`` are known by the
    /// identifier: it stands in each item, and in the object that a result has.
    func matchedByIdentifier(_ batch: Batch, _ sections: [RouteSection], of resource: Resource) -> Batch {
        guard batch.results.count > 1, let sent = Self.identifierPath(in: batch, of: resource) else { return batch }
        var batch = batch
        for (index, section) in sections.enumerated()
        where batch.results[index].match == .position && section["match"].place == .default {
            let object = batch.results[index].body?.steps ?? resource.readRoot.map { [.member($0)] } ?? []
            batch.results[index].match = .key(sent: sent, found: JSONPath(object + resource.id.steps))
        }
        return batch
    }

    /// Where all items of a batch have the identifier; nil where they have none, or each verb another place for it.
    private static func identifierPath(in batch: Batch, of resource: Resource) -> JSONPath? {
        var places: Set<[String]> = []
        for item in [batch.update, batch.delete, batch.read] {
            guard let item else { continue }
            guard let id = item.id else { return nil }
            places.insert(id)
        }
        if let create = batch.create {
            let object = create.body + (resource.writeRoot.map { [$0] } ?? [])
            let own = resource.assigned == .client ? resource.id.memberNames.map { object + $0 } : nil
            guard let id = create.id ?? own else { return nil }
            places.insert(id)
        }
        guard places.count == 1, let path = places.first else { return nil }
        return JSONPath(path.map { .member($0) })
    }

    private mutating func item(_ name: String, _ section: RouteSection) -> Batch.Item? {
        guard section.isPresent else { return nil }
        var item = Batch.Item()
        item.set = values(section["set"])
        item.body = members(section["body"], "\(name).body") ?? []
        item.id = members(section["id"], "\(name).id")
        item.version = members(section["version"], "\(name).version")
        item.idempotency = section["idempotency"].list.compactMap { members($0, "\(name).idempotency") }
        item.key = members(section["key"], "\(name).key")
        item.path = members(section["path"], "\(name).path")
        return item
    }

    private func values(_ section: RouteSection) -> Value.Members {
        Value.Members(section.named.map { .init(name: $0.name, value: $0.section.value) })
    }

    /// What a batch cannot say, or would not be understood without.
    mutating func checkBatches(_ resource: Resource) {
        var carrier: [String: String] = [:]
        for ((name, section), batch) in zip(batchSections, resource.batches) {
            let verbs = RouteVocabulary.batchItems.filter { section[$0].isPresent }
            if verbs.isEmpty {
                note(
                    section.place,
                    "\(name.quoted) needs one of: \(RouteVocabulary.batchItems.joined(separator: ", ")), to say what goes "
                        + "in it; create: {} where an item is the object itself")
            }
            if resource.format != "json" || resource.coding != "json" {
                note(section.place, "\(name.quoted) needs “format: json” and “coding: json”; remove it, or write them")
            }
            if case .field(let field)? = batch.path.parts.first(where: { if case .field = $0 { true } else { false } })
            {
                note(
                    section[batch.method.lowercased()].place,
                    "the path of \(name.quoted) cannot have {\(field)}: it is the same for all that goes in it")
            }
            if batch.items.isEmpty, !batch.set.isEmpty {
                note(section["set"].place, "“\(name).set” needs “items”: without it the body is the list itself")
            }
            checkResults(name, section, batch)
            checkSince(name, section, resource)
            for verb in verbs {
                let place = section[verb].place
                if let other = carrier[verb] {
                    note(place, "“\(name).\(verb)”: \(other.quoted) takes it already; keep one")
                }
                carrier[verb] = name
                checkItem("\(name).\(verb)", verb, section[verb], resource)
            }
        }
    }

    private mutating func checkResults(_ name: String, _ section: RouteSection, _ batch: Batch) {
        let places = section["results"].list
        for (index, place) in places.enumerated() {
            let name = places.count == 1 ? "\(name).results" : "\(name).results[\(index)]"
            let (status, codes) = (place["status"], place["codes"])
            if let number = status.whole, !(100...599).contains(number) {
                note(
                    status.place,
                    "“\(name).status” must be a status from 100 to 599, or where each result has its own")
            }
            if codes.isPresent, !status.isPresent {
                note(codes.place, "“\(name).codes” has no use without “status”")
            } else if codes.isPresent, status.whole != nil {
                note(codes.place, "“\(name).codes” has no use beside a “status” that is a number")
            }
            if places.count > 1, batch.results[index].match == .position {
                note(
                    place.place,
                    "“\(name)” needs “match”: in several places no result is known by its position, nor by an "
                        + "identifier that stands at one place of all items")
            }
        }
    }

    private mutating func checkSince(_ name: String, _ section: RouteSection, _ resource: Resource) {
        guard section["since"].isPresent else { return }
        let place = section["since"].place
        if resource.since == nil {
            note(place, "“\(name).since” needs “since” of the resource, which says what is sent")
        }
        if !resource.list.parentEntities.isEmpty {
            note(place, "“\(name).since” cannot be said of several lists, one of each parent; remove it")
        }
        if !section["items"].isPresent {
            note(place, "“\(name).since” needs “items”: without it the body is the list itself")
        }
    }

    private mutating func checkItem(_ name: String, _ verb: String, _ item: RouteSection, _ resource: Resource) {
        let operation = [
            "create": resource.create, "update": resource.update, "delete": resource.delete, "read": resource.read
        ][verb]
        if operation?.isOffered == false {
            note(item.place, "\(name.quoted) needs “\(verb)”, which this resource does not offer")
        }
        if operation?.headers.isEmpty == false {
            note(
                section[verb]["headers"].place,
                "“\(verb).headers” are of a request of its own, and this one goes in \(name.quoted); remove them, or leave "
                    + "\(verb.quoted) out of the batch")
        }
        guard verb == "create" else {
            if !item["id"].isPresent, !item["path"].isPresent {
                note(item.place, "\(name.quoted) needs “id” or “path”, to say which object it is for")
            }
            if verb != "read", case .ifMatch = resource.version, !item["version"].isPresent {
                note(item.place, "\(name.quoted) needs “version”: a batch has no If-Match for each object")
            }
            return
        }
        if item["id"].isPresent, resource.assigned == .server {
            note(item["id"].place, "“\(name).id”: the server assigns it; write id: { assigned: client }")
        }
        let batch = String(name.dropLast(".create".count)).quoted
        for key in ["idempotency-header", "conditional"]
        where section["create"][key].isPresent && section["create"][key].text != "false" {
            note(
                section["create"][key].place,
                "“create.\(key)” is a header of one request, and creates go in \(batch); "
                    + (key == "conditional" ? "remove it" : "write \(name).idempotency"))
        }
    }
}
