/// Whether all that a list shows counts as deleted by a mark that may well say the contrary, as `0` or `"N"`: where no value is
/// declared, any but null and false marks.
struct DoubtfulMark: Sendable {
    private var rows = 0
    private var mark: Value?
    private var isSettled = false

    mutating func look(at page: Page, of resource: Resource) {
        guard !isSettled, let field = resource.deletes.field, resource.deletes.equals == nil else { return }
        guard page.items.allSatisfy(\.isDeleted) else {
            (isSettled, mark) = (true, nil)
            return
        }
        rows += page.items.count
        guard mark == nil, let first = page.items.first else { return }
        if let value = field.first(in: .object(page.record(first).members)), Self.denies(value) {
            mark = value
        } else {
            isSettled = true
        }
    }

    /// What is to be said of it; nil where a row is live, or the mark is clear.
    func warning(of resource: Resource) -> String? {
        guard let mark, let field = resource.deletes.field else { return nil }
        let text = String(decoding: mark.json(), as: UTF8.self)
        return "all \(rows) rows that the list shows count as deleted, for \(field) is \(text) there, and neither "
            + "null nor false; where that marks none, name what does: deletes: { field: \(field), equals: VALUE }"
    }

    /// Whether a mark is a word or a number by which servers say no.
    private static func denies(_ mark: Value) -> Bool {
        switch mark {
        case .number(let number): number.double == 0
        case .string(let text): ["", "0", "-", "n", "no", "f", "false", "none", "null"].contains(text.lowercased())
        case .null, .bool, .array, .object: false
        }
    }
}
