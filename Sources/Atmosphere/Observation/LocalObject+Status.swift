extension LocalObject: Identifiable {
    /// How the object stands to the server.
    public var status: ObjectStatus { meta.status }

    /// The address, which changes once: when the server gives a new object its own identifier.
    public var id: ObjectURI { uri }
}
