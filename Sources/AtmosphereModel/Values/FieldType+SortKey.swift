extension FieldType {
    /// Bytes that sort as values of the type do, for stores that keep indexes: byte by byte, the shorter first where one
    /// is the beginning of the other. Null and absence come first. Arrays and objects, which have no order, all have the same
    /// bytes.
    ///
    /// The bytes are right for an order, and not for every comparison:
    ///
    /// - Values that are equal may have other bytes: `1` and `1.0` are equal numbers also where the type is ``string`` or
    ///   ``boolean``, and their keys are those of the texts, or of a truth value and a number.
    /// - Values with the same bytes may differ: all arrays and objects.
    ///
    /// ``Query/Condition/keyTest`` says for each condition what it means in terms of these bytes, exactly, or that they do
    /// not tell; then ``Query/matches(_:)`` decides.
    package func sortKey(of value: Value) -> [UInt8] { key(for: value).sortKey }
}
