/// What the text of a cursor can be read as.
package enum CursorReading: Sendable {
    case text
    case number(JSONNumber)
    /// The beginning of the time.
    case time(Instant)

    /// The kinds in their order. What can be read as more goes before what cannot: among times a text that is none says nothing
    /// of how far a list goes.
    package enum Kind: Int, Sendable, Comparable {
        case text, number, time

        package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    package var kind: Kind {
        switch self {
        case .text: .text
        case .number: .number
        case .time: .time
        }
    }

    package var time: Instant? { if case .time(let time) = self { time } else { nil } }
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
