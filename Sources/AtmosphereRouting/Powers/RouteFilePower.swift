/// Something that a route file has the program do for it, beyond requests without credentials to its own `base`; see
/// ``RouteFile/powers``.
package struct RouteFilePower: Sendable, Hashable {
    /// What kind of power it is; for programs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Runs a program.
        case run
        /// Sends a secret of the environment or of the secrets file.
        case secret
        /// Keeps tokens and sends them.
        case token
        /// Reads a file.
        case read
        /// Reads and writes a file or a folder outside that of the route file.
        case write
        /// Connects to another server than that of `base`, or through one.
        case connect
        /// Gives an adapter settings of its own, whose meaning only that adapter knows.
        case settings
    }

    /// What kind of power it is.
    package var kind: Kind
    /// One line in plain words, which goes on behind the file's name: `sends secret:TOKEN to https://api.example.com`.
    package var text: String

    /// A power with its line.
    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
