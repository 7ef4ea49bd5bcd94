/// What an adapter is chosen for.
enum AdapterKind: String, Sendable {
    case document = "reader for route files"
    case style, store, transport, format, coding, authenticator
    case messages = "message client"
}

extension Adapter {
    /// Always there: what the core needs no other module for.
    package static let builtIn: [Adapter] = [
        .document(JSONDocumentReader()), .format(JSONExtractor(), JSONBodyWriter()), .writer(FormBodyWriter()), .memory
    ]

    /// What a route file calls it as this kind; several for a reader of several file name extensions, none where it
    /// is of another kind.
    func names(as kind: AdapterKind) -> [String] {
        switch (kind, part) {
        case (.document, .document(let reader)): reader.extensions
        case (.style, .style(let style)): [style.name]
        case (.store, .store(let kind, _)), (.transport, .transport(let kind, _)), (.messages, .messages(let kind, _)):
            [kind]
        case (.format, .format(let extractor, _)): [extractor.format]
        case (.authenticator, .authenticator(let kind, _)): [kind]
        case (.coding, .format(_, let writer?)), (.coding, .writer(let writer)): [writer.coding]
        default: []
        }
    }
}

extension [Adapter] {
    /// The routing style of this name. Of several adapters of one name the first counts, here and below.
    ///
    /// - Throws: ``AdapterError`` `notLinked`, with the names that are linked and the product that holds the missing one.
    public func style(named name: String) throws(AdapterError) -> any RoutingStyle {
        if case .style(let style) = try find(.style, name).part { return style }
        throw AdapterError.notLinked(.style, name, linked: names(.style))
    }

    /// Opens the store that the route file describes.
    ///
    /// - Parameter routeFile: the route file's path; the store's path counts from its folder. Without a path the store
    ///   is named after the route file.
    /// - Throws: ``AdapterError`` `notLinked`, or what the store throws.
    public func openStore(for settings: StoreSettings, beside routeFile: String) async throws -> any Store {
        guard case .store(_, let open) = try find(.store, settings.kind).part else {
            throw AdapterError.notLinked(.store, settings.kind, linked: names(.store))
        }
        return try await open(settings.location(beside: routeFile))
    }

    /// Makes the transport that the route file describes.
    ///
    /// - Parameter routeFile: the route file's path; the transport's path counts from its folder.
    /// - Throws: ``AdapterError`` `notLinked`, or what the transport throws.
    public func transport(for settings: TransportSettings, beside routeFile: String = "") throws -> any Transport {
        var settings = settings
        if let path = settings.path, !path.hasPrefix("/"), let slash = routeFile.lastIndex(of: "/") {
            settings.path = routeFile[...slash] + path
        }
        guard case .transport(_, let make) = try find(.transport, settings.kind).part else {
            throw AdapterError.notLinked(.transport, settings.kind, linked: names(.transport))
        }
        return try make(settings)
    }

    /// Makes the message client that the route file describes; nil where it names no server for live updates, and
    /// where the program links no message client at all.
    ///
    /// - Parameter routeFile: the route file's path; the certificates' path counts from its folder.
    /// - Throws: ``AdapterError`` `notLinked`, or what the client throws.
    public func messageClient(
        for settings: LiveSettings?, beside routeFile: String, secrets: SecretSource
    ) throws -> (any MessageClient)? {
        guard let settings, offer(.messages) else { return nil }
        guard case .messages(_, let make) = try find(.messages, settings.kind).part else {
            throw AdapterError.notLinked(.messages, settings.kind, linked: names(.messages))
        }
        let folder = routeFile.lastIndex(of: "/").map { routeFile[...$0] } ?? ""
        let certificates = settings.certificates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        return try make(
            LiveConnection(
                settings: settings, key: { try secrets.secret(settings.key) }, certificates: certificates))
    }

