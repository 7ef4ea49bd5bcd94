/// The part of an adapter that makes a message client.
private struct MessageClientMaker: Sendable {
    var make: @Sendable (LiveConnection) throws -> any MessageClient
}

extension Adapter {
    /// Offers a message client under the name that `live.kind` says.
    public static func messageClient(
        _ kind: String, make: @escaping @Sendable (LiveConnection) throws -> any MessageClient
    ) -> Adapter {
        Adapter([.messages: [kind]], MessageClientMaker(make: make))
    }
}

extension [Adapter] {
    /// Makes the message client that the route file describes; nil where it names no server for live updates, and
    /// where the program links no message client at all.
    ///
    /// - Parameter routeFile: the route file's path; the certificates' path counts from its folder.
    /// - Throws: ``AdapterError`` `notLinked`, or what the client throws.
    package func messageClient(
        for settings: LiveSettings?, beside routeFile: String, secrets: SecretSource
    ) throws -> (any MessageClient)? {
        guard let settings, offer(.messages) else { return nil }
        guard let maker = try find(.messages, settings.kind).part as? MessageClientMaker else {
            throw notLinked(.messages, settings.kind)
        }
        let folder = routeFile.throughLastSlash
        let certificates = settings.certificates.map { $0.beginsWithSlash ? $0 : folder + $0 }
        return try maker.make(
            LiveConnection(
                settings: settings, key: { try secrets.secret(settings.key) }, certificates: certificates))
    }
}
