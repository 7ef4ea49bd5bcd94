/// Which lines two texts have in common, in order: the shortest edit script (E. Myers, "An O(ND) Difference Algorithm
/// and Its Variations", 1986), in linear space and with a bound on the work.
struct LineDifference {
    /// Whether each line of the old and of the new text stands in the other one too.
    private(set) var keptOld: [Bool]
    private(set) var keptNew: [Bool]

    private let old: [Int]
    private let new: [Int]
    /// Places of the lines that occur on both sides; no other can be common.
    private let oldPlaces: [Int]
    private let newPlaces: [Int]
    private var forward: [Int]
    private var backward: [Int]
    private var budget: Int

    /// Steps after which two texts count as too different. They are reached where some two thousand lines that both
    /// texts have were moved or changed, and take a fraction of a second.
    static let mostSteps = 4_000_000

    /// - Returns: nil where the texts are too different to be compared with so many steps.
    init?(_ oldLines: [ArraySlice<UInt8>], _ newLines: [ArraySlice<UInt8>], mostSteps: Int = Self.mostSteps) {
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let known = numbers[line] { return known }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        let oldNumbers = oldLines.map(number)
        let newNumbers = newLines.map(number)
        let (inOld, inNew) = (Set(oldNumbers), Set(newNumbers))
        oldPlaces = oldNumbers.indices.filter { inNew.contains(oldNumbers[$0]) }
        newPlaces = newNumbers.indices.filter { inOld.contains(newNumbers[$0]) }
        old = oldPlaces.map { oldNumbers[$0] }
        new = newPlaces.map { newNumbers[$0] }
        keptOld = [Bool](repeating: false, count: oldNumbers.count)
        keptNew = [Bool](repeating: false, count: newNumbers.count)
        forward = [Int](repeating: 0, count: 2 * (old.count + new.count) + 3)
        backward = forward
        budget = mostSteps
        guard compare(0..<old.count, 0..<new.count) else { return nil }
    }

    private mutating func keep(_ oldIndex: Int, _ newIndex: Int) {
        keptOld[oldPlaces[oldIndex]] = true
        keptNew[newPlaces[newIndex]] = true
    }

    /// - Returns: false where the budget is used up.
    private mutating func compare(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> Bool {
        var (oldRange, newRange) = (oldRange, newRange)
        while let left = oldRange.first, let right = newRange.first, old[left] == new[right] {
            keep(left, right)
            (oldRange, newRange) = (oldRange.dropFirst(), newRange.dropFirst())
        }
        while let left = oldRange.last, let right = newRange.last, old[left] == new[right] {
            keep(left, right)
            (oldRange, newRange) = (oldRange.dropLast(), newRange.dropLast())
        }
        if oldRange.isEmpty || newRange.isEmpty { return true }
        guard let (left, right) = split(oldRange, newRange) else { return false }
        return compare(oldRange.lowerBound..<left, newRange.lowerBound..<right)
            && compare(left..<oldRange.upperBound, right..<newRange.upperBound)
    }

    /// A point on a shortest path, found from both ends at once; nil where the budget is used up.
    ///
    /// Neither range is empty, and neither their first nor their last lines are equal, so both halves are smaller.
    private mutating func split(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> (Int, Int)? {
        let (width, height) = (oldRange.count, newRange.count)
        let (left, right) = (oldRange.lowerBound, newRange.lowerBound)
        let delta = width - height
        for distance in 0...(width + height + 1) / 2 {
            budget -= 2 * distance + 2
            guard budget > 0 else { return nil }
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                let start = Self.start(forward, diagonal, distance, width, height)
                var x = start
                if x >= 0 {
                    while x < width, x - diagonal < height, old[left + x] == new[right + x - diagonal] { x += 1 }
                    budget -= x - start
                }
                forward[forward.count / 2 + diagonal] = x
                let mirrored = delta - diagonal
                guard x >= 0, delta % 2 != 0, abs(mirrored) < distance else { continue }
                let other = backward[backward.count / 2 + mirrored]
                if other >= 0, x + other >= width { return (left + start, right + start - diagonal) }
            }
            for diagonal in stride(from: -distance, through: distance, by: 2) {
                let start = Self.start(backward, diagonal, distance, width, height)
                var x = start
                let (lastOld, lastNew) = (left + width - 1, right + height - 1)
                if x >= 0 {
                    while x < width, x - diagonal < height, old[lastOld - x] == new[lastNew - x + diagonal] { x += 1 }
                    budget -= x - start
                }
                backward[backward.count / 2 + diagonal] = x
                let mirrored = delta - diagonal
                guard x >= 0, delta % 2 == 0, abs(mirrored) <= distance else { continue }
                let other = forward[forward.count / 2 + mirrored]
                if other >= 0, x + other >= width { return (lastOld + 1 - start, lastNew + 1 - start + diagonal) }
            }
        }
        preconditionFailure("two searches from both ends of a grid meet")
    }

    /// Where the best path of so many edits enters a diagonal; -1 where none stays inside the grid.
    private static func start(_ best: [Int], _ diagonal: Int, _ distance: Int, _ width: Int, _ height: Int) -> Int {
        if distance == 0 { return 0 }
        let middle = best.count / 2
        var start = -1
        if diagonal < distance {
            let x = best[middle + diagonal + 1]
            if x >= 0, x - diagonal <= height { start = x }
        }
        if diagonal > -distance {
            let x = best[middle + diagonal - 1]
            if x >= 0, x < width { start = max(start, x + 1) }
        }
        return start
    }
}
