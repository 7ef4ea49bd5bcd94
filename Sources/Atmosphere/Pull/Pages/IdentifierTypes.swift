/// In which JSON type a list shows the identifiers of its live rows. The number `1` and the string `"1"` are two identifiers, and have
/// one address here.
struct IdentifierTypes: Sendable {
    /// As many are kept, in 8 bytes each; of the rows behind them it is not known whether another one has the other type.
    private static let most = 1 << 20

    private var numbers = Keys()
    private var strings = Keys()

    /// Notes the rows of a page that no other row has shown with the other type.
    ///
    /// - Returns: the places of the others.
    mutating func note(_ items: [PageItem]) -> [Int] {
        items.indices.filter { !items[$0].isDeleted && !note(items[$0].id) }
    }

    private mutating func note(_ id: PageItemID) -> Bool {
        let key =
            switch id.key {
            case .integer(let number): Int(truncatingIfNeeded: number)
            case .text(let text): text.hashValue
            }
        if id.isNumber {
            guard !strings.contains(key) else { return false }
            numbers.append(key, upTo: Self.most)
        } else {
            guard !numbers.contains(key) else { return false }
            strings.append(key, upTo: Self.most)
        }
        return true
    }

    /// A list in the order of the rows, and a set as soon as it is asked for one of them: most lists have one type alone.
    private struct Keys: Sendable {
        private var list: [Int] = []
        private var set: Set<Int>?

        mutating func append(_ key: Int, upTo most: Int) {
            guard list.count < most else { return }
            list.append(key)
            set?.insert(key)
        }

        mutating func contains(_ key: Int) -> Bool {
            guard !list.isEmpty else { return false }
            let known = set ?? Set(list)
            set = known
            return known.contains(key)
        }
    }
}

extension PageItemID {
    fileprivate var isNumber: Bool {
        switch self {
        case .integer: true
        case .text(let id): id.wireType == .number
        }
    }
}
