extension ObjectRecord {
    /// The member in which an extractor notes what of the server's object the record does not hold: a list with the names of
    /// top-level members that were not read wholly, and of what else it left out of the object itself.
    ///
    /// A format may say more than JSON members can hold, as XML does with text beside elements, and an update that sends
    /// such a member, or the whole object, would erase on the server what was not read. So it is refused
    /// (``SyncError`` `invalidRecord`), and the edit stays here. What was read wholly has no such member; it is never sent,
    /// nobody can set it, and an object that was made here has none.
    public static let unread = "#unread"

    /// What an extractor has noted as not read; empty where it read everything.
    package var unreadNames: [String] { self[Self.unread]?.array?.compactMap(\.string) ?? [] }
}
