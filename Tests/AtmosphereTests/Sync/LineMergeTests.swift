import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Merging texts by line")
struct LineMergeTests {
    @Test(
        "both texts joined hold what they have in common once",
        arguments: [
            ("a", "b", "a\nb"), ("a\nb", "a\nc", "a\nb\nc"), ("x\nb", "y\nb", "x\ny\nb"), ("a", "a", "a"),
            ("", "b", "\nb"), ("a\nb\nc", "b", "a\nb\nc"), ("1\n2\n3", "1\n2 too\n3\n4", "1\n2\n2 too\n3\n4")
        ])
    func union(first: String, second: String, both: String) {
        #expect(LineMerge.union(of: first, and: second) == both)
    }

    private func text(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n")
    }

    @Test("a long text of which each side changed every line is told apart at once")
    func allLinesChanged() {
        let merged = LineMerge.merge(
            base: text(20_000) { "line \($0)" }, mine: text(20_000) { "mine \($0)" },
            theirs: text(20_000) { "theirs \($0)" })
        #expect(merged == nil)
    }

    @Test("a long text with distant changes on both sides merges")
    func distantChanges() {
        let merged = LineMerge.merge(
            base: text(20_000) { "line \($0 % 7)" }, mine: text(20_000) { $0 == 3 ? "mine" : "line \($0 % 7)" },
            theirs: text(20_000) { $0 == 19_000 ? "theirs" : "line \($0 % 7)" })
        #expect(merged == text(20_000) { $0 == 3 ? "mine" : $0 == 19_000 ? "theirs" : "line \($0 % 7)" })
    }

    @Test("texts that hold the same lines in another order are too different after a bounded number of steps")
    func bounded() {
        let lines = (0..<3000).map { ArraySlice("line \($0)".utf8) }
        #expect(LineDifference(lines, lines.reversed(), mostSteps: 100_000) == nil)
        #expect(LineDifference(lines, lines.reversed(), mostSteps: .max) != nil)
    }

    @Test("what two texts keep is as long as their longest common subsequence")
    func longest() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<400 {
            let letters = 1 + Int.random(in: 0..<5, using: &random)
            let old = (0..<Int.random(in: 0..<14, using: &random)).map { _ in UInt8.random(in: 0..<UInt8(letters)) }
            let new = (0..<Int.random(in: 0..<14, using: &random)).map { _ in UInt8.random(in: 0..<UInt8(letters)) }
            let difference = LineDifference(old.map { [$0] }, new.map { [$0] })
            let keptOld = zip(old, difference?.keptOld ?? []).filter(\.1).map(\.0)
            let keptNew = zip(new, difference?.keptNew ?? []).filter(\.1).map(\.0)
            #expect(keptOld == keptNew, "\(old) \(new)")
            #expect(keptOld.count == Self.longestCommon(old, new), "\(old) \(new)")
        }
    }

    private static func longestCommon(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = [Int](repeating: 0, count: right.count + 1)
        for each in left {
            var diagonal = 0
            for (index, other) in right.enumerated() {
                let above = row[index + 1]
                row[index + 1] = each == other ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[right.count]
    }

    @Test("changes of adjoining lines clash, whoever made the first")
    func adjoining() {
        #expect(LineMerge.merge(base: "a\nb\nc", mine: "A\nb\nc", theirs: "a\nB\nc") == nil)
        #expect(LineMerge.merge(base: "a\nb\nc", mine: "a\nB\nc", theirs: "A\nb\nc") == nil)
    }

    @Test("lines that end as on Windows are lines")
    func carriageReturns() {
        #expect(
            LineMerge.merge(base: "a\r\nb\r\nc", mine: "A\r\nb\r\nc", theirs: "a\r\nb\r\nC") == "A\r\nb\r\nC")
    }
}
