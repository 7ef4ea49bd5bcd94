import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("What a push says of tries that failed")
struct PushProblemTests {
    private let uri = ObjectURI(entity: "tasks", id: "1")

    private func edited(_ change: (inout Resource) -> Void = { _ in }) async throws -> TinyWorld {
        let world = try await TinyWorld {
            $0.version = .none
            change(&$0)
        }
        world.server.insert("tasks", ["title": "a"])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        return world
    }

    /// Each answer that says “later”, and one that does not.
    enum Trouble: CaseIterable {
        case timeout, internalError, unavailable, requestTimeout, webPage, finalError

        func befall(_ server: TinyServer, _ method: String) {
            for _ in 0..<12 {
                switch self {
                case .timeout: server.loseAnswer(to: method, processes: false)
                case .internalError: server.answer(method, with: "{}", status: 500, processes: false)
                case .unavailable: server.answer(method, with: "{}", status: 503, processes: false)
                case .requestTimeout: server.answer(method, with: "{}", status: 408, processes: false)
                case .webPage: server.answer(method, with: "<html>Sign in</html>", processes: false)
                case .finalError:
                    server.fail(
                        .init(
                            applies: { $0.method == method }, processes: false,
                            outcome: {
                                throw TransportError(code: .redirect, message: "elsewhere", mayHaveArrived: false)
                            }))
                }
            }
        }

        var isLater: Bool { self != .webPage && self != .finalError }
    }

    @Test(
        "a failure that time alone may mend is told from one that a person has to look at", arguments: Trouble.allCases)
    func kinds(trouble: Trouble) async throws {
        let world = try await edited()
        trouble.befall(world.server, "PATCH")
        let report = try await world.synchronizer.push()
        let expected: PushReport.Problem.Kind = trouble.isLater ? .network : .answer
        #expect(Set(report.failures.map(\.kind)) == [expected] || report.unreachable != nil, "\(report)")
        #expect(report.updated == 0)
    }

    @Test(
        "an answer of a proxy, or of a server that has not looked at the request, leaves what waits as it is",
        arguments: [407, 421, 431])
    func notLookedAt(status: Int) async throws {
        let world = try await edited()
        _ = try await world.synchronizer.save(["title": "new"], as: "tasks")
        for method in ["PATCH", "POST"] {
            for _ in 0..<12 { world.server.answer(method, with: "<html>no</html>", status: status, processes: false) }
        }
        let report = try await world.synchronizer.push()
        #expect(report.created == 0 && report.updated == 0, "\(report)")
        #expect(Set(report.failures.map(\.kind)).subtracting([.network]).isEmpty, "\(report)")
        if status == 407 { #expect(report.unreachable?.contains("proxy") == true, "\(report)") }
        #expect(try await world.synchronizer.rejected().isEmpty)
        // Nobody has to find out what became of the create.
        #expect(try await world.synchronizer.pending().allSatisfy { $0.meta.outgoing?.evidence.mayHaveArrived != true })
        world.server.forgetFaults()
        try await world.pass(.seconds(3600))
        let again = try await world.synchronizer.push()
        #expect(again.created == 1 && again.updated == 1, "\(again)")
    }

    @Test("a rule of the route file counts for 407, too")
    func ruledProxy() async throws {
        let world = try await edited {
            $0.errors.rules = [.init(statuses: [407], treatment: .reject)]
        }
        world.server.answer("PATCH", with: "{}", status: 407, processes: false)
        try await world.synchronizer.push()
        #expect(try await world.synchronizer.rejected().map(\.uri) == [uri])
    }

    @Test("a read before a write that is not answered is told as such, too")
    func compared() async throws {
        let world = try await edited { $0.version = .compare }
        Trouble.internalError.befall(world.server, "GET")
        let report = try await world.synchronizer.push()
        #expect(Set(report.failures.map(\.kind)) == [.network], "\(report)")
    }

    @Test(
        "a redirect that is not followed is met once in a push, whatever was done before it", arguments: [false, true])
    func redirected(mayHaveArrived: Bool) async throws {
        let world = try await edited()
        for _ in 0..<12 {
            world.server.fail(
                .init(applies: { $0.method == "PATCH" }, processes: false) {
                    throw TransportError(code: .redirect, message: "elsewhere", mayHaveArrived: mayHaveArrived)
                })
        }
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(report.failures.map(\.kind) == [.answer])
        #expect(try await world.synchronizer.pending().count == 1)
    }

    @Test("a redirect that is not followed is met once, also where another change of the push is tried again")
    func redirectedBesideAnother() async throws {
        let world = try await edited()
        world.server.insert("tasks", ["title": "c"])
        try await world.synchronizer.pull()
        try await world.synchronizer.delete(ObjectURI(entity: "tasks", id: "2"))
        for _ in 0..<12 {
            world.server.fail(
                .init(applies: { $0.method == "PATCH" }, processes: false) {
                    throw TransportError(code: .redirect, message: "elsewhere", mayHaveArrived: false)
                })
            world.server.answer("DELETE", with: "{}", status: 500, processes: false)
        }
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log.count { $0.hasPrefix("DELETE") } > 1)
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(try await world.synchronizer.pending().count == 2)
    }

    @Test("a redirect of the read before a write is met once, too")
    func redirectedRead() async throws {
        let world = try await edited { $0.version = .compare }
        for _ in 0..<12 {
            world.server.fail(
                .init(applies: { $0.method == "GET" }, processes: false) {
                    throw TransportError(code: .redirect, message: "elsewhere", mayHaveArrived: true)
                })
        }
        world.server.clearLog()
        #expect(try await world.synchronizer.push().failures.map(\.kind) == [.answer])
        #expect(world.server.log == ["GET tasks/1/"])
    }

    @Test("an update whose answer was lost, and which the server shows as done, counts as updated")
    func lostAndDone() async throws {
        let world = try await edited { $0.version = .compare }
        world.server.loseAnswer(to: "PATCH")
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1 && report.standing.isEmpty, "\(report)")
        #expect(world.server.log.count { $0.hasPrefix("PATCH") } == 1)
        #expect(try await world.synchronizer.pending().isEmpty)
    }

    @Test("a create that is looked for in vain is told as looked for, and asked for again")
    func lookedFor() async throws {
        let world = try await TinyWorld { $0.duplicate = nil }
        world.server.loseAnswer(to: "POST", processes: false)
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        let report = try await world.synchronizer.push()
        let found = try await world.synchronizer.object(at: uri)
        #expect(report.failures.first?.kind == .network, "\(report)")
        if report.created == 0 {
            #expect(report.failures.last?.kind == .notShown, "\(report)")
            #expect(found?.meta.outgoing?.isLookedForInVain == true)
        }
        #expect(report.failures.contains { $0.kind == .notShown }, "\(report)")
    }

    @Test("an update of which a read shows that nothing took is not counted", arguments: [false, true])
    func nothingTook(isPartly: Bool) async throws {
        let world = try await edited()
        let edits: [(String, Value?)] = isPartly ? [("title", "b"), ("note", "n")] : [("title", "b")]
        try await world.synchronizer.edit(uri, setting: edits.map { (name: $0.0, value: $0.1) })
        world.server.answer("PATCH", with: nil, status: 204, processes: false)
        if isPartly { world.server.edit("tasks", 1, ["note": "n"]) }
        let report = try await world.synchronizer.push()
        #expect(report.updated == (isPartly ? 1 : 0), "\(report)")
        #expect(report.ignored.map(\.members) == [["title"]])
        #expect(report.vanished.isEmpty)
        #expect(try await world.synchronizer.status()[1].counts.rejected == 1)
    }
}
