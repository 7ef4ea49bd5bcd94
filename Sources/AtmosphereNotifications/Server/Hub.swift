#if Notifications
    import AtmosphereSocketIO
    import NIOCore
    import Synchronization

    /// What the clients of one event loop share: their timers, their flush, and where tasks for them run.
    ///
    /// `@unchecked Sendable`: all stored variables are touched on the loop only.
    final class Hub: @unchecked Sendable {
        let loop: any EventLoop
        let core: ServerCore
        let executor: LoopExecutor
        private var deadlines = DeadlineHeap()
        private var timer: (Scheduled<Void>, Duration)?
        private var unflushed: [WebSocketOutput] = []
        private var hasFlush = false

        init(_ loop: any EventLoop, core: ServerCore) {
            self.loop = loop
            executor = LoopExecutor(loop, gate: core.loopGate)
            self.core = core
        }

        var now: Duration { core.clock() }

        /// A session for a connection of this loop; its first event is the caller's to give.
        func open(_ transport: EngineTransport, address: String) -> SocketClient {
            loop.assertInEventLoop()
            let client = SocketClient(
                sid: core.newIdentifier(), id: core.newIdentifier(), address: address, transport: transport, hub: self)
            core.register(client)
            return client
        }

        func schedule(_ client: SocketClient, at time: Duration) {
            deadlines.insert(time, client)
            startTimer()
        }

        private func startTimer() {
            guard let first = deadlines.first else { return }
            if let (scheduled, time) = timer {
                if time <= first { return }
                scheduled.cancel()
            }
            // A deadline must have passed when its timer fires, or it would fire again at once.
            let wait = max(.zero, first - now) + .microseconds(200)
            let task = loop.scheduleTask(in: .nanoseconds(wait.nanoseconds)) { [self] in fire() }
            timer = (task, first)
        }

        private func fire() {
            timer = nil
            let now = now
            while let client = deadlines.popFirst(dueAt: now) {
                // An entry that a later one replaced.
                guard let due = client.scheduled, due <= now else { continue }
                client.tick()
            }
            startTimer()
        }

        /// One flush for all that is written to a WebSocket in this turn of the loop.
        func flushLater(_ output: WebSocketOutput) {
            unflushed.append(output)
            guard !hasFlush else { return }
            hasFlush = true
            loop.execute { [self] in
                hasFlush = false
                let outputs = unflushed
                unflushed.removeAll(keepingCapacity: true)
                for output in outputs { output.flush() }
            }
        }
    }

    extension Duration {
        var nanoseconds: Int64 {
            let (seconds, attoseconds) = components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// A binary heap of clients by the time at which something of theirs is due.
    struct DeadlineHeap {
        private var entries: [(time: Duration, client: SocketClient)] = []

        var first: Duration? { entries.first?.time }

        mutating func insert(_ time: Duration, _ client: SocketClient) {
            entries.append((time, client))
            var index = entries.count - 1
            while index > 0, entries[(index - 1) / 2].time > entries[index].time {
                entries.swapAt(index, (index - 1) / 2)
                index = (index - 1) / 2
            }
        }

        mutating func popFirst(dueAt now: Duration) -> SocketClient? {
            guard let top = entries.first, top.time <= now else { return nil }
            entries.swapAt(0, entries.count - 1)
            entries.removeLast()
            var index = 0
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2]
                where child < entries.count && entries[child].time < entries[least].time { least = child }
                if least == index { return top.client }
                entries.swapAt(index, least)
                index = least
            }
        }
    }
#endif
