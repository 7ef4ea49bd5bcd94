/// To whom events without an offset were addressed, and when: who was away then must be told to pull.
struct PassedEvents {
    /// The last offset before what passes now.
    var last: Offset?
    private var marks: [Audience: UInt64] = [:]
    /// The same for everyone.
    private var floor: UInt64?

    /// - Parameter audiences: nil for everyone.
    mutating func note(_ audiences: [Audience]?) {
        let number = last?.number ?? 0
        guard let audiences else {
            floor = number
            marks = [:]
            return
        }
        for audience in audiences { marks[audience] = number }
        // What is known of audiences long gone is folded into one number.
        if marks.count > 100_000 {
            floor = number
            marks = [:]
        }
    }

    func mayHaveBeenMissed(by audiences: Set<Audience>, after offset: UInt64) -> Bool {
        if let floor, offset <= floor { return true }
        return audiences.contains { marks[$0].map { offset <= $0 } == true }
    }
}
