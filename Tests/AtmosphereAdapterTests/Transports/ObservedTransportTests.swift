import Atmosphere
import AtmosphereTesting
import Synchronization
import Testing

@Suite("wrappers around any transport")
struct ObservedTransportTests {
    private final class Reports: Sendable {
        private let state = Mutex<[ExchangeReport]>([])
        var all: [ExchangeReport] { state.withLock { $0 } }
        func add(_ report: ExchangeReport) { state.withLock { $0.append(report) } }
    }

    /// Goes on by 5 ms with each look.
    private static func clock() -> @Sendable () -> Duration {
        let ticks = Ticks()
        return { .milliseconds(5 * ticks.next()) }
    }

    private final class Ticks: Sendable {
        private let state = Mutex(0)
        func next() -> Int {
            state.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("each exchange is reported once, at its end, without its query")
    func reports() async throws {
        let scripted = ScriptedTransport()
        scripted.expect("GET", "/tasks?key=sesame", .json("[1,2]"))
        scripted.expect("GET", "/dropped", .json("[1,2]"))
        scripted.expect("POST", "/lost", .lose())
        let reports = Reports()
        let transport = ObservedTransport(scripted, uptime: Self.clock()) { reports.add($0) }
        do {
            let response = try await transport.send(
                Request(method: "GET", url: "https://me:sesame@example.com/tasks?key=sesame"))
            #expect(reports.all == [])
            _ = try await response.body.collect(upTo: 10)
            #expect(try await response.body.collect(upTo: 10) == [])
        }
        _ = try await transport.send(Request(method: "GET", url: "https://example.com/dropped"))
        await #expect(throws: TransportError.self) {
            try await transport.send(Request(method: "POST", url: "https://example.com/lost"))
        }
        #expect(
            reports.all.map(\.description) == [
                "GET https://example.com/tasks: 200, 5 bytes, 0.010 s",
                "GET https://example.com/dropped: 200, 0 bytes, not read to the end, 0.010 s",
                "POST https://example.com/lost: no answer, connectionLost, 0.005 s"
            ])
        #expect(reports.all.map(\.outcome).last == .failed(.connectionLost, mayHaveArrived: true))
        #expect(reports.all.map(\.timeToHeader) == [.milliseconds(5), .milliseconds(5), nil])
    }

    @Test("metrics count answers, failures and cancellations, also of several transports")
    func metrics() async throws {
        let metrics = TransportMetrics()
        let gate = Gate()
        let scripted = ScriptedTransport()
        scripted.expect("GET", "/a", .json("[]"))
        scripted.expect("GET", "/b", .json("{}", status: 404))
        scripted.expect("GET", "/c", .lose(mayHaveArrived: false))
        scripted.expect("GET", "/d", .json("[]").held(by: gate))
        let transports = [scripted.measured(by: metrics), scripted.switchable().measured(by: metrics)]
        for (index, path) in ["a", "b", "c"].enumerated() {
            let request = Request(method: "GET", url: "https://example.com/\(path)")
            _ = try? await transports[index % 2].send(request).body.collect(upTo: 10)
        }
        let task = Task {
            _ = try await transports[0].send(Request(method: "GET", url: "https://example.com/d"))
        }
        await gate.waitForArrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let counts = metrics.counts
        #expect(counts.exchanges == 4)
        #expect(counts.answers == [2: 1, 4: 1])
        #expect(counts.failures == [.cannotConnect: 1])
        #expect(counts.cancelled == 1)
        #expect(counts.bodyBytes == 4)
        #expect(counts.longestDuration <= counts.totalDuration)
    }

    @Test("a switch inside an observed transport is seen as an error that nothing came of")
    func offline() async throws {
        let scripted = ScriptedTransport()
        let offline = scripted.switchable(isOffline: true)
        let reports = Reports()
        let transport = offline.observed { reports.add($0) }
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(Request(method: "GET", url: "https://example.com/a"))
        }
        #expect(error?.code == .offline)
        #expect(reports.all.map(\.outcome) == [.failed(.offline, mayHaveArrived: false)])
        offline.isOffline = false
        scripted.expect("GET", "/a", .json("[]"))
        _ = try await transport.send(Request(method: "GET", url: "https://example.com/a"))
        try scripted.check()
    }
}
