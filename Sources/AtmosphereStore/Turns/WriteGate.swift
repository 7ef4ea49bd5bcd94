internal import Synchronization

/// Lets one writer in at a time; ``Durability/power`` writes go ahead of every waiting ``Durability/process`` write.
///
/// Within a priority the first to come is the first to enter. A waiting `.process` write gives up when its task is
/// cancelled. A `.power` write does not: the outcome of a request must be recorded even by a task that is being
/// cancelled, and its wait is short.
///
/// ```swift
/// try await gate.enter(durability)
/// defer { gate.leave() }
/// ```
public final class WriteGate: Sendable {
    private struct Waiter {
        var ticket: UInt64
        /// Resumed with false when the wait is given up.
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isHeld = false
        var power: [Waiter] = []
        var process: [Waiter] = []
        var lastTicket: UInt64 = 0
    }

    private let state = Mutex(State())

    /// An open gate with nobody waiting.
    public init() {}

    /// Returns when it is the caller's turn; each successful call is followed by one ``leave()``.
    ///
    /// - Throws: `CancellationError` for a `.process` write of a cancelled task that would have to wait.
    public func enter(_ durability: Durability) async throws {
        let ticket: UInt64? = state.withLock { state in
            guard state.isHeld else {
                state.isHeld = true
                return nil
            }
            state.lastTicket += 1
            return state.lastTicket
        }
        guard let ticket else { return }
        let isIn =
            switch durability {
            case .power: await wait(ticket, durability)
            case .process:
                await withTaskCancellationHandler {
                    await wait(ticket, durability)
                } onCancel: {
                    giveUp(ticket)
                }
            }
        if !isIn { throw CancellationError() }
    }

    /// Lets the next writer in.
    public func leave() {
        let next: Waiter? = state.withLock { state in
            if !state.power.isEmpty { return state.power.removeFirst() }
            if !state.process.isEmpty { return state.process.removeFirst() }
            state.isHeld = false
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    /// How many writers wait; for tests, which cannot see a wait from outside.
    package var waiting: Int { state.withLock { $0.power.count + $0.process.count } }

    private func wait(_ ticket: UInt64, _ durability: Durability) async -> Bool {
        await withCheckedContinuation { continuation in
            // The gate may have been left, and the task cancelled, since the ticket was drawn.
            let answer: Bool? = state.withLock { state in
                if durability == .process, Task.isCancelled { return false }
                if !state.isHeld {
                    state.isHeld = true
                    return true
                }
                let waiter = Waiter(ticket: ticket, continuation: continuation)
                switch durability {
                case .power: state.power.append(waiter)
                case .process: state.process.append(waiter)
                }
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.process.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.process.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}
