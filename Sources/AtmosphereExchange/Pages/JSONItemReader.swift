/// Reads the items of one body for ``JSONExtractor``: an array of them, or one.
struct JSONItemReader {
    private(set) var found: [PageItem] = []
    /// Items of a list without an identifier, and errors.
    private(set) var skipped = 0
    /// Those among them that say nothing of where identifiers stand: errors, and items that are too large.
    private(set) var failed = 0
    private(set) var isFirstSkipped = false
    private(set) var isLastSkipped = false
    private(set) var firstSkipped: ExtractionError?
    /// The page's bytes: the body, and behind it the text that it does not hold as it is needed. Empty while there is
    /// no such text, and the body is enough.
    private(set) var output: [UInt8] = []

    private let text: JSONScanner
    private let selectors: Selectors
    private let id: Field
    private let version: Field
    private let deleted: Field
    private let cursor: Field
    private let lookup: Field
    private let failure: Field
    private let additions: [Addition]
    private let idPrefix: String?
    /// How many items of the body came before those that this one reads.
    private var itemsBefore = 0
    private var finder: MemberFinder

    /// A wanted path.
    private struct Field {
        /// In the finder; -1 where it cannot follow the path.
        var node = -1
        /// For the slow way.
        var path: JSONPath?
    }

    private struct Addition {
        /// In the finder: the places where a record may have it.
        var nodes: [Int]
        /// `"name":value`.
        var member: [UInt8]
    }

    /// - Parameter text: the whole body.
    init(_ text: JSONScanner, _ selectors: Selectors) {
        self.text = text
        self.selectors = selectors
        var trie = MemberTrie()
        func field(_ path: JSONPath?) -> Field {
            guard let path else { return Field() }
            return trie.insert(path).map { Field(node: $0) } ?? Field(path: path)
        }
        id = field(selectors.id)
        version = field(selectors.version)
        deleted = field(selectors.deleted)
        cursor = field(selectors.cursor)
        lookup = field(selectors.lookup)
        failure = field(selectors.failed)
        additions = selectors.additions.map { addition in
            var member: [UInt8] = []
            JSONText.append(addition.name, to: &member)
            member.append(UInt8(ascii: ":"))
            let places = [JSONPath.member(addition.name)] + addition.others
            return Addition(nodes: places.compactMap { trie.insert($0) }, member: member + addition.value.json())
        }
        idPrefix = selectors.idPrefix.map { $0.isEmpty || $0.hasSuffix("/") ? $0 : $0 + "/" }
        finder = MemberFinder(trie)
    }

    /// Reads the items that begin at `start`.
    ///
    /// - Parameters:
    ///   - depth: the number of arrays and objects around them.
    ///   - single: an object that stands here is one item, even where a list is wanted.
    /// - Returns: where they end.
    mutating func read(_ start: Int, depth: Int, single: Bool = false) throws -> Int {
        let first = text.byte(at: start)
        if first == UInt8(ascii: "{"), single || !selectors.isList { return try readItem(start, depth) }
        guard first == UInt8(ascii: "["), selectors.isList else {
            // Written where there is none, as where the items are missing.
            if first == UInt8(ascii: "n"), selectors.isList, selectors.areItemsOptional {
                return try text.valueEnd(start, depth: depth)
            }
            throw try misplaced(start, depth)
        }
        guard depth < text.depthLimit else { throw text.tooDeep(start) }
        let end = try text.readElements(start) { element in
            let end = try readItem(element, depth &+ 1)
            if found.count == 1 { found.reserveCapacity(min((text.end - start) / (end - element) + 1, 10_000)) }
            return end
        }
        return end ?? text.end
    }

