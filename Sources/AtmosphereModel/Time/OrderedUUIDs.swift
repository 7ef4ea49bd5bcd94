import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Identifiers whose order is that of their creation: version 7 of RFC 9562 (§5.7), with a counter behind the milliseconds
/// (§6.2, method 1), so that those of one millisecond ascend, too.
final class OrderedUUIDs: Sendable {
    /// Those of this process.
    static let live = OrderedUUIDs()

    private let last = Mutex<(milliseconds: UInt64, counter: UInt64)>((0, 0))

    func next() -> String {
        next(at: UInt64(max(0, Date().timeIntervalSince1970 * 1000)), random: .random(in: 0...UInt64.max))
    }

    /// - Parameter random: of which 62 bits are used.
    func next(at now: UInt64, random: UInt64) -> String {
        let (milliseconds, counter) = last.withLock { last -> (UInt64, UInt64) in
            if now > last.milliseconds {
                last = (now, 0)
            } else if last.counter == 0xFFF {
                last = (last.milliseconds + 1, 0)
            } else {
                last.counter += 1
            }
            return last
        }
        let high = milliseconds << 16 | 0x7000 | counter
        let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func digits(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let all = digits(high) + digits(low)
        var parts: [Substring] = []
        var rest = all[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}
