import AtmosphereTesting
import Synchronization
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("How long a server asks to wait")
struct ServerPatienceTests {
    /// 2024-06-01T12:00:00Z
    private let now = Timestamp(milliseconds: 1_717_243_200_000)

    private func seconds(_ time: Timestamp?) -> Double? {
        time.map { Double($0.milliseconds - now.milliseconds) / 1000 }
    }

    @Test(
        "Retry-After is read as seconds, with or without a fraction, or as a date; an hour at most",
        arguments: [
            ("0", 0), ("7", 7), ("1.5", 1.5), (" 3", 3), ("86400", 3600), ("18446744073709551616", 3600),
            ("1e400", 3600), ("Sat, 01 Jun 2024 12:01:00 GMT", 60),
            ("Sat, 01 Jun 2024 11:00:00 GMT", 1)
        ])
    func retryAfter(text: String, expected: Double) {
        let patience = ServerPatience(limits: Limits(), now: now)
        #expect(seconds(patience.retryAfter(["Retry-After": text])) == expected)
    }

    @Test(
        "whether an answer asks for more than is waited for",
        arguments: [
            ("3600", false), ("3601", true), ("1e13", true), ("Sat, 01 Jun 2024 12:59:00 GMT", false),
            ("Sat, 01 Jun 2024 13:00:01 GMT", true), ("soon", false)
        ])
    func longer(text: String, expected: Bool) {
        let patience = ServerPatience(limits: Limits(), now: now)
        #expect(patience.asksForLonger(["Retry-After": text]) == expected)
        #expect(patience.asksForLonger(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text]) == expected)
        #expect(!patience.asksForLonger([:]))
    }

    @Test("a time is one by the server's clock where the answer shows it", arguments: [11, 13])
    func clocks(hour: Int) {
        let patience = ServerPatience(limits: Limits(), now: now)
        var headers: HeaderFields = ["Date": "Sat, 01 Jun 2024 \(hour):00:00 GMT"]
        headers["Retry-After"] = "Sat, 01 Jun 2024 \(hour):00:02 GMT"
        #expect(seconds(patience.retryAfter(headers)) == 2)
        headers["X-RateLimit-Remaining"] = "0"
        headers["X-RateLimit-Reset"] = "2024-06-01T\(hour):00:30Z"
        #expect(seconds(patience.pause(onAny: headers)) == 30)
    }

    @Test("what cannot be read asks for nothing", arguments: ["", "soon", "-5", "inf", "tomorrow at noon"])
    func unreadable(text: String) {
        let patience = ServerPatience(limits: Limits(), now: now)
        #expect(patience.retryAfter(["Retry-After": text]) == nil)
        #expect(patience.pause(onAny: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text]) == nil)
    }

