/// Names of members, each once: as in JSON, names of other bytes are others. A `Set` of texts takes canonically equivalent names for
/// one, such as `é` and `e` with a combining accent.
package struct MemberNames: Sendable, Hashable, SetAlgebra, Sequence {
    package typealias Element = String
    package typealias ArrayLiteralElement = String

    private var names: Set<ScalarText> = []

    /// No name.
    package init() {}

    package init(_ names: some Sequence<String>) { self.names = Set(names.map { ScalarText($0) }) }

    package init(arrayLiteral elements: String...) { self.init(elements) }

    package var isEmpty: Bool { names.isEmpty }

    package func contains(_ name: String) -> Bool { names.contains(ScalarText(name)) }

    // MARK: Set algebra

    package func union(_ other: MemberNames) -> MemberNames { combined { $0.formUnion(other.names) } }

    package func union(_ others: some Sequence<String>) -> MemberNames { union(MemberNames(others)) }

    package func intersection(_ other: MemberNames) -> MemberNames { combined { $0.formIntersection(other.names) } }

    package func symmetricDifference(_ other: MemberNames) -> MemberNames {
        combined { $0.formSymmetricDifference(other.names) }
    }

    package func subtracting(_ other: MemberNames) -> MemberNames { combined { $0.subtract(other.names) } }

    package mutating func formUnion(_ other: MemberNames) { names.formUnion(other.names) }

    package mutating func formUnion(_ others: some Sequence<String>) { formUnion(MemberNames(others)) }

    package mutating func formIntersection(_ other: MemberNames) { names.formIntersection(other.names) }

    package mutating func formSymmetricDifference(_ other: MemberNames) {
        names.formSymmetricDifference(other.names)
    }

    @discardableResult
    package mutating func insert(_ name: String) -> (inserted: Bool, memberAfterInsert: String) {
        let (isNew, member) = names.insert(ScalarText(name))
        return (isNew, member.text)
    }

    @discardableResult
    package mutating func remove(_ name: String) -> String? { names.remove(ScalarText(name))?.text }

    @discardableResult
    package mutating func update(with name: String) -> String? { names.update(with: ScalarText(name))?.text }

    private func combined(_ change: (inout Set<ScalarText>) -> Void) -> MemberNames {
        var other = self
        change(&other.names)
        return other
    }

    // MARK: Sequence

    /// In no order.
    package struct Iterator: IteratorProtocol {
        fileprivate var names: Set<ScalarText>.Iterator

        package mutating func next() -> String? { names.next()?.text }
    }

    package func makeIterator() -> Iterator { Iterator(names: names.makeIterator()) }
}
