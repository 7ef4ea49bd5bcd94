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
        batch.create = item("\(name).create", section["create"])
        batch.update = item("\(name).update", section["update"])
        batch.delete = item("\(name).delete", section["delete"])
        batch.read = item("\(name).read", section["read"])
        let results = section["results"]
        batch.results.path = results["path"].selector
        if let sent = results["match"]["sent"].selector, let found = results["match"]["found"].selector {
            batch.results.match = .key(sent: sent, found: found)
        } else if let sent = results["match"]["sent"].selector {
            batch.results.match = .name(sent: sent)
        }
        if let path = results["ids"]["path"].selector, let sent = results["ids"]["sent"].selector {
            batch.results.ids = .init(path: path, sent: sent)
        }
        batch.results.status = results["status"].selector
        for (code, _, status) in results["codes"].named { batch.results.codes[code] = status.whole }
        batch.results.retryAfter = results["retry-after"].selector
        batch.results.body = results["body"].selector
        batch.results.error = results["error"].selector
        batch.results.id = results["id"].selector
        batch.results.version = results["version"].selector
        return batch
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
            if section["results"]["codes"].isPresent, !section["results"]["status"].isPresent {
                note(section["results"]["codes"].place, "“\(name).results.codes” has no use without “status”")
            }
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
