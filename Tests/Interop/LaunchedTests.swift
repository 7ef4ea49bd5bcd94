import Foundation
import Testing

@Suite("programs that tests start")
struct LaunchedTests {
    private static func shell(_ script: String, errors: Launched.Errors = .joined) throws -> Launched {
        try Launched(URL(fileURLWithPath: "/bin/sh"), ["-c", script], errors: errors)
    }

    @Test("one that does not end is killed at the deadline, with what it has started, and says what it printed")
    func deadline() async throws {
        let error = await #expect(throws: Launched.Overdue.self) {
            try await onOwnThread { try Self.shell("echo begun; sleep 1000 & wait").end(seconds: 2) }
        }
        #expect(error?.description.hasSuffix("was killed after 2 s without its end; it said\nbegun\n\n") == true)
    }

    @Test("one that writes more than a pipe holds to either stream ends")
    func full() async throws {
        let (status, said) = try await onOwnThread {
            try Self.shell("head -c 300000 /dev/zero >&2; head -c 200000 /dev/zero; exit 7", errors: .apart)
                .end(seconds: 120)
        }
        #expect(status == 7 && said.output.count == 200_000 && said.errors.count == 300_000)
    }

    @Test("one that ends without the line that is waited for says what it printed")
    func line() async throws {
        let error = await #expect(throws: Launched.Overdue.self) {
            try await onOwnThread { try Self.shell("printf almost; echo why >&2", errors: .apart).line() }
        }
        #expect(error?.description.contains("almost") == true && error?.description.contains("why") == true)
        #expect(try await onOwnThread { try Self.shell("echo ready; sleep 1000").line() } == "ready")
    }
}
