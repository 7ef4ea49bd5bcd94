package import Atmosphere

/// Something that went wrong in a push or a pull which went on all the same.
package struct ReportedFailure: Sendable, Equatable {
    /// For programs; stable.
    package var code: String
    /// The place, the reason, the remedy.
    package var message: String
    /// The server was not reached, or does not accept the credentials.
    package var isNetwork: Bool

    package init(code: String, message: String, isNetwork: Bool) {
        self.code = code
        self.message = message
        self.isNetwork = isNetwork
    }
}

/// What a caller has given cannot be used.
package struct UsageError: Error, Sendable, CustomStringConvertible {
    /// The place, the reason, the remedy.
    package let description: String
    /// The same in short for one field of a record, where it is of one.
    package var field: MetaObject.FieldMessage?

    package static func usage(_ message: String) -> UsageError { UsageError(description: message) }
}
