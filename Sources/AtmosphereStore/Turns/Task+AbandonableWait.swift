extension Task where Failure == any Error {
    /// The outcome, for a caller that may stop waiting while the task goes on: others wait for it too, or what it has begun
    /// must come to its end.
    ///
    /// - Throws: what the task throws; `CancellationError` as soon as the caller is cancelled.
    package func valueUnlessCancelled() async throws -> Success {
        let wait = AbandonableWait<Success>()
        Task<Void, Never> { wait.end(await self.result) }
        return try await wait.value()
    }
}
