/// The part of an adapter that opens a store.
package struct StoreOpener: Sendable {
    package var open: @Sendable (StoreLocation) async throws -> any Store
}

extension Adapter {
    /// Offers a store under the name that `store.kind` says.
    ///
    /// - Parameter checking: looks at what the route file says under `store.settings` when the file is loaded, nothing where
    ///   it says nothing. What it throws makes the file one that does not load; the message names the line, and for a
    ///   ``SettingError`` that of the setting. Without it the store has no settings, and a route file with some does not load.
    public static func store(
        _ kind: String, checking: (@Sendable (_ settings: Value.Members) throws -> Void)? = nil,
        open: @escaping @Sendable (StoreLocation) async throws -> any Store
    ) -> Adapter {
        Adapter([.store: [kind]], StoreOpener(open: open), check: checking ?? takesNone)
    }
}

extension [Adapter] {
    /// Opens the store that the route file describes.
    ///
    /// - Parameter routeFile: the route file's path; the store's path counts from its folder. Without a path the store
    ///   is named after the route file.
    /// - Throws: ``AdapterError`` `notLinked`, or what the store throws.
    package func openStore(for settings: StoreSettings, beside routeFile: String) async throws -> any Store {
        guard let opener = try (self + [.memory]).find(.store, settings.kind).part as? StoreOpener else {
            throw notLinked(.store, settings.kind)
        }
        return try await opener.open(settings.location(beside: routeFile))
    }
}
