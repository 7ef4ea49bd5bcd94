/// Writes JSON (RFC 8259).
public struct JSONBodyWriter: BodyWriter {
    /// A writer; it has nothing to set.
    public init() {}

    /// `json`
    public var coding: String { "json" }
    /// `application/json`
    public var contentType: String { "application/json" }

    /// The value as compact JSON, inside its root where the layout has one; never throws.
    public func body(of value: Value, _ layout: BodyLayout) -> [UInt8] {
        (layout.root.map { .object([$0: value]) } ?? value).json()
    }
}
