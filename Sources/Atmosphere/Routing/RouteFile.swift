/// The description of one REST API, with every default filled in.
///
/// Made from a route file (``RouteFile/load(path:adapters:)``): style, file and resource are merged in this order; maps
/// merge, lists replace, `null` removes a default.
public struct RouteFile: Sendable {
    /// What the route file calls the API; the store's file is named after it where none is declared.
    public var name: String
    /// The file's path as given, for messages.
    public var source: String
    /// The linked style.
    public var style: String
    /// The file of the user's own that builds on it, as `style` names it; nil where `style` names a linked one.
    public var styleFile: String?
    /// The URL that all paths are relative to, without a trailing slash.
    public var base: String
    /// Where the local copy is kept.
    public var store: StoreSettings
    /// How requests are sent.
    public var transport: TransportSettings
    /// How requests are signed.
    public var auth: AuthSettings
    /// A key of the API's own that goes with every request beside what ``auth`` says; nil where one proof is enough.
    public var key: AuthSettings?
    /// Where tokens are kept: those of `oauth2`, of `session`, and of an authenticator of the program's own.
    public var tokens = TokenSettings.file(nil)
    /// nil where nobody is asked who we are.
    public var identity: IdentityCheck?
    /// Where `secret:NAME` is looked up.
    public var secrets: SecretSettings
    /// How much is asked for at once, and how large an answer may be.
    public var limits: Limits
    /// Where live updates come from; nil for nowhere.
    public var live: LiveSettings?
    /// Sent with requests that are no resource's own, such as the identity check: those of the file, and what all
    /// resources have in common.
    public var headers: [NamedText] = []
    /// What answers mean to requests that are no resource's own, such as the identity check.
    public var errors = ErrorRules()
    /// Parents before children, else in the order of the file.
    public var resources: [Resource]
    /// Every setting in force with its origin, for `atmos explain`.
    public var settings: [Setting]

    /// By its entity's name; nil where there is none.
    public func resource(_ name: String) -> Resource? { resources.first { $0.name == name } }
}

/// One setting in force.
public struct Setting: Sendable, Hashable {
    /// The dotted path: `resources.tasks.pages.kind`.
    public var path: String
    /// The value as YAML would write it on one line; secrets appear by name only.
    public var value: String
    /// `atmosphere.yaml:12:3`, `style django-rest`, or `default`.
    public var origin: String

    /// A setting with its value and its origin, each as it is shown.
    public init(path: String, value: String, origin: String) {
        self.path = path
        self.value = value
        self.origin = origin
    }
}

/// Which store, and where it lies.
public struct StoreSettings: Sendable, Hashable {
    /// `sqlite` (default), `json-file`, `memory`, or what another adapter offers.
    public var kind = "sqlite"
    /// Relative to the route file's folder; nil for a name made from the route file's name.
    public var path: String?
    /// What another adapter wants to know, by its own names; the stores of this package have none.
    public var settings: Value.Members = [:]

    /// SQLite, in a file named after the route file.
    public init() {}
}

/// How requests are sent, and how long they may take.
public struct TransportSettings: Sendable, Hashable {
    /// `curl` (default), `urlsession` (on Apple's systems), `replay`, or what another adapter offers.
    public var kind = "curl"
    /// For one exchange, from the start to the last byte; 60 s by default.
    public var timeout = Duration.seconds(60)
    /// For the connection alone; 10 s by default.
    public var connectTimeout = Duration.seconds(10)
    /// The file that a transport works with (`replay`); relative to the route file's folder.
    public var path: String?
    /// How exactly a request must fit a recorded one (`replay`): `strict` (default) or `lenient`.
    public var matching = "strict"
    /// What another adapter wants to know, by its own names; the transports of this package have none.
    public var settings: Value.Members = [:]

    /// libcurl, 60 seconds for an exchange, 10 for a connection.
    public init() {}
}

/// Where live updates come from, and how to get there.
public struct LiveSettings: Sendable, Hashable {
    /// `socket.io` (default), or what another adapter offers.
    public var kind = "socket.io"
    /// `ws`, `wss`, `http` or `https`; a path other than `/` stands for `/socket.io/`.
    public var url: String
    /// Says who the client is; sent when it has connected, never in the URL.
    public var key: SecretName
    /// Topics to follow beside what is addressed to the user.
    public var rooms: [String] = []
    /// Where publishers post; nil for the URL's own server.
    public var publish: String?
    /// The publisher's key, for `atmos notify`.
    public var publishKey: SecretName?
    /// ``Transports/both`` by default.
    public var transports = Transports.both
    /// An HTTP proxy, `none`, or nil for what the environment says.
    public var proxy: String?
    /// Certificates to trust beside the system's, in PEM; relative to the route file's folder.
    public var certificates: String?

