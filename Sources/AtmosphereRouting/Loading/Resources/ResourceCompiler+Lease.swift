extension ResourceCompiler {
    mutating func lease(_ section: RouteSection) -> Lease? {
        guard section.isPresent, let acquire = leaseRoute(section["acquire"]) else { return nil }
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
        lease.renew = leaseRoute(section["renew"])
        lease.release = leaseRoute(section["release"])
        if section["refused"].isPresent { lease.refusals = section["refused"].list.compactMap(\.whole) }
        lease.mode = section["mode"].word(.enforced)
        if let place = answerPlace(section["token"]), let header = section["token"]["send"].text {
            lease.token = .init(place: place, header: header)
        }
        return lease
    }

    private mutating func leaseRoute(_ section: RouteSection) -> Lease.Route? {
        guard section.isPresent, let verb = RouteVocabulary.actionVerbs.first(where: { section[$0].isPresent }),
            let path = section[verb].path
        else { return nil }
        if !path.namesObject {
            note(section[verb].place, "the path of an edit lease needs {id}: a lease belongs to one object")
        }
        return .init(method: verb.uppercased(), path: path)
    }
}
