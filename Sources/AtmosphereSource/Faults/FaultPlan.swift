internal import Atmosphere

extension RESTSource {
    /// Which requests go wrong, and how: by rules, and by chance from a seed.
    ///
    /// The same plan and the same sequence of requests give the same faults, on every machine. A rule goes before chance.
    public struct FaultPlan: Sendable, Hashable {
        /// Requests that have a fault for certain.
        public struct Rule: Sendable, Hashable {
            /// What happens to the requests.
            public var fault: Fault
            /// Only this method; nil for all.
            public var method: String?
            /// Only paths that hold this text; nil for all.
            public var path: String?
            /// Only the n-th such request, from 1; nil for all.
            public var nth: Int?
            /// Only each n-th such request; nil for all.
            public var every: Int?

            /// A rule for every request, as far as nothing narrows it.
            public init(
                _ fault: Fault, method: String? = nil, path: String? = nil, nth: Int? = nil, every: Int? = nil
            ) {
                self.fault = fault
                self.method = method
                self.path = path
                self.nth = nth
                self.every = every
            }

            func fits(_ request: RequestInfo) -> Bool {
                (method.map { $0 == request.method } ?? true) && (path.map { request.path.contains($0) } ?? true)
            }

            /// - Parameter count: how many fitting requests there were, with this one.
            func holds(_ count: Int) -> Bool {
                (nth.map { $0 == count } ?? true) && (every.map { count.isMultiple(of: max(1, $0)) } ?? true)
            }
        }

        /// Decides which requests have a fault by chance, and which fault.
        public var seed: UInt64 = 1
        /// The part of the requests that have a fault by chance, from 0 to 1.
        public var rate = 0.0
        /// What chance chooses from.
        public var kinds = Fault.allCases
        /// Asked in their order; the first that holds decides.
        public var rules: [Rule] = []
        /// Faults by chance end after so many; nil for no end.
        public var most: Int?
        /// How long ``Fault/delay`` holds a request back.
        public var delay = Duration.milliseconds(200)
        /// What `Retry-After` says, in seconds.
        public var retryAfter = 1

        /// A plan without faults, as long as there are neither a rate nor rules.
        public init(seed: UInt64 = 1, rate: Double = 0, rules: [Rule] = []) {
            self.seed = seed
            self.rate = rate
            self.rules = rules
        }
    }
}

/// How far a plan has come.
struct FaultProgress: Sendable {
    private var requests: UInt64 = 0
    private var byChance = 0
    /// Requests that fitted each rule.
    private var counts: [Int] = []

    mutating func fault(for request: RESTSource.RequestInfo, _ plan: RESTSource.FaultPlan) -> RESTSource.Fault? {
        requests += 1
        var found: RESTSource.Fault?
        if counts.count != plan.rules.count { counts = plan.rules.map { _ in 0 } }
        for (index, rule) in plan.rules.enumerated() where rule.fits(request) {
            counts[index] += 1
            if found == nil, rule.holds(counts[index]) { found = rule.fault }
        }
        guard found == nil, plan.rate > 0, !plan.kinds.isEmpty, byChance < plan.most ?? .max else { return found }
        // Each request has numbers of its own, so that a rule moves nothing.
        var random = SourceRandom(state: plan.seed &* 0x2545_F491_4F6C_DD1D &+ requests)
        guard Double(random.next() >> 11) / Double(UInt64(1) << 53) < plan.rate else { return nil }
        byChance += 1
        return plan.kinds[random.below(plan.kinds.count)]
    }
}
