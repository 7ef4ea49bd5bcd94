/// Finds where the parts of a JSON text (RFC 8259) end, and checks all of it on the way, without building anything.
///
/// Indices go in, indices come out: ``valueEnd(_:depth:)`` passes over a value of any kind, ``readMembers(_:_:)`` and
/// ``readElements(_:_:)`` go inside one. What has been passed is checked: grammar, depth, UTF-8 (no overlong forms,
/// surrogates or code points above U+10FFFF), no byte order mark. Escapes of single surrogates (`\uD800`) fit the
/// grammar and are let through; they decode to U+FFFD. Nesting costs one bit a level, and no stack.
///
/// This is what a pull spends its time on. The tests that nearly always hold come first; white space and everything odd
/// is kept out of line; the scanner is three words, so that each function gets it in registers. It is valid inside the
/// closure that lends it the bytes.
package struct JSONScanner {
    package let base: UnsafePointer<UInt8>
    /// Nothing is read from here on.
    package let end: Int
    /// How many levels of arrays and objects there may be.
    package let depthLimit: Int

    /// - Parameter end: nothing is read from here on.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, end: Int? = nil, depthLimit: Int = .max) {
        self.end = min(end ?? bytes.count, bytes.count)
        // An empty buffer may have no address; this one is never read.
        base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        self.depthLimit = depthLimit
    }

    /// A scanner for a whole text.
    ///
    /// - Throws: ``JSONError`` `tooLarge`.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONError) {
        guard bytes.count <= limits.bytes else {
            throw .at(
                limits.bytes, .tooLarge, "the text has \(bytes.count) bytes, more than the limit of \(limits.bytes)")
        }
        self.init(bytes, depthLimit: limits.depth)
    }

    /// Where the one value of the whole text stands, with only white space around it.
    package func onlyValue() throws(JSONError) -> Range<Int> {
        let start = whitespaceEnd(0)
        guard start < end else { throw .at(end, .truncated, "the text is empty") }
        let valueEnd = try valueEnd(start, depth: 0)
        try finish(valueEnd)
        return start..<valueEnd
    }

    /// Checks that nothing but white space follows.
    package func finish(_ index: Int) throws(JSONError) {
        let index = whitespaceEnd(index)
        guard index == end else { throw .at(index, .malformed, "something follows the end of the value") }
    }

    /// Whether more values may stand in a part of the text than a number: as many as commas and brackets part. A part that
    /// is too short for so many is not looked at.
    package func hasMoreValues(than most: Int, in range: Range<Int>) -> Bool {
        guard range.count / 2 >= most else { return false }
        var count = 1
        var index = range.lowerBound
        while index < range.upperBound {
            switch base[index] {
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            case UInt8(ascii: "\""):
                index += 1
                while index < range.upperBound, base[index] != UInt8(ascii: "\"") {
                    index += base[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            index += 1
        }
        return count > most
    }

    @inline(__always)
    package func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The byte, or 0 (which fits nowhere between tokens) at the end.
    @inline(__always)
    package func byte(at index: Int) -> UInt8 { index < end ? base[index] : 0 }

    /// Eight bytes, the first in the lowest place.
    @inline(__always)
    package func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// The end of the value that begins at `start`.
    ///
    /// - Parameter depth: the number of arrays and objects around it.
    @inline(never)
    package func valueEnd(_ start: Int, depth: Int) throws(JSONError) -> Int {
        switch byte(at: start) {
        case UInt8(ascii: "\""): try stringEnd(start)
        case UInt8(ascii: "{"), UInt8(ascii: "["): try containerEnd(start, outerDepth: depth)
        default: try scalarEnd(start)
        }
    }

    /// Reads the members of the object whose brace is at `start`.
    ///
    /// - Parameters:
    ///   - member: gets what stands between the quotes of the name, whether that has escapes, and where the value
    ///     begins; returns the end of the value, or nil to stop.
    /// - Returns: the end of the object; nil where `member` stopped.
    @inline(__always)
    package func readMembers(_ start: Int, _ member: (Range<Int>, Bool, Int) throws -> Int?) throws -> Int? {
        var index = whitespaceEnd(start &+ 1)
        if byte(at: index) == UInt8(ascii: "}") { return index &+ 1 }
        while true {
            let nameStart = index
            var hasEscapes = false
            index = try nameEnd(nameStart, &hasEscapes)
            let value = try valueStart(index)
            let name = Range(uncheckedBounds: (nameStart &+ 1, index &- 1))
            guard let valueEnd = try member(name, hasEscapes, value) else { return nil }
            index = valueEnd
            if byte(at: index) != UInt8(ascii: ",") {
                index = whitespaceEnd(index)
                if byte(at: index) == UInt8(ascii: "}") { return index &+ 1 }
                guard byte(at: index) == UInt8(ascii: ",") else {
                    throw unexpected("a comma or the end of the object", at: index)
                }
            }
            index = whitespaceEnd(index &+ 1)
        }
    }

    /// Reads the elements of the array whose bracket is at `start`.
    ///
    /// - Parameters:
    ///   - element: gets where an element begins; returns its end, or nil to stop.
    /// - Returns: the end of the array; nil where `element` stopped.
    @inline(__always)
    package func readElements(_ start: Int, _ element: (Int) throws -> Int?) throws -> Int? {
        var index = whitespaceEnd(start &+ 1)
        if byte(at: index) == UInt8(ascii: "]") { return index &+ 1 }
        while true {
            guard let elementEnd = try element(index) else { return nil }
            index = whitespaceEnd(elementEnd)
            if byte(at: index) == UInt8(ascii: "]") { return index &+ 1 }
            guard byte(at: index) == UInt8(ascii: ",") else {
                throw unexpected("a comma or the end of the array", at: index)
            }
            index = whitespaceEnd(index &+ 1)
        }
    }

    /// The end of the array or object that begins at `start`, with all that is inside.
    private func containerEnd(_ start: Int, outerDepth: Int) throws(JSONError) -> Int {
        let limit = depthLimit &- outerDepth
        // One bit for each open container, the innermost lowest: 1 for an object.
        var kinds: UInt64 = 0
        var outer = OuterKinds()
        var depth = 0
        var index = start
        while true {
            // In front of a value.
            let first = byte(at: index)
            if first == UInt8(ascii: "\"") {
                index = try stringEnd(index)
            } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard depth < limit else { throw tooDeep(index) }
                index = whitespaceEnd(index &+ 1)
                // The closing bracket's code is the opening one's plus two.
                if byte(at: index) == first &+ 2 {
                    index &+= 1
                } else {
                    if depth & 63 == 0, depth > 0 { outer.push(kinds) }
                    depth &+= 1
                    kinds = kinds &<< 1 | UInt64(first &>> 5 & 1)
                    if first == UInt8(ascii: "{") { index = try valueStart(nameEnd(index)) }
                    continue
                }
            } else {
                index = try scalarEnd(index)
            }
            // Behind a value.
            while true {
                if depth == 0 { return index }
                if byte(at: index) != UInt8(ascii: ",") {
                    index = whitespaceEnd(index)
                    let byte = byte(at: index)
                    if byte == (kinds & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                        index &+= 1
                        depth &-= 1
                        kinds &>>= 1
                        if depth & 63 == 0, depth > 0 { kinds = outer.pop() }
                        continue
                    }
                    guard byte == UInt8(ascii: ",") else {
                        throw kinds & 1 == 1
                            ? unexpected("a comma or the end of the object", at: index)
                            : unexpected("a comma or the end of the array", at: index)
                    }
                }
                index = whitespaceEnd(index &+ 1)
                if kinds & 1 == 1 { index = try valueStart(nameEnd(index)) }
                break
            }
        }
    }

    /// The end of the member's name that begins at `index`.
    @inline(__always)
    func nameEnd(_ index: Int, _ hasEscapes: inout Bool) throws(JSONError) -> Int {
        guard byte(at: index) == UInt8(ascii: "\"") else {
            throw unexpected("a member's name in double quotes", at: index)
        }
        return try stringEnd(index, &hasEscapes)
    }

    @inline(__always)
    private func nameEnd(_ index: Int) throws(JSONError) -> Int {
        var ignored = false
        return try nameEnd(index, &ignored)
    }

    /// Where the value begins whose name ends at `index`.
    @inline(__always)
    func valueStart(_ index: Int) throws(JSONError) -> Int {
        if byte(at: index) == UInt8(ascii: ":") { return whitespaceEnd(index &+ 1) }
        let colon = whitespaceEnd(index)
        guard byte(at: colon) == UInt8(ascii: ":") else { throw unexpected("a colon", at: colon) }
        return whitespaceEnd(colon &+ 1)
    }

    @inline(__always)
    package func whitespaceEnd(_ index: Int) -> Int { byte(at: index) > 0x20 ? index : longWhitespaceEnd(index) }

    @inline(never)
    private func longWhitespaceEnd(_ start: Int) -> Int {
        var index = start
        while index < end {
            switch base[index] {
            case 0x20:
                index &+= 1
                // Indentation comes in runs of spaces.
                while index &+ 8 <= end, word(at: index) == 0x2020_2020_2020_2020 { index &+= 8 }
            case 0x0A, 0x0D, 0x09: index &+= 1
            default: return index
            }
        }
        return index
    }

    @inline(never)
    package func tooDeep(_ index: Int) -> JSONError {
        .at(index, .tooDeep, "arrays and objects are nested deeper than the limit of \(depthLimit)")
    }

    /// What to say where more than `most` values would be made of what begins here.
    @inline(never)
    package func tooMany(_ index: Int, _ most: Int) -> JSONError {
        .at(index, .tooLarge, "the text holds more than \(most) values")
    }

    /// What to say when the byte here does not fit.
    @inline(never)
    package func unexpected(_ expected: StaticString, at index: Int) -> JSONError {
        guard index < end else { return .at(end, .truncated, "the text ends where \(expected) must stand") }
        switch base[index] {
        case 0xEF, 0xFE, 0xFF: return .at(index, .invalidUTF8, "a byte order mark or another encoding than UTF-8")
        default: return .at(index, .malformed, "\(expected) must stand here")
        }
    }
}

/// The kinds of open containers that do not fit in one word any more; few texts have any.
private struct OuterKinds {
    private var words: [UInt64]?

    @inline(never)
    mutating func push(_ word: UInt64) {
        if words == nil { words = [] }
        words?.append(word)
    }

    @inline(never)
    mutating func pop() -> UInt64 { words?.popLast() ?? 0 }
}
