import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Pauses that several processes mind")
struct SharedPauseTests {
    private func askToWait(_ server: TinyServer, seconds: Int) {
        server.fail(
            .init(applies: { _ in true }, processes: false) {
                Response(status: 429, headers: ["Retry-After": String(seconds)], body: ResponseBody([]))
            })
    }

    @Test("no one of several changes goes before it is known whether the origin asked for a pause")
    func several() async throws {
        let first = try await TinyWorld()
        askToWait(first.server, seconds: 3600)
        try await first.synchronizer.pull()
        first.server.clearLog()
        for number in 1...8 { try await first.synchronizer.save(["title": .string("t\(number)")], as: "tasks") }
        for _ in 0..<20 {
            let next = try await TinyWorld(server: first.server, store: first.store)
            #expect(try await next.synchronizer.push().unreachable != nil)
        }
        #expect(first.server.log.isEmpty)
    }

    @Test("a pause that one process was asked for keeps another on the same store from asking")
    func another() async throws {
        let first = try await TinyWorld()
        let second = try await TinyWorld(server: first.server, store: first.store)
        askToWait(first.server, seconds: 3600)
        let report = try await first.synchronizer.pull()
        #expect(!report.isComplete)
        first.server.clearLog()
        #expect(try await second.synchronizer.pull().isComplete == false)
        #expect(first.server.log.isEmpty)
    }

    @Test("a process that starts later minds it, and one that starts when it is over does not")
    func later() async throws {
        let first = try await TinyWorld()
        askToWait(first.server, seconds: 3600)
        try await first.synchronizer.pull()
        first.server.clearLog()
        let kept = try #require(try await first.store.read { try OriginPause.kept(in: $0) })
        #expect(kept.start.duration(to: kept.end) == .seconds(3600))
        let second = try await TinyWorld(server: first.server, store: first.store)
        #expect(try await second.synchronizer.pull().isComplete == false)
        #expect(first.server.log.isEmpty)
        let over = OriginPause(start: kept.start.advanced(by: .seconds(-7200)), end: kept.start)
        await SharedPauses(in: first.store).save(over)
        let third = try await TinyWorld(server: first.server, store: first.store)
        #expect(try await third.synchronizer.pull().isComplete)
    }
}
