/// Completes the pages of a list that shows only some members of each object (`list.shape: partial`): a member that is
/// missing there is unknown, not absent, so it keeps the value the server last showed. What is new or has changed is
/// read one by one before the page is stored (`detail: on-change`), so an interrupted pull leaves nothing half known
/// behind its position.
struct PartialPage {
    let synchronizer: Synchronizer
    let resource: Resource
    let place: ObjectPlace
    let tally: PullTally
    /// What is here was read by other settings: a row that says nothing new is read all the same.
    let isReadAnew: Bool

    /// What the server refuses to show alone, or fails to, is left out of the page, and the page says so
    /// (``Page/skippedReason``).
    ///
    /// - Returns: the page; what is left out of it because the list shows it and a read does not: deleted between the two, or
    ///   not on every machine of the server yet; and why the first of the others is.
    /// - Throws: ``SyncError``, `TransportError` where it is not for the object that it cannot be read.
    func completed(
        _ page: Page, reading: Bool
    ) async throws -> (page: Page, unseen: [Unseen], refusal: RequestFailure?) {
        var records = try await overlaid(page)
        guard reading, resource.detail == .onChange, resource.read.isOffered else {
            return (Self.page(page, with: records), [], nil)
        }
        var refused: [Int: RequestFailure] = [:]
        var unseen: [Int: Unseen] = [:]
        for (index, answer) in try await answers(to: records.indices.filter { records[$0].isNews }, of: page) {
            switch answer {
            case .shown(let detail):
                records[index].record = detail.record
                records[index].version = detail.version
                records[index].isDeleted = detail.record == nil
            case .refused(let failure): refused[index] = failure
            case .unseen(let failure):
                unseen[index] = Unseen(uri: page.uri(page.items[index]), status: failure.status ?? 404)
            }
        }
        let left = Self.page(Self.page(page, with: records), without: refused, Set(unseen.keys))
        let refusal = refused.min { $0.key < $1.key }?.value
        return (left, unseen.sorted { $0.key < $1.key }.map(\.value), refusal)
    }

    /// What the list shows and a read does not.
    struct Unseen: Sendable {
        var uri: ObjectURI
        /// Of the answer to the read.
        var status: Int
    }

    /// What a read of one object of the page brought.
    private enum Answer: Sendable {
        /// Without a record it is gone: its mark says so, or an error rule of the route file.
        case shown(Representation)
        case refused(RequestFailure)
        /// Nothing is there, although the list shows it.
        case unseen(MetaObject.Failure)
    }

    /// What an item becomes.
    struct Completed: Sendable {
        /// nil to leave the item as the list shows it.
        var record: ObjectRecord?
        var version: String?
        var isDeleted = false
        /// The list shows something that is not known here.
        var isNews = false
    }

    private func overlaid(_ page: Page) async throws -> [Completed] {
        let engine = ChangeEngine(resource)
        return try await synchronizer.store.read { snapshot in
            try page.items.map { item in
                guard !item.isDeleted else { return Completed() }
                let uri = page.uri(item)
                let meta = try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)
                guard let base = meta?.lastShown else { return Completed(isNews: true) }
                let whole = resource.mapping.completed(page.record(item), over: base)
                // What says the same keeps its bytes, so that it is not written again.
                let isNews = isReadAnew || meta?.outgoing?.unverified != nil || !engine.isSame(whole, base)
                return Completed(record: isNews ? whole : base, isNews: isNews)
            }
        }
    }

    private func answers(to indices: [Int], of page: Page) async throws -> [(Int, Answer)] {
        typealias Found = (Int, Answer)
        let found = try await indices.concurrently(synchronizer.routeFile.limits.concurrent) { index -> Found in
            do {
                let answer = try await answer(to: page.items[index], page)
                return (index, answer)
            } catch {
                return (index, .refused(try tally.failure(of: error)))
            }
        }
        guard !synchronizer.addresses.contains(nil, of: resource.name) else { return found }
        // No object has been read at this address yet, so it may be wrong.
        return found.map { index, answer -> Found in
            guard case .unseen(let failure) = answer, failure.status == 404 else { return (index, answer) }
            let uri = page.uri(page.items[index])
            let error = SyncError(
                code: .refused, message: "the server lists \(uri), and answers \(resource.words(for: nil).remedy)",
                failure: failure)
            return (index, .refused(RequestFailure(error)))
        }
    }

    private func answer(to item: PageItem, _ page: Page) async throws -> Answer {
        let client = synchronizer.client
        let uri = page.uri(item)
        var place = place
        place.id = resource.ownID(in: uri)
        place.record = page.record(item)
        synchronizer.note(uri, "\(resource.readMethod) for what the list leaves out")
        let reply = try await client.exchange(try client.readRequest(resource, at: place), resource: resource)
        var found: Representation
        switch client.finding(in: reply, of: resource, at: place, sequence: page.sequence) {
        case .shown(let shown): found = shown
        case .none(let failure, _):
            guard client.isRuledGone(reply, of: resource) else { return .unseen(failure) }
            return .shown(.init(sequence: page.sequence))
        case .untold(let failure, let treatment):
            throw SyncError(
                refused: failure, treatment, resource.asked(for: uri), remedy: synchronizer.routeFile.signInRemedy)
        case .unreadable: found = Representation(sequence: page.sequence)
        }
        guard found.isTelling, found.id?.text == uri.id else {
            throw SyncError(
                code: .unexpectedAnswer,
                message:
                    "the answer to \(resource.asked(for: uri)) is not the object with that identifier at \(resource.id)"
            )
        }
        synchronizer.addresses.insert(nil, of: resource.name)
        found.record = found.record.map { resource.mapping.completed($0, over: page.record(item)) }
        return .shown(found)
    }

    /// The same page without some of its items.
    private static func page(_ whole: Page, without refused: [Int: RequestFailure], _ unseen: Set<Int>) -> Page {
        var page = whole
        page.items = whole.items.enumerated().filter { refused[$0.offset] == nil && !unseen.contains($0.offset) }
            .map(\.element)
        guard let first = refused.min(by: { $0.key < $1.key }) else { return page }
        page.skipped += refused.count
        page.skippedReason = whole.skippedReason ?? first.value.message
        return page
    }

    /// The same page with other records in a buffer of its own.
    private static func page(_ whole: Page, with records: [Completed]) -> Page {
        var page = whole
        page.bytes = []
        func append(_ slice: some Collection<UInt8>) -> Range<Int> {
            let start = page.bytes.count
            page.bytes += slice
            return start..<page.bytes.count
        }
        for (index, completed) in records.enumerated() {
            let item = whole.items[index]
            page.items[index].record = append(completed.record?.bytes ?? Array(whole.bytes[item.record]))
            page.items[index].version =
                completed.version.map { append($0.utf8) } ?? item.version.map { append(whole.bytes[$0]) }
            page.items[index].cursor = item.cursor.map { append(whole.bytes[$0]) }
            page.items[index].lookup = item.lookup.map { append(whole.bytes[$0]) }
            if completed.isDeleted { page.items[index].isDeleted = true }
        }
        return page
    }
}
