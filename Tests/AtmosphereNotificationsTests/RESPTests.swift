import AtmosphereNotifications
import Testing

@Suite("Answers of Redis")
struct RESPTests {
    private static let text =
        "+OK\r\n-NOAUTH Authentication required.\r\n:-42\r\n$5\r\na\r\nbc\r\n$-1\r\n*0\r\n*-1\r\n"
        + "*2\r\n*1\r\n:1\r\n$0\r\n\r\n"
    private static let values: [RESPValue] = [
        .simple("OK"), .error("NOAUTH Authentication required."), .integer(-42), .bulk(Array("a\r\nbc".utf8)), .null,
        .array([]), .null, .array([.array([.integer(1)]), .bulk([])])
    ]

    @Test("all kinds are read, in whatever pieces they arrive", arguments: 1...70)
    func pieces(size: Int) throws {
        var decoder = RESPDecoder()
        var values: [RESPValue] = []
        let bytes = Array(Self.text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            decoder.append(bytes[start..<min(start + size, bytes.count)])
            while let value = try decoder.next() { values.append(value) }
        }
        #expect(values == Self.values)
    }

    @Test(
        "what the protocol does not know, and more than is taken, is refused before memory is used for it",
        arguments: [
            "?1\r\n", ":1x\r\n", ":\r\n", "$-2\r\n", "*-2\r\n", "$99999999999999999999\r\n", "$9223372036854775807\r\n",
            "$101\r\n", "*11\r\n", "*9223372036854775807\r\n", "$2\r\nabcd", "+OK\n", String(repeating: "+", count: 40),
            "*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "*3\r\n$90\r\n\(String(repeating: "a", count: 90))\r\n$90\r\n"
        ])
    func refused(text: String) {
        var limits = RESPLimits()
        limits.line = 32
        limits.bulk = 100
        limits.bytes = 150
        limits.values = 10
        limits.depth = 3
        var decoder = RESPDecoder(limits: limits)
        decoder.append(text.utf8)
        #expect(throws: RESPError.self) { while try decoder.next() != nil {} }
    }

    @Test("limits count for each answer, not for the connection")
    func many() throws {
        var limits = RESPLimits()
        limits.bytes = 10
        limits.values = 4
        var decoder = RESPDecoder(limits: limits)
        for _ in 0..<1000 {
            decoder.append(Array("*2\r\n$4\r\nabcd\r\n:1\r\n".utf8))
            #expect(try decoder.next() == .array([.bulk(Array("abcd".utf8)), .integer(1)]))
        }
    }

    @Test("damaged answers end in an answer, a refusal or a wait")
    func damaged() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            var bytes = Array(Self.text.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("$*:+-09\r\n".utf8).randomElement(using: &generator) ?? 0, at: index)
                }
            }
            var decoder = RESPDecoder()
            decoder.append(bytes)
            var count = 0
            while let value = try? decoder.next() {
                count += 1
                if case .bulk(let text) = value { #expect(text.count <= bytes.count) }
            }
            #expect(count <= bytes.count)
        }
    }

    @Test("a command is an array of its words")
    func command() {
        let bytes = RESPValue.command([Array("SET".utf8), Array("ä".utf8), []])
        #expect(String(decoding: bytes, as: UTF8.self) == "*3\r\n$3\r\nSET\r\n$2\r\nä\r\n$0\r\n\r\n")
    }

    @Test(
        "an address says where Redis is and how to sign in",
        arguments: [
            ("redis://localhost", RedisAddress(host: "localhost")),
            ("rediss://r.example:6380/3", RedisAddress(host: "r.example", port: 6380, database: 3, usesTLS: true)),
            ("redis://ann:p%40ss@h:1/", RedisAddress(host: "h", port: 1, user: "ann", password: "p@ss")),
            ("redis://:only@h", RedisAddress(host: "h", password: "only")),
            ("redis://[::1]:7000/1", RedisAddress(host: "::1", port: 7000, database: 1))
        ])
    func address(text: String, expected: RedisAddress) throws {
        let address = try RedisAddress(text)
        #expect(address == expected)
        #expect(!"\(address)".contains("p@ss") && !"\(address)".contains("only"))
    }

    @Test(
        "what is no address is refused without being shown",
        arguments: [
            "", "localhost", "http://h", "redis://", "redis://h:0", "redis://h:x", "redis://h/x", "redis://a b",
            "redis://:%+5@h"
        ]
    )
    func noAddress(text: String) {
        #expect(throws: RedisAddress.Failure.self) { try RedisAddress(text) }
    }
}

/// SplitMix64: the same numbers each time.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

#if Notifications
    extension RESPTests {
        @Test(
            "a Redis that takes no writes at all is told from one that refuses a command",
            arguments: [
                ("READONLY You can't write against a read only replica.", true),
                ("READONLY You can't write against a read only replica. script: 5a, on @user_script:6.", true),
                ("ERR Error running script (call to f_5a): @user_script:6: -READONLY You can't write", true),
                ("LOADING Redis is loading the dataset in memory", true), ("MASTERDOWN Link with MASTER is down", true),
                ("NOREPLICAS Not enough good replicas to write.", true),
                (
                    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
                    true
                ),
                (
                    "ERR Error running script (call to f_5a): @user_script:6: -MISCONF Errors writing to the AOF file",
                    true
                ),
                ("WRONGTYPE Operation against a key holding the wrong kind of value", false),
                ("OOM command not allowed when used memory > 'maxmemory'.", false), ("READONLY", false), ("", false)
            ])
        func ofServer(message: String, expected: Bool) { #expect(RedisConnection.isOfServer(message) == expected) }
    }
#endif
