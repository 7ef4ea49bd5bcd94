internal import Synchronization

/// The broker of one server, in memory: when the process ends everything is forgotten, and clients are told to pull.
public final class MemoryBroker: Broker {
    private struct State {
        var log: ReplayLog
        var receivers: [@Sendable (BrokerSignal) -> Void] = []
    }

    private let epoch: String
    private let clock: @Sendable () -> Duration
    private let state: Mutex<State>

    /// A broker without events.
    ///
    /// - Parameters:
    ///   - epoch: different for each start; letters and digits.
    ///   - clock: the time since any moment.
    public init(epoch: String, window: ReplayWindow = ReplayWindow(), clock: @escaping @Sendable () -> Duration) {
        self.epoch = epoch
        self.clock = clock
        state = Mutex(State(log: ReplayLog(window)))
    }

    /// Numbers the events and hands them to the subscribers of this process before it returns; never fails.
    public func publish(_ events: [PublishedEvent]) async -> [Publication] {
        let time = clock()
        return state.withLock { state in
            events.map { event in
                if let number = state.log.number(of: event.id) {
                    return Publication(offset: Offset(epoch: epoch, number: number), isDuplicate: true)
                }
                let delivery = Delivery(event: event, offset: Offset(epoch: epoch, number: state.log.next))
                state.log.append(delivery, at: time)
                // Inside the lock, so that all receivers see one order; a receiver only hands over.
                for receive in state.receivers { receive(.event(delivery)) }
                return Publication(offset: delivery.offset, isDuplicate: false)
            }
        }
    }

    /// Adds a receiver for as long as the broker lives; it is called inside a lock.
    public func subscribe(_ receive: @escaping @Sendable (BrokerSignal) -> Void) {
        state.withLock { $0.receivers.append(receive) }
    }

    /// What was published after the offset and is still remembered; a gap for an offset of another start.
    public func replay(_ audiences: Set<Audience>, after offset: Offset) async -> Replay {
        let time = clock()
        return state.withLock { state in
            guard offset.epoch == epoch,
                let deliveries = state.log.events(for: audiences, after: offset.number, at: time)
            else { return .gap }
            return .events(deliveries)
        }
    }

    /// The place of the last event; 0 before the first.
    public func latest() async -> Offset {
        state.withLock { Offset(epoch: epoch, number: $0.log.next - 1) }
    }

    /// Always healthy: nothing can be lost between here and here.
    public func status() async -> BrokerStatus { BrokerStatus(name: "memory", isHealthy: true) }
}
