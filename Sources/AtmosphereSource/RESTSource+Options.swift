public import Atmosphere

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension RESTSource {
    /// How a source is set up.
    public struct Options: Sendable {
        /// The address to bind; `127.0.0.1` by default, so that nobody else reaches it.
        public var host: String
        /// 0, the default, for any free port.
        public var port: Int
        /// Generated objects of each resource; none by default. Children are spread over their parents.
        public var seed: Int
        /// Chooses their contents; the same number gives the same objects on every machine.
        public var randomSeed: UInt64
        /// The values of the secrets that the route file's `auth` names.
        public var secrets: [String: String] = [:]
        /// Who the identity check says is signed in.
        public var user = "demo"
        /// Objects in a page where the request asks for no number; 100 by default. More than 1,000 are never given.
        public var pageSize = 100
        /// A longer request body is answered by 413; 1 MiB by default.
        public var maximumBodyBytes = 1 << 20
        /// The answer for an object that was deleted: 404 by default, or 410.
        public var deletedStatus = 404
        /// Gives modification times and the `Date` header. Times only grow, whatever it says.
        public var clock: @Sendable () -> Timestamp = {
            Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        }
        /// The identifier of a resource's n-th object, from 1; by default n, as a string where the route file declares
        /// the identifier as one, or what the style's family has.
        public var makeID: (@Sendable (_ entity: String, _ number: Int) -> Value)?
        /// How long each answer is held back; not at all by default.
        public var latency = Duration.zero
        /// Which requests go wrong; none by default. ``RESTSource/intercept`` goes first.
        public var faults: FaultPlan?
        /// Told each request with what became of it, in the order of the answers; nobody by default.
        public var onAnswer: (@Sendable (LogEntry) -> Void)?
        /// Told what has become of each object that changes, by a request or by ``RESTSource/add(_:_:)``,
        /// ``RESTSource/edit(_:_:_:)`` and ``RESTSource/remove(_:_:)``, in the order of the changes; nobody by default. Generated
        /// objects are not told. The source waits for it: it returns at once, and calls nothing of the source.
        public var onChange: (@Sendable (Change) -> Void)?
        /// Gives out access tokens, which then sign in beside the secret of `auth.bearer`; none by default.
        public var oauth: OAuth?

        /// The defaults at an address.
        ///
        /// - Parameters:
        ///   - port: 0, the default, for any free one.
        ///   - seed: how many objects of each entity there are at the start.
        ///   - randomSeed: decides what they hold.
        public init(host: String = "127.0.0.1", port: Int = 0, seed: Int = 0, randomSeed: UInt64 = 1) {
            self.host = host
            self.port = port
            self.seed = seed
            self.randomSeed = randomSeed
        }

        var rules: SourceRules {
            var rules = SourceRules()
            rules.seed = seed
            rules.randomSeed = randomSeed
            rules.secrets = secrets
            rules.user = user
            rules.pageSize = pageSize
            rules.maximumBodyBytes = maximumBodyBytes
            rules.deletedStatus = deletedStatus
            rules.makeID = makeID
            rules.oauth = oauth
            return rules
        }
    }
}
