internal import Atmosphere

/// Whether the gateway was switched offline, for the next one on the same store: what is kept back is not sent because a
/// gateway starts anew.
///
/// Kept beside the cursors of the store, under a scope that no list has.
enum KeptSwitch {
    /// No entity has an empty name.
    private static let scope = PullScope(entity: "", parent: "offline")

    static func isOffline(in store: any Store) async throws -> Bool {
        try await store.read { try $0.cursor(for: KeptSwitch.scope) != nil }
    }

    static func keep(isOffline: Bool, in store: any Store) async throws {
        try await store.write(.power, origin: .application) { transaction in
            if isOffline {
                try transaction.put(PullCursor(), for: KeptSwitch.scope)
            } else {
                try transaction.removeCursor(for: KeptSwitch.scope)
            }
        }
    }
}