    private mutating func readItem(_ start: Int, _ depth: Int) throws -> Int {
        // Each item of the page counts as one value at least.
        let most = selectors.limits.values
        guard found.count &+ skipped < most else { throw text.tooMany(start, most) }
        guard text.byte(at: start) == UInt8(ascii: "{") else {
            // A text that is broken here is reported as such.
            let end = try text.valueEnd(start, depth: depth)
            try skip(missingID(start, "is \(Self.kind(at: text.byte(at: start))), not an object"))
            return end
        }
        let (record, end) = try readRecord(start, depth)
        if text.hasMoreValues(than: most, in: record) {
            failed += 1
            try skip(tooMany(start))
            return end
        }
        if selectors.isList, selectors.failed != nil, let said = try value(failure, record) {
            failed += 1
            try skip(failedItem(start, said))
            return end
        }
        guard selectors.links.isEmpty else {
            do {
                try readLinked(record)
            } catch let error as ExtractionError where error.code == .missingID {
                try skip(error)
            }
            return end
        }
        let id: PageItemID
        do {
            id = try identifier(record)
        } catch let error as ExtractionError where error.code == .missingID {
            try skip(error)
            return end
        }
        found.append(
            PageItem(
                id: id, record: record, version: try textRange(version, record),
                cursor: try textRange(cursor, record), lookup: try textRange(lookup, record),
                isDeleted: try isDeleted(record)))
        isLastSkipped = false
        if !additions.isEmpty { addMembers() }
        return end
    }

    /// Reads an item whose links become identifiers: it is written anew behind the body, and read there.
    private mutating func readLinked(_ record: Range<Int>) throws {
        var value = try Value(json: text, record)
        for link in selectors.links { value = value.replacing(at: link.path.steps[...], link.identifier(in:)) }
        var inside = selectors
        inside.links = []
        inside.failed = nil
        inside.itemRoot = nil
        let bytes = value.json()
        let number = found.count + skipped
        let (item, written) = try bytes.withUnsafeBufferPointer { bytes -> (PageItem, [UInt8]) in
            var reader = JSONItemReader(JSONScanner(bytes), inside)
            reader.itemsBefore = number
            reader.firstSkipped = firstSkipped
            _ = try reader.read(0, depth: 0, single: true)
            // What has no identifier is told by the item's own number.
            if reader.skipped > 0, let error = reader.firstSkipped {
                throw ExtractionError(code: .missingID, message: error.message)
            }
            return (reader.found[0], reader.output.isEmpty ? Array(bytes) : reader.output)
        }
        startOutput()
        found.append(Self.moved(item, by: output.count))
        isLastSkipped = false
        output += written
    }

    /// The same item in a buffer in which it begins later.
    private static func moved(_ item: PageItem, by offset: Int) -> PageItem {
        func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + offset..<range.upperBound + offset }
        var later = item
        later.record = moved(item.record)
        later.version = item.version.map(moved)
        later.cursor = item.cursor.map(moved)
        later.lookup = item.lookup.map(moved)
        return later
    }

    /// Finds the fields of the item, or of the object at its root.
    ///
    /// - Returns: where that object stands, and where the item ends.
    private mutating func readRecord(_ start: Int, _ depth: Int) throws -> (Range<Int>, Int) {
        if selectors.itemRoot != nil, let rooted = try readRooted(start, depth) { return rooted }
        finder.begin()
        let end = try finder.readObject(text, start, depth: depth) ?? text.end
        if selectors.itemRoot != nil, try value(id, start..<end) == nil, let inner = try rootBesideOthers(start..<end) {
            return (inner, end)
        }
        return (Range(uncheckedBounds: (start, end)), end)
    }

    /// Appends the members that the item lacks: its record moves behind the body.
    private mutating func addMembers() {
        guard additions.contains(where: { isMissing($0) }) else { return }
        startOutput()
        let start = output.count
        let record = text.slice(found[found.count - 1].record)
        output.append(contentsOf: UnsafeBufferPointer(rebasing: record.dropLast()))
        var isEmpty = record.dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
        for addition in additions where isMissing(addition) {
            if !isEmpty { output.append(UInt8(ascii: ",")) }
            isEmpty = false
            output.append(contentsOf: addition.member)
        }
        output.append(UInt8(ascii: "}"))
        found[found.count - 1].record = start..<output.count
    }

    private func isMissing(_ addition: Addition) -> Bool { addition.nodes.allSatisfy { finder[$0] == nil } }

    private mutating func startOutput() {
        guard output.isEmpty else { return }
        // With additions nearly every record is written a second time.
        output.reserveCapacity(additions.isEmpty ? text.end + text.end / 8 : text.end * 2 + text.end / 4)
        output.append(contentsOf: text.slice(0..<text.end))
    }
}