    /// How the live server is reached.
    public enum Transports: String, Sendable, Hashable, CaseIterable {
        /// WebSocket, and long-polling where it cannot be had.
        case both
        /// WebSocket alone.
        case webSocket = "websocket"
        /// HTTP long-polling alone.
        case polling
    }

    /// Follows what is addressed to the user, over both transports.
    public init(url: String, key: SecretName) {
        self.url = url
        self.key = key
    }
}

/// A secret named in the route file as `secret:NAME`; the value is looked up when it is needed.
public struct SecretName: Sendable, Hashable, CustomStringConvertible {
    /// The name behind `secret:`, as the environment or the secrets file has it.
    public var name: String

    /// The secret of a name.
    ///
    /// - Parameter name: without `secret:`.
    public init(_ name: String) { self.name = name }

    public var description: String { "secret:\(name)" }
}

/// A literal that is no secret, or a reference to one.
public enum Credential: Sendable, Hashable {
    /// The value itself, as the route file has it.
    case literal(String)
    /// Looked up when it is needed.
    case secret(SecretName)
}

/// How requests are signed; secrets stand in it by name only.
public enum AuthSettings: Sendable, Hashable {
    /// Nothing is added to a request.
    case none
    /// RFC 7617.
    case basic(username: Credential, password: SecretName)
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer(SecretName)
    /// `Authorization: SCHEME …`, `Token` for Django REST framework.
    case token(scheme: String, SecretName)
    /// `NAME: KEY`.
    case keyInHeader(name: String, SecretName)
    /// A query parameter; URLs end up in the logs of servers and proxies.
    case keyInQuery(name: String, SecretName)
    /// RFC 6749; see ``OAuth2Settings``.
    case oauth2(OAuth2Settings)
    /// A login request that gives a token.
    case session(SessionSettings)
    /// What an authenticator of the program's own wants to know, by the name under which the program links it; secrets stand
    /// in the settings by name, as `secret:NAME`.
    case adapter(kind: String, settings: Value.Members)
}

/// A request that tells who the server takes us for.
public struct IdentityCheck: Sendable, Hashable {
    /// The path of a GET, below the base.
    public var path: String
    /// Where the answer tells one user from another.
    public var field: JSONPath

    /// A GET of a path, whose answer names the user at a field.
    public init(path: String, field: JSONPath) {
        self.path = path
        self.field = field
    }
}

/// Where secrets are looked up beside the environment.
public struct SecretSettings: Sendable, Hashable {
    /// A file of `NAME=value` lines with mode 0600, relative to the route file's folder; the environment goes first.
    public var file: String?

    /// A file of secrets beside the environment.
    ///
    /// - Parameter file: nil for the environment alone.
    public init(file: String? = nil) { self.file = file }
}

/// What is asked of a server at once, and what is taken from it.
public struct Limits: Sendable, Hashable {
    /// Requests on the wire at once; 4 by default.
    public var concurrent = 4
    /// Requests per second; nil for no limit.
    public var rate: Double?
    /// The header that says how many requests are left; at 0 all requests wait.
    public var remaining = "X-RateLimit-Remaining"
    /// The header that says until when: seconds or milliseconds since 1970, seconds from now, or a date. An hour is waited
    /// at most.
    public var reset = "X-RateLimit-Reset"
    /// The largest response body in bytes; 64 MiB by default.
    public var body = 64 << 20
    /// The deepest nesting of a body; 512 by default. More than that is never read.
    public var depth = 512
    /// Failed tries of one change, over all pushes since it was last edited, after which a push tries it once and waits for
    /// no more; 5 by default.
    public var attempts = 5
    /// Pages of one listing; 100,000 by default.
    public var pages = 100_000

    /// The defaults, without a limit of requests per second.
    public init() {}

    /// The limits of depth and size for reading a body.
    public var json: JSONLimits { JSONLimits(depth: depth, bytes: body) }
}