    @Test(
        "no request left means waiting until the limit starts anew: in seconds, or at a time",
        arguments: [
            ("30", 30), ("1717243230", 30), ("1717243230000", 30), ("2024-06-01T12:00:30Z", 30),
            ("Sat, 01 Jun 2024 12:00:30 GMT", 30), ("1717200000", 1)
        ])
    func remaining(reset: String, expected: Double) {
        let patience = ServerPatience(limits: Limits(), now: now)
        let headers: HeaderFields = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset]
        #expect(seconds(patience.pause(onAny: headers)) == expected)
        #expect(patience.pause(onAny: ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": reset]) == nil)
    }

    @Test("Backoff is honoured on any answer; the route file says how the other headers are called")
    func others() {
        var limits = Limits()
        limits.remaining = "RateLimit-Remaining"
        limits.reset = "RateLimit-Reset"
        let patience = ServerPatience(limits: limits, now: now)
        #expect(seconds(patience.pause(onAny: ["Backoff": "10"])) == 10)
        #expect(patience.pause(onAny: ["Backoff": "0"]) == nil)
        #expect(seconds(patience.pause(onAny: ["RateLimit-Remaining": "0", "RateLimit-Reset": "5"])) == 5)
        #expect(patience.pause(onAny: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"]) == nil)
    }

    @Test("a 403 is a refusal or a rate limit, by its reason alone; waiting counts no attempt and gets longer")
    func reasons() async throws {
        @Sendable func body(_ reason: String) -> Response {
            let text = #"{"error":{"code":403,"message":"No.","errors":[{"message":"No.","reason":"\#(reason)"}]}}"#
            return Response(status: 403, body: ResponseBody(Array(text.utf8)))
        }
        let world = try await TinyWorld { tasks in
            tasks.version = .none
            tasks.errors.fields = [try! JSONPath("$.error.errors")]
            tasks.errors.messages = [try! JSONPath("$.error.message")]
            tasks.errors.rules = [
                .init(
                    statuses: [403], path: try! JSONPath("$.error.errors[*].reason"),
                    values: ["rateLimitExceeded", "quotaExceeded"], treatment: .wait),
                .init(
                    statuses: [403], path: try! JSONPath("$.error.errors[*].reason"),
                    values: ["insufficientPermissions"],
                    treatment: .unauthorized)
            ]
        }
        for reason in ["quotaExceeded", "rateLimitExceeded"] {
            world.server.fail(.init(applies: { $0.method == "POST" }, processes: false) { body(reason) })
        }
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        let before = world.synchronizer.environment.now()
        let report = try await world.synchronizer.push()
        #expect(report.created == 1 && report.failures.isEmpty)
        // Two seconds, then four.
        #expect(before.duration(to: world.synchronizer.environment.now()) == .seconds(6))
        #expect(try await world.synchronizer.object(at: uri)?.meta.isChanged == false)

        world.server.fail(
            .init(applies: { $0.method == "PATCH" }, processes: false) { body("insufficientPermissions") })
        try await world.synchronizer.edit(uri, setting: [("title", "b")])
        let unauthorized = try await world.synchronizer.push()
        #expect(unauthorized.signInNeeded?.contains("tasks/1: No. (403); ") == true)
        #expect(try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase == .waiting)

        world.server.fail(.init(applies: { $0.method == "PATCH" }, processes: false) { body("forbidden") })
        try await world.synchronizer.push()
        guard case .rejected(_, let failure)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.message == "No." && failure.fields.isEmpty)
    }

    @Test("the message of the whole is told once, and not as that of the member in which it stands")
    func messageOnce() async throws {
        let world = try await TinyWorld { tasks in
            tasks.errors.messages = [try! JSONPath("$.error.message")]
            tasks.errors.general = []
        }
        for body in [
            #"{"error":{"code":"denied","message":"may not create this"}}"#,
            #"{"error":{"message":"may not create this"},"title":["is missing"]}"#
        ] {
            world.server.answer("POST", with: body, status: 403, processes: false)
            let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
            try await world.synchronizer.push()
            let failure = try #require(try await world.synchronizer.object(at: uri)?.meta.outgoing?.lastError)
            #expect(failure.message == "may not create this")
            #expect(failure.fields == (body.contains("title") ? [.init(field: "title", message: "is missing")] : []))
        }
    }

    @Test("a list of errors tells the member of each, and what is about none is about the object")
    func fieldErrors() async throws {
        let world = try await TinyWorld { tasks in
            tasks.errors.fields = [.member("errors")]
            tasks.errors.field = .member("location")
        }
        let text = #"{"errors":[{"location":"title","message":"Too long."},{"message":"Try again."}]}"#
        world.server.fail(
            .init(applies: { $0.method == "POST" }, processes: false) {
                Response(status: 422, body: ResponseBody(Array(text.utf8)))
            })
        let uri = try await world.synchronizer.save(["title": "a"], as: "tasks")
        try await world.synchronizer.push()
        guard case .rejected(_, let failure)? = try await world.synchronizer.object(at: uri)?.meta.outgoing?.phase
        else {
            Issue.record("not rejected")
            return
        }
        #expect(failure.message == "Try again." && failure.fields == [.init(field: "title", message: "Too long.")])
    }
}