    /// Makes what signs the requests of a route file; nil where nothing does.
    ///
    /// - Parameters:
    ///   - secrets: where `secret:NAME` is looked up.
    ///   - transport: for requests that fetch credentials.
    ///   - tokens: where these are kept; nil for what the route file says, which is a file beside the store by default.
    /// - Throws: ``AdapterError`` `notLinked`, or what the authenticator throws.
    public func authenticator(
        for routeFile: RouteFile, secrets: SecretSource, transport: any Transport, tokens: (any TokenStorage)? = nil,
        environment: SyncEnvironment = .live
    ) throws -> (any Authenticator)? {
        let key = routeFile.key.map { StaticAuthenticator(settings: $0, secrets: secrets, base: routeFile.base) }
        let keyed = key.map { KeyedTransport(key: $0, base: routeFile.base, transport: transport) }
        let own = try unkeyed(
            for: routeFile, secrets: secrets, transport: keyed ?? transport, tokens: tokens, environment: environment)
        guard let key, let own else { return own }
        if let own = own as? any SignInAuthenticator { return KeyedSignInAuthenticator(key: key, other: own) }
        return KeyedAuthenticator(key: key, other: own)
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
            guard case .authenticator(_, let make) = try find(.authenticator, kind).part else { return nil }
            return try make(
                AuthenticatorContext(
                    routeFile: routeFile, secrets: secrets, transport: transport, tokens: tokens,
                    environment: environment))
        }
        switch routeFile.auth {
        case .none: return nil
        case .basic, .bearer, .token, .keyInHeader, .keyInQuery:
            return StaticAuthenticator(settings: routeFile.auth, secrets: secrets, base: routeFile.base)
        case .session(let settings):
            return SessionAuthenticator(
                settings: settings, base: routeFile.base, secrets: secrets, transport: transport, storage: tokens,
                timeout: routeFile.transport.timeout, environment: environment)
        case .oauth2: return try made("oauth2")
        case .adapter(let kind, _): return try made(kind)
        }
    }

    /// The extractor that reads bodies of a format.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    public func extractor(format: String) throws(AdapterError) -> any ResponseExtractor {
        if case .format(let extractor, _) = try find(.format, format).part { return extractor }
        throw AdapterError.notLinked(.format, format, linked: names(.format))
    }

    /// The writer of bodies in a coding.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    public func writer(coding: String) throws(AdapterError) -> any BodyWriter {
        switch try find(.coding, coding).part {
        case .format(_, let writer?), .writer(let writer): return writer
        default: throw AdapterError.notLinked(.coding, coding, linked: names(.coding))
        }
    }

    /// The reader for a route file, by its extension.
    ///
    /// - Throws: ``AdapterError`` `notLinked`.
    public func documentReader(forPath path: String) throws(AdapterError) -> any RouteDocumentReader {
        let name = path.split(separator: "/").last ?? ""
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        let ending = pieces.count > 1 ? pieces[pieces.count - 1].lowercased() : ""
        if case .document(let reader) = try find(.document, ending).part { return reader }
        throw AdapterError.notLinked(.document, ending, linked: names(.document))
    }

    private func find(_ kind: AdapterKind, _ name: String) throws(AdapterError) -> Adapter {
        if let adapter = (self + Adapter.builtIn).first(where: { $0.names(as: kind).contains(name) }) {
            if let refusal = adapter.refusal { throw AdapterError.unsupported(kind, name, refusal) }
            return adapter
        }
        throw AdapterError.notLinked(kind, name, linked: names(kind))
    }

    /// Why there is no adapter of this name, or none that can be used here.
    func missing(_ kind: AdapterKind, _ name: String) -> AdapterError? {
        do throws(AdapterError) {
            _ = try find(kind, name)
            return nil
        } catch {
            return error
        }
    }

    /// Where an adapter does not take its settings: the one it is about, as far as it is one, and why.
    func complaint(_ kind: AdapterKind, _ name: String, about settings: Value.Members) -> SettingError? {
        guard let check = (try? find(kind, name))?.check else { return nil }
        do {
            try check(settings)
            return nil
        } catch {
            return error as? SettingError ?? SettingError(nil, "\(error)")
        }
    }

    /// What the route file must say where it chooses this adapter; nothing for one that is not linked.
    func needs(of kind: AdapterKind, _ name: String) -> [String] { (try? find(kind, name))?.needs ?? [] }

    private func names(_ kind: AdapterKind) -> [String] {
        var names: [String] = []
        for adapter in Adapter.builtIn + self where adapter.refusal == nil {
            for name in adapter.names(as: kind) where !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Whether any adapter is of a kind, beside those that are always there.
    func offer(_ kind: AdapterKind) -> Bool { contains { !$0.names(as: kind).isEmpty } }
}

extension StoreSettings {
    /// Where the store lies: ``path`` from the route file's folder, or a file named after the route file.
    public func location(beside routeFile: String) -> StoreLocation {
        let folder = routeFile.lastIndex(of: "/").map { routeFile[...$0] } ?? ""
        if let path { return StoreLocation(path: path.hasPrefix("/") ? path : folder + path, settings: settings) }
        let name = routeFile[folder.endIndex...]
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        let ending = ["sqlite": "db", "json-file": "store"][kind] ?? kind
        return StoreLocation(path: "\(folder)\(stem).\(ending)", settings: settings)
    }
}
