#if Notifications
    import NIOCore
    import Synchronization

    /// The open connections of one server, and how many of each address have shown nobody who may be there.
    final class Connections: Sendable {
        private struct Entry {
            let channel: any Channel
            /// nil once it is trusted.
            var newAddress: String?
        }

        private struct Table {
            var entries: [ObjectIdentifier: Entry] = [:]
            var newByAddress: [String: Newcomers<ObjectIdentifier>] = [:]

            mutating func forgetNew(_ key: ObjectIdentifier) {
                guard let address = entries[key]?.newAddress else { return }
                entries[key]?.newAddress = nil
                newByAddress[address]?.remove(key)
                newByAddress.settle(address)
            }
        }

        private let newPerAddress: Int
        private let table = Mutex(Table())

        init(newPerAddress: Int) { self.newPerAddress = newPerAddress }

        var count: Int { table.withLock { $0.entries.count } }

        var all: [any Channel] { table.withLock { $0.entries.values.map(\.channel) } }

        /// Keeps a connection until it ends. Where its address has too many that are new, the one that has said nothing for
        /// longest is closed instead.
        ///
        /// - Returns: whether it may stay; nothing is kept of one that may not.
        func add(_ channel: any Channel) -> Bool {
            let key = ObjectIdentifier(channel)
            let address = channel.peer
            var replaced: (any Channel)?
            let isTaken = table.withLock { table in
                if table.newByAddress[address]?.count ?? 0 >= newPerAddress {
                    guard let first = table.newByAddress[address]?.removeFirst() else { return false }
                    table.entries[first]?.newAddress = nil
                    replaced = table.entries[first]?.channel
                }
                table.entries[key] = Entry(channel: channel, newAddress: address)
                table.newByAddress[address, default: Newcomers()].insert(key)
                return true
            }
            replaced?.close(promise: nil)
            guard isTaken else { return false }
            channel.closeFuture.whenComplete { _ in
                self.table.withLock { table in
                    table.forgetNew(key)
                    table.entries[key] = nil
                }
            }
            return true
        }

        /// A request of the connection is being answered, or it carries a session: it gives way to no other.
        func keep(_ channel: any Channel) { change(channel) { $0.keep($1) } }

        /// Nothing of the connection is being looked at any more.
        func release(_ channel: any Channel) { change(channel) { $0.release($1) } }

        private func change(
            _ channel: any Channel, _ body: (inout Newcomers<ObjectIdentifier>, ObjectIdentifier) -> Void
        ) {
            let key = ObjectIdentifier(channel)
            table.withLock { table in
                guard let address = table.entries[key]?.newAddress else { return }
                body(&table.newByAddress[address, default: Newcomers()], key)
            }
        }

        /// The connection carries a client that was let in, or a publisher with a key: it does not count as new any more.
        func trust(_ channel: any Channel) { table.withLock { $0.forgetNew(ObjectIdentifier(channel)) } }
    }

    /// How many bytes of bodies are held, of all and of one address, until they are answered: a key is looked at with the
    /// whole request only, and what was published waits for a broker that is away.
    final class BodyBudget: Sendable {
        private struct Held {
            var total = 0
            var byAddress: [String: Int] = [:]
        }

        static let limit = 64 << 20
        static let limitPerAddress = 16 << 20
        private let held = Mutex(Held())

        /// - Returns: false where that is too much; nothing was taken then.
        func take(_ count: Int, from address: String) -> Bool {
            held.withLock { held in
                let own = held.byAddress[address, default: 0] + count
                guard held.total + count <= Self.limit, own <= Self.limitPerAddress else { return false }
                held.total += count
                held.byAddress[address] = own
                return true
            }
        }

        func give(_ count: Int, from address: String) {
            guard count > 0 else { return }
            held.withLock { held in
                held.total -= count
                let own = held.byAddress[address, default: count] - count
                held.byAddress[address] = own > 0 ? own : nil
            }
        }
    }

    /// The bytes of one whole body, given back when nobody holds this any more.
    package final class BodyHold: Sendable {
        private let count: Int
        private let address: String
        private let budget: BodyBudget

        init(_ count: Int, from address: String, in budget: BodyBudget) {
            self.count = count
            self.address = address
            self.budget = budget
        }

        deinit { budget.give(count, from: address) }
    }
#endif
