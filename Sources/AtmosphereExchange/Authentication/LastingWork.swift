internal import Synchronization

/// Work of this process that goes on when whoever asked for it was cancelled, such as the renewal of a token that the server
/// has replaced by then: a process lets it end before it ends itself.
package enum LastingWork {
    private static let underWay = Mutex(0)

    static func begin() { underWay.withLock { $0 += 1 } }

    static func end() { underWay.withLock { $0 -= 1 } }

    /// Returns when nothing is under way any more, or after a time: what does not end by then is given up.
    package static func finish(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while underWay.withLock({ $0 > 0 }), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
