// Where there is no Swift Testing, this module is empty.
#if canImport(Testing)
    public import AtmosphereTesting
    public import Testing

    extension ConformanceCheck {
        /// Runs the check in the present test, and records what it finds as an issue at the caller's line.
        ///
        /// ```swift
        /// @Test("keeps every promise of a store", arguments: suite.checks)
        /// func conforms(_ check: ConformanceCheck) async throws { try await check.test() }
        /// ```
        ///
        /// - Parameter sourceLocation: where issues point; the line of the call by default.
        /// - Throws: `CancellationError` where the test is cancelled. Nothing else: a failure is an issue, and the lines
        ///   behind the call are run.
        public func test(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            do {
                try await run()
            } catch let error as CancellationError {
                if Task.isCancelled { throw error }
                record("threw \(error)", sourceLocation)
            } catch let failure as ConformanceFailure {
                record(failure.message, sourceLocation)
            } catch {
                record("threw \(error)", sourceLocation)
            }
        }

        private func record(_ finding: String, _ sourceLocation: SourceLocation) {
            Issue.record("\(name): \(finding)", sourceLocation: sourceLocation)
        }
    }

    extension [ConformanceCheck] {
        /// Runs all of them one after another, each as ``ConformanceCheck/test(sourceLocation:)`` does: for a suite inside
        /// another test. A case for each check, with `arguments:`, reads better in a log.
        public func test(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            for check in self { try await check.test(sourceLocation: sourceLocation) }
        }
    }
#endif
