/// Reads one body for ``JSONExtractor``.
struct JSONPageReader {
    private let text: JSONScanner
    private let selectors: Selectors
    private var items: JSONItemReader
    private var body: MemberFinder
    /// Nodes in `body`; nil for paths that the one pass cannot follow.
    private let itemsNode: Int?
    private let nextNode: Int?
    private let moreNode: Int?
    private let totalNode: Int?
    private let cursorNode: Int?

    /// - Throws: ``JSONError`` `tooLarge`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ selectors: Selectors) throws {
        self.selectors = selectors
        text = try JSONScanner(bytes, limits: selectors.limits.forValues)
        items = JSONItemReader(text, selectors)
        var trie = MemberTrie()
        itemsNode = selectors.items.flatMap { trie.insert($0) }
        let outside = selectors.items?.steps ?? []
        // What stands inside the items is passed over by their reader.
        func insert(_ path: JSONPath?) -> Int? {
            guard let path, !path.steps.starts(with: outside) || path.steps == outside else { return nil }
            return trie.insert(path)
        }
        nextNode = insert(selectors.next)
        moreNode = insert(selectors.more)
        totalNode = insert(selectors.total)
        cursorNode = insert(selectors.pageCursor)
        body = MemberFinder(trie)
    }

    /// - Parameter array: the same bytes as an array, which the page takes as they are.
    mutating func read(_ array: [UInt8]) throws -> Page {
        body.begin()
        try readItems()
        // Where no item has one, the identifier is looked for in the wrong place, unless other pages of the list had some.
        if items.found.isEmpty, items.failed == 0, !selectors.isContinued, let error = items.firstSkipped {
            throw error
        }
        var page = Page(bytes: items.output.isEmpty ? array : items.output, items: items.found)
        page.next = try string(nextNode, selectors.next, "the next page")
        page.hasMore = try range(moreNode, selectors.more).map { try Selectors.saysMore(value($0)) }
        page.cursor = try string(cursorNode, selectors.pageCursor, "the cursor")
        page.total = try total()
        page.skipped = items.skipped
        page.skippedReason = items.firstSkipped?.message
        page.isFirstSkipped = items.isFirstSkipped
        page.isLastSkipped = items.isLastSkipped
        return page
    }

    /// A list that is an array although its items are looked for in a member: a view without paging answers so.
    private func isBareArray(_ path: JSONPath, at start: Int) -> Bool {
        guard selectors.isList, case .member = path.steps[0] else { return false }
        return text.byte(at: start) == UInt8(ascii: "[")
    }

    private mutating func readItems() throws {
        let start = text.whitespaceEnd(0)
        let severalPlaces = selectors.items?.steps.contains(.all) ?? false
        if let itemsNode, text.byte(at: start) == UInt8(ascii: "{") {
            let body = body
            let end = try body.readObject(text, start, depth: 0, special: itemsNode) { start, depth in
                try items.read(start, depth: depth)
            }
            try text.finish(end ?? text.end)
            if body[itemsNode] == nil, !selectors.areItemsOptional { throw notFound() }
        } else if let path = selectors.items, !path.steps.isEmpty, !isBareArray(path, at: start) {
            let found = try path.ranges(in: text, try text.onlyValue(), atMost: selectors.limits.values)
            guard !found.isEmpty || severalPlaces || selectors.areItemsOptional else { throw notFound() }
            for range in found { _ = try items.read(range.lowerBound, depth: 0, single: severalPlaces) }
        } else {
            try text.finish(try items.read(start, depth: 0))
        }
    }
}

extension JSONPageReader {
    private func range(_ node: Int?, _ path: JSONPath?) throws -> Range<Int>? {
        guard let path else { return nil }
        // Without members around the items nothing was looked for on the way.
        if let node, itemsNode != nil { return body[node] }
        return try path.ranges(in: text, 0..<text.end, atMost: selectors.limits.values).first
    }

    /// What stands beside the items may be as large as the body.
    private func value(_ range: Range<Int>) throws -> Value {
        try Value(json: text, range, atMost: selectors.limits.values)
    }

    /// A link or a token: the text of a string or a number, or what an object has as its `href` (JSON:API 1.1, “Links”); nil
    /// for null, false, an empty string and nothing.
    private func string(_ node: Int?, _ path: JSONPath?, _ what: String) throws -> String? {
        guard let path, let range = try range(node, path) else { return nil }
        var value = try value(range)
        if let link = value.members?["href"], link.isNull || link.string != nil { value = link }
        switch value {
        case .string(""), .null, .bool(false): return nil
        case .string(let string): return string
        case .number(let number): return number.lexeme
        case .bool(true), .array, .object:
            let kind = JSONItemReader.kind(at: text.byte(at: range.lowerBound))
            throw ExtractionError(
                code: .unexpectedType,
                message:
                    "\(what) is expected at \(path), but \(kind) stands there, at byte \(range.lowerBound); the path "
                    + "must lead to a string or a number")
        }
    }

    private func total() throws -> Int64? {
        guard let range = try range(totalNode, selectors.total) else { return nil }
        let value = try value(range)
        let number = value.number ?? value.string.flatMap { JSONNumber($0) }
        // Servers that do not know it say -1.
        return number?.int64.flatMap { $0 < 0 ? nil : $0 }
    }

    private func notFound() -> ExtractionError {
        let steps = selectors.items?.steps ?? []
        // Say how far the path leads.
        var last = (path: JSONPath([]), range: text.whitespaceEnd(0)..<text.end)
        for count in 1..<max(1, steps.count) {
            let path = JSONPath(Array(steps.prefix(count)))
            guard let range = try? path.ranges(in: text, 0..<text.end, atMost: selectors.limits.values).first else {
                break
            }
            last = (path, range)
        }
        let kind = JSONItemReader.kind(at: text.byte(at: last.range.lowerBound))
        let there = JSONItemReader.members(of: last.range, in: text, after: ", which has ")
        return ExtractionError(
            code: .itemsNotFound,
            message: "the items are expected at \(JSONPath(steps)), but "
                + "\(last.path.steps.isEmpty ? "the body" : "what stands at \(last.path)") is \(kind) without it\(there); set "
                + "`items` in the route file to where they stand")
    }
}
