/// Completes the pages of a list that shows only some members of each object (`list.shape: partial`): a member that is
/// missing there is unknown, not absent, so it keeps the value the server last showed. What is new or has changed is
/// read one by one before the page is stored (`detail: on-change`), so an interrupted pull leaves nothing half known
/// behind its position.
struct PartialPage {
    let synchronizer: Synchronizer
    let resource: Resource
    let place: ObjectPlace

    /// What the server refuses to show alone is left out of the page, and the page says so (``Page/skippedReason``).
    ///
    /// - Throws: ``SyncError`` where an object cannot be read for another reason; `TransportError`.
    func completed(_ page: Page, reading: Bool) async throws -> Page {
        var records = try await overlaid(page)
        if reading, resource.detail == .onChange, resource.read.isOffered {
            let details = try await details(of: page, records.indices.filter { records[$0].isNews })
            var refused: [Int: SyncError] = [:]
            for (index, detail) in details {
                switch detail {
                case .success(let detail):
                    records[index].record = detail.record
                    records[index].version = detail.version
                    records[index].isDeleted = detail.record == nil
                case .failure(let error): refused[index] = error
                }
            }
            return page.replacing(records).leavingOut(refused)
        }
        return page.replacing(records)
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
        let planner = Planner(resource)
        return try await synchronizer.store.read { snapshot in
            try page.items.map { item in
                guard !item.isDeleted else { return Completed() }
                let uri = page.uri(item)
                let meta = try snapshot.meta(at: snapshot.alias(of: uri) ?? uri)
                guard let base = meta?.lastShown else { return Completed(isNews: true) }
                let whole = page.record(item).completed(over: base)
                // What says the same keeps its bytes, so that it is not written again.
                let isNews = meta?.outgoing?.unverified != nil || !planner.isSame(whole, base)
                return Completed(record: isNews ? whole : base, isNews: isNews)
            }
        }
    }

    private func details(
        of page: Page, _ indices: [Int]
    ) async throws -> [(Int, Result<Representation, SyncError>)] {
        typealias Detail = (Int, Result<Representation, SyncError>)
        let found = try await indices.concurrently(synchronizer.routeFile.limits.concurrent) { index -> Detail in
            do {
                return (index, .success(try await detail(of: page.items[index], page)))
            } catch let error as SyncError where error.code == .refused {
                return (index, .failure(error))
            }
        }
        guard synchronizer.addresses.contains(nil, of: resource.name) else { return found }
        return found.map { index, detail -> Detail in
            // Deleted between the list and this request: at this address others have been read.
            guard case .failure(let error) = detail, error.failure?.status == 404 else { return (index, detail) }
            return (index, .success(.init(record: nil, id: nil, version: nil, sequence: page.sequence)))
        }
    }

    private func detail(of item: PageItem, _ page: Page) async throws -> Representation {
        let client = synchronizer.client
        let uri = page.uri(item)
        var place = place
        place.id = resource.ownID(in: uri)
        place.record = page.record(item)
        synchronizer.note(uri, "GET for what the list leaves out")
        let reply = try await client.exchange(try client.readRequest(resource, at: place), resource: resource)
        guard reply.isSuccess else {
            let (failure, treatment) = client.failure(in: reply, of: resource)
            if treatment == .gone {
                guard failure.status == 404, !client.saysGone(reply, of: resource) else {
                    return .init(record: nil, id: nil, version: nil, sequence: page.sequence)
                }
                throw SyncError(
                    code: .refused,
                    message: "the server lists \(uri), and answers \(resource.words(for: nil).remedy)",
                    failure: failure)
            }
            throw SyncError(refused: failure, treatment, "GET \(uri)", remedy: synchronizer.routeFile.signInRemedy)
        }
        guard
            var found = client.representation(
                in: reply, of: resource, at: place, operation: resource.read, sequence: page.sequence),
            let record = found.record, found.id?.text == uri.id
        else {
            throw SyncError(
                code: .unexpectedAnswer,
                message: "the answer to GET \(uri) is not the object with that identifier at \(resource.id)")
        }
        synchronizer.addresses.insert(nil, of: resource.name)
        found.record = record.completed(over: page.record(item))
        return found
    }
}

extension Page {
    /// The same page without some of its items.
    fileprivate func leavingOut(_ refused: [Int: SyncError]) -> Page {
        guard let first = refused.min(by: { $0.key < $1.key }) else { return self }
        var page = self
        page.items = items.enumerated().filter { refused[$0.offset] == nil }.map(\.element)
        page.skipped += refused.count
        page.skippedReason = skippedReason ?? first.value.message
        return page
    }

    /// The same page with other records in a buffer of its own.
    fileprivate func replacing(_ records: [PartialPage.Completed]) -> Page {
        var page = self
        page.bytes = []
        func append(_ slice: some Collection<UInt8>) -> Range<Int> {
            let start = page.bytes.count
            page.bytes += slice
            return start..<page.bytes.count
        }
        for (index, completed) in records.enumerated() {
            let item = items[index]
            page.items[index].record = append(completed.record?.bytes ?? Array(bytes[item.record]))
            page.items[index].version =
                completed.version.map { append($0.utf8) } ?? item.version.map { append(bytes[$0]) }
            page.items[index].cursor = item.cursor.map { append(bytes[$0]) }
            page.items[index].lookup = item.lookup.map { append(bytes[$0]) }
            if completed.isDeleted { page.items[index].isDeleted = true }
        }
        return page
    }
}