// MARK: Roots

extension JSONItemReader {
    /// Reads an item whose only member is the root.
    ///
    /// - Returns: nil for any other item.
    private mutating func readRooted(_ start: Int, _ depth: Int) throws -> (Range<Int>, Int)? {
        guard let root = selectors.itemRoot else { return nil }
        var record: Range<Int>?
        let end = try text.readMembers(start) { name, _, value in
            guard record == nil, JSONText.says(root, text.slice(name)), text.byte(at: value) == UInt8(ascii: "{") else {
                return nil
            }
            finder.begin()
            let end = try finder.readObject(text, value, depth: depth &+ 1)
            record = end.map { value..<$0 }
            return end
        }
        guard let record, let end else { return nil }
        return (record, end)
    }

    /// Looks into the root of an item that has other members as well, and no identifier among them.
    private mutating func rootBesideOthers(_ item: Range<Int>) throws -> Range<Int>? {
        guard let root = selectors.itemRoot, let inner = try JSONPath.member(root).ranges(in: text, item).first,
            text.byte(at: inner.lowerBound) == UInt8(ascii: "{")
        else { return nil }
        finder.begin()
        _ = try finder.readObject(text, inner.lowerBound, depth: 0)
        return inner
    }
}

// MARK: Fields

extension JSONItemReader {
    /// Where a field's value stands; nil where it is absent.
    @inline(__always)
    private func anyValue(_ field: Field, _ record: Range<Int>) throws -> Range<Int>? {
        if field.node >= 0 { return finder[field.node] }
        return try field.path?.ranges(in: text, record).first
    }

    /// The same; nil for null as well.
    @inline(__always)
    private func value(_ field: Field, _ record: Range<Int>) throws -> Range<Int>? {
        guard let range = try anyValue(field, record), text.base[range.lowerBound] != UInt8(ascii: "n") else {
            return nil
        }
        return range
    }

    /// A field's text: the inside of a string, decoded, or the JSON text of anything else.
    @inline(__always)
    private mutating func textRange(_ field: Field, _ record: Range<Int>) throws -> Range<Int>? {
        guard let range = try value(field, record) else { return nil }
        guard text.base[range.lowerBound] == UInt8(ascii: "\"") else { return range }
        let inside = range.lowerBound + 1..<range.upperBound - 1
        guard JSONText.hasEscapes(text.slice(inside)) else { return inside }
        startOutput()
        let start = output.count
        output += JSONText.unescaped(text.slice(inside))
        return start..<output.count
    }

    private func isDeleted(_ record: Range<Int>) throws -> Bool {
        guard let range = try anyValue(deleted, record) else { return false }
        guard let expected = selectors.deletedEquals else {
            return text.base[range.lowerBound] != UInt8(ascii: "f") && text.base[range.lowerBound] != UInt8(ascii: "n")
        }
        return try Value(json: text, range) == expected
    }

    /// One item of a list that cannot be told apart from others is left out; the others are not its fault. Of several the
    /// first is told.
    private mutating func skip(_ error: ExtractionError) throws {
        guard selectors.isList else { throw error }
        if found.isEmpty, skipped == 0 { isFirstSkipped = true }
        isLastSkipped = true
        firstSkipped = firstSkipped ?? error
        skipped += 1
    }

    private func identifier(_ record: Range<Int>) throws -> PageItemID {
        guard let range = try anyValue(id, record) else {
            throw missingID(
                record.lowerBound,
                "has nothing at \(selectors.id)\(Self.members(of: record, in: text, after: ", only "))")
        }
        let own: ObjectID
        switch text.base[range.lowerBound] {
        case UInt8(ascii: "\""):
            own = ObjectID(JSONText.decode(text.slice(range.lowerBound + 1..<range.upperBound - 1)), .string)
            guard !own.text.isEmpty else {
                throw missingID(range.lowerBound, "has an empty string at \(selectors.id)")
            }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if idPrefix == nil, let number = Self.canonicalInteger(text.slice(range)) { return .integer(number) }
            own = ObjectID(String(decoding: text.slice(range), as: UTF8.self), .number)
        case let first:
            throw missingID(range.lowerBound, "has \(Self.kind(at: first)) at \(selectors.id)")
        }
        guard let idPrefix else { return .text(own) }
        return .text(ObjectID(idPrefix + PercentEncoding.segment(own.text), own.wireType))
    }

