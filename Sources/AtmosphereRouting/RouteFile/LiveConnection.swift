/// What a message client is made from.
public struct LiveConnection: Sendable {
    /// What the route file says under `live`.
    public var settings: LiveSettings
    /// Looks the key up, for each connection anew.
    ///
    /// - Throws: ``SecretError``.
    public var key: @Sendable () throws -> Secret
    /// The path of the certificates, from the working directory.
    public var certificates: String?

    /// A connection to the declared server.
    ///
    /// - Parameter key: looks the key up; called for each connection.
    package init(
        settings: LiveSettings, key: @escaping @Sendable () throws -> Secret, certificates: String? = nil
    ) {
        self.settings = settings
        self.key = key
        self.certificates = certificates
    }
}
