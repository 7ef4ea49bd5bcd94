internal import Atmosphere
internal import AtmosphereReports

/// Turns what happens to the local copy into events, until its task is cancelled.
struct EventFeed: Sendable {
    let service: GatewayService

    private var synchronizer: Synchronizer { service.synchronizer }
    private var hub: EventHub { service.hub }
    private var environment: SyncEnvironment { service.environment }

    /// How often readers are told that the gateway is there.
    private static let beat = Duration.seconds(15)
    /// A status follows the one before it no sooner.
    private static let statusGap = Duration.milliseconds(200)

    /// - Parameters:
    ///   - commits: asked for before the first request is answered, so that none is missed.
    ///   - notifications: asked for before live updates are followed.
    /// - Throws: ``StoreError`` where what other processes write cannot be noticed any more; `CancellationError`.
    func run(_ commits: AsyncStream<CommitSet>, _ notifications: AsyncStream<LiveNotification>) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await commit in commits { self.tell(commit) } }
            group.addTask { for await notification in notifications { self.tell(notification) } }
            group.addTask { await self.followStatus() }
            group.addTask { await self.beat() }
            try await synchronizer.watchOtherProcesses()
        }
    }

    private func tell(_ commit: CommitSet) {
        for (entity, ids) in commit.objects.sorted(by: { $0.key < $1.key }) {
            hub.publish(
                "changed", of: entity,
                [
                    "entity": .string(entity), "origin": .string(commit.origin.word),
                    "ids": ids.isEmpty ? .null : .init(ids.sorted())
                ])
        }
    }

    private func tell(_ notification: LiveNotification) {
        hub.publish("notification", ["id": .init(notification.id), "data": notification.data])
    }

    private func followStatus() async {
        do {
            for try await status in synchronizer.statusChanges() {
                hub.publish("status", .object(try await service.members(of: status)))
                try await environment.sleep(environment.now().advanced(by: Self.statusGap))
            }
        } catch {
            // The store cannot be read, which every request tells by itself.
        }
    }

    private func beat() async {
        while !Task.isCancelled {
            do { try await environment.sleep(environment.now().advanced(by: Self.beat)) } catch { return }
            hub.tick()
        }
    }
}

extension CommitSet.Origin {
    fileprivate var word: String {
        switch self {
        case .application: "application"
        case .pull: "pull"
        case .push: "push"
        case .live: "live"
        case .otherProcess: "otherProcess"
        }
    }
}

extension SyncStatus {
    /// The numbers and what goes on, without what waits.
    var members: Value.Members {
        [
            "entities": .object(Value.Members(entities.map { .init(name: $0.entity, value: $0.json) })),
            "activities": .array(
                activities.map { activity in
                    [
                        "kind": .string(activity.kind.rawValue), "entity": .init(activity.entity),
                        "completed": .init(activity.completed), "total": activity.total.map { .init($0) } ?? .null,
                        "object": .init(activity.content?.uri.description), "member": .init(activity.content?.member)
                    ]
                }),
            "live": .object(live.members), "paused": .bool(isPaused), "networkAway": .bool(isNetworkAway),
            "unreachable": .init(unreachable), "signInNeeded": .init(signInNeeded)
        ]
    }
}
