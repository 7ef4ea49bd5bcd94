import AtmosphereTesting
import Foundation
import Testing

/// The time that hostile inputs have is bounded, also where they only wait.
@Suite("Hostile runs", .timeLimit(.minutes(5))) struct HostileRunTests {
    @Test("an input that waits for ever ends the run, and is told by its number")
    func waiting() async {
        await #expect(processExitsWith: .success) {
            let found = await #expect(throws: HostileRun.Found.self) {
                try await HostileRun.run(9, "waiting", within: .seconds(2)) { _, number in
                    if number == 3 { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
                }
            }
            let text = found?.description ?? ""
            #expect(text.hasPrefix("waiting, input 3: ") && text.contains("did not end within"), "\(text)")
        }
    }

    @Test("an input that holds every thread of tasks ends with its process")
    func blocked() async {
        await #expect(processExitsWith: .signal(SIGALRM)) {
            try await HostileRun.run(1, "blocked", of: 3) { _, _ in
                for _ in 0..<500 { Task { HostileRunTests.block() } }
                HostileRunTests.block()
            }
        }
    }

    static func block() { while true { _ = pause() } }
}
