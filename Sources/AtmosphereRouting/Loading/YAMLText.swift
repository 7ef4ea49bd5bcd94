/// Texts as YAML writes them on one line, alone or inside brackets.
enum YAMLText {
    /// A key, in quotes where it needs them.
    static func key(_ text: String) -> String {
        text.isIdentifier(with: "-") && !isResolved(text) ? text : quoted(text)
    }

    /// Whether a value needs no quotes, neither alone nor inside brackets.
    static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIIAlphanumeric || "_$./".utf8.contains(first) else {
            return false
        }
        // A colon is harmless only where text follows it.
        let hasLooseColon = text.hasSuffix(":") || text.contains(": ")
        return !hasLooseColon && text.consists(ofAlphanumericsAnd: "_$./+@%=~^*()-:")
    }

    /// Whether a text would mean something else than itself without quotes.
    static func isResolved(_ text: String) -> Bool {
        ["true", "false", "null"].contains(text) || JSONNumber(text) != nil
    }

    /// In double quotes, with the escapes of JSON, which YAML reads as well.
    static func quoted(_ text: String) -> String { String(decoding: Value.string(text).json(), as: UTF8.self) }
}
