/// Brings one object's change to the server: look up, compare, send, apply the answer, read back. One at a time per
/// object.
struct LaneMachine: SyncMachine {
    enum Event: Sendable {
        case start
        /// What the engine decided in a transaction.
        case decided(Decision)
        /// The outcome was applied in a transaction.
        case applied(Plan, standing: End)
        /// There was no usable answer to a read or a look-up.
        case unanswered(End)
    }

    enum Decision: Sendable {
        case hold(ChangeEngine.Hold)
        case settled
        case request(ObjectRequest)
    }

    enum Effect: Sendable {
        /// Ask the engine in a transaction; a sending mark is durable before the event comes back.
        case decide(hasCompared: Bool)
        /// Send the request and apply its answer in a transaction.
        case exchange(ObjectRequest, Basis)
        /// Store the failure, which leaves the object to a later push.
        case giveUp(MetaObject.Failure)
    }

    /// By what a request is decided.
    enum Basis: Sendable {
        /// By what is stored here.
        case store
        /// By what the server has shown right before. It goes before requests that wait already, and after a pause that the server
        /// asks for not at all: it is decided anew.
        case look
        /// The same once more after a pause, and whatever the server asks for. A look before each try would take its turn for ever
        /// where the server limits rates.
        case lastLook
    }

    /// Where the object stands when its lane ends.
    enum End: Sendable, Equatable {
        case done
        /// Not processed: asked to wait, or met by a newer version. Still to be sent.
        case pending
        case held(ChangeEngine.Hold)
        /// A try failed and may be repeated.
        case failed(MetaObject.Failure, retryAt: Timestamp?, kind: PushReport.Problem.Kind = .answer)
        case rejected
        case conflicted
        case unknown
        /// The origin cannot be reached; other lanes need not try.
        case offline(String)
        /// The credentials are not accepted; other lanes need not try.
        case signInNeeded(String)
    }

    /// Members that one write has carried and that the server left as they were.
    struct NotTaken: Sendable, Hashable {
        var members: [String]
        var verb: Verb
    }

    private(set) var end: End?
    /// What was sent and accepted.
    private(set) var sent: [Verb] = []
    /// Members of writes that the server accepted and left as they were.
    private(set) var ignored: [NotTaken] = []
    /// A create that the server accepted and then did not show.
    private(set) var isDisproved = false
    private var hasCompared = false
    /// A write of this lane had to wait, and was not sent.
    private var hasPostponed = false
    private var current: ObjectRequest?
    private var steps = 0

    /// No object needs more steps than this; more would be a server that contradicts itself.
    private static let mostSteps = 24

    mutating func step(_ event: Event) -> [Effect] {
        steps += 1
        switch event {
        case .start:
            return [.decide(hasCompared: false)]
        case .decided(.hold(let hold)):
            end = hold == .synchronized && !sent.isEmpty ? .done : .held(hold)
            return []
        case .decided(.settled):
            end = .done
            return []
        case .decided(.request(let request)):
            return exchange(request)
        case .applied(let plan, let standing):
            return applied(plan, standing)
        case .unanswered(let reason):
            end = reason
            return []
        }
    }

    private mutating func exchange(_ request: ObjectRequest) -> [Effect] {
        current = request
        return [.exchange(request, !hasCompared ? .store : hasPostponed ? .lastLook : .look)]
    }

    /// What a plan says of what was sent, and of what the server was asked.
    private mutating func note(_ plan: Plan) {
        if let verb = plan.confirmed {
            sent.append(verb)
            // As many contents may wait as a person has attached.
            if case .upload = verb { steps = 0 }
        }
        if plan.confirmed == .create { isDisproved = false }
        if plan.isDisproved {
            if case .verify(_, before: .some) = current {
                _ = sent.popLast()
            } else {
                sent.removeAll { $0 == .create }
                isDisproved = true
            }
        }
        if !plan.ignored.isEmpty { ignored.append(.init(members: plan.ignored, verb: plan.ignoredBy)) }
        switch current {
        // Until the lease was given others could write.
        case .send, .lease: hasCompared = false
        case .read, .verify, .lookUp, .confirmGone, .confirmDelete, .confirmRefused: hasCompared = true
        case nil: break
        }
    }

    private mutating func applied(_ plan: Plan, _ standing: End) -> [Effect] {
        let next = plan.next
        note(plan)
        if case .send = current, standing == .pending { hasPostponed = true }
        switch standing {
        case .rejected, .conflicted, .offline, .signInNeeded, .held(.inAnotherLane):
            end = standing
            return []
        case .unknown:
            switch next {
            case .lookUp, .verify: break
            case .read, .confirmGone, .confirmDelete, .confirmRefused, .lease, .send, nil:
                end = standing
                return []
            }
        case .failed, .held, .pending, .done: break
        }
        // Before anything is marked as being sent that would not be.
        guard steps < Self.mostSteps else {
            return [.giveUp(.init(message: "the server's answers contradict each other"))]
        }
        if let next { return exchange(next) }
        // A failure that an answered read has found here is an older one: what it held up may go now.
        if case .failed = standing {
            switch current {
            case .send, .lookUp, .confirmDelete:
                end = standing
                return []
            // It is asked for again after a while.
            case .verify(_, before: nil) where plan.isDisproved:
                end = standing
                return []
            case .read, .verify, .confirmGone, .confirmRefused, .lease, nil: break
            }
        }
        // An edit made meanwhile, a merge, or a create found missing: ask the engine again.
        return [.decide(hasCompared: hasCompared)]
    }
}

extension LaneMachine.Event {
    /// The same, with the kind of what has failed.
    func failing(_ kind: PushReport.Problem.Kind) -> Self {
        switch self {
        case .applied(let plan, standing: .failed(let failure, let retryAt, _)):
            .applied(plan, standing: .failed(failure, retryAt: retryAt, kind: kind))
        case .unanswered(.failed(let failure, let retryAt, _)):
            .unanswered(.failed(failure, retryAt: retryAt, kind: kind))
        case .start, .decided, .applied, .unanswered: self
        }
    }
}
