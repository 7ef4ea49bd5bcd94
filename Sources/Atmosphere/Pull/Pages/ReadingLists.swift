/// Reads lists from the server, each page by page.
struct ReadingLists: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let options: Synchronizer.PullOptions
    /// A subset of the entity; nil for its lists.
    let view: ViewCall?
    let trust: CursorTrust
    let tally: PullTally
    /// The lists are read once more, to be sure of what they did not show.
    let isConfirming: Bool

    /// How often a page is asked for that the server fails to give.
    private static let mostTries = 3

    typealias StorePage = @Sendable (ReadPage) async throws -> Void

    private var limit: Int { synchronizer.routeFile.limits.concurrent }

    /// Reads lists, a few at a time: those of many parents are independent, and the origin is kept busy.
    ///
    /// - Parameter store: takes each page, in the order of its list.
    /// - Returns: how each list has ended.
    /// - Throws: ``ResumeRefused`` where a listing cannot go on; ``CursorExpired``; where the list is the only one, or the origin
    ///   is to blame, what it failed with. That the list of one parent of many failed is noted.
    func read(_ listings: [PulledList], _ store: @escaping StorePage) async throws -> PulledList.Ends {
        let ends = try await listings.concurrently(limit) { listing in
            try await readOne(listing, store).map { (listing.scope, $0) }
        }
        return PulledList.Ends(ends.compactMap(\.self), uniquingKeysWith: { $1 })
    }

    /// Lists from where the listing was interrupted, or from the start.
    ///
    /// - Returns: nil where the list is not there, for its parent is gone.
    private func readOne(_ listing: PulledList, _ store: @escaping StorePage) async throws -> PulledList.End? {
        do {
            return try await list(listing, store)
        } catch let error as ParentGone {
            // The parent may have gone since it was listed: it is looked at, and the other lists go on.
            tally.skip(listing.scope)
            try await lookAtParent(error)
            return nil
        } catch let error as ExtractionError where listing.parent == nil {
            throw SyncError(
                code: .unexpectedAnswer, message: "\(listing.scope): \(error.message)", cause: error)
        } catch {
            // The list of one parent says nothing of those of the others.
            guard listing.parent != nil else { throw error }
            let failure = try tally.failure(of: error)
            tally.failOne("\(listing.scope): \(failure.message)", failure)
            tally.interrupt(listing.scope)
            if (error as? SyncError)?.code == .refused { tally.refuse(listing.scope) }
            return PulledList.End()
        }
    }

    private func lookAtParent(_ error: ParentGone) async throws {
        if options.dryRun { return tally.warn(error.message) }
        guard try synchronizer.resource(error.parent.entity).read.isOffered else {
            // The next list of parents, or the next write to it, tells what has become of it.
            return tally.warn(error.message)
        }
        do {
            guard try await synchronizer.refresh(error.parent) != nil else { return }
        } catch let refusal as SyncError where refusal.code == .refused {
            return tally.warn("\(error.message); \(refusal.message), so its \(resource.name) stay here as they are")
        } catch let cause {
            let failure = try tally.failure(of: cause)
            return tally.failOne("\(error.message); \(failure.message)", failure)
        }
        // Asking again brings nothing new before a person has decided.
        guard try await synchronizer.object(at: error.parent)?.meta.isGoneThere != true else {
            return tally.warn(
                "\(error.parent) was deleted on the server and edited here; its \(resource.name) wait for that decision"
            )
        }
        tally.fail(error.message, .answer)
    }

    /// - Throws: ``ParentGone`` where the path names what is gone above the parent.
    private func firstPage(of listing: PulledList) throws -> RequestTarget {
        let client = synchronizer.client
        if let view { return try client.firstPage(of: resource, in: view, at: listing.place) }
        do {
            return try client.firstPage(
                of: resource, at: listing.place, cursor: listing.underway.isFull ? nil : listing.known.checkpoint)
        } catch let error as SyncError where error.isBelowNothing {
            guard let parent = listing.parent else { throw error }
            throw ParentGone(parent: parent, message: "\(listing.scope): \(error.message)")
        }
    }

    private func list(_ listing: PulledList, _ store: @escaping StorePage) async throws -> PulledList.End {
        let start = try firstPage(of: listing)
        let notes = ListingNotes(
            listing.underway.tentative, kind: kind(ofCursorsIn: listing),
            isLasting: trust.lastingCheckpoint(of: listing.underway) != nil)
        // Where each page says whether another follows, none is asked for before that.
        let machine = ListingMachine(
            paging: resource.paging, first: start, position: listing.underway.position,
            concurrent: resource.more == nil ? limit : 1, mostPages: synchronizer.routeFile.limits.pages)
        let ended = try await machine.run(.start) { effect in
            switch effect {
            case .fetch(let index, let target):
                do {
                    let (summary, page) = try await fetch(index, target, listing, notes)
                    tally.pageRead()
                    return .fetched(index, summary, page)
                } catch {
                    try Task.checkCancellation()
                    return .failed(index, error)
                }
            case .fail(let error): throw error
            case .store(let index, let page, let next, let repeats):
                if let page {
                    try await store(
                        ReadPage(page: page, next: next, repeats: repeats, listing: listing, notes: notes))
                }
                return .stored(index)
            }
        }
        if ended.hasMovedMeanwhile { throw ResumeRefused(scope: listing.scope) }
        if ended.timesBack > 0 {
            synchronizer.note(
                listing.scope.description,
                "rows came or went while the list was read: pages were read once more, \(ended.timesBack) times")
        }
        if let remark = ended.remark { tally.remark("\(listing.scope): \(remark)") }
        if ended.isTruncated {
            tally.fail("\(listing.scope): \(ended.warning ?? "the listing is not complete")", .answer)
            tally.skip(listing.scope)
        } else if let warning = ended.warning {
            tally.warn("\(listing.scope): \(warning)")
        }
        if let doubt = ended.doubt { doubtFirst(doubt, notes, listing) }
        if !ended.isTruncated { tellOfNoCheckpoint(notes, listing) }
        // What moved while the lists were read the second time may be known from the first.
        guard !isConfirming else { return PulledList.End() }
        if let tag = notes.unchanged {
            return PulledList.End(checkpoint: notes.tentative, tag: tag, isUnchanged: true)
        }
        guard resource.list.isConditional, listing.underway.position == nil, let tag = notes.onlyTag else {
            return PulledList.End(checkpoint: notes.tentative)
        }
        return PulledList.End(
            checkpoint: notes.tentative,
            tag: .init(text: tag.text, target: start.text, sequence: tag.sequence))
    }

    /// What the cursors of a list have to be: as they are declared, and like the one that changes are asked for with.
    private func kind(ofCursorsIn listing: PulledList) -> CursorReading.Kind {
        guard let since = resource.since else { return .text }
        let known = [listing.underway.tentative, listing.underway.isFull ? nil : listing.known.checkpoint]
        return known.compactMap { $0.map { since.reading(of: $0).kind } }.reduce(since.leastKind, max)
    }

    private func fetch(
        _ index: Int, _ target: RequestTarget, _ listing: PulledList, _ notes: ListingNotes
    ) async throws -> (PageSummary, Page?) {
        let client = synchronizer.client
        let sequence = synchronizer.openPages.begin { synchronizer.nextSequence() }
        defer { synchronizer.openPages.end(sequence) }
        synchronizer.note(
            listing.scope.description, "\(resource.list.method) \(client.told(target.path))", isRoutine: true)
        let tag = index == 0 ? knownTag(listing, target) : nil
        let request = try client.listRequest(resource, target, at: listing.place, tag: tag?.text)
        let reply = try await answer(to: request, isFirst: index == 0, notes, listing)
        if reply.status == 304, let tag {
            synchronizer.note(listing.scope.description, "has not changed")
            notes.note(unchanged: tag)
            if listing.underway.isFull { tally.showUnchanged(listing.scope) }
            return (.init(count: 0), nil)
        }
        notes.note(tag: reply.headers["ETag"], sequence)
        guard reply.isSuccess else {
            // A page past the end tells where the end is, where no total is known.
            if isEnd(reply, isFirst: index == 0, notes) { return (.init(count: 0, isMissing: true), nil) }
            let refusal = ListRefusal(synchronizer: synchronizer, resource: resource, view: view)
            throw refusal.error(of: index, target, request, reply, listing)
        }
        var page = try self.page(in: reply, index, listing)
        page.sequence = sequence
        if index == 0, view == nil {
            if let double = tally.double(in: page, resource, listing.scope) { tally.warn(double) }
            let clock = ServerClock(resource: resource)
            notes.learnTime(try clock.time(of: reply, listing, isTrial: options.dryRun))
        }
        // A token stands for all that was listed so far; a time for what was there when the listing began.
        if resource.since?.takesLastPage == true || index == 0 && listing.underway.position == nil {
            offer(client.cursor(from: reply, page: page, of: resource), notes, listing)
        }
        let summary = try self.summary(of: reply, page, target, notes, listing)
        page.total = summary.total
        tellOfOtherPages(reply, page, summary, isFirst: index == 0, listing)
        if index == 0, listing.underway.position == nil { lookBefore(reply, notes, listing) }
        if reply.status == 202 {
            // Accepted for later work (RFC 9110 §15.3.3): what it holds is no content of the list.
            tally.warn(
                "\(listing.scope): \(resource.list.method) \(client.told(target.text)) was answered with 202, which says that "
                    + "the list is still to come; what it does not show stays here, and the next pull asks again")
            tally.skip(listing.scope)
        }
        let whole = try await completed(page, listing)
        return (summary, whole)
    }

    /// The rows of an answer.
    private func page(in reply: ResourceClient.Reply, _ index: Int, _ listing: PulledList) throws -> Page {
        let client = synchronizer.client
        var selectors = client.selectors(for: resource, at: listing.place, isList: true)
        selectors.failed = resource.failedItems
        selectors.isContinued = index > 0 || listing.underway.position != nil
        var page = try client.page(in: reply, selectors, of: resource)
        page.entity = resource.name
        page.ordersVersions = resource.version.isOrdered
        page.listing = listing.showsAbsence ? listing.underway.number : nil
        return page
    }

    /// What an answer says of the list, without a total that is none.
    private func summary(
        of reply: ResourceClient.Reply, _ page: Page, _ target: RequestTarget, _ notes: ListingNotes,
        _ listing: PulledList
    ) throws -> PageSummary {
        var summary = try synchronizer.client.summary(of: reply, page: page, resource, target: target)
        if listing.scope.isOfTombstones { summary.tellDeletions(of: page) }
        // Elsewhere the pages themselves say where the list ends.
        let size = resource.paging.countsPages ? resource.paging.size?.value : nil
        if let total = summary.total, !notes.believes(total, beside: summary.count, size: size) {
            tellOfTotal(total, beside: summary.count, notes, listing)
            summary.total = nil
        }
        if summary.total != nil || summary.pages != nil { notes.learnTotal() }
        return summary
    }

    /// A page with what its rows leave out read one by one, where they are partial. What cannot be read is told.
    private func completed(_ page: Page, _ listing: PulledList) async throws -> Page {
        var page = page
        var refusal: RequestFailure?
        if resource.list.shape == .partial {
            let partial = PartialPage(
                synchronizer: synchronizer, resource: resource, place: listing.place, tally: tally,
                isReadAnew: listing.isReadAnew && !isConfirming)
            let unreadable = page.skippedReason != nil
            let (completed, unseen, failure) = try await partial.completed(page, reading: !options.dryRun)
            page = completed
            refusal = unreadable ? nil : failure
            leaveOut(unseen, listing)
        }
        if let reason = page.skippedReason {
            tally.fail(
                "\(listing.scope): \(page.skipped) left out: \(reason)", refusal?.kind ?? .answer, refusal?.code)
            // The next pull has to ask for what was left out, so the list has not come to its end.
            tally.skip(listing.scope)
        }
        return page
    }

    /// What the next pull asks with may repeat the credentials of this one, and is not stored then.
    private func offer(_ cursor: String?, _ notes: ListingNotes, _ listing: PulledList) {
        if let cursor, !cursor.isEmpty, !trust.isReadable(cursor) {
            guard notes.isNew(.noTimeInCheckpoint) else { return }
            tally.remark(
                "\(listing.scope): what the next pull would ask with is \(cursor.quoted), which is no time, so neither "
                    + "“since.format” nor “since.overlap” can hold for it; it is not kept, and the next pull asks for all that "
                    + "this one has asked for; leave “since.format” out where the server says no time")
            return
        }
        guard let cursor, synchronizer.client.holdsSecret(cursor) else { return notes.offer(cursor) }
        guard notes.isNew(.secretInCheckpoint) else { return }
        // It says nothing against what the list shows.
        tally.remark(
            "\(listing.scope): what the next pull would ask with repeats a secret that was sent to the server, so it is not "
                + "stored, and the next pull asks for all that this one has asked for; let the server leave its secrets out"
        )
    }

    /// A header that never comes leaves each pull without a checkpoint, and nothing else would tell why.
    private func tellOfNoCheckpoint(_ notes: ListingNotes, _ listing: PulledList) {
        guard view == nil, !isConfirming, listing.known.checkpoint == nil, notes.showsNoCheckpoint else { return }
        let header: String
        switch resource.since?.origin {
        case .responseDate: header = "Date"
        case .header(let name): header = name
        case .field, .body, nil: return
        }
        tally.remark(
            "\(listing.scope): the answer has no header \(header) that the next pull could ask with, so that one lists "
                + "everything again; name another place under “since.from”")
    }

    private func tellOfTotal(_ total: Int64, beside rows: Int, _ notes: ListingNotes, _ listing: PulledList) {
        guard notes.refutesTotal, notes.isNew(.noTotal) else { return }
        tally.remark(
            "\(listing.scope): the server counts \(total) in all on a page of \(rows), so “pages.total” is no count of what it "
                + "lists, and the list is read to a page without rows; name the right place, or write total: null")
    }

    /// What a list shows and a read does not may be deleted, or may not have come to all of the server yet. The next list
    /// tells, so this one has not come to its end.
    private func leaveOut(_ unseen: [PartialPage.Unseen], _ listing: PulledList) {
        guard let first = unseen.first else { return }
        tally.warn(
            "\(listing.scope): \(unseen.count) left out: the list shows \(first.uri), and \(resource.asked(for: first.uri)) is "
                + "answered with \(first.status); the next pull asks again, and if that means that it is gone, write "
                + resource.goneSetting(forRead: first.status))
        tally.skip(listing.scope)
    }

    /// The first page may say itself that another is before it.
    private func lookBefore(_ reply: ResourceClient.Reply, _ notes: ListingNotes, _ listing: PulledList) {
        guard let first = resource.paging.firstNumber,
            let hint = synchronizer.client.earlierHint(in: reply, of: resource)
        else { return }
        let doubt =
            "the answer to the request for the first page says that another is before it (\(hint)), so that one is not here; "
            + "where the server counts its pages from \(first - 1), write first: \(first - 1) in pages"
        doubtFirst(doubt, notes, listing)
    }

    /// Rows before the first page may be missing, so nothing counts as deleted for being absent, and the next pull asks again.
    private func doubtFirst(_ doubt: String, _ notes: ListingNotes, _ listing: PulledList) {
        tally.skip(listing.scope)
        if notes.isNew(.noFirst) { tally.warn("\(listing.scope): \(doubt)") }
    }

    /// A page may say itself that there are others, where the route file says that there are none.
    private func tellOfOtherPages(
        _ reply: ResourceClient.Reply, _ page: Page, _ summary: PageSummary, isFirst: Bool, _ listing: PulledList
    ) {
        if resource.paging == .none, LinkHeader.namesNext(reply.headers.values(of: "Link")) {
            tally.fail(
                "\(listing.scope): the answer names a next page (Link, rel=\"next\"), and “pages” declares none; write "
                    + "pages: link-header", .answer)
            tally.skip(listing.scope)
        } else if isFirst, summary.next == nil, let warning = cutOff(reply, page, listing) {
            tally.warn(warning)
        }
    }

    /// Where one answer is taken for the whole list, and says itself that there is more. What the route file says of pages
    /// stays, and what its style says may not be so.
    private func cutOff(_ reply: ResourceClient.Reply, _ page: Page, _ listing: PulledList) -> String? {
        guard !resource.paging.countsPages, view == nil, listing.underway.isFull, listing.underway.position == nil,
            !synchronizer.routeFile.declaresPages(of: resource),
            let hint = synchronizer.client.moreHint(in: reply, page, of: resource), hint.isSure
        else { return nil }
        return
            "\(listing.scope): the answer has \(page.items.count) objects and says that there are more (\(hint.text)); "
            + "“pages” \(resource.paging == .none ? "declares none" : "finds no next page"), so the others are not here: "
            + "write where the next page is, or pages: none where this is all"
    }

    /// The answer to the request for a page. One failure among many pages does not end a pull.
    private func answer(
        to request: Request, isFirst: Bool, _ notes: ListingNotes, _ listing: PulledList
    ) async throws -> ResourceClient.Reply {
        let client = synchronizer.client.telling { synchronizer.note(listing.scope.description, $0) }
        let environment = synchronizer.environment
        var tries = 1
        while true {
            let reply = try await client.exchange(request, resource: resource)
            guard !reply.isSuccess, reply.status != 304, !isEnd(reply, isFirst: isFirst, notes),
                client.failure(in: reply, of: resource).1 == .retry,
                tries < min(Self.mostTries, synchronizer.routeFile.limits.attempts)
            else { return reply }
            synchronizer.note(listing.scope.description, "answered \(reply.status); asked again")
            let pause = Backoff.delay(attempts: tries, random: environment.random())
            try await environment.sleep(environment.now().advanced(by: pause))
            tries += 1
        }
    }

    /// Whether an answer says that the page is past the end of the list.
    private func isEnd(_ reply: ResourceClient.Reply, isFirst: Bool, _ notes: ListingNotes) -> Bool {
        guard !isFirst, resource.paging.countsPages, !notes.knowsTotal else { return false }
        // Nobody had to declare how a page behind the total is refused.
        let isPastTotal = notes.mayHaveReachedTotal && [400, 416, 422].contains(reply.status)
        return isPastTotal || resource.endStatuses.contains(reply.status)
    }

    /// The tag to ask with: of the same list, and where it may be trusted that everything in it is here.
    private func knownTag(_ listing: PulledList, _ target: RequestTarget) -> PullCursor.Tag? {
        guard resource.list.isConditional, !options.full, !options.dryRun, !isConfirming,
            !trust.isAnothers(listing.known), listing.underway.position == nil,
            let tag = listing.known.complete?.tag, tag.target == target.text
        else { return nil }
        return tag
    }
}
