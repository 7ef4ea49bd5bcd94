/// To whom events without an offset were addressed, and when: who was away then must be told to pull.
struct PassedEvents {
    /// The last offset before what passes now.
    var last: Offset?
    private var marks: [Audience: UInt64] = [:]
    /// About the bytes of all marks.
    private var weight = 0
    /// The same for everyone.
    private var floor: UInt64?

    private static let marksLimit = 100_000
    private static let weightLimit = 16 << 20

    /// - Parameter audiences: nil for everyone.
    mutating func note(_ audiences: [Audience]?) {
        let number = last?.number ?? 0
        guard let audiences else {
            fold(number)
            return
        }
        for audience in audiences where marks.updateValue(number, forKey: audience) == nil {
            switch audience {
            case .user(let name), .room(let name): weight += 64 + name.utf8.count
            }
        }
        // What is known of audiences long gone is folded into one number.
        if marks.count > Self.marksLimit || weight > Self.weightLimit { fold(number) }
    }

    private mutating func fold(_ number: UInt64) {
        floor = number
        marks = [:]
        weight = 0
    }

    func mayHaveBeenMissed(by audiences: Set<Audience>, after offset: UInt64) -> Bool {
        if let floor, offset <= floor { return true }
        return audiences.contains { marks[$0].map { offset <= $0 } == true }
    }
}
