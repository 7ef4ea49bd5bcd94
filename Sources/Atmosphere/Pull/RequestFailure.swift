/// What went wrong with one request of a pull, in the words of a report.
struct RequestFailure: Sendable {
    var message: String
    var kind: PullReport.ProblemKind
    /// What the transport said, where it could reach the server and gave up for good.
    var code: TransportError.Code?
}

extension RequestFailure {
    init(_ error: SyncError) { self.init(message: error.message, kind: .init(error)) }

    /// nil where no request failed: the store did, or somebody cancelled.
    init?(_ error: any Error) {
        switch error {
        case let error as TransportError:
            self.init(message: error.message, kind: .init(error), code: error.isFinal ? error.code : nil)
        case let error as SyncError: self.init(error)
        case let error as ExtractionError: self.init(message: error.message, kind: .answer)
        default: return nil
        }
    }
}