    /// The number, where its lexeme is the one that a 64-bit integer is written as.
    static func canonicalInteger(_ lexeme: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = lexeme.first == UInt8(ascii: "-")
        // The grammar allows no leading zero but that of 0 itself, and of -0, which is not canonical.
        if isNegative, lexeme[1] == UInt8(ascii: "0") { return nil }
        var number: Int64 = 0
        for byte in lexeme[(isNegative ? 1 : 0)...] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, more) =
                isNegative
                ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
            guard !overflow, !more else { return nil }
            number = sum
        }
        return number
    }

}

// MARK: Errors

extension JSONItemReader {
    private func missingID(_ offset: Int, _ reason: @autoclosure () -> String) -> ExtractionError {
        if let firstSkipped { return ExtractionError(code: .missingID, message: firstSkipped.message) }
        return ExtractionError(
            code: .missingID,
            message:
                "item \(itemsBefore + found.count + skipped + 1), at byte \(offset), \(reason()); each item needs an identifier, a number or "
                + "a string that is not empty, where `id` in the route file says")
    }

    private func tooMany(_ start: Int) -> ExtractionError {
        if let firstSkipped { return firstSkipped }
        return ExtractionError(
            code: .tooLarge,
            message: "item \(itemsBefore + found.count + skipped + 1), at byte \(start), holds more than "
                + "\(selectors.limits.values) values; if it is right, raise limits.values in the route file")
    }

    /// An error in the place of an item. Its own word for it is no content, and the one thing that says more.
    private func failedItem(_ start: Int, _ said: Range<Int>) throws -> ExtractionError {
        if let firstSkipped { return firstSkipped }
        let path = selectors.failed ?? JSONPath([])
        let value = try Value(json: text, said)
        let word = (value.string ?? value.number?.lexeme).map { " says \(String($0.prefix(80)).quoted)" } ?? " is set"
        return ExtractionError(
            code: .missingID,
            message: "item \(itemsBefore + found.count + skipped + 1), at byte \(start), is an error of the server: "
                + "\(path)\(word)")
    }

    /// The items' place holds something else.
    private func misplaced(_ start: Int, _ depth: Int) throws -> ExtractionError {
        // A text that is broken here is reported as such.
        let end = try text.valueEnd(start, depth: depth)
        let path = selectors.items ?? JSONPath([])
        if selectors.isList, text.byte(at: start) == UInt8(ascii: "n") {
            return ExtractionError(
                code: .itemsNotFound,
                message: "the items are expected at \(path), but null stands there, at byte \(start); where that is a "
                    + "list of none, write items: { path: \(path), optional: true }")
        }
        let expected = selectors.isList ? "the array of items" : "one object"
        return ExtractionError(
            code: .itemsNotFound,
            message:
                "\(expected) is expected at \(path), but at byte \(start) \(Self.kind(at: text.byte(at: start))) stands "
                + "there\(Self.members(of: start..<end, in: text, after: ", which has ")); set "
                + "`items` in the route file to where the items stand")
    }

    /// The names of an object's first members, for messages; nothing for anything but an object with members.
    static func members(of range: Range<Int>, in text: JSONScanner, after words: String) -> String {
        guard text.byte(at: range.lowerBound) == UInt8(ascii: "{") else { return "" }
        var names: [String] = []
        _ = try? text.readMembers(range.lowerBound) { name, _, value in
            names.append(JSONText.decode(text.slice(name)).quoted)
            return names.count < 12 ? try text.valueEnd(value, depth: 0) : nil
        }
        return names.isEmpty ? "" : words + names.joined(separator: ", ")
    }

    /// What kind of value begins with a byte, for messages.
    static func kind(at first: UInt8?) -> String {
        switch first {
        case nil: "nothing"
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
