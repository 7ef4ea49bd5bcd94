/// A name with a text: a header field, a parameter of a query, a field of a form.
public struct NamedText: Sendable, Hashable {
    /// As it is sent, or as a form or a query calls it; that of a header is compared without case.
    public var name: String
    /// As it is before it is encoded; nothing is checked.
    public var value: String

    /// A name with its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
