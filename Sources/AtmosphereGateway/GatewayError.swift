/// Why a gateway cannot be made or run.
public struct GatewayError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for code to tell; the list can grow.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }

        /// The address cannot be listened on.
        public static let cannotBind = Code("cannotBind")
        /// Other machines could read what goes over the network.
        public static let needsTLS = Code("needsTLS")
        /// The certificate or its key cannot be used.
        public static let certificate = Code("certificate")
        /// The file with the token cannot be used.
        public static let tokenFile = Code("tokenFile")
        /// An origin or a name cannot be used as given.
        public static let invalidOption = Code("invalidOption")
    }

    /// What went wrong, for code; ``message`` is for people.
    public var code: Code
    /// Names the address or the file, the reason and the remedy.
    public var message: String

    /// An error whose message names the address or the file, the reason and the remedy.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
