public import Atmosphere

/// What every `Authenticator` must do: checks for what the protocol promises.
///
/// Run each check as a test case of its own; every one makes a new authenticator:
///
/// ```swift
/// @Test(arguments: suite.checks)
/// func conforms(_ check: ConformanceCheck) async throws { try await check.run() }
/// ```
///
/// Checks for situations that cannot come about are left out: an authenticator that never fetches anything has nothing to
/// renew.
public struct AuthenticatorSuite: Sendable {
    /// What the authenticator finds.
    public enum Situation: Sendable, Hashable, CaseIterable {
        /// It has what it needs, or can get it without a person.
        case ready
        /// What it signs with is refused; asked for new credentials, the server gives some.
        case renewable
        /// What it signs with is refused, and nothing new can be had.
        case ended
        /// There is nothing to sign with.
        case missing
        /// It has to fetch credentials, and there is no network.
        case unreachable
        /// It has to fetch credentials, and the server takes its time: the fetch passes ``Subject/stall``.
        case stalled
    }

    /// An authenticator in a situation.
    public struct Subject: Sendable {
        /// The authenticator, in the situation that was asked for.
        public var authenticator: any Authenticator
        /// Every secret that it may have sent or heard of by now, as it is written.
        public var secrets: @Sendable () -> [String]
        /// How often it has fetched credentials; nil for one that never does.
        public var renewals: (@Sendable () -> Int)?
        /// What holds the fetch of credentials in the situation ``Situation/stalled``, where it is needed: the fetch waits
        /// in ``Gate/pass()``, and the checks open it.
        public var stall: Gate?

        /// An authenticator, and what the checks must know around it.
        ///
        /// - Parameters:
        ///   - renewals: nil for an authenticator that never fetches credentials; a renewable one has to count.
        ///   - stall: what holds the fetch of credentials in the situation ``Situation/stalled``.
        public init(
            _ authenticator: any Authenticator, secrets: @escaping @Sendable () -> [String],
            renewals: (@Sendable () -> Int)? = nil, stall: Gate? = nil
        ) {
            self.authenticator = authenticator
            self.secrets = secrets
            self.renewals = renewals
            self.stall = stall
        }
    }

    let url: String
    let foreignURL: String?
    let make: @Sendable (Situation) async throws -> Subject?
    let situations: Set<Situation>
    let renewing: (@Sendable (Request, Int) -> SignedAnswer)?

    /// A suite for an authenticator that can be brought into these situations.
    ///
    /// - Parameters:
    ///   - url: one that the credentials are for.
    ///   - foreignURL: one of another origin; nil for an authenticator that leaves this to the resource client.
    ///   - situations: those that can come about.
    ///   - renewing: the answer to a signed request that brings the credentials of the next one, other ones for each number;
    ///     nil where answers bring none.
    ///   - make: a new authenticator that shares nothing with those before.
    public init(
        url: String, foreignURL: String?, situations: Set<Situation>,
        renewing: (@Sendable (_ request: Request, _ number: Int) -> SignedAnswer)? = nil,
        make: @escaping @Sendable (Situation) async throws -> Subject?
    ) {
        self.url = url
        self.foreignURL = foreignURL
        self.situations = situations
        self.renewing = renewing
        self.make = make
    }

    /// The checks for the situations that can come about; each makes an authenticator of its own.
    public var checks: [ConformanceCheck] {
        signingChecks + (situations.contains(.renewable) ? renewalChecks : []) + failureChecks
            + cancellationChecks + answerChecks
    }

    /// A check with a subject of its own.
    func check(
        _ name: String, _ situation: Situation,
        _ body: @escaping @Sendable (Subject) async throws -> Void
    ) -> [ConformanceCheck] {
        guard situations.contains(situation) else { return [] }
        let make = make
        return [
            ConformanceCheck(name) {
                guard let subject = try await make(situation) else {
                    throw ConformanceFailure("nothing was made for the situation \(situation)")
                }
                try await body(subject)
            }
        ]
    }

    /// A write as the resource client makes it.
    var request: Request {
        Request(
            method: "PATCH", url: url, headers: ["Content-Type": "application/json", "X-Own": "kept"],
            body: .bytes(Array("{\"title\":\"x\"}".utf8)), mayRepeat: false)
    }

    func signed(_ subject: Subject) async throws -> Request {
        var request = request
        try await subject.authenticator.authorize(&request)
        return request
    }

    /// What an authenticator can have changed, as one text.
    static func mark(_ request: Request) -> String {
        request.url + "\n" + request.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}
