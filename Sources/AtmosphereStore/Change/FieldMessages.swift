extension Sequence<MetaObject.FieldMessage> {
    /// One line for each message that a text does not hold already.
    ///
    /// A text that is longer than what is kept of a server's answer was put together here, and holds none: it names the
    /// members without what was said of them.
    package func lines(missingIn text: String) -> [String] {
        let lines = map { "\($0.field): \($0.message)" }
        return text.utf8.count > 8000 ? lines : lines.filter { !text.contains($0) }
    }
}
