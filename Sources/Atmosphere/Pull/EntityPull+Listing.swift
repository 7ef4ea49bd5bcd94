/// One list, page by page.
extension EntityPull {
    /// How often a page is asked for that the server fails to give.
    static let mostTries = 3

    /// A page that was read, with what is to be known to store it.
    struct ReadPage: Sendable {
        var page: Page
        /// Where the list goes on behind it.
        var next: PullPosition?
        var repeats: ListingMachine.Repeats
        var listing: Listing
        var pages: PageBuffer
    }

    /// Lists from where the listing was interrupted, or from the start.
    ///
    /// - Parameter store: takes each page, in the order of the list.
    /// - Throws: ``ResumeRefused`` where the listing cannot go on; ``CursorExpired``.
    func pull(_ listing: Listing, _ store: @escaping @Sendable (ReadPage) async throws -> Void) async throws {
        do {
            try await list(listing, store)
        } catch let error as ParentGone {
            // The parent may have gone since it was listed: it is looked at, and the other lists go on.
            tally.skip(listing.scope)
            if options.dryRun { return tally.warn(error.message) }
            guard try synchronizer.resource(error.parent.entity).read.isOffered else {
                // The next list of parents, or the next write to it, tells what has become of it.
                return tally.warn(error.message)
            }
            do {
                guard try await synchronizer.refresh(error.parent) != nil else { return }
            } catch let refusal as SyncError where refusal.code == .refused {
                return tally.warn("\(error.message); \(refusal.message), so its \(resource.name) stay here as they are")
            }
            // Asking again brings nothing new before a person has decided.
            guard try await synchronizer.object(at: error.parent)?.meta.isGoneThere != true else {
                return tally.warn(
                    "\(error.parent) was deleted on the server and edited here; its \(resource.name) wait for that decision"
                )
            }
            tally.fail(error.message, .answer)
        }
    }

    /// The page with which an interrupted listing would go on is not there any more: its token or link has expired. Or rows
    /// have moved since.
    struct ResumeRefused: Error {
        var scope: PullScope

        var message: String {
            "\(scope): the server does not go on from where the last pull stopped, or rows have moved since; listed from "
                + "the start"
        }
    }

    /// The server has given up what the cursor stands for.
    struct CursorExpired: Error {
        var scope: PullScope
        /// What has become of it; names the scope.
        var message: String
    }

    /// The list of one parent is not there.
    struct ParentGone: Error {
        var parent: ObjectURI
        var message: String
    }

