extension Resource {
    /// What a member that is a link leads to; nil where nothing says so.
    package func entity(ofLink name: String) -> String? { references.first { $0.field == name }?.entity }

    /// A reference as this resource's records hold it: of a link they hold the text of the identifier, or its number
    /// where that is what the server shows.
    ///
    /// - Parameter known: what the server has shown in the member; nil where that is not known.
    package func held(_ value: Value, in field: String, like known: Value? = nil) -> Value {
        guard links[field] != nil else { return value }
        let showsNumbers = (known?.array?.first ?? known)?.number != nil
        return value.mapElements { value in
            if value.isNull { return value }
            return showsNumbers ? JSONNumber(value.text).map(Value.number) ?? .string(value.text) : .string(value.text)
        }
    }
}
