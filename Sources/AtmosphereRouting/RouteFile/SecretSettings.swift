/// A secret named in the route file as `secret:NAME`; the value is looked up when it is needed.
package struct SecretName: Sendable, Hashable, CustomStringConvertible {
    /// The name behind `secret:`, as the environment or the secrets file has it.
    package var name: String

    /// The secret of a name.
    ///
    /// - Parameter name: without `secret:`.
    package init(_ name: String) { self.name = name }

    /// nil for a text that is no `secret:NAME`.
    package init?(reference: String) {
        guard reference.hasPrefix("secret:") else { return nil }
        self.init(String(reference.dropFirst("secret:".count)))
    }

    package var description: String { "secret:\(name)" }
}

/// Where secrets are looked up beside the environment.
package struct SecretSettings: Sendable, Hashable {
    /// A file of `NAME=value` lines with mode 0600, relative to the route file's folder; the environment goes first.
    package var file: String?

    /// A file of secrets beside the environment.
    ///
    /// - Parameter file: nil for the environment alone.
    package init(file: String? = nil) { self.file = file }
}
