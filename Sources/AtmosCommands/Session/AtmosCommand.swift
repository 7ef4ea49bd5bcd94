#if Command
    internal import ArgumentParser
    internal import Atmosphere

    /// What every command shares: the options and the way its answer is written.
    protocol AtmosCommand: AsyncParsableCommand {
        var global: GlobalOptions { get set }
        func run(_ output: Output) async throws
    }

    extension AtmosCommand {
        mutating func run() async throws { try await run(global.output) }

        /// Opens the route file's synchronizer, runs `body` and closes the store, also after an error.
        func withSynchronizer<Result>(
            _ output: Output, wrapping: @Sendable (any Transport) -> any Transport = { $0 },
            _ body: (Synchronizer) async throws -> Result
        ) async throws -> Result {
            let routeFile = try global.routeFile(output)
            let synchronizer = try await Synchronizer.open(
                routeFile, adapters: .linked, tokens: AllowedTokens(of: routeFile, trusted: global.trust),
                log: { output.log($0) }, wrapping: wrapping)
            if let authenticator = synchronizer.authenticator { CassetteUse.current?.leaveOut(authenticator) }
            for note in synchronizer.store.notes where note.isWarning { output.lastingWarning(note.message) }
            do {
                let result = try await body(synchronizer)
                try await synchronizer.close()
                return result
            } catch {
                // The first error is the one to be told.
                try? await synchronizer.close()
                throw error
            }
        }
    }
#endif
