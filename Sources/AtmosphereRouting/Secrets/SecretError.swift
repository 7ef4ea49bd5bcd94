/// A secret cannot be had.
public struct SecretError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        package init(_ description: String) { self.description = description }

        /// Neither the environment nor the secrets file has it.
        public static let missing = Code("missing")
        /// Others than the owner may read the secrets file.
        public static let notPrivate = Code("notPrivate")
        /// The secrets file cannot be read.
        public static let unreadable = Code("unreadable")
        /// A line of the secrets file is not `NAME=value`.
        public static let malformed = Code("malformed")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the variable, the file and the place in the route file; never holds a secret.
    public var message: String

    /// An error about one secret.
    ///
    /// - Parameter message: names the variable and the place; may hold nothing of a secret.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
