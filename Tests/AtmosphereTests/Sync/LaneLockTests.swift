import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting
@testable import AtmosphereStore

@Suite("Waiting for an object's lane")
struct LaneLockTests {
    private let first = ObjectURI(entity: "tasks", id: "a")
    private let second = ObjectURI(entity: "tasks", id: "b")

    private final class Log: Sendable {
        private let state = Mutex<[String]>([])

        var lines: [String] { state.withLock { $0 } }
        func append(_ line: String) { state.withLock { $0.append(line) } }
    }

    private final class Counts: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock(\.most) }
        func enter() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
        func leave() { state.withLock { $0.now -= 1 } }
    }

    private func untilWaiting(_ count: Int, for uri: ObjectURI, at locks: LaneLocks) async {
        while locks.waiting(for: uri) < count { await Task.yield() }
    }

    /// Holds an object until the gate opens.
    private func holding(_ uri: ObjectURI, at gate: Gate, _ locks: LaneLocks) async -> Task<Void, any Error> {
        let task = Task { try await locks.run(uri) { try await gate.pass() } }
        await gate.waitForArrivals()
        return task
    }

    @Test("a cancelled wait ends at once, and the others keep their order")
    func cancelled() async throws {
        let (locks, gate, log) = (LaneLocks(), Gate(), Log())
        let holder = await holding(first, at: gate, locks)
        var tasks: [Task<Void, any Error>] = []
        for number in 1...4 {
            tasks.append(Task { [first] in try await locks.run(first) { log.append("\(number)") } })
            await untilWaiting(number, for: first, at: locks)
        }
        for cancelled in [0, 2] {
            tasks[cancelled].cancel()
            let ended = await tasks[cancelled].result
            #expect(throws: CancellationError.self) { try ended.get() }
        }
        #expect(log.lines.isEmpty && locks.waiting(for: first) == 2)
        gate.open()
        try await holder.value
        try await tasks[1].value
        try await tasks[3].value
        #expect(log.lines == ["2", "4"])
        try await locks.run(first) { log.append("free") }
        #expect(log.lines.last == "free")
    }

    @Test("who is cancelled while it waits for the second of two objects gives the first one back")
    func cancelledBetween() async throws {
        let (locks, gate) = (LaneLocks(), Gate())
        let holder = await holding(second, at: gate, locks)
        let both = Task { [first, second] in try await locks.run([second, first]) {} }
        await untilWaiting(1, for: second, at: locks)
        both.cancel()
        await #expect(throws: CancellationError.self) { try await both.value }
        try await locks.run(first) {}
        gate.open()
        try await holder.value
        try await locks.run([first, second]) {}
    }

    @Test("a task that is cancelled already gets what is free, and waits for nothing")
    func cancelledBefore() async throws {
        let (locks, gate) = (LaneLocks(), Gate())
        func running() async -> Result<Void, any Error> {
            let task = Task { [first] in
                withUnsafeCurrentTask { $0?.cancel() }
                try await locks.run(first) {}
            }
            return await task.result
        }
        let free = await running()
        #expect(throws: Never.self) { try free.get() }
        let holder = await holding(first, at: gate, locks)
        let held = await running()
        #expect(throws: CancellationError.self) { try held.get() }
        gate.open()
        try await holder.value
    }

    @Test("one at a time holds an object, whatever is cancelled, and it is free in the end")
    func exclusion() async throws {
        let locks = LaneLocks()
        let counts = Counts()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { [first, second] in
                    let task = Task {
                        try await locks.run(number % 2 == 0 ? [first, second] : [second]) {
                            counts.enter()
                            await Task.yield()
                            counts.leave()
                        }
                    }
                    if number % 3 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(counts.most == 1)
        #expect(locks.waiting(for: first) == 0 && locks.waiting(for: second) == 0)
        let last = Task { [first, second] in
            withUnsafeCurrentTask { $0?.cancel() }
            // Cancelled, it would not wait.
            try await locks.run([first, second]) {}
        }
        try await last.value
    }

    @Test("a save that waits for a push of the object ends when it is cancelled, and the push goes on")
    func save() async throws {
        let world = try await TinyWorld()
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "b")])
        async let push = slow.push()
        await gate.waitForArrivals()
        let save = Task { try await slow.editNow(uri, setting: [("note", "now")]) }
        await untilWaiting(1, for: uri, at: slow.lanes)
        save.cancel()
        await #expect(throws: CancellationError.self) { try await save.value }
        gate.open()
        #expect(try await push.updated == 1)
        #expect(try await slow.pending().isEmpty)
        #expect(world.server.rows("tasks")[0]["note"] == nil)
    }

    @Test("a save that waits for a push gives way to an edit that the push has sent, whoever wins over the server")
    func saveAfterEdit() async throws {
        let world = try await TinyWorld { $0.conflict.policy = .mine }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        let uri = ObjectURI(entity: "tasks", id: "1")
        let gate = Gate()
        let slow = try await world.holding("PATCH", at: gate)
        try await slow.edit(uri, setting: [("title", "b")])
        async let push = slow.push()
        await gate.waitForArrivals()
        let save = Task { try await slow.editNow(uri, setting: [("title", "now")]) }
        await untilWaiting(1, for: uri, at: slow.lanes)
        try await slow.edit(uri, setting: [("title", "later")])
        gate.open()
        _ = try await push
        let error = await #expect(throws: SyncError.self) { try await save.value }
        #expect(error?.code == .wrongState)
        #expect(world.server.rows("tasks")[0]["title"] == "later")
        #expect(try await slow.pending().isEmpty)
    }
}
