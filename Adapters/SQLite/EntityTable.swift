#if SQLite
    internal import AtmosphereStore

    /// What one transaction knows of one entity's table.
    final class EntityTable {
        let name: String
        let number: Int64
        /// The listing whose objects are noted.
        var listing: Int64?
        /// Records added and removed, not yet counted in the table `entity`.
        var recordChange: Int64 = 0
        /// Objects that are not synchronized any more, less those that are again; not yet counted in the table `counter`.
        var changedChange: Int64 = 0
        /// The next key for an identifier that is no integer; nil until it is needed. Not kept between transactions,
        /// because another process may have taken it by then.
        var nextTextKey: Int64?
        private var touchedIntegers: [Int64] = []
        private var touchedTexts: Set<ScalarText> = []

        init(name: String, number: Int64, listing: Int64?) {
            self.name = name
            self.number = number
            self.listing = listing
        }

        var objects: String { "object_\(number)" }
        var listed: String { "listed_\(number)" }
        var changed: String { Self.changed(number) }

        /// The index of what is not synchronized, and its count in the table `counter`.
        static func changed(_ number: Int64) -> String { "changed_\(number)" }

        var isTouched: Bool { !touchedIntegers.isEmpty || !touchedTexts.isEmpty }
        /// Identifiers whose record or meta object changed; empty where a ``CommitSet`` cannot name them.
        var touched: Set<String> {
            if touchedIntegers.count + touchedTexts.count > CommitSet.largestSet { return [] }
            let texts = CommitSet.named(touchedTexts.map(\.text))
            if texts.isEmpty, !touchedTexts.isEmpty { return [] }
            return texts.union(touchedIntegers.lazy.map { String($0) })
        }

        func touch(_ key: IdentifierKey) {
            switch key {
            case .integer(let number): touchedIntegers.append(number)
            case .text(let text): touchedTexts.insert(ScalarText(text))
            }
        }
    }
#endif
