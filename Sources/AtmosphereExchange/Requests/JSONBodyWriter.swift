/// Writes JSON (RFC 8259).
package struct JSONBodyWriter: BodyWriter {
    /// A writer; it has nothing to set.
    package init() {}

    /// `json`
    package var coding: String { "json" }
    /// `application/json`
    package var contentType: String { "application/json" }

    /// The value as compact JSON, inside its root where the layout has one; never throws.
    package func body(of value: Value, _ layout: BodyLayout) -> [UInt8] {
        (layout.root.map { .object([$0: value]) } ?? value).json()
    }
}
