extension SyncError {
    /// What an error means that came up while a request was signed, which was not sent then.
    ///
    /// A person is asked where the authenticator says so, or where a secret or the tokens cannot be read. An error of
    /// another kind may be anything, most likely a network that fails: it is tried again.
    static func credentials(_ error: any Error, _ redaction: Redaction = Redaction([])) -> SyncError {
        switch error {
        case let error as SyncError where error.code == .signInNeeded: return error
        case let error as SyncError where error.code == .unreachable:
            guard error.mayHaveHappened else { return error }
            var error = error
            error.cause = TransportError(code: .cannotConnect, message: error.message, mayHaveArrived: false)
            return error
        case let error as TransportError:
            return SyncError(
                code: .unreachable, message: error.message,
                cause: TransportError(code: error.code, message: error.message, mayHaveArrived: false))
        case is SyncError, is SecretError, is StoreError:
            return SyncError(code: .signInNeeded, message: redaction("\(error)"), cause: error)
        default:
            let message = redaction("there are no credentials now: \(error)")
            return SyncError(
                code: .unreachable, message: message,
                cause: TransportError(code: .cannotConnect, message: message, mayHaveArrived: false))
        }
    }
}
