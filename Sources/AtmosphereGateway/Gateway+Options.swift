public import Atmosphere

extension Gateway {
    /// Where the gateway listens, who may ask, and how much.
    public struct Options: Sendable {
        /// 127.0.0.1 by default: only this machine. Others need ``certificate`` and ``key``.
        public var host: String
        /// 0, the default, takes any free one.
        public var port: Int
        /// Names beside those of this machine and ``host`` under which the gateway may be asked, as the certificate has them.
        public var names: [String] = []
        /// The certificate chain in PEM, a file; with ``key`` it makes https.
        public var certificate: String?
        /// The certificate's private key in PEM, a file.
        public var key: String?
        /// The origins of web pages that may ask beside the gateway's own, as browsers write them; none by default.
        public var origins: [String] = []
        /// Nothing is changed or sent; false by default.
        public var isReadOnly = false
        /// What programs send as `Authorization: Bearer`; nil, the default, for a new one.
        public var token: String?
        /// The port on which events are told over Socket.IO, too, 0 for any free one; nil, the default, for none.
        public var socketIO: Int?
        /// A folder with pages that are served at `/`, beside the gateway's own; nil, the default, for none. Its files are
        /// read for each request, those whose names begin with a dot and links are not, and none may be above 16 MiB.
        public var pages: String?
        /// The longest JSON body in bytes; 8 MiB by default.
        public var bodyBytes = 8 << 20
        /// The deepest nesting of a JSON body; 128 by default.
        public var depth = 128
        /// The longest content that is attached, in bytes; 1 GiB by default.
        public var contentBytes: Int64 = 1 << 30
        /// The most connections at a time; 512 by default. More wait to be accepted.
        public var connections = 512
        /// The most event streams at a time; 256 by default.
        public var eventStreams = 256
        /// The most event streams of the token, and of all browsers, each; 128 by default.
        public var eventStreamsPerCaller = 128
        /// Push and pull by itself, in the background; nil, the default, for not at all.
        public var triggers: Synchronizer.Triggers?
        /// What programs are told as the version of the description; `1` by default.
        public var version = "1"

        /// The defaults at an address.
        ///
        /// - Parameter port: 0 for any free one.
        public init(host: String = "127.0.0.1", port: Int = 0) {
            self.host = host
            self.port = port
        }

        var isTLS: Bool { certificate != nil }

        /// Under which names the gateway may be asked, as a `Host` header writes them without the port.
        var hostNames: [String] {
            ["localhost", "127.0.0.1", "[::1]"] + ([host] + names).map(HostName.written)
        }

        /// - Throws: ``GatewayError`` for options that would let others read what goes over the network, or mean nothing.
        func check() throws(GatewayError) {
            guard (certificate == nil) == (key == nil) else {
                throw GatewayError(
                    code: .certificate, message: "--certificate and --key go together; give both files, or neither")
            }
            guard isTLS || HostName.isLoopback(host) else {
                throw GatewayError(
                    code: .needsTLS,
                    message:
                        "\(host): other machines could read everything on the way; give --certificate and --key, or "
                        + "listen on 127.0.0.1")
            }
            for origin in origins where !HostName.isOrigin(origin) {
                throw GatewayError(
                    code: .invalidOption,
                    message: "the origin \(origin.quoted): write it as browsers do, https://HOST or https://HOST:PORT")
            }
        }
    }
}
