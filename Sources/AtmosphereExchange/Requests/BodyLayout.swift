/// How a body is laid out, apart from its coding.
public struct BodyLayout: Sendable, Hashable {
    /// One member around the whole: `{"task": {…}}`.
    public var root: String?
    /// The name of each element of a body that is a list, for codings that name them; nil for ``XMLLayout/item``.
    package var item: String?
    /// Declared types of the top-level members of the object, or of each object of a list, for codings that write types
    /// or have none of their own.
    public var types: [String: FieldType] = [:]
    /// For XML alone.
    package var xml = XMLLayout()

    /// A layout without types, with the default look of XML.
    public init(root: String? = nil) { self.root = root }
}
