/// Finds what somebody meant.
package enum NearestName {
    /// The name with the fewest typing mistakes between it and `written`; nil where every one would need a new word.
    ///
    /// One mistake is allowed for each three letters, and one at least; capitals count for nothing.
    package static func of(_ written: String, among names: some Sequence<String>) -> String? {
        let limit = max(1, written.count / 3)
        guard written.count <= 64 else { return nil }
        let lowered = Array(written.lowercased().unicodeScalars)
        var best: (name: String, distance: Int)?
        for name in names where abs(name.unicodeScalars.count - lowered.count) <= limit {
            let distance = distance(lowered, Array(name.lowercased().unicodeScalars))
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau and Levenshtein, in the form that edits no
    /// part twice).
    package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
