import Atmosphere
import AtmosphereSocketIO

/// SplitMix64: the same seed gives the same packets everywhere.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func bytes(upTo limit: Int) -> [UInt8] {
        let count = below(limit + 1)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

extension Generator {
    mutating func value(depth: Int) -> Value {
        switch below(depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(next() & 1 == 0)
        case 2: return .number(JSONNumber(Int(truncatingIfNeeded: next() >> UInt64(below(64)))))
        case 3: return .number(JSONNumber("-1.5e\(below(400))")!)
        case 4: return .string(pick(["", "a", "€\u{1e}", "\u{0}", "\\\"", "_placeholder", "😀", "connect"]))
        case 5: return .string(String(repeating: "x", count: below(40)))
        case 6: return .array((0..<below(4)).map { _ in value(depth: depth - 1) })
        case 7: return ["_placeholder": .bool(next() & 1 == 0), "num": .number(JSONNumber(below(4)))]
        default:
            return .object(
                Value.Members(
                    (0..<below(4)).map { Value.Member(name: "m\($0)", value: value(depth: depth - 1)) }))
        }
    }

    mutating func argument(depth: Int) -> SocketArgument {
        switch below(depth > 0 ? 6 : 3) {
        case 0: return .binary(bytes(upTo: 20))
        case 1, 2: return .json(value(depth: 2))
        case 3, 4: return .array((0..<below(3)).map { _ in argument(depth: depth - 1) })
        default:
            return .object(
                (0..<below(3)).map { .init(name: "m\($0)", argument: argument(depth: depth - 1)) })
        }
    }

    mutating func packet() -> SocketPacket {
        let namespace = pick(["/", "/", "/", "/admin", "/a/b?c=d", "/€"])
        let arguments = (0..<below(4)).map { _ in argument(depth: 2) }
        let content: SocketPacket.Content =
            switch below(10) {
            case 0: .connect(next() & 1 == 0 ? nil : ["token": value(depth: 2), "pid": "p", "offset": "o"])
            case 1: .disconnect
            case 2: .connectError(["message": "m", "data": value(depth: 2)])
            case 3, 4: .acknowledgement(arguments, next() >> UInt64(11 + below(53)))
            case 5: .event(SocketEvent(.number(JSONNumber(below(100))), arguments), nil)
            default:
                .event(
                    SocketEvent(.text(pick(["a", "update", "error", "", "connect"])), arguments),
                    next() & 1 == 0 ? nil : next() >> UInt64(11 + below(53)))
            }
        return SocketPacket(namespace: namespace, content)
    }

    /// Changes bytes as accidents and attackers do: flips, cuts, repeats, and pieces that mean something.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(3) {
            let place = below(bytes.count + 1)
            switch below(7) {
            case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(below(8)) }
            case 1: bytes.removeSubrange(place...)
            case 2: if place < bytes.count { bytes.remove(at: place) }
            case 3: bytes.insert(contentsOf: bytes[place...].prefix(below(30)), at: place)
            case 4: bytes.insert(contentsOf: self.bytes(upTo: 4), at: place)
            default:
                let pieces = [
                    "\u{1e}", "b", "b====", "51-", "599999999999999999999-", "{\"_placeholder\":true,\"num\":",
                    "[[[[[[[[",
                    "{\"a\":", "\"", "\\ud800", "1e999999", "-0", ",", "/", "/x,", "probe", "2probe", "0{}",
                    "18446744073709551616", "\u{feff}", "\u{0}", "]", "}", "null"
                ]
                bytes.insert(contentsOf: Array(pick(pieces).utf8), at: place)
            }
        }
        return bytes
    }
}
