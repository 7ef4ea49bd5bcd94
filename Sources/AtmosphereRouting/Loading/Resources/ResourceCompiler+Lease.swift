extension ResourceCompiler {
    mutating func lease(_ section: RouteSection) -> Lease? {
        guard section.isPresent, let acquire = leaseRequest("lease.acquire", section["acquire"]) else { return nil }
        // One that cannot be read was noted.
        guard let length = section["ttl"].duration else { return nil }
        // Early enough for a slow answer, or a try that fails.
        let interval = section["every"].duration ?? length / 12 * 11
        if length < .seconds(1) {
            note(section["ttl"].place, "“lease.ttl” must be a second or more: 2m")
        } else if interval >= length || interval <= .zero {
            note(section["every"].place, "“lease.every” must be shorter than “ttl”, or the lease runs out before it")
        }
        var lease = Lease(acquire: acquire, length: length, interval: interval)
        lease.renew = leaseRequest("lease.renew", section["renew"])
        lease.release = leaseRequest("lease.release", section["release"])
        if section["refused"].isPresent { lease.refusals = section["refused"].list.map { refusal($0) } }
        lease.format = section["format"].text.flatMap { try? TimeFormat($0) }
        lease.mode = section["mode"].word(.enforced)
        if let place = answerPlace(section["token"]), let header = section["token"]["send"].text {
            lease.token = .init(place: place, header: header)
        }
        return lease
    }

    private mutating func leaseRequest(_ name: String, _ section: RouteSection) -> Operation? {
        guard section.isPresent, let verb = RouteVocabulary.actionVerbs.first(where: { section[$0].isPresent }),
            let path = section[verb].path
        else { return nil }
        var request = Operation(method: verb.uppercased(), path: path)
        request.query = section["query"].namedTexts
        request.headers = section["headers"].namedTexts
        request.set = Value.Members(section["set"].named.map { .init(name: $0.name, value: $0.section.value) })
        if request.method == "GET", !request.set.isEmpty {
            note(
                section["set"].place,
                "“\(name).set” is the body of the request, and a GET has none; write “query”, or “post”")
        }
        if !request.parts.contains(where: { $0.namesLeasedObject }) {
            note(
                section[verb].place,
                "the path of an edit lease needs {id}: a lease belongs to one object; or name the object in “query”, "
                    + "“headers” or “set”")
        }
        return request
    }

    /// An answer that says that somebody else has the lease.
    private mutating func refusal(_ section: RouteSection) -> ErrorRules.Rule {
        let statuses = section["status"].list
        if section["equals"].isPresent, !section["path"].isPresent {
            note(section["equals"].place, "“lease.refused.equals” has no use without “path”")
        }
        if let success = statuses.first(where: { (200..<300).contains($0.whole ?? 0) }), !section["path"].isPresent {
            note(
                success.place,
                "“lease.refused” would take every answer \(success.text ?? "") for a refusal; say what tells the refusals "
                    + "among them: path: $.error")
        }
        return ErrorRules.Rule(
            statuses: statuses.compactMap(\.whole), path: section["path"].selector,
            values: section["equals"].list.map(\.value), treatment: .conflict)
    }

    /// What a request about a lease cannot say.
    mutating func checkLease(_ resource: Resource) {
        guard let lease = resource.lease else { return }
        for (name, request) in lease.requests {
            let own = section["lease"][name]
            for key in ["query", "headers"] {
                checkPlaces("lease.\(name).\(key)", own[key], of: request, resource)
            }
            for case .parent(Lease.placePrefix, let field) in request.parts {
                let place = own[request.method.lowercased()].place
                switch Lease.Place(rawValue: field) {
                case .from?, .until?: continue
                case .token? where name == "acquire":
                    note(
                        place,
                        "“lease.acquire” has {lease.token}, which only its answer shows; write it in “renew” and “release”"
                    )
                case .token? where lease.token == nil:
                    note(place, "“lease.\(name)” has {lease.token}, and no “lease.token” says where an answer shows it")
                case .token?: continue
                case nil:
                    let places = Lease.Place.allCases.map { "{lease.\($0.rawValue)}" }.joined(separator: ", ")
                    note(place, "“lease.\(name)” has {lease.\(field)}, which is no place there; there are: \(places)")
                }
            }
        }
    }
}

extension Lease {
    /// Each request with its key in the route file.
    var requests: [(name: String, request: Operation)] {
        let all: [(String, Operation?)] = [("acquire", acquire), ("renew", renew), ("release", release)]
        return all.compactMap { name, request in request.map { (name: name, request: $0) } }
    }
}

extension Operation {
    /// The parts of all that has places.
    fileprivate var parts: [PathTemplate.Part] {
        let texts = View.texts(in: .object(self.set)).map { NamedText(name: "", value: $0) }
        return path.parts + (query + headers + texts).flatMap(\.template.parts)
    }
}

extension PathTemplate.Part {
    /// Whether it says which object a lease is for.
    fileprivate var namesLeasedObject: Bool {
        switch self {
        case .literal: false
        case .field(let name): name != NamedText.version
        case .parent: self == Lease.Place.token.part
        }
    }
}

extension PathTemplate {
    /// The same without the places that a lease fills: they are of no parent.
    var withoutLease: PathTemplate {
        PathTemplate(
            parts: parts.map { part in
                if case .parent(Lease.placePrefix, _) = part { return .literal("x") }
                return part
            })
    }
}
