extension JSONPath {
    /// Where the values at this path stand in a text that the scanner has passed, in the order of the text.
    ///
    /// Walks the text once for each step: for paths that ``MemberTrie`` cannot hold.
    ///
    /// - Throws: ``JSONError`` `tooLarge` for more than `most` places.
    package func ranges(in text: JSONScanner, _ range: Range<Int>, atMost most: Int = .max) throws -> [Range<Int>] {
        var found = [range]
        for step in steps {
            var next: [Range<Int>] = []
            for range in found { try Self.collect(step, text, text.whitespaceEnd(range.lowerBound), most, &next) }
            found = next
        }
        return found
    }

    private static func collect(
        _ step: Step, _ text: JSONScanner, _ start: Int, _ most: Int, _ found: inout [Range<Int>]
    ) throws {
        switch (step, text.byte(at: start)) {
        case (.member(let name), UInt8(ascii: "{")):
            _ = try text.readMembers(start) { key, _, value in
                let end = try text.valueEnd(value, depth: 0)
                guard JSONText.says(name, text.slice(key)) else { return end }
                found.append(value..<end)
                return nil
            }
        case (.all, UInt8(ascii: "{")):
            // The first of duplicate names counts here as well.
            var names = Set<ScalarText>()
            _ = try text.readMembers(start) { key, _, value in
                let end = try text.valueEnd(value, depth: 0)
                guard found.count < most else { throw text.tooMany(value, most) }
                if names.insert(ScalarText(JSONText.decode(text.slice(key)))).inserted { found.append(value..<end) }
                return end
            }
        case (.index(let index), UInt8(ascii: "[")) where index < 0:
            var last: [Range<Int>] = []
            _ = try text.readElements(start) { element in
                let end = try text.valueEnd(element, depth: 0)
                if last.count == -index { last.removeFirst() }
                last.append(element..<end)
                return end
            }
            if last.count == -index { found.append(last[0]) }
        case (.index(let index), UInt8(ascii: "[")):
            var position = 0
            _ = try text.readElements(start) { element in
                let end = try text.valueEnd(element, depth: 0)
                if position == index {
                    found.append(element..<end)
                    return nil
                }
                position += 1
                return end
            }
        case (.all, UInt8(ascii: "[")):
            _ = try text.readElements(start) { element in
                let end = try text.valueEnd(element, depth: 0)
                guard found.count < most else { throw text.tooMany(element, most) }
                found.append(element..<end)
                return end
            }
        default: break
        }
    }
}
