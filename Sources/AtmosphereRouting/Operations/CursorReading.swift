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
