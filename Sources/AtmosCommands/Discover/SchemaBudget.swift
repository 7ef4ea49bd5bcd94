#if Command
    internal import Synchronization

    /// How many members of schemas are looked at in one description. Schemas refer to each other, so a short document
    /// can mean more than anybody can read.
    final class SchemaBudget: Sendable {
        /// A member counts each time it is looked at.
        static let members = 10_000_000

        private let left = Mutex(SchemaBudget.members)

        /// - Returns: false once the budget is exceeded, and from then on.
        func spend(_ count: Int) -> Bool {
            left.withLock { left in
                if left >= 0 { left -= min(count, left + 1) }
                return left >= 0
            }
        }

        /// What a draft says of it; empty while nothing was left out.
        var remarks: [String] {
            guard left.withLock({ $0 < 0 }) else { return [] }
            return [
                "The schemas are larger than what is read of a description (\(Self.members) looks at members): lists that "
                    + "come later, and parts of schemas, are left out."
            ]
        }
    }
#endif
