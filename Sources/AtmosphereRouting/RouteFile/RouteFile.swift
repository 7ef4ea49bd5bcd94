/// The description of one REST API, with every default filled in.
///
/// Made from a route file (``RouteFile/load(path:adapters:)``): style, file and resource are merged in this order; maps
/// merge, lists replace, `null` removes a default.
public struct RouteFile: Sendable {
    /// What the route file calls the API; the store's file is named after it where none is declared.
    package var name: String
    /// The file's path as given, for messages.
    package var source: String
    /// The linked style.
    public var style: String
    /// The file of the user's own that builds on it, as `style` names it; nil where `style` names a linked one.
    package var styleFile: String?
    /// The URL that all paths are relative to, without a trailing slash.
    public var base: String
    /// Where the local copy is kept.
    package var store: StoreSettings
    /// How requests are sent.
    public var transport: TransportSettings
    /// How requests are signed.
    package var auth: AuthSettings
    /// A key of the API's own that goes with every request beside what ``auth`` says; nil where one proof is enough.
    package var key: AuthSettings?
    /// What ``auth`` is for; ``key`` goes with every request.
    package var signed = SignedRequests.all
    /// Where tokens are kept: those of `oauth2`, of `session`, and of an authenticator of the program's own.
    package var tokens = TokenSettings.file(nil)
    /// Where each answer has the token of the next request; nil where none has one.
    package var renewed: SessionSettings.Source?
    /// nil where nobody is asked who we are.
    package var identity: IdentityCheck?
    /// Where `secret:NAME` is looked up.
    package var secrets: SecretSettings
    /// How much is asked for at once, and how large an answer may be.
    package var limits: Limits
    /// Where live updates come from; nil for nowhere.
    package var live: LiveSettings?
    /// Sent with requests that are no resource's own, such as the identity check: those of the file, and what all
    /// resources have in common.
    package var headers: [NamedText] = []
    /// What answers mean to requests that are no resource's own, such as the identity check.
    package var errors = ErrorRules()
    /// Parents before children, else in the order of the file.
    package var resources: [Resource]
    /// Every setting in force with its origin, for `atmos explain`.
    package var settings: [Setting]

    /// What is read depends on who asks, as far as anybody can tell.
    package var signsReads: Bool { signed == .all }

    /// The names of the resources, parents before children, else in the order of the file.
    public var entities: [String] { resources.map(\.name) }

    /// What is in force at a dotted path, such as `resources.tasks.list.path`, as `atmos explain` shows it: the value as YAML
    /// would write it on one line, secrets by name only, and where it comes from (`atmosphere.yaml:12:3`,
    /// `style django-rest`, or `default`). nil where nothing is said there.
    public func setting(_ path: String) -> (value: String, origin: String)? {
        settings.first { $0.path == path }.map { ($0.value, $0.origin) }
    }

    /// By its entity's name; nil where there is none.
    package func resource(_ name: String) -> Resource? { resources.first { $0.name == name } }

    /// The secrets that requests for records are signed with, those of the key beside other credentials among them.
    package var secretNames: [SecretName] { auth.secretNames + (key?.secretNames ?? []) }
}
