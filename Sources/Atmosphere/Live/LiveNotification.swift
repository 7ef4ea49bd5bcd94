/// Something that the server side tells this user, for the application to understand.
public struct LiveNotification: Sendable, Hashable {
    /// Says that two are the same; nil where the publisher's server gave none that is a number or a short text.
    public var id: String?
    /// What the publisher sent; its meaning is the application's.
    public var data: Value

    /// A notification with its data.
    package init(id: String? = nil, data: Value) {
        self.id = id
        self.data = data
    }

    /// Reads the argument of a `notification` event: `{id, data}`.
    ///
    /// - Throws: ``LiveMessageError``.
    package init(_ value: Value) throws(LiveMessageError) {
        guard let members = value.members, let data = members["data"] else {
            throw LiveMessageError("a notification is an object with data")
        }
        self.init(id: MessageEvent.identifier(members["id"]), data: data)
    }
}

/// A message that cannot be used; holds nothing of the message.
package struct LiveMessageError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
