internal import Synchronization

/// Tells those who follow the status how far one content has come; at each hundredth, and not for less than 64 KiB.
final class ContentProgress: Sendable {
    private enum State {
        /// `told` is the number that the status shows.
        case running(done: Int64, told: Int64)
        case ended
    }

    private let activities: SyncActivities
    private let number: Int
    private let length: Int64?
    private let state = Mutex(State.running(done: 0, told: 0))

    /// - Parameter length: nil where the server does not say it.
    init(
        _ kind: SyncActivity.Kind, of member: String, at uri: ObjectURI, length: Int64?, in activities: SyncActivities
    ) {
        self.activities = activities
        self.length = length
        number = activities.begin(
            SyncActivity(
                kind: kind, entity: uri.entity, completed: 0, total: length.map { Int(clamping: $0) },
                content: .init(uri: uri, member: member)))
    }

    deinit { end() }

    /// The same content, counted as it is read; each reading counts from the first byte.
    func counted(_ content: AttachmentContent) -> AttachmentContent {
        var counted = content
        counted.start = { [self] in
            let next = try await content.start()
            count { _ in 0 }
            return { [self] in
                let chunk = try await next()
                if let chunk { count { $0 + Int64(chunk.count) } }
                return chunk
            }
        }
        return counted
    }

    /// The same content, counted as it arrives; its end is the end of the progress.
    func counted(_ content: AttachedContent) -> AttachedContent {
        var counted = content
        counted.bytes = ResponseBody { [self] in
            do {
                guard let chunk = try await content.bytes.next() else {
                    end()
                    return nil
                }
                count { $0 + Int64(chunk.count) }
                return chunk
            } catch {
                end()
                throw error
            }
        }
        return counted
    }

    /// Nothing comes any more. May be called twice.
    func end() {
        let isNews = state.withLock { state in
            guard case .running = state else { return false }
            state = .ended
            return true
        }
        if isNews { activities.end(number) }
    }

    private func count(_ change: (Int64) -> Int64) {
        let news = state.withLock { state -> Int64? in
            guard case .running(let before, let told) = state else { return nil }
            let done = change(before)
            let step = max(1 << 16, (length ?? 0) / 100)
            let isNews = done < told || done - told >= step || done == length && done > told
            state = .running(done: done, told: isNews ? done : told)
            return isNews ? done : nil
        }
        if let news { activities.update(number) { $0.completed = Int(clamping: news) } }
    }
}
