/// Where live updates come from, and how to get there.
package struct LiveSettings: Sendable, Hashable {
    /// `socket.io` (default), or what another adapter offers.
    package var kind = "socket.io"
    /// `ws`, `wss`, `http` or `https`; a path other than `/` stands for `/socket.io/`.
    package var url: String
    /// Says who the client is; sent when it has connected, never in the URL.
    package var key: SecretName
    /// Topics to follow beside what is addressed to the user.
    package var rooms: [String] = []
    /// Where publishers post; nil for the URL's own server.
    package var publish: String?
    /// The publisher's key, for `atmos notify`.
    package var publishKey: SecretName?
    /// ``Transports/both`` by default.
    package var transports = Transports.both
    /// An HTTP proxy, `none`, or nil for what the environment says.
    package var proxy: String?
    /// Certificates to trust beside the system's, in PEM; relative to the route file's folder.
    package var certificates: String?

    /// How the live server is reached.
    package enum Transports: String, Sendable, Hashable, CaseIterable {
        /// WebSocket, and long-polling where it cannot be had.
        case both
        /// WebSocket alone.
        case webSocket = "websocket"
        /// HTTP long-polling alone.
        case polling
    }

    /// Follows what is addressed to the user, over both transports.
    package init(url: String, key: SecretName) {
        self.url = url
        self.key = key
    }
}
