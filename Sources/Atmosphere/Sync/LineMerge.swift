/// Three-way merge of texts by line (as diff3 does: J. Myers' differences on both sides, joined where they do not touch).
enum LineMerge {
    /// - Returns: nil where both sides changed the same lines, or adjoining ones.
    static func merge(base: String, mine: String, theirs: String) -> String? {
        let base = lines(base)
        let mineEdits = edits(from: base, to: lines(mine))
        let theirEdits = edits(from: base, to: lines(theirs))
        var merged: [Substring] = []
        var position = 0
        var here = mineEdits[...]
        var there = theirEdits[...]
        while let edit = next(&here, &there) {
            guard edit.range.lowerBound >= position else { return nil }
            if let other = [here.first, there.first].compactMap({ $0 }).min(by: {
                $0.range.lowerBound < $1.range.lowerBound
            }),
                other != edit, touches(edit.range, other.range), edit.owner != other.owner
            {
                return nil
            }
            merged += base[position..<edit.range.lowerBound]
            merged += edit.lines
            position = edit.range.upperBound
        }
        merged += base[position...]
        return merged.joined(separator: "\n")
    }

    private struct Edit: Equatable {
        var range: Range<Int>
        var lines: [Substring]
        var owner: Int
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func touches(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.lowerBound <= right.upperBound && right.lowerBound <= left.upperBound
    }

    /// Takes the earlier of the two next edits; the same edit on both sides counts once.
    private static func next(_ here: inout ArraySlice<Edit>, _ there: inout ArraySlice<Edit>) -> Edit? {
        switch (here.first, there.first) {
        case (nil, nil): return nil
        case (.some, nil): return here.popFirst()
        case (nil, .some(var edit)):
            there.removeFirst()
            edit.owner = 1
            return edit
        case (.some(let mine), .some(var theirs)):
            if mine.range == theirs.range, mine.lines == theirs.lines {
                there.removeFirst()
                return here.popFirst()
            }
            if mine.range.lowerBound <= theirs.range.lowerBound { return here.popFirst() }
            there.removeFirst()
            theirs.owner = 1
            return theirs
        }
    }

    private static func edits(from old: [Substring], to new: [Substring]) -> [Edit] {
        let difference = new.difference(from: old)
        var removed = Set<Int>()
        var inserted: [Int: Substring] = [:]
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, let line, _): inserted[offset] = line
            }
        }
        var edits: [Edit] = []
        var oldIndex = 0
        var newIndex = 0
        while oldIndex < old.count || newIndex < new.count {
            let start = oldIndex
            var added: [Substring] = []
            while removed.contains(oldIndex) || inserted[newIndex] != nil {
                if removed.contains(oldIndex) { oldIndex += 1 }
                if let line = inserted[newIndex] {
                    added.append(line)
                    newIndex += 1
                }
            }
            if oldIndex > start || !added.isEmpty {
                edits.append(Edit(range: start..<oldIndex, lines: added, owner: 0))
            }
            if oldIndex < old.count, newIndex < new.count {
                oldIndex += 1
                newIndex += 1
            }
        }
        return edits
    }
}
