#if Notifications
    /// Those of one address that have shown nobody who may be there: how many they are, and which of them gives way when
    /// there is no room for the next.
    ///
    /// The one that came first gives way, unless it is kept because something of it is being looked at. So whoever holds all
    /// places with connections that say nothing keeps nobody out.
    struct Newcomers<Key: Hashable & Sendable>: Sendable {
        private enum Standing {
            /// Gives way in the order of these numbers.
            case silent(UInt64)
            case kept
        }

        private var standings: [Key: Standing] = [:]
        /// Some of these are gone or kept meanwhile.
        private var order: [(number: UInt64, key: Key)] = []
        private var head = 0
        private var last: UInt64 = 0

        var count: Int { standings.count }

        /// Adds one, or lets one give way again, behind all others.
        mutating func insert(_ key: Key) {
            last += 1
            standings[key] = .silent(last)
            order.append((last, key))
            guard order.count > 64, order.count > 2 * standings.count else { return }
            order = order[head...].filter { isSilent($0.key, $0.number) }
            head = 0
        }

        /// It does not give way until ``release(_:)``.
        mutating func keep(_ key: Key) {
            if standings[key] != nil { standings[key] = .kept }
        }

        /// It gives way again; nothing where it was not kept.
        mutating func release(_ key: Key) {
            if case .kept = standings[key] { insert(key) }
        }

        mutating func remove(_ key: Key) { standings[key] = nil }

        /// - Returns: who has to give way; it is not here any more. nil where all are kept.
        mutating func removeFirst() -> Key? {
            while head < order.count {
                let (number, key) = order[head]
                head += 1
                guard isSilent(key, number) else { continue }
                standings[key] = nil
                return key
            }
            return nil
        }

        private func isSilent(_ key: Key, _ number: UInt64) -> Bool {
            if case .silent(number) = standings[key] { true } else { false }
        }
    }

    extension Dictionary where Key == String {
        /// Forgets an address at which nobody is left.
        mutating func settle<Newcomer>(_ address: String) where Value == Newcomers<Newcomer> {
            if self[address]?.count == 0 { self[address] = nil }
        }
    }
#endif
