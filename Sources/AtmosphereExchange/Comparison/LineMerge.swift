/// Three-way merge of texts by line (as diff3 does: the differences on both sides, joined where they do not touch). Lines
/// end at a line feed and are equal where their bytes are.
package enum LineMerge {
    private typealias Line = ArraySlice<UInt8>

    /// - Returns: nil where both sides changed the same lines, or adjoining ones, or where a side changed so much that
    ///   its changes cannot be told within ``LineDifference/mostSteps``.
    static func merge(base: String, mine: String, theirs: String) -> String? {
        let base = lines(base)
        guard let mineEdits = edits(from: base, to: lines(mine), of: .mine),
            let theirEdits = edits(from: base, to: lines(theirs), of: .theirs)
        else { return nil }
        var merged: [Line] = []
        var position = 0
        var here = mineEdits[...]
        var there = theirEdits[...]
        while let edit = next(&here, &there) {
            guard edit.range.lowerBound >= position else { return nil }
            if let other = [here.first, there.first].compactMap({ $0 }).min(by: {
                $0.range.lowerBound < $1.range.lowerBound
            }),
                touches(edit.range, other.range), edit.owner != other.owner
            {
                return nil
            }
            merged += base[position..<edit.range.lowerBound]
            merged += edit.lines
            position = edit.range.upperBound
        }
        merged += base[position...]
        return String(decoding: Array(merged.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    /// Every line of both texts: what they have in common once, and where they differ the lines of the second behind
    /// those of the first.
    package static func union(of first: String, and second: String) -> String {
        let (old, new) = (lines(first), lines(second))
        guard let difference = LineDifference(old, new) else { return first + "\n" + second }
        var joined: [Line] = []
        var newIndex = 0
        func takeNew() {
            while newIndex < new.count, !difference.keptNew[newIndex] {
                joined.append(new[newIndex])
                newIndex += 1
            }
        }
        for (index, line) in old.enumerated() {
            if difference.keptOld[index] {
                takeNew()
                newIndex += 1
            }
            joined.append(line)
        }
        takeNew()
        return String(decoding: Array(joined.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private enum Owner { case mine, theirs }

    private struct Edit {
        var range: Range<Int>
        var lines: [Line]
        var owner: Owner
    }

    private static func lines(_ text: String) -> [Line] {
        Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func touches(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.lowerBound <= right.upperBound && right.lowerBound <= left.upperBound
    }

    /// Takes the earlier of the two next edits; the same edit on both sides counts once.
    private static func next(_ here: inout ArraySlice<Edit>, _ there: inout ArraySlice<Edit>) -> Edit? {
        switch (here.first, there.first) {
        case (nil, nil): return nil
        case (.some, nil): return here.popFirst()
        case (nil, .some): return there.popFirst()
        case (.some(let mine), .some(let theirs)):
            if mine.range == theirs.range, mine.lines == theirs.lines {
                there.removeFirst()
                return here.popFirst()
            }
            return mine.range.lowerBound <= theirs.range.lowerBound ? here.popFirst() : there.popFirst()
        }
    }

    private static func edits(from old: [Line], to new: [Line], of owner: Owner) -> [Edit]? {
        guard let difference = LineDifference(old, new) else { return nil }
        var edits: [Edit] = []
        var oldIndex = 0
        var newIndex = 0
        while oldIndex < old.count || newIndex < new.count {
            let (oldStart, newStart) = (oldIndex, newIndex)
            while oldIndex < old.count, !difference.keptOld[oldIndex] { oldIndex += 1 }
            while newIndex < new.count, !difference.keptNew[newIndex] { newIndex += 1 }
            if oldIndex > oldStart || newIndex > newStart {
                edits.append(Edit(range: oldStart..<oldIndex, lines: Array(new[newStart..<newIndex]), owner: owner))
            }
            oldIndex += 1
            newIndex += 1
        }
        return edits
    }
}
