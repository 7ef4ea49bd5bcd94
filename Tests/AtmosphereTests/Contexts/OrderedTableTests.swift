import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("an ordered table")
struct OrderedTableTests {
    /// The same operations on the table and on a dictionary.
    @Test("agrees with a dictionary after any operations, and older copies stay as they were", arguments: 0..<20)
    func model(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        var table = OrderedTable<Int, Int>()
        var model: [Int: Int] = [:]
        var copies: [(OrderedTable<Int, Int>, [Int: Int])] = []
        let range = [10, 100, 1_000, 10_000][Int(seed % 4)]
        for step in 0..<3_000 {
            let key = Int.random(in: 0..<range, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                table[key] = nil
                model[key] = nil
            case 1:
                let next = (model.keys.max() ?? 0) + 1
                table[next] = step
                model[next] = step
            default:
                table[key] = step
                model[key] = step
            }
            if step % 500 == 0 { copies.append((table, model)) }
        }
        for (table, model) in copies + [(table, model)] {
            #expect(table.count == model.count)
            #expect(table.isEmpty == model.isEmpty)
            #expect(table.map(\.key) == model.keys.sorted())
            for (key, value) in table { #expect(model[key] == value) }
            for _ in 0..<20 {
                let key = Int.random(in: -1...range, using: &random)
                #expect(table[key] == model[key])
                #expect(table.entries(after: key).map(\.key) == model.keys.filter { $0 > key }.sorted())
            }
            #expect(table.entries(after: nil).map(\.key) == model.keys.sorted())
        }
    }

    @Test("takes keys in ascending and in descending order", arguments: [true, false])
    func ordered(_ isAscending: Bool) {
        var table = OrderedTable<Int, Int>()
        let keys = isAscending ? Array(0..<5_000) : Array((0..<5_000).reversed())
        for key in keys { table[key] = -key }
        #expect(table.map(\.key) == Array(0..<5_000))
        for key in keys { table[key] = nil }
        #expect(table.isEmpty)
        #expect(table.map(\.key) == [])
    }
}

/// A small generator with a seed: https://prng.di.unimi.it/splitmix64.c (public domain).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
