/// How to ask for changes only.
package struct Since: Sendable, Hashable {
    /// Where the value comes from that the next pull asks with. Always the server's, never this machine's clock.
    package enum Origin: Sendable, Hashable {
        /// The highest value of this field on the pages.
        case field(JSONPath)
        /// The `Date` header of the first page.
        case responseDate
        /// A header of the first page.
        case header(String)
        /// A value that stands once in the body.
        case body(JSONPath)

        /// The same for the same place, in every process.
        package var text: String {
            switch self {
            case .field(let path): "field \(path)"
            case .responseDate: "response-date"
            case .header(let name): "header \(name.lowercased())"
            case .body(let path): "body \(path)"
            }
        }
    }

    /// The query parameter.
    package var parameter: String
    /// Where the value is taken from that is sent next time.
    package var origin: Origin
    /// The cursor is taken from each page, so that the last one's counts: a token that stands for all that was listed.
    package var takesLastPage = false
    /// Asked for again each time, before a cursor that is a time: what was changed in the second of the last pull, or by
    /// a transaction that was still open then, would be missed otherwise.
    package var overlap = Duration.seconds(60)
    /// After this long without a pull everything is asked for again.
    package var expires: Duration?
    /// After this long since a pull has listed everything, the next one does: what moved between two pages unseen comes with
    /// it, and what was deleted where only a full list tells. nil for never.
    package var fullEvery: Duration?
    /// Added to incremental requests only.
    package var query: [NamedText] = []
    /// Added to full requests only.
    package var fullQuery: [NamedText] = []
    /// The list is sorted by the cursor, ascending, so each page moves the cursor and an interrupted pull goes on from
    /// what was stored, whatever has moved between the pages meanwhile.
    package var isAscending = false
    /// How a time is written; nil for the server's own way.
    package var format: TimeFormat?
    /// What the field is declared as that the cursor is taken from; nil where nothing is.
    package var fieldType: FieldType?
    /// What stands in front of the value.
    package var prefix = ""
    /// What stands around the value; nothing by default.
    package var quotes = Quotes.none
    /// What stands behind the value and its quotes.
    package var suffix = ""

    /// What stands around the value in the request.
    package enum Quotes: String, Sendable, Hashable, CaseIterable {
        /// Nothing; `'…'`, in which a quote stands twice; `"…"`, which is a string of JSON.
        case none, single, double

        package func around(_ text: String) -> String {
            switch self {
            case .none: text
            case .single: "'\(PathTemplate.doublingQuotes(text))'"
            case .double: String(decoding: Value.string(text).json(), as: UTF8.self)
            }
        }
    }

    /// A value that is sent as it came, with an overlap of 60 seconds where it is a time.
    package init(parameter: String, origin: Origin) {
        self.parameter = parameter
        self.origin = origin
    }

    /// The cursor as it is sent: a time moved back by the overlap, in the declared form or the server's own; what is no
    /// time is sent as it came. With prefix, quotes and suffix.
    package func value(from cursor: String) -> String {
        prefix + quotes.around(time(from: cursor)) + suffix
    }

    package func time(from cursor: String) -> String {
        guard format != nil || overlap > .zero, let start = start(of: cursor) else { return cursor }
        let moved = overlap > .zero ? start.moved(by: .zero - overlap) : start
        return format?.text(moved) ?? moved.text(like: cursor)
    }

    /// The time that a cursor stands for; nil where it is none.
    package func instant(_ cursor: String) -> Instant? {
        format?.instant(cursor) ?? Instant(cursor) ?? HTTPDate.parse(cursor)
    }

    /// The beginning of the time that a cursor stands for, which may also be a day, or written as the next request writes it; nil
    /// where it is none.
    package func start(of cursor: String) -> Instant? {
        instant(cursor) ?? format?.instant(written: cursor)
            ?? Instant.day(cursor).map { Instant(seconds: $0 * 86_400) }
    }

    /// Whether the text of a time says which zone it is of, or cannot be of another than UTC.
    package func namesZone(_ cursor: String) -> Bool {
        format != nil || HTTPDate.parse(cursor) != nil
            || cursor.dropFirst("2026-01-01T".count).contains { "Zz+-".contains($0) }
    }
}

extension Since {
    /// What a cursor can be read as; where its format or the type of its field is declared, as that or as a text only.
    package func reading(of cursor: String) -> CursorReading {
        let time = leastKind == .number ? nil : start(of: cursor)
        if let time { return .time(time) }
        guard leastKind != .time, fieldType != .string, let number = JSONNumber(cursor) else { return .text }
        return .number(number)
    }

    /// What each cursor has to be, as far as the route file says so.
    package var leastKind: CursorReading.Kind {
        if format != nil || origin == .responseDate { return .time }
        return switch fieldType {
        case .instant, .date, .seconds, .milliseconds, .microseconds: .time
        case .integer, .decimal, .float: .number
        case .string, .boolean, .json, nil: .text
        }
    }
}
