#if YAML
    import Atmosphere
    import Testing

    /// A small generator (SplitMix64) whose numbers depend on the seed alone.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    @Suite("Damaged route files") struct RouteFileMutationTests {
        private static let pieces = [
            "{", "}", "[", "]", ":", ": ", ",", "\n", "  ", "- ", "\"", "'", "#", "&a ", "*a", "!!str ", "null", "true",
            "~",
            "secret:", "{id}", "../", "\u{0}", "\u{FEFF}", "🙂", "|\n", "0", "-1", "---\n", "x-", "<<: ", "\t", "? ", "%"
        ]

        private func damaged(_ bytes: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                let end = min(bytes.count, index + Int.random(in: 1...12, using: &generator))
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(index..<end)
                case 2:
                    bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
                case 3:
                    bytes.insert(
                        contentsOf: Array((Self.pieces.randomElement(using: &generator) ?? "").utf8), at: index)
                default:
                    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    let line = lines.randomElement(using: &generator) ?? []
                    let at = Int.random(in: 0...lines.count, using: &generator)
                    bytes = Array(
                        (Array(lines[..<at]) + [line] + Array(lines[at...])).joined(separator: [UInt8(ascii: "\n")]))
                }
            }
            return bytes
        }

        @Test(
            "a damaged file is read or refused with places, never more", arguments: ["pictures.yaml", "pictures.json"])
        func damage(name: String) throws {
            let original = try RouteFixtures.bytes("good/\(name)")
            var generator = SeededGenerator(state: 20_240_101)
            var refused = 0
            for round in 0..<300 {
                let bytes = damaged(original, by: &generator)
                do {
                    let file = try RouteFile.load(bytes: bytes, source: name, adapters: RouteFixtures.adapters)
                    #expect(!file.resources.isEmpty, "round \(round)")
                } catch {
                    refused += 1
                    #expect(!error.problems.isEmpty, "round \(round)")
                    #expect(
                        error.problems.allSatisfy { $0.place.line >= 1 && $0.place.column >= 1 },
                        "round \(round): \(error)")
                    #expect(error.problems.allSatisfy { $0.place.source == name }, "round \(round): \(error)")
                }
            }
            #expect(refused > 200)
        }
    }
#endif
