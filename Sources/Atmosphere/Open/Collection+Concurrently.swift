extension Collection where Element: Sendable, SubSequence: Sendable {
    /// Runs `body` for each element, `limit` of them at a time.
    ///
    /// - Throws: the first error; what still runs is cancelled and what has not begun never begins.
    /// - Returns: the results in the order of their ends.
    @discardableResult
    func concurrently<Result: Sendable>(
        _ limit: Int, _ body: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var waiting = self[...]
            var results: [Result] = []
            for _ in 0..<Swift.max(1, limit) {
                guard let element = waiting.popFirst() else { break }
                group.addTask { try await body(element) }
            }
            while let result = try await group.next() {
                results.append(result)
                guard let element = waiting.popFirst() else { continue }
                group.addTask { try await body(element) }
            }
            return results
        }
    }
}
