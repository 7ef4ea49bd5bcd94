/// A secret cannot be had.
package struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for code to tell.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }

        /// Neither the environment nor the secrets file has it.
        package static let missing = Code("missing")
        /// Others than the owner may read the secrets file.
        package static let notPrivate = Code("notPrivate")
        /// The secrets file cannot be read.
        package static let unreadable = Code("unreadable")
        /// A line of the secrets file is not `NAME=value`.
        package static let malformed = Code("malformed")
    }

    /// What went wrong, for code; ``message`` is for people.
    package var code: Code
    /// Names the variable, the file and the place in the route file; never holds a secret.
    package var message: String

    /// An error about one secret.
    ///
    /// - Parameter message: names the variable and the place; may hold nothing of a secret.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
