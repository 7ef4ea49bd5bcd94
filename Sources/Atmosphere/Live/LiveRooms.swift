internal import Synchronization

/// The rooms that this program listens to, for as long as the process lives, and what the server has said of them.
final class LiveRooms: Sendable {
    private struct State {
        /// In the order in which they were joined; those of the route file first.
        var rooms: [LiveRoom]
        var listeners: [Int: @Sendable ([String]) -> Void] = [:]
        var nextKey = 0
    }

    /// The most rooms at a time, as many as `atmos serve` takes of one client.
    static let limit = 256
    /// The longest name, in bytes, as `atmos serve` takes it.
    static let nameLimit = 256

    private let declared: Set<ScalarText>
    private let state: Mutex<State>
    /// The rooms after each change.
    private let changes = Broadcast<[LiveRoom]>(limit: 16, repeatsLast: true)

    /// - Parameter declared: the rooms that the route file names.
    init(declared: [String]) {
        self.declared = Set(declared.map { ScalarText($0) })
        var rooms: [LiveRoom] = []
        for name in declared where !rooms.contains(where: { $0.name.hasSameBytes(as: name) }) {
            rooms.append(LiveRoom(name: name, state: .waiting))
        }
        state = Mutex(State(rooms: rooms))
        changes.send(rooms)
    }

    /// - Throws: ``SyncError`` `invalidRecord` for a name that no server takes; `wrongState` where there are too many.
    func join(_ name: String) throws {
        guard (1...Self.nameLimit).contains(name.utf8.count) else {
            throw SyncError(
                code: .invalidRecord,
                message: "a room’s name has 1 to \(Self.nameLimit) bytes, and this one has \(name.utf8.count)")
        }
        try state.withLock { state in
            guard !state.rooms.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
            guard state.rooms.count < Self.limit else {
                throw SyncError(
                    code: .wrongState,
                    message: "\(Self.limit) rooms are joined, and a server takes no more of one client; leave one first"
                )
            }
            state.rooms.append(LiveRoom(name: name, state: .waiting))
            tell(state)
        }
    }

    func leave(_ name: String) {
        guard !declared.contains(ScalarText(name)) else { return }
        state.withLock { state in
            let before = state.rooms.count
            state.rooms.removeAll { $0.name.hasSameBytes(as: name) }
            if state.rooms.count < before { tell(state) }
        }
    }

    /// The rooms now, and then after each change.
    func subscribe() -> AsyncStream<[LiveRoom]> { changes.subscribe() }

    /// What the server says of rooms; of others than those here it says nothing that matters.
    func note(_ names: [String], _ said: LiveRoom.State) {
        let names = Set(names.map { ScalarText($0) })
        change { names.contains(ScalarText($0.name)) ? said : $0.state }
    }

    /// There is no connection: nothing that the server has said counts any more.
    func forget() { change { _ in .waiting } }

    private func change(_ next: (LiveRoom) -> LiveRoom.State) {
        state.withLock { state in
            var rooms = state.rooms
            for index in rooms.indices { rooms[index].state = next(rooms[index]) }
            guard rooms != state.rooms else { return }
            state.rooms = rooms
            changes.send(rooms)
        }
    }

    // MARK: The connection

    /// Calls `listener` with the names of all rooms, now and after each change, in order.
    ///
    /// - Parameter listener: returns at once, and calls nothing of this object.
    /// - Returns: the key to ``detach(_:)`` with.
    func attach(_ listener: @escaping @Sendable ([String]) -> Void) -> Int {
        state.withLock { state in
            state.nextKey += 1
            state.listeners[state.nextKey] = listener
            listener(state.rooms.map(\.name))
            return state.nextKey
        }
    }

    func detach(_ key: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: key) }
        forget()
    }

    private func tell(_ state: State) {
        changes.send(state.rooms)
        let names = state.rooms.map(\.name)
        for listener in state.listeners.values { listener(names) }
    }
}
