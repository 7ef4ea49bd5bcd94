/// A pure state machine: an event comes in, effects go out. No clock, no randomness, no I/O, no waiting.
///
/// All scheduling of synchronization is decided in machines, so that a simulation can perform the effects itself, in one
/// thread and in any order.
protocol SyncMachine: Sendable {
    associatedtype Event: Sendable
    associatedtype Effect: Sendable

    mutating func step(_ event: Event) -> [Effect]
}

extension SyncMachine {
    /// The asynchronous shell: performs effects as they come, concurrently, and feeds their events back, until no
    /// effect is left. An effect without an event is over when it was performed.
    ///
    /// - Throws: what an effect throws; the others are cancelled then.
    /// - Returns: the machine in its last state.
    func run(_ first: Event, perform: @escaping @Sendable (Effect) async throws -> Event?) async throws -> Self {
        try await withThrowingTaskGroup(of: Event?.self) { group in
            var machine = self
            for effect in machine.step(first) { group.addTask { try await perform(effect) } }
            while let event = try await group.next() {
                guard let event else { continue }
                for effect in machine.step(event) { group.addTask { try await perform(effect) } }
            }
            return machine
        }
    }
}
