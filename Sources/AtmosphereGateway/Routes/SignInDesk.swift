internal import Atmosphere
internal import AtmosphereReports
internal import Synchronization

/// One sign-in at a time, which goes on while its steps are asked for.
final class SignInDesk: Sendable {
    private enum State {
        case idle
        /// Somebody has to do what the steps say.
        case running(Task<Void, Never>, steps: [Value])
        case failed(Problem)
    }

    private let state = Mutex(State.idle)

    /// Starts a sign-in; one that runs goes on.
    func start(_ synchronizer: Synchronizer, _ hub: EventHub, _ onSignIn: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if case .running = state { return }
            let task = Task {
                do {
                    _ = try await synchronizer.signIn { step in
                        guard let json = step.json else { return }
                        self.add(json)
                        hub.publish("signIn", json)
                    }
                    self.end(.idle)
                    hub.publish("signIn", ["signedIn": true])
                    onSignIn()
                } catch is CancellationError {
                    self.end(.idle)
                } catch {
                    let problem = Problem(error, synchronizer.redacted)
                    self.end(.failed(problem))
                    hub.publish("signIn", ["problem": problem.value])
                }
            }
            state = .running(task, steps: [])
        }
    }

    private func add(_ step: Value) {
        state.withLock { state in
            guard case .running(let task, let steps) = state else { return }
            state = .running(task, steps: steps + [step])
        }
    }

    private func end(_ new: State) { state.withLock { $0 = new } }

    /// - Returns: whether one was running.
    func cancel() -> Bool {
        state.withLock { state in
            guard case .running(let task, _) = state else { return false }
            task.cancel()
            return true
        }
    }

    var members: Value.Members {
        state.withLock { state in
            switch state {
            case .idle: ["running": false, "steps": [], "problem": .null]
            case .running(_, let steps): ["running": true, "steps": .array(steps), "problem": .null]
            case .failed(let problem): ["running": false, "steps": [], "problem": problem.value]
            }
        }
    }
}
