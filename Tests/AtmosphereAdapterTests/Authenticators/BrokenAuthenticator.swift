import Atmosphere
import AtmosphereTesting
import Synchronization

/// An authenticator with one fault, for the suite to find.
final class BrokenAuthenticator: Authenticator {
    /// Each with the check that is meant for it.
    enum Fault: String, CaseIterable {
        case signsNothing = "a request is signed"
        case repeatsWrites = "what a request asks for stays as it is"
        case fetchesForEach = "fifty requests at once fetch credentials once at most"
        case hidesSecrets = "every secret that a request carries is among the used secrets"
        case signsForStrangers = "a request to another origin is not signed"
        case keepsWhatWasRefused = "after a refusal the request is signed with other credentials"
        case renewsForEach = "fifty refusals at once fetch credentials once"
        case renewsForLatecomers = "a refusal of credentials that were replaced meanwhile fetches nothing"
        case diesWithTheCancelled = "a cancelled request does not take the credentials of the others along"
        case triesForEver = "where nothing new can be had, a person is asked"
        case sendsUnsigned = "without credentials nothing is sent, and a person is asked"
        case blamesThePerson = "a server that cannot be reached is no reason to ask a person"
        case tellsSecrets = "no error shows a secret (ended)"
        case keepsTheCancelled = "a cancelled request comes back at once while credentials are fetched"
        case givesUpForAll = "a cancelled request comes back at once while credentials are fetched "
        case signsForNamesakes = "a request to another origin is not signed "
        case forgetsAnswers = "the next request is signed with what an answer has brought"
        case losesTheCancelled = "a cancelled request does not lose what its answer has brought"

        var check: String { rawValue.last == " " ? String(rawValue.dropLast()) : rawValue }
    }

    private struct State {
        var number = 0
        var fetched = 0
        var used: Set<String> = []
        var running: Task<Void, any Error>?
        var isCancelled = false
    }

    private let fault: Fault
    private let situation: String
    private let state = Mutex(State())
    let stall = Gate()

    init(_ fault: Fault, situation: String) {
        self.fault = fault
        self.situation = situation
    }

    var renewals: Int { state.withLock { $0.fetched } }
    var secrets: [String] { (0...state.withLock { $0.number }).map { "secret-\($0)-" } }
    var usedSecrets: [Secret] {
        fault == .hidesSecrets ? [] : state.withLock { $0.used.map { Secret($0) } }
    }

    func authorize(_ request: inout Request) async throws {
        if situation == "missing", fault != .sendsUnsigned {
            throw SyncError(code: .signInNeeded, message: "not signed in")
        }
        if situation == "unreachable" {
            throw SyncError(
                code: fault == .blamesThePerson ? .signInNeeded : .unreachable, message: "no network")
        }
        if situation == "stalled" {
            switch fault {
            case .keepsTheCancelled: try await Task { try await stall.pass() }.value
            case .givesUpForAll:
                let fetch = state.withLock { state in
                    state.running = state.running ?? Task { try await stall.pass() }
                    return state.running
                }
                try await withTaskCancellationHandler {
                    try await fetch?.value
                } onCancel: {
                    fetch?.cancel()
                }
            default: try await stall.pass()
            }
        }
        let origin = fault == .signsForNamesakes ? "https://api.example.com" : "https://api.example.com/"
        guard request.url.hasPrefix(origin) || fault == .signsForStrangers else { return }
        if fault == .signsNothing || situation == "missing" { return }
        let token = state.withLock { state in
            if fault == .fetchesForEach { state.fetched += 1 }
            state.used.insert("secret-\(state.number)-")
            return "secret-\(state.number)-"
        }
        if fault == .repeatsWrites { request.mayRepeat = true }
        request.headers["Authorization"] = "Bearer \(token)"
    }

    func receive(_ answer: SignedAnswer) async throws {
        guard let next = answer.headers["X-Next"].flatMap({ Int($0) }), fault != .forgetsAnswers else { return }
        if fault == .losesTheCancelled { try Task.checkCancellation() }
        state.withLock { $0.number = 1_000 + next }
    }

    func answer(_ challenge: Challenge) async throws -> ChallengeAnswer {
        if situation == "ended" {
            if fault == .tellsSecrets {
                throw SyncError(
                    code: .signInNeeded, message: "refused: \(challenge.request.headers["Authorization"] ?? "")")
            }
            return fault == .triesForEver ? .retry : .signInAgain
        }
        if fault == .diesWithTheCancelled {
            if Task.isCancelled { state.withLock { $0.isCancelled = true } }
            if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        }
        state.withLock { state in
            let isLate = challenge.request.headers["Authorization"] != "Bearer secret-\(state.number)-"
            switch fault {
            case .renewsForEach, .renewsForLatecomers: break
            default: if isLate { return }
            }
            state.fetched += 1
            if fault != .keepsWhatWasRefused { state.number += 1 }
        }
        return .retry
    }
}
