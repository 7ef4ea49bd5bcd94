/// Reads single objects that a page could not decide, or that no list shows. One that the server refuses to show, or fails to,
/// stays as it is and holds up no other: what whoever asks may not see any more is not known to be gone.
struct SingleReads: Sendable {
    let synchronizer: Synchronizer
    let resource: Resource
    let tally: PullTally

    private struct Unread: Sendable {
        var uri: ObjectURI
        var reason: Reason
    }

    private enum Reason: Sendable {
        /// The server does not show it.
        case refused(SyncError)
        /// The server does not say.
        case failed(RequestFailure)
    }

    /// - Parameters:
    ///   - absent: objects that no list shows.
    ///   - listings: the lists that were read, which are to be read again where an object could not be.
    func run(_ absent: [ObjectURI], of listings: [PulledList]) async throws {
        let unread = try await read(absent)
        var refused: [SyncError] = []
        var failed: [(uri: ObjectURI, failure: RequestFailure)] = []
        for each in unread {
            switch each.reason {
            case .refused(let error): refused.append(error)
            case .failed(let failure): failed.append((each.uri, failure))
            }
        }
        warn(of: refused)
        for (uri, failure) in failed {
            tally.failOne("\(uri) stays here, for its read failed: \(failure.message)", failure)
        }
        if !failed.isEmpty {
            for listing in listings { tally.skip(listing.scope) }
        }
        let uris = Set(unread.map(\.uri))
        try await warnOfUnlisted(absent.filter { !uris.contains($0) })
    }

    /// - Returns: the objects that the server does not show, in the order of their addresses.
    private func read(_ absent: [ObjectURI]) async throws -> [Unread] {
        var seen: Set<ObjectURI> = []
        let reads = (tally.reads + absent).filter { seen.insert($0).inserted }
        let unlisted = Set(absent)
        let unread = try await reads.concurrently(synchronizer.routeFile.limits.concurrent) { uri -> Unread? in
            let wasThere = try await synchronizer.object(at: uri) != nil
            do {
                try await synchronizer.refresh(uri, origin: .pull, isUnlisted: unlisted.contains(uri))
            } catch let error as SyncError where error.code == .refused {
                return Unread(uri: uri, reason: .refused(error))
            } catch {
                return Unread(uri: uri, reason: .failed(try tally.failure(of: error)))
            }
            if wasThere, try await synchronizer.object(at: uri) == nil { tally.add(.init(deleted: 1)) }
            return nil
        }
        return unread.compactMap { $0 }.sorted { $0.uri < $1.uri }
    }

    private func warn(of refused: [SyncError]) {
        for error in refused.prefix(PullTally.mostTold) {
            tally.warn(
                "\(error.message): it stays here as it is; if that means that it is gone, write "
                    + resource.goneSetting(forRead: error.failure?.status ?? 0))
        }
        if refused.count > PullTally.mostTold {
            tally.warn(
                "\(refused.count - PullTally.mostTold) more \(resource.name) that the server refuses to show stay as they are"
            )
        }
    }

    /// What no list shows and a read does stays, with a word: many servers keep what was deleted, and say so in a member.
    private func warnOfUnlisted(_ absent: [ObjectURI]) async throws {
        guard !absent.isEmpty else { return }
        let left = try await synchronizer.store.read { snapshot in
            try absent.filter { if case .synchronized? = try snapshot.meta(at: $0)?.state { true } else { false } }
        }
        guard let first = left.first else { return }
        tally.warn(
            "\(left.count) of \(resource.name) stood in no list and could be read all the same, such as \(first), so they "
                + "stay; where a member says that an object is deleted, name it: deletes: { absent: true, field: "
                + "MEMBER }")
    }
}
