import Synchronization
import Testing

@testable import AtmosphereNotifications

@Suite("The gate before a service that is asked about clients")
struct CallbackGateTests {
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// A client that waits; returns when it does.
    private func wait(_ gate: CallbackGate, _ name: String, at address: String, _ notes: Notes) async -> Task<
        Bool, Never
    > {
        let before = gate.count
        let task = Task {
            let isIn = await gate.enter(address)
            if isIn {
                notes.add(name)
                gate.leave()
            }
            return isIn
        }
        while gate.count == before { await Task.yield() }
        return task
    }

    @Test("the addresses take turns, and those of one address keep their order")
    func turns() async {
        let gate = CallbackGate(1)
        let notes = Notes()
        #expect(await gate.enter("a"))
        var tasks: [Task<Bool, Never>] = []
        for (name, address) in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b")] {
            tasks.append(await wait(gate, name, at: address, notes))
        }
        gate.leave()
        for task in tasks { #expect(await task.value) }
        #expect(notes.all == ["a1", "b1", "a2", "a3"])
        #expect(gate.count == 0)
        #expect(await gate.enter("c"), "the place is free again")
    }

    @Test("who has gone leaves the gate, and takes no turn")
    func gone() async {
        let gate = CallbackGate(1)
        let notes = Notes()
        #expect(await gate.enter("a"))
        let first = await wait(gate, "a1", at: "a", notes)
        let second = await wait(gate, "a2", at: "a", notes)
        first.cancel()
        #expect(await !first.value)
        #expect(gate.count == 1)
        gate.leave()
        #expect(await second.value)
        #expect(notes.all == ["a2"])
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await gate.enter("a")
        }
        late.cancel()
        #expect(await !late.value, "one that was gone before is not let in")
        #expect(await gate.enter("a"))
    }

    @Test("one address takes no more than its share, and gives way to others when all places are taken")
    func shares() async {
        let gate = CallbackGate(1, limit: 4, limitPerAddress: 3)
        let notes = Notes()
        #expect(await gate.enter("a"))
        var tasks: [String: Task<Bool, Never>] = [:]
        for name in ["a1", "a2", "a3"] { tasks[name] = await wait(gate, name, at: "a", notes) }
        #expect(await !gate.enter("a"), "its share is taken")
        tasks["b1"] = await wait(gate, "b1", at: "b", notes)
        #expect(gate.count == 4)
        // All places are taken: the last of those who are most goes for it.
        let second = Task {
            let isIn = await gate.enter("c")
            if isIn {
                notes.add("c1")
                gate.leave()
            }
            return isIn
        }
        #expect(await tasks["a3"]?.value == false)
        // Those who are as many as the others take nobody's place.
        #expect(await !gate.enter("b"))
        gate.leave()
        for name in ["a1", "a2", "b1"] { #expect(await tasks[name]?.value == true) }
        #expect(await second.value)
        #expect(notes.all == ["a1", "b1", "c1", "a2"])
    }

    @Test("so many may wait, and no more")
    func limit() async {
        let gate = CallbackGate(1, limit: 2)
        let notes = Notes()
        #expect(await gate.enter("a"))
        let tasks = [await wait(gate, "a1", at: "a", notes), await wait(gate, "b1", at: "b", notes)]
        #expect(await !gate.enter("c"))
        gate.leave()
        for task in tasks { #expect(await task.value) }
    }
}