    private func list(_ listing: Listing, _ store: @escaping @Sendable (ReadPage) async throws -> Void) async throws {
        let client = synchronizer.client
        let start =
            try view.map { try client.firstPage(of: resource, in: $0, at: listing.place) }
            ?? client.firstPage(
                of: resource, at: listing.place, cursor: listing.underway.isFull ? nil : listing.known.checkpoint)
        let pages = PageBuffer(
            listing.underway.tentative, keepsCandidate: lastingCheckpoint(of: listing.underway) != nil)
        // Where each page says whether another follows, none is asked for before that.
        let machine = ListingMachine(
            paging: resource.paging, first: start, position: listing.underway.position,
            concurrent: resource.more == nil ? limit : 1, mostPages: synchronizer.routeFile.limits.pages)
        let ended = try await machine.run(.start) { effect in
            switch effect {
            case .fetch(let index, let target):
                do {
                    let (summary, page) = try await fetch(index, target, listing, pages)
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
                        ReadPage(page: page, next: next, repeats: repeats, listing: listing, pages: pages))
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
        // What moved while the lists were read the second time may be known from the first.
        guard !isConfirming else { return }
        tally.end(listing.scope, candidate: pages.candidate)
        if resource.list.isConditional, listing.underway.position == nil, let tag = pages.onlyTag {
            tally.tag(listing.scope, .init(text: tag, target: tagTarget(start)))
        }
    }

    func fetch(
        _ index: Int, _ target: RequestTarget, _ listing: Listing, _ pages: PageBuffer
    ) async throws -> (PageSummary, Page?) {
        let client = synchronizer.client
        let sequence = synchronizer.openPages.begin { synchronizer.nextSequence() }
        defer { synchronizer.openPages.end(sequence) }
        synchronizer.note(listing.scope.description, "\(resource.list.method) \(target.path)", isRoutine: true)
        let tag = index == 0 ? knownTag(listing, target) : nil
        let request = try client.listRequest(resource, target, at: listing.place, tag: tag)
        let reply = try await answer(to: request, isFirst: index == 0, pages, listing)
        if reply.status == 304, let tag {
            synchronizer.note(listing.scope.description, "has not changed")
            tally.tag(listing.scope, .init(text: tag, target: tagTarget(target)), isUnchanged: true)
            return (.init(count: 0), nil)
        }
        pages.note(tag: reply.headers["ETag"])
        guard reply.isSuccess else {
            // A page past the end tells where the end is, where no total is known.
            if isEnd(reply, isFirst: index == 0, pages) { return (.init(count: 0, isMissing: true), nil) }
            throw refusal(of: index, target, request, reply, listing)
        }
        var selectors = client.selectors(for: resource, at: listing.place, isList: true)
        selectors.failed = resource.failedItems
        var page = try client.extractor(for: resource).page(in: reply.body, selectors)
        page.entity = resource.name
        page.sequence = sequence
        page.ordersVersions = resource.version.isOrdered
        page.listing = listing.showsAbsence ? listing.underway.number : nil
        if index == 0, view == nil, let double = tally.double(in: page, resource, listing.scope) { tally.warn(double) }
        if index == 0, view == nil { try pages.learnTime(serverTime(reply, listing)) }
        // A token stands for all that was listed so far; a time for what was there when the listing began.
        if resource.since?.takesLastPage == true || index == 0 && listing.underway.position == nil {
            pages.offer(client.cursor(from: reply, page: page, of: resource))
        }
        let summary = try client.summary(of: reply, page: page, resource, target: target)
        page.total = summary.total
        if summary.total != nil || summary.pages != nil { pages.learnTotal() }
        tellOfOtherPages(reply, page, summary, isFirst: index == 0, listing)
        if reply.status == 202 {
            // Accepted for later work (RFC 9110 §15.3.3): what it holds is no content of the list.
            tally.warn(
                "\(listing.scope): \(resource.list.method) \(target.text) was answered with 202, which says that the list is "
                    + "still to come; what it does not show stays here, and the next pull asks again")
            tally.skip(listing.scope)
        }
        if resource.list.shape == .partial {
            let partial = PartialPage(synchronizer: synchronizer, resource: resource, place: listing.place)
            let (completed, unseen) = try await partial.completed(page, reading: !options.dryRun)
            page = completed
            leaveOut(unseen, listing)
        }
        if let reason = page.skippedReason {
            tally.fail("\(listing.scope): \(page.skipped) left out: \(reason)", .answer)
            // The next pull has to ask for what was left out, so the list has not come to its end.
            tally.skip(listing.scope)
        }
        return (summary, page)
    }

    /// What a list shows and a read does not may be deleted, or may not have come to all of the server yet. The next list
    /// tells, so this one has not come to its end.
    private func leaveOut(_ unseen: [PartialPage.Unseen], _ listing: Listing) {
        guard let first = unseen.first else { return }
        tally.warn(
            "\(listing.scope): \(unseen.count) left out: the list shows \(first.uri), and GET \(first.uri) is answered with "
                + "\(first.status); the next pull asks again, and if that means that it is gone, write “errors: { rules: "
                + "[{ status: \(first.status), method: GET, treat: gone }] }” for \(resource.name)")
        tally.skip(listing.scope)
    }

    /// What ends a pull whose page was refused.
    private func refusal(
        of index: Int, _ target: RequestTarget, _ request: Request, _ reply: ResourceClient.Reply, _ listing: Listing
    ) -> any Error {
        let (failure, treatment) = synchronizer.client.failure(in: reply, of: resource)
        if index == 0, treatment == .gone || treatment == .reject {
            if listing.underway.position != nil { return ResumeRefused(scope: listing.scope) }
            // A list that is not there says 404, under the same parent too.
            if treatment == .gone, view == nil, !listing.underway.isFull, reply.status != 404 || listing.parent == nil {
                return CursorExpired(
                    scope: listing.scope,
                    message: "\(listing.scope): the server does not tell changes since the last pull any more "
                        + "(\(failure.message), \(reply.status))")
            }
            if treatment == .gone, let parent = listing.parent {
                return ParentGone(
                    parent: parent,
                    message: "\(resource.list.method) \(target.text): \(failure.message) (\(reply.status))")
            }
        }
        if treatment == .unauthorized {
            return SyncError(code: .signInNeeded, message: synchronizer.client.signInMessage(failure, resource.name))
        }
        return SyncError(
            code: treatment == .wait || treatment == .retry ? .unreachable : .refused,
            message: "\(resource.list.method) \(target.text): \(failure.message) (\(reply.status))"
                + (reply.status == 404
                    ? "; asked for was \(request.url.prefix { $0 != "?" }): compare “base” and “path”" : "")
                + (index == 0 && treatment == .reject && !listing.underway.isFull ? refusedCursorRemedy(reply) : ""),
            failure: failure)
    }

    /// A page may say itself that there are others, where the route file says that there are none.
    private func tellOfOtherPages(
        _ reply: ResourceClient.Reply, _ page: Page, _ summary: PageSummary, isFirst: Bool, _ listing: Listing
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

    /// A server that has forgotten what a cursor stands for may say so with any status.
    func refusedCursorRemedy(_ reply: ResourceClient.Reply) -> String {
        "; this asks for what has changed since the last pull: if the server does not know that any more, atmos pull "
            + "\(resource.name.shellWord) --full asks for everything, and “errors: { rules: [{ status: \(reply.status), "
            + "method: GET, treat: gone }] }” for \(resource.name) makes each such pull ask for everything by itself"
    }

    /// Where one answer is taken for the whole list, and says itself that there is more. What the route file says of pages
    /// stays, and what its style says may not be so.
    func cutOff(_ reply: ResourceClient.Reply, _ page: Page, _ listing: Listing) -> String? {
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
    func answer(
        to request: Request, isFirst: Bool, _ pages: PageBuffer, _ listing: Listing
    ) async throws -> ResourceClient.Reply {
        let client = synchronizer.client.telling { synchronizer.note(listing.scope.description, $0) }
        let environment = synchronizer.environment
        var tries = 1
        while true {
            let reply = try await client.exchange(request, resource: resource)
            guard !reply.isSuccess, reply.status != 304, !isEnd(reply, isFirst: isFirst, pages),
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
    func isEnd(_ reply: ResourceClient.Reply, isFirst: Bool, _ pages: PageBuffer) -> Bool {
        !isFirst && resource.paging.countsPages && !pages.knowsTotal && resource.endStatuses.contains(reply.status)
    }

    /// The tag to ask with: of the same list, and where it may be trusted that everything in it is here.
    func knownTag(_ listing: Listing, _ target: RequestTarget) -> String? {
        guard resource.list.isConditional, !options.full, !options.dryRun, !isConfirming, !isAnothers(listing.known),
            listing.underway.position == nil, let tag = listing.known.complete?.tag, tag.target == tagTarget(target)
        else { return nil }
        return tag.text
    }

    /// What a tag belongs to: the request, and what the route file makes of its answer.
    private func tagTarget(_ target: RequestTarget) -> String { "\(target.text)\n\(resource.listMeaning)" }
}
