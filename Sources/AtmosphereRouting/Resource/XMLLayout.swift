/// How XML bodies look.
package struct XMLLayout: Sendable, Hashable {
    /// The name of the root element of a body that has no ``BodyLayout/root``; nil for the resource's name.
    package var root: String?
    /// The name of each element of a list; nil for the list's own name without a final `s`.
    package var item: String?
    /// Elements say their `type`, lists `type="array"` and null `nil="true"`, as Rails writes and reads them.
    package var writesTypes = false
    /// Underscores in names become dashes.
    package var dashesNames = false
    /// Attributes are members called `@name`, and a text beside them is `#text`, in both directions.
    package var hasAttributes = false
    /// The members that are lists, in both directions, by their names with underscores; of others the elements decide.
    package var lists: [String: ListForm] = [:]

    /// How a list stands in an object.
    package enum ListForm: Sendable, Hashable {
        /// One element that holds the list's: `<tags><tag>a</tag><tag>b</tag></tags>`.
        case wrapped(item: String)
        /// As many elements as the list has: `<tag>a</tag><tag>b</tag>`.
        case repeated
    }

    /// No types, no dashes, no attributes; names from the body.
    package init() {}

    /// Whether an element or an attribute can have this name, perhaps with the prefix of a namespace: the grammar of
    /// XML 1.0 §2.3 and Namespaces in XML 1.0 §4 as far as ASCII goes; letters beyond it are taken.
    package static func isName(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { part in
                guard let first = part.unicodeScalars.first, isLetter(first) else { return false }
                return part.unicodeScalars.allSatisfy {
                    isLetter($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "."
                }
            }
    }

    package static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
            || scalar.value > 0x7F && scalar.properties.isAlphabetic
    }
}
