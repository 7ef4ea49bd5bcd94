/// The part of an adapter that makes a transport.
package struct TransportMaker: Sendable {
    package var make: @Sendable (TransportSettings) throws -> any Transport
}

/// The part of an adapter that makes an authenticator.
package struct AuthenticatorMaker: Sendable {
    package var make: @Sendable (AuthenticatorContext) throws -> any Authenticator
}

extension Adapter {
    /// The same adapter with other transports in the place of its own.
    package func with(transport make: @escaping @Sendable (TransportSettings) throws -> any Transport) -> Adapter {
        with(part: TransportMaker(make: make))
    }

    /// The same adapter with other authenticators in the place of its own.
    package func with(
        authenticator make: @escaping @Sendable (AuthenticatorContext) throws -> any Authenticator
    ) -> Adapter {
        with(part: AuthenticatorMaker(make: make))
    }
}

/// The part of an adapter that reads or writes bodies.
struct BodyCoding: Sendable {
    var extractor: (any ResponseExtractor)?
    var writer: (any BodyWriter)?
}

extension Adapter {
    /// Offers a transport under the name that `transport.kind` says.
    ///
    /// - Parameters:
    ///   - needs: keys of `transport` that must be said with it (`path`): a route file without them does not load, and the
    ///     message names the place.
    ///   - checking: looks at what the route file says under `transport.settings` when the file is loaded, nothing where it
    ///     says nothing. What it throws makes the file one that does not load; the message names the line, and for a
    ///     ``SettingError`` that of the setting. Without it the transport has no settings.
    public static func transport(
        _ kind: String, needs: [String] = [],
        checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        make: @escaping @Sendable (TransportSettings) throws -> any Transport
    ) -> Adapter {
        Adapter([.transport: [kind]], TransportMaker(make: make), needs: needs, check: checking ?? takesNone)
    }

    /// Reads response bodies of a format.
    public static func extractor(_ extractor: any ResponseExtractor) -> Adapter {
        Adapter([.format: [extractor.format]], BodyCoding(extractor: extractor))
    }

    /// Reads response bodies of a format, and writes request bodies in the coding of the same name.
    public static func format(_ extractor: any ResponseExtractor, _ writer: any BodyWriter) -> Adapter {
        Adapter(
            [.format: [extractor.format], .coding: [writer.coding]], BodyCoding(extractor: extractor, writer: writer))
    }

    /// Writes request bodies in a coding.
    public static func writer(_ writer: any BodyWriter) -> Adapter {
        Adapter([.coding: [writer.coding]], BodyCoding(writer: writer))
    }

    /// Offers an authenticator under the name that `auth.kind` says; `oauth2` has a key of its own there.
    ///
    /// - Parameter checking: the same for `auth.settings` as for those of a ``Adapter/transport(_:needs:checking:make:)``,
    ///   but that without it any settings are taken.
    public static func authenticator(
        _ kind: String, checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        make: @escaping @Sendable (AuthenticatorContext) throws -> any Authenticator
    ) -> Adapter {
        Adapter([.authenticator: [kind]], AuthenticatorMaker(make: make), check: checking)
    }

    /// The codings that are always there.
    fileprivate static let codings: [Adapter] = [
        .format(JSONExtractor(), JSONBodyWriter()), .writer(FormBodyWriter())
    ]
}

extension [Adapter] {
    /// Makes the transport that the route file describes.
    ///
    /// - Parameter routeFile: the route file's path; the transport's path counts from its folder.
    /// - Throws: where none of that name is linked, or what the transport throws.
    public func transport(for settings: TransportSettings, beside routeFile: String = "") throws -> any Transport {
        var settings = settings
        if let path = settings.path, !path.beginsWithSlash { settings.path = routeFile.throughLastSlash + path }
        guard let maker = try find(.transport, settings.kind).part as? TransportMaker else {
            throw notLinked(.transport, settings.kind)
        }
        return try maker.make(settings)
    }

    /// Makes what signs the requests of a route file; nil where nothing does.
    ///
    /// - Parameters:
    ///   - secrets: where `secret:NAME` is looked up.
    ///   - transport: for requests that fetch credentials.
    ///   - tokens: where these are kept; nil for what the route file says, which is a file beside the store by default.
    /// - Throws: ``AdapterError`` `notLinked`, or what the authenticator throws.
    package func authenticator(
        for routeFile: RouteFile, secrets: SecretSource, transport: any Transport, tokens: (any TokenStorage)? = nil,
        environment: SyncEnvironment = .live
    ) throws -> (any Authenticator)? {
        let key = routeFile.key.map { StaticAuthenticator(settings: $0, secrets: secrets, base: routeFile.base) }
        let sender = key.map { KeyedTransport(key: $0, base: routeFile.base, transport: transport) }
        let own = try unkeyed(
            for: routeFile, secrets: secrets, transport: sender ?? transport, tokens: tokens, environment: environment)
        guard let own, key != nil || !routeFile.signsReads else { return own }
        return own.accompanied(by: key, signsReads: routeFile.signsReads)
    }

    private func unkeyed(
        for routeFile: RouteFile, secrets: SecretSource, transport: any Transport, tokens: (any TokenStorage)?,
        environment: SyncEnvironment
    ) throws -> (any Authenticator)? {
        let tokens =
            tokens
            ?? routeFile.tokens.storage(
                beside: routeFile.source, store: routeFile.store, timeout: routeFile.transport.timeout)
        func made(_ kind: String) throws -> (any Authenticator)? {
            guard let maker = try find(.authenticator, kind).part as? AuthenticatorMaker else { return nil }
            return try maker.make(
                AuthenticatorContext(
                    routeFile: routeFile, secrets: secrets, transport: transport, tokens: tokens,
                    environment: environment))
        }
        switch routeFile.auth {
        case .none: return nil
        case .basic, .bearer, .token, .keyInHeader, .keyInQuery:
            return StaticAuthenticator(settings: routeFile.auth, secrets: secrets, base: routeFile.base)
        case .asked(let settings):
            return AskedAuthenticator(
                settings: settings, base: routeFile.base, secrets: secrets, storage: tokens, renewed: routeFile.renewed,
                environment: environment)
        case .session(let settings):
            return SessionAuthenticator(
                settings: settings, base: routeFile.base, secrets: secrets, transport: transport, storage: tokens,
                renewed: routeFile.renewed, timeout: routeFile.transport.timeout, environment: environment)
        case .oauth2: return try made("oauth2")
        case .adapter(let kind, _): return try made(kind)
        }
    }

    /// The extractor that reads bodies of a format.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    package func extractor(format: String) throws(AdapterError) -> any ResponseExtractor {
        if let coding = try (self + Adapter.codings).find(.format, format).part as? BodyCoding,
            let extractor = coding.extractor
        {
            return extractor
        }
        throw notLinked(.format, format)
    }

    /// The writer of bodies in a coding.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    package func writer(coding: String) throws(AdapterError) -> any BodyWriter {
        if let part = try (self + Adapter.codings).find(.coding, coding).part as? BodyCoding, let writer = part.writer {
            return writer
        }
        throw notLinked(.coding, coding)
    }
}
