/// A part that a program links and a route file names. Adapter modules offer theirs as static members:
/// `[.yaml, .djangoREST, .curl, .sqlite]`.
public struct Adapter: Sendable {
    package enum Part: Sendable {
        case document(any RouteDocumentReader)
        case style(any RoutingStyle)
        case store(kind: String, open: @Sendable (StoreLocation) async throws -> any Store)
        case transport(kind: String, make: @Sendable (TransportSettings) throws -> any Transport)
        case format(any ResponseExtractor, (any BodyWriter)?)
        case writer(any BodyWriter)
        case messages(kind: String, make: @Sendable (LiveConnection) throws -> any MessageClient)
        case authenticator(kind: String, make: @Sendable (AuthenticatorContext) throws -> any Authenticator)
    }

    package let part: Part
    /// Why a route file cannot choose it on this system; nil where it can.
    package private(set) var refusal: String?
    /// Keys that the route file must say where it chooses this adapter, beside `kind`.
    private(set) var needs: [String] = []
    /// What it thinks of its `settings`, before anything is opened.
    private(set) var check: (@Sendable (Value.Members) throws -> Void)?

    package init(part: Part) { self.part = part }

    /// The same adapter, known by name only: a route file that chooses it is refused.
    ///
    /// - Parameter reason: the reason and the remedy.
    package func refused(_ reason: String) -> Adapter {
        var adapter = self
        adapter.refusal = reason
        return adapter
    }

    /// Reads route files in a notation.
    public static func document(_ reader: any RouteDocumentReader) -> Adapter { Adapter(part: .document(reader)) }
    /// Offers a routing style.
    public static func style(_ style: any RoutingStyle) -> Adapter { Adapter(part: .style(style)) }
    /// Offers a store under the name that `store.kind` says.
    ///
    /// - Parameter checking: looks at what the route file says under `store.settings` when the file is loaded, nothing where
    ///   it says nothing. What it throws makes the file one that does not load; the message names the line, and for a
    ///   ``SettingError`` that of the setting. Without it the store has no settings, and a route file with some does not load.
    public static func store(
        _ kind: String, checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        open: @escaping @Sendable (StoreLocation) async throws -> any Store
    ) -> Adapter {
        var adapter = Adapter(part: .store(kind: kind, open: open))
        adapter.check = checking ?? Adapter.takesNone
        return adapter
    }
    /// Offers a transport under the name that `transport.kind` says.
    ///
    /// - Parameters:
    ///   - needs: keys of `transport` that must be said with it (`path`): a route file without them does not load, and the
    ///     message names the place.
    ///   - checking: the same for `transport.settings` as for those of a ``Adapter/store(_:checking:open:)``.
    public static func transport(
        _ kind: String, needs: [String] = [],
        checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        make: @escaping @Sendable (TransportSettings) throws -> any Transport
    ) -> Adapter {
        var adapter = Adapter(part: .transport(kind: kind, make: make))
        adapter.needs = needs
        adapter.check = checking ?? Adapter.takesNone
        return adapter
    }
    /// Offers a message client under the name that `live.kind` says.
    public static func messageClient(
        _ kind: String, make: @escaping @Sendable (LiveConnection) throws -> any MessageClient
    ) -> Adapter {
        Adapter(part: .messages(kind: kind, make: make))
    }
    /// Reads response bodies of a format.
    public static func extractor(_ extractor: any ResponseExtractor) -> Adapter {
        Adapter(part: .format(extractor, nil))
    }
    /// Reads response bodies of a format, and writes request bodies in the coding of the same name.
    public static func format(_ extractor: any ResponseExtractor, _ writer: any BodyWriter) -> Adapter {
        Adapter(part: .format(extractor, writer))
    }
    /// Writes request bodies in a coding.
    public static func writer(_ writer: any BodyWriter) -> Adapter { Adapter(part: .writer(writer)) }
    /// Offers an authenticator under the name that `auth.kind` says; `oauth2` has a key of its own there.
    ///
    /// - Parameter checking: the same for `auth.settings` as for those of a ``Adapter/store(_:checking:open:)``, but
    ///   that without it any settings are taken.
    public static func authenticator(
        _ kind: String, checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        make: @escaping @Sendable (AuthenticatorContext) throws -> any Authenticator
    ) -> Adapter {
        var adapter = Adapter(part: .authenticator(kind: kind, make: make))
        adapter.check = checking
        return adapter
    }

    private static let takesNone: @Sendable (Value.Members) throws -> Void = { settings in
        guard let first = settings.names.first else { return }
        throw SettingError(first, "this adapter has no settings; remove it")
    }
}
