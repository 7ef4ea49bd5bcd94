/// A secret's value. Printing, interpolating or dumping it shows nothing of it.
public struct Secret: Sendable, Hashable {
    /// The secret itself; for the request that it is declared for, and for nothing else.
    public let value: String

    /// Wraps a text so that it is shown nowhere by accident.
    public init(_ value: String) { self.value = value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
