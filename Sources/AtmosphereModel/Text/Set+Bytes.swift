extension Set<String> {
    /// Whether the set has this name, in the same bytes; `contains` takes canonically equivalent texts for one.
    package func containsSameBytes(as name: String) -> Bool {
        firstIndex(of: name).map { self[$0].hasSameBytes(as: name) } ?? false
    }
}
