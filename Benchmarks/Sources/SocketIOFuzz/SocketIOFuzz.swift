import Atmosphere
import AtmosphereSocketIO
import Foundation

/// Feeds the codecs and sessions of Engine.IO and Socket.IO with valid, damaged and random packets, and checks what must
/// hold whatever comes. Ends with 1 at the first thing that does not hold; a crash is the other way to fail.
@main
struct SocketIOFuzz {
    private var random: Generator
    private var counts = Counts()
    private var server: ServerUnderFire
    private var client = ClientUnderFire()
    private var decoder = SocketDecoder()

    private struct Counts {
        var packets = 0
        var valid = 0
        var refused = 0
        var sessions = 0
        var bytes = 0
        var longest = Duration.zero
    }

    private init(seed: UInt64) {
        random = Generator(seed: seed)
        server = ServerUnderFire(&random)
    }

    static func main() {
        var packets = 10_000_000
        var seed: UInt64 = 1
        var arguments = CommandLine.arguments.dropFirst()
        while let option = arguments.popFirst(), let value = arguments.popFirst() {
            if option == "--packets" { packets = Int(value) ?? packets }
            if option == "--seed" { seed = UInt64(value) ?? seed }
        }
        var fuzz = SocketIOFuzz(seed: seed)
        let clock = ContinuousClock()
        let start = clock.now
        while fuzz.counts.packets < packets {
            let before = clock.now
            fuzz.round()
            fuzz.counts.longest = max(fuzz.counts.longest, before.duration(to: clock.now))
        }
        let counts = fuzz.counts
        print(
            "packets \(counts.packets)  valid \(counts.valid)  refused \(counts.refused)  bytes \(counts.bytes)",
            " sessions \(counts.sessions)  seconds \(start.duration(to: clock.now))  longest \(counts.longest)",
            " peak \(peak()) KiB  seed \(seed)")
    }

    /// One packet that is valid, then what became of it on a bad way.
    private mutating func round() {
        let packet = random.packet()
        guard let messages = try? packet.messages() else {
            feed(random.bytes(upTo: 60), binary: false)
            return
        }
        counts.valid += 1
        checkRoundTrip(packet, messages)
        let frames = messages.map { EnginePacket.message($0) }
        let payload = EnginePayload.encode(frames)
        check((try? EnginePayload.decode(payload)) == frames || payload.dropFirst().contains(0x1E), "a payload changed")
        feed(payload, binary: false)
        for message in messages {
            feed(EnginePacket.message(message).frame.bytes, binary: message.isBinary)
            feed(random.mutate(message.bytes), binary: random.below(6) == 0)
        }
        feed(random.mutate(payload), binary: false)
        feed(random.bytes(upTo: 60), binary: random.below(4) == 0)
    }

    private mutating func checkRoundTrip(_ packet: SocketPacket, _ messages: [EngineMessage]) {
        var fresh = SocketDecoder()
        var result: SocketPacket?
        for message in messages {
            do { result = try fresh.decode(message) } catch { fail("an own packet is refused: \(error), \(packet)") }
        }
        let again = result.flatMap { try? $0.messages() }
        check(again == messages, "a packet changed on its way: \(packet)")
    }

    private mutating func feed(_ bytes: [UInt8], binary: Bool) {
        counts.packets += 1
        counts.bytes += bytes.count
        let frame: EngineMessage = binary ? .binary(bytes) : .text(bytes)
        do { _ = try EnginePacket(frame: frame) } catch { counts.refused += 1 }
        do { _ = try EnginePayload.decode(bytes) } catch { counts.refused += 1 }
        do { _ = try decoder.decode(frame) } catch {
            counts.refused += 1
            decoder = SocketDecoder()
        }
        server.step(bytes, binary: binary, &random)
        client.step(bytes, binary: binary, &random)
        if let problem = server.problem ?? client.problem { fail(problem) }
        if server.isClosed {
            counts.sessions += 1
            server = ServerUnderFire(&random)
        }
        if client.isClosed {
            counts.sessions += 1
            client = ClientUnderFire()
        }
    }

    private func check(_ condition: Bool, _ message: @autoclosure () -> String) { if !condition { fail(message()) } }

    private func fail(_ message: String) -> Never {
        print("failed after \(counts.packets) packets: \(message)")
        exit(1)
    }

    private static func peak() -> Int {
        var usage = rusage()
        #if canImport(Glibc)
            let process = RUSAGE_SELF.rawValue
        #else
            let process = RUSAGE_SELF
        #endif
        getrusage(numericCast(process), &usage)
        return Int(usage.ru_maxrss)
    }
}

extension EngineMessage {
    fileprivate var isBinary: Bool { if case .binary = self { true } else { false } }
}
