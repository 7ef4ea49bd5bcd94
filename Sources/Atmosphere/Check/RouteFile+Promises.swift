extension RouteFile {
    /// How a write of one client can undo another's; nil where it cannot.
    private static func overwriting(_ resource: Resource, _ report: CheckReport.Resource?) -> String? {
        let create = resource.create
        if create.isOffered, create.method == "PUT", !create.isConditional {
            return "a create overwrites what another client has put at the same identifier; "
                + "“create.conditional: true” would have it refused"
        }
        guard resource.update.isOffered || resource.delete.isOffered else { return nil }
        // Nobody else writes meanwhile.
        if resource.lease?.mode == .enforced { return nil }
        if resource.carriesVersion(.update),
            report?.findings.contains(where: { $0.topic == "if-match" && !$0.holds }) == true
        {
            return "a write with a stale version was accepted, as was tried"
        }
        if resource.version == .none { return "“version: none” looks at nothing" }
        // Where the server's version cannot be sent, the check found what becomes of writes.
        let isUnsent = report.map { $0.version != resource.version } ?? false
        let verbs: [(Verb, Bool)] = [
            (.update, resource.update.isOffered), (.delete, resource.delete.isOffered)
        ]
        let offered = verbs.filter(\.1).map(\.0)
        let open = offered.filter { isUnsent || !resource.carriesVersion($0) }
        if open.isEmpty { return nil }
        // With one that carries the version, the other is told by its name.
        let write = open.count == offered.count ? "write" : open.map(\.word).joined()
        return "a change between the read and the \(write) is overwritten"
            + (write == "delete" ? ", for a delete carries no version" : "")
    }

    /// What the settings in force keep of the promises, and what a check of the server has shown.
    func promises(found reports: [CheckReport.Resource]) -> [CheckReport.Promise] {
        func report(_ resource: Resource) -> CheckReport.Resource? { reports.first { $0.entity == resource.name } }
        func exceptions(_ reason: (Resource) -> String?) -> [String] {
            resources.compactMap { resource in reason(resource).map { "\(resource.name): \($0)" } }
        }
        /// Exceptions that are told already need no doubt beside them.
        func untried(_ exceptions: [String], _ isOpen: (CheckReport.Resource) -> String?) -> [String] {
            reports.compactMap { report in
                guard !exceptions.contains(where: { $0.hasPrefix("\(report.entity): ") }) else { return nil }
                return isOpen(report).map {
                    "\(report.entity): \($0) as declared, not tried; atmos check --write tries it"
                }
            }
        }
        let isKept = store.kind != "memory"
        let creates = exceptions { resource in
            let safety = report(resource)?.create ?? CheckReport.CreateSafety(resource)
            if safety == .refuted {
                return "a create that is sent twice makes two objects, as was tried: the server does not do "
                    + "what the route file says"
            }
            if case .lookup = safety, let lookup = resource.lookup {
                let hiding = lookup.filters(of: resource.list).map(\.name)
                if !hiding.isEmpty {
                    let names = hiding.joined(separator: "”, “")
                    return "an object that “\(names)” of “query” hides is not found by its look-up, and made "
                        + "twice; name what hides objects in “lookup.without”, or write without: [] where nothing "
                        + "does"
                }
            }
            return safety == CheckReport.CreateSafety.none
                ? "a create whose answer is lost waits for a person; “lookup”, an idempotency header or "
                    + "identifiers of the client would mend it" : nil
        }
        let writes = exceptions { Self.overwriting($0, report($0)) }
        return [
            .init("reads and writes here never wait for the network"),
            .init(
                "no write that was acknowledged is lost",
                exceptions: isKept ? [] : ["the store is in memory and ends with the process"]),
            .init(
                "one server object at most for each that is created here", exceptions: creates,
                untried: untried(creates) { $0.isCreateTried ? nil : $0.create.means }),
            .init(
                "no write undoes another client’s", exceptions: writes,
                untried: untried(writes) { report in
                    guard report.isWritable, !report.isVersionTried else { return nil }
                    if report.isLeased { return "the edit lease is" }
                    return "that the server refuses a stale version is"
                }),
            .init("every client and the server come to agree", exceptions: exceptions { Self.staying($0, report($0)) })
        ]
    }

    /// Why an object deleted on the server can stay here.
    private static func staying(_ resource: Resource, _ report: CheckReport.Resource?) -> String? {
        guard resource.list.isOffered else { return "there is no list, so nothing is pulled" }
        if report?.isCutOff == true {
            return "the list goes on behind its first answer, and “pages” does not lead there"
        }
        if let since = resource.since, since.overlap == .zero, tellsTime(since) {
            return "with “since.overlap: 0s” a change in the second of the last pull can be missed"
        }
        if let moves = unnoticedMoves(resource, report) { return moves }
        let deletes = resource.deletes
        if let list = deletes.list { return staying(resource, besides: list) }
        if deletes.field != nil { return nil }
        guard deletes.byAbsence else {
            return "an object deleted on the server stays here, for “deletes” does not say how that shows"
        }
        guard let since = resource.since else { return nil }
        return "a deletion on the server is seen by a full pull only (\(nextFull(since)))"
    }

    /// Why one can stay here though a list tells what was deleted, or be missing though it was made anew.
    private static func staying(_ resource: Resource, besides list: TombstoneList) -> String? {
        if let since = list.since, since.overlap == .zero, tellsTime(since) {
            return "with “deletes.list.since.overlap: 0s” a deletion in the second of the last pull can be missed"
        }
        let tellsTimes = [resource.since, list.since].allSatisfy {
            if case .field? = $0?.origin { true } else { false }
        }
        guard resource.assigned == .client, !resource.read.isOffered, !tellsTimes else { return nil }
        return
            "an object that was deleted and made anew under its identifier can be missing here: neither “read” nor the "
            + "times of “since.from.field” and “deletes.list.since.from.field” tell it from a deleted one"
    }

    /// How a row can be missed for which nothing has changed since.
    private static func unnoticedMoves(_ resource: Resource, _ report: CheckReport.Resource?) -> String? {
        guard let since = resource.since, let places = movingPlaces(resource, report) else { return nil }
        let hasTotal = if case .items? = resource.paging.total { report.map { $0.total != nil } ?? true } else { false }
        if hasTotal {
            return
                "\(places)where a row is deleted and another comes between the same two pages, the number stays, and "
                + "nothing tells that a third has moved to a page that was read already; it comes with a full pull "
                + "(\(nextFull(since)))"
        }
        return
            "\(places)nothing in the answers tells that a row has moved to a page that was read already, because another "
            + "was deleted meanwhile; it comes with a full pull (\(nextFull(since))), and “pages.total” would tell at once"
    }

    /// Under which condition other rows may stand on a page a moment later, and no overlap tells; empty where they may, and
    /// nil where they do not.
    private static func movingPlaces(_ resource: Resource, _ report: CheckReport.Resource?) -> String? {
        switch resource.paging {
        case .none, .offset: nil
        case .number, .bodyLink, .headerLink: ""
        case .token where resource.since?.takesLastPage == true: nil
        case .token:
            switch report?.hasCountedPages {
            case true?: ""
            case false?: nil
            case nil: "if the tokens of its pages are numbers of pages or rows: "
            }
        }
    }

    /// What brings everything.
    private static func nextFull(_ since: Since) -> String {
        since.fullEvery == nil
            ? "atmos pull --full; “since.full-every” is never" : "by “since.full-every”, or atmos pull --full"
    }

    /// The cursor is a time as far as can be seen from here; a field may hold a counter.
    private static func tellsTime(_ since: Since) -> Bool {
        switch since.origin {
        case .responseDate: true
        case .field, .header, .body: since.format != nil
        }
    }
}
