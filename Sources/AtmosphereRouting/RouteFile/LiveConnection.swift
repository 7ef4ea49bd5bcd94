/// What a message client is made from: `live` of a route file.
public struct LiveConnection: Sendable {
    /// What the route file says under `live`.
    package var settings: LiveSettings
    /// Looks the key up, for each connection anew.
    ///
    /// - Throws: where it is not set.
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

    /// `ws`, `wss`, `http` or `https`; a path other than `/` stands for `/socket.io/`.
    public var url: String { settings.url }
    /// Topics to follow beside what is addressed to the user.
    public var rooms: [String] { settings.rooms }
    /// An HTTP proxy, `none`, or nil for what the environment says.
    public var proxy: String? { settings.proxy }
}
