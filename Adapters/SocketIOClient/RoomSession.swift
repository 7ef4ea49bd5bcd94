#if SocketIO
    internal import Atmosphere

    /// What a client has told the server of its rooms, and what is still to be told: a pure state machine that outlives
    /// its connections.
    ///
    /// One change is on its way at a time; those that come meanwhile go together in the next.
    struct RoomSession: Sendable {
        /// What to tell the server; its answer is awaited.
        enum Change: Sendable, Hashable {
            case join([String])
            case leave([String])
        }

        /// What the server has said, as far as it is new.
        struct News: Sendable, Hashable {
            var joined: [String] = []
            var refused: [String] = []
            /// What was said in a joined room before nobody has told.
            var isGap = false
        }

        /// The most rooms of one message, as many as the server takes of one client.
        static let messageLimit = 256

        private let own: [String]
        private var wanted: [ScalarText]
        /// Told on this connection, with its credentials or after.
        private var told: Set<ScalarText> = []
        /// Told for certain: with credentials that were taken, or answered.
        private var heard: Set<ScalarText> = []
        /// What the server may know of this client, and know again when it comes back.
        private var held: Set<ScalarText> = []
        /// What it has said on this connection: whether a room is joined.
        private var said: [ScalarText: Bool] = [:]
        private var isConnected = false
        private var hasConnected = false
        /// The change that is on its way.
        private var open: Change?
        /// The server wants nothing of this kind for now.
        private var isPaused = false

        /// - Parameter own: the rooms that the client was made with.
        init(own: [String]) {
            self.own = own
            wanted = []
            want([])
        }

        /// Takes what the client is to listen to beside its own rooms.
        mutating func want(_ rooms: [String]) {
            var seen: Set<ScalarText> = []
            wanted = (own + rooms).map { ScalarText($0) }.filter { seen.insert($0).inserted }
            isPaused = false
        }

        /// The rooms to send with the credentials of the next connection.
        mutating func asked() -> [String] {
            let rooms = wanted.prefix(Self.messageLimit)
            told = Set(rooms)
            return rooms.map(\.text)
        }

        /// The server has taken the credentials.
        ///
        /// - Parameter isRecovered: whether it knows this client, and what follows is all that was missed.
        /// - Returns: what it has said of the rooms by that; `isGap` where something in one of them was missed all the same.
        mutating func connected(isRecovered: Bool) -> News {
            let before = said
            let news = News(
                joined: isRecovered ? told.filter { before[$0] == true }.map(\.text).sorted() : [],
                isGap: isRecovered && !told.isSubset(of: heard))
            held = isRecovered ? held.union(told) : told
            heard = told
            said = [:]
            for room in news.joined { said[ScalarText(room)] = true }
            // Of a client that has connected before, a server that has forgotten it says nothing by itself.
            if hasConnected, !isRecovered { told = [] }
            hasConnected = true
            isConnected = true
            isPaused = false
            open = nil
            return news
        }

        /// There is no connection any more.
        mutating func lost() {
            isConnected = false
            open = nil
        }

        /// What to tell the server now; nil where there is nothing, and where an answer is awaited.
        mutating func next() -> Change? {
            guard isConnected, !isPaused, open == nil else { return nil }
            let gone = held.subtracting(wanted).sorted().prefix(Self.messageLimit)
            if gone.isEmpty {
                let new = wanted.filter { !told.contains($0) }.prefix(Self.messageLimit)
                guard !new.isEmpty else { return nil }
                told.formUnion(new)
                held.formUnion(new)
                open = .join(new.map(\.text))
            } else {
                told.subtract(gone)
                open = .leave(gone.map(\.text))
            }
            return open
        }

        /// The answer to the change that was on its way: `{joined, refused}`, or `{error}`. One that says nothing of
        /// rooms has joined none.
        mutating func answered(_ answer: Value?) -> News {
            guard let change = open else { return News() }
            open = nil
            let isTaken = answer?.members?["error"] == nil
            switch change {
            case .join(let rooms):
                let rooms = Set(rooms.map { ScalarText($0) })
                guard isTaken, answer?.members != nil else {
                    told.subtract(rooms)
                    isPaused = true
                    return News()
                }
                let isNew = !rooms.isSubset(of: heard)
                heard.formUnion(rooms)
                var news = ready(answer)
                news.isGap = isNew && !news.joined.isEmpty
                return news
            case .leave(let rooms):
                guard isTaken else {
                    isPaused = true
                    return News()
                }
                for room in rooms.map({ ScalarText($0) }) {
                    held.remove(room)
                    heard.remove(room)
                    said[room] = nil
                }
                return News()
            }
        }

        /// What a server says by itself of the rooms that it was asked for: `{joined, refused}`.
        mutating func ready(_ value: Value?) -> News {
            News(joined: fresh(value, "joined", true), refused: fresh(value, "refused", false))
        }

        private mutating func fresh(_ value: Value?, _ member: String, _ isJoined: Bool) -> [String] {
            let rooms = value?.members?[member]?.array?.compactMap(\.string) ?? []
            // Of others than those that are wanted it may say what it likes.
            let known = rooms.prefix(Self.messageLimit).map { ScalarText($0) }.filter {
                wanted.contains($0) && said[$0] != isJoined
            }
            for room in known { said[room] = isJoined }
            return known.map(\.text)
        }
    }
#endif
