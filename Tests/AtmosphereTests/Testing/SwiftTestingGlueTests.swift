import AtmosphereSwiftTesting
import AtmosphereTesting
import Synchronization
import Testing

@Suite("checks as tests of Swift Testing")
struct SwiftTestingGlueTests {
    private let failing = ConformanceCheck("the answer is right") { throw ConformanceFailure("expected 42, got 41") }
    private struct Surprise: Error {}

    /// What was recorded, and nothing of it as an issue of the test that is running.
    private func issues(of body: () async throws -> Void) async throws -> [(line: Int?, text: String)] {
        let found = Mutex<[(line: Int?, text: String)]>([])
        try await withKnownIssue {
            try await body()
        } matching: { issue in
            let isHere = issue.sourceLocation?.fileID == #fileID
            found.withLock {
                $0.append((isHere ? issue.sourceLocation?.line : nil, issue.comments.map(\.rawValue).joined()))
            }
            return true
        }
        return found.withLock { $0 }
    }

    @Test("a failure is one issue at the caller's line, and names the check and what is wrong")
    func line() async throws {
        var called = 0
        let found = try await issues {
            called = #line + 1
            try await failing.test()
        }
        #expect(found.map(\.line) == [called])
        #expect(found.map(\.text) == ["the answer is right: expected 42, got 41"])
    }

    @Test("what an implementation throws where it should not is an issue at that line too")
    func thrown() async throws {
        var called = 0
        let found = try await issues {
            called = #line + 1
            try await ConformanceCheck("nothing is thrown") { throw Surprise() }.test()
        }
        #expect(found.map(\.line) == [called])
        #expect(found.first?.text.hasPrefix("nothing is thrown: threw Surprise") == true)
    }

    @Test("a test's own helper can hand on its caller's line")
    func handedOn() async throws {
        func conforms(_ check: ConformanceCheck, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await check.test(sourceLocation: sourceLocation)
        }
        var called = 0
        let found = try await issues {
            called = #line + 1
            try await conforms(failing)
        }
        #expect(found.map(\.line) == [called])
    }

    @Test("several checks are all run, whatever the first of them finds")
    func several() async throws {
        let ran = Mutex(0)
        let passing = ConformanceCheck("all is well") { ran.withLock { $0 += 1 } }
        var called = 0
        let found = try await issues {
            called = #line + 1
            try await [failing, passing, failing].test()
        }
        #expect(found.map(\.line) == [called, called])
        #expect(ran.withLock { $0 } == 1)
    }

    @Test("a check that passes records nothing")
    func passes() async throws { try await ConformanceCheck("all is well") {}.test() }
}
