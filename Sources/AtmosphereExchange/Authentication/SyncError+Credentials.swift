extension SyncError {
    /// What an error means that came up while a request was signed, which was not sent then.
    ///
    /// A person is asked where the authenticator says so, or where a secret or the tokens cannot be read. An error of
    /// another kind may be anything, most likely a network that fails: it is tried again.
    ///
    /// - Parameter redaction: of whatever stands in the messages, for it goes into the status and the log.
    package static func credentials(_ error: any Error, _ redaction: Redaction) -> SyncError {
        switch error {
        case var error as SyncError where error.code == .signInNeeded || error.code == .unreachable:
            error.message = redaction(error.message)
            error.failure = error.failure.map { redaction($0) }
            if error.code == .unreachable, error.mayHaveHappened {
                error.cause = TransportError(code: .cannotConnect, message: error.message, mayHaveArrived: false)
            }
            return error
        case let error as TransportError:
            let message = redaction(error.message)
            return SyncError(
                code: .unreachable, message: message,
                cause: TransportError(code: error.code, message: message, mayHaveArrived: false))
        case is SyncError, is SecretError, is StoreError:
            return SyncError(code: .signInNeeded, message: redaction("\(error)"), cause: error)
        default:
            let message = redaction("there are no credentials now: \(name(of: error))")
            return SyncError(
                code: .unreachable, message: message,
                cause: TransportError(code: .cannotConnect, message: message, mayHaveArrived: false))
        }
    }

    /// The kind of an error that is not of this package, without its values: those of a request to a token endpoint hold
    /// its URL, and what stands there.
    private static func name(of error: any Error) -> String {
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return "\(error._domain) \(error._code)" }
        // A case without values says the same whatever has happened.
        return "\(type(of: error)).\(mirror.children.first?.label ?? "\(error)")"
    }
}
