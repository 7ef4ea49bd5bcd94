#if Notifications
    import Atmosphere
    @testable import AtmosphereNotifications
    import Crypto
    import Foundation
    import NIOHTTP1
    import Synchronization
    import Testing

    @Suite("Webhooks")
    struct WebhookTests {
        private static let secret = "It's a Secret to Everybody"
        private static let github = """
            {"webhooks": [{
              "path": "/hooks/github", "secret": "secret:GITHUB_HOOK",
              "when": {"header": "X-GitHub-Event", "in": ["issues", "issue_comment"]},
              "delivery": {"header": "X-GitHub-Delivery"},
              "entity": "issues", "id": "$.issue.number", "version": "$.issue.updated_at",
              "deleted": [{"header": "X-GitHub-Event", "equals": "issues"}, {"at": "$.action", "equals": "deleted"}],
              "rooms": ["{entity}", "{entity}/{id}", "$.repository.name"], "users": "$.issue.assignees[*].login"
            }]}
            """
        private static let body = """
            {"action": "edited", "issue": {"number": 7, "updated_at": "2026-01-02T03:04:05Z",
             "assignees": [{"login": "ann"}, {"login": "bob"}]}, "repository": {"name": "shop"}}
            """

        private func load(_ text: String, secret: String = secret) throws -> [Webhook] {
            try Webhook.load(bytes: Array(text.utf8), source: "hooks.json", adapters: []) { name in
                #expect(!name.hasPrefix("secret:"))
                return Secret(secret)
            }
        }

        private func sign(_ text: String, _ secret: String = secret) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8))))
        }

        private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

        private func request(_ body: String, _ headers: [String: String]) -> HTTPRequest {
            var fields = HTTPHeaders([("content-type", "application/json; charset=utf-8")])
            for (name, value) in headers { fields.add(name: name, value: value) }
            return HTTPRequest(
                method: "POST", path: "/hooks/github", query: "", headers: fields, body: Array(body.utf8),
                address: "127.0.0.1")
        }

        private func events(_ webhook: Webhook, _ request: HTTPRequest, now: Double = 0) throws -> [PublishedEvent] {
            try webhook.events(request, reader: EventReader(newIdentifier: { "new" }), now: now)
        }

        private func status(_ webhook: Webhook, _ request: HTTPRequest, now: Double = 0) -> Int? {
            do { _ = try events(webhook, request, now: now) } catch { return (error as? Problem)?.status }
            return nil
        }

        @Test("a signed delivery becomes an update for the rooms and users that it names")
        func update() throws {
            let webhook = try #require(try load(Self.github).first)
            let headers = [
                "X-Hub-Signature-256": "sha256=" + hex(sign(Self.body)), "X-GitHub-Event": "issues",
                "X-GitHub-Delivery": "72d3162e"
            ]
            let expected = PublishedEvent(
                id: "/hooks/github 72d3162e", kind: .update,
                audiences: [.user("ann"), .user("bob"), .room("issues"), .room("issues/7"), .room("shop")],
                data: [
                    "id": "/hooks/github 72d3162e", "uri": ["entity": "issues", "id": "7"],
                    "version": "2026-01-02T03:04:05Z"
                ])
            #expect(try events(webhook, request(Self.body, headers)) == [expected])
            let deleted = Self.body.replacingOccurrences(of: "edited", with: "deleted")
            let gone = try events(
                webhook,
                request(
                    deleted,
                    ["X-Hub-Signature-256": "sha256=" + hex(sign(deleted)), "X-GitHub-Event": "issues"]))
            #expect(gone.first?.data.members?["deleted"] == true && gone.first?.id == "new")
            // Of a deleted comment the issue is still there.
            let comment = try events(
                webhook,
                request(
                    deleted,
                    [
                        "X-Hub-Signature-256": "sha256=" + hex(sign(deleted)), "X-GitHub-Event": "issue_comment"
                    ]))
            #expect(comment.count == 1 && comment.first?.data.members?["deleted"] == nil)
            let ping = ["X-Hub-Signature-256": "sha256=" + hex(sign(Self.body)), "X-GitHub-Event": "ping"]
            #expect(try events(webhook, request(Self.body, ping)) == [])
        }

        @Test("what concerns nobody is taken, and nothing is published")
        func nobody() throws {
            let webhook = try #require(
                try load(
                    """
                    {"webhooks": [{
                      "path": "/a", "secret": "secret:S", "entity": "e", "id": "$.id", "rooms": [], "users": "$.who[*]"
                    }]}
                    """
                ).first)
            for (body, count) in [(#"{"id": 1, "who": []}"#, 0), (#"{"id": 1, "who": ["ann"]}"#, 1)] {
                let headers = ["X-Hub-Signature-256": "sha256=" + hex(sign(body))]
                #expect(try events(webhook, request(body, headers)).count == count)
            }
        }

        @Test("“whole” says that the attributes are all of the object, and needs them")
        func whole() throws {
            func text(_ more: String) -> String {
                """
                {"webhooks": [{
                  "path": "/a", "secret": "secret:S", "entity": "e", "id": "$.id"\(more)
                }]}
                """
            }
            let webhook = try #require(try load(text(#", "attributes": "$.item", "whole": true"#)).first)
            let body = #"{"id": 1, "item": {"id": 1, "title": "Milk"}}"#
            let headers = ["X-Hub-Signature-256": "sha256=" + hex(sign(body))]
            let told = try events(webhook, request(body, headers)).first?.data.members
            #expect(told?["whole"] == true && told?["attributes"] == ["id": 1, "title": "Milk"])
            for wrong in [#", "whole": true"#, #", "attributes": "$.item", "whole": "yes""#] {
                #expect(throws: (any Error).self) { try load(text(wrong)) }
            }
        }

        @Test("the signature is GitHub's: its documented example is let through to the reading of the body")
        func vector() throws {
            let webhook = try #require(try load(Self.github).first)
            // docs.github.com, “Validating webhook deliveries”, section “Testing the webhook payload validation”.
            let code = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
            #expect(status(webhook, request("Hello, World!", ["X-Hub-Signature-256": code])) == 400)
            #expect(status(webhook, request("Hello, World?", ["X-Hub-Signature-256": code])) == 401)
        }

        @Test("without the right signature nothing of the body is looked at")
        func refused() throws {
            let webhook = try #require(try load(Self.github).first)
            let right = hex(sign(Self.body))
            for header in [
                "", "sha256=", right, "sha1=" + right, "sha256=" + String(right.dropLast()), "sha256=" + right + "0",
                "sha256=" + hex(sign(Self.body, "another secret of ours")), "sha256=" + right.replacing("0", with: "+")
            ] where header != "sha256=" + right {
                #expect(status(webhook, request(Self.body, ["X-Hub-Signature-256": header])) == 401, "\(header)")
            }
            #expect(status(webhook, request(Self.body, [:])) == 401)
            #expect(status(webhook, request("{", ["X-Hub-Signature-256": "sha256=" + right])) == 401)
        }

        @Test("where the time is signed too, what is too old or from the future is refused")
        func time() throws {
            let text = """
                {"webhooks": [{"path": "/h", "secret": "secret:S", "entity": "$.type", "id": "$.id", "items": "$.all[*]",
                  "time": {"header": "X-Time", "tolerance": 60}, "delivery": "$.delivery",
                  "signature": {"header": "X-Sign", "prefix": "v0=", "encoding": "base64", "signed": "v0:{time}:{body}"}}]}
                """
            let webhook = try #require(try load(text).first)
            let body = #"{"all": [{"type": "a", "id": "1"}, {"type": "b", "id": 2.50}], "delivery": 9}"#
            let code = "v0=" + Data(sign("v0:1000:\(body)")).base64EncodedString()
            let signed = request(body, ["X-Sign": code, "X-Time": "1000"])
            let found = try events(webhook, signed, now: 1060)
            #expect(found.map(\.id) == ["/h 9 0", "/h 9 1"])
            #expect(
                found.map { $0.data.members?["uri"] } == [["entity": "a", "id": "1"], ["entity": "b", "id": "2.50"]])
            #expect(found.last?.audiences == [.room("b"), .room("b/2.50")])
            for now in [1061.0, 939, 0] { #expect(status(webhook, signed, now: now) == 401) }
            #expect(status(webhook, request(body, ["X-Sign": code, "X-Time": "1001"]), now: 1000) == 401)
            #expect(status(webhook, request(body, ["X-Sign": code]), now: 1000) == 401)
        }

        @Test("a body without the object, and one that is not JSON by its type, are refused")
        func body() throws {
            let webhook = try #require(try load(Self.github).first)
            let empty = "{}"
            let headers = ["X-Hub-Signature-256": "sha256=" + hex(sign(empty)), "X-GitHub-Event": "issues"]
            #expect(status(webhook, request(empty, headers)) == 422)
            var form = request(empty, headers)
            form.headers.replaceOrAdd(name: "content-type", value: "application/x-www-form-urlencoded")
            #expect(status(webhook, form) == 415)
        }

        @Test(
            "a mistake in the file is told with its place",
            arguments: [
                (#"{}"#, "“webhooks” must be a list"), (#"{"webhooks": []}"#, "at least one"),
                (#"{"webhooks": [{}]}"#, "“path” is missing"),
                (#"{"webhooks": [{"path": "/a", "secret": "clear", "entity": "e", "id": "$.id"}]}"#, "secret:NAME"),
                (
                    #"{"webhooks": [{"path": "a", "secret": "secret:S", "entity": "e", "id": "$.id"}]}"#,
                    "“path” must be"
                ),
                (
                    #"{"webhooks": [{"path": "/update", "secret": "secret:S", "entity": "e", "id": "$.id"}]}"#,
                    "of its own"
                ),
                (#"{"webhooks": [{"path": "/a", "secret": "secret:S", "entity": "e", "id": "$..id"}]}"#, "not a path"),
                (#"{"webhooks": [{"path": "/a", "sekret": "x"}]}"#, "unknown key “sekret”"),
                (
                    #"{"webhooks": [{"path": "/a", "secret": "secret:S", "entity": "e", "id": "$.id", "time": {"header": "X"}}]}"#,
                    "“time” is believed only where it is signed"
                ),
                (
                    #"{"webhooks": [{"path": "/a", "secret": "secret:S", "entity": "e", "id": "$.id", "time": {"header": "X"}, "signature": {"header": "Y", "signed": "v0:{body}"}}]}"#,
                    "“time” is believed only where it is signed"
                ),
                (
                    #"{"webhooks": [{"path": "/a", "secret": "secret:S", "entity": "e", "id": "$.id", "signature": {"header": "X", "signed": "{time}{body}"}}]}"#,
                    "“time” names its header"
                )
            ])
        func mistakes(text: String, message: String) {
            let error = #expect(throws: RouteFileError.self) { try load(text) }
            #expect(error?.description.contains(message) == true, "\(String(describing: error))")
            #expect(error?.description.hasPrefix("hooks.json:1:") == true)
        }

        @Test("a secret that can be guessed is refused")
        func shortSecret() {
            #expect(throws: RouteFileError.self) { try load(Self.github, secret: "short") }
        }
    }

    @Suite("Keys that another service knows")
    struct CallbackTests {
        private struct Service: Transport {
            var status = 200
            var body = ""

            func send(_ request: Request) async throws -> Response {
                guard case .bytes(let bytes) = request.body,
                    let token = try Value(json: bytes).members?["token"]?.string,
                    request.headers["Authorization"] == "Bearer ours", token != "lost"
                else { throw TransportError(code: .timeout, message: "nobody answers", mayHaveArrived: true) }
                return Response(status: status, body: ResponseBody(Array(body.utf8)))
            }
        }

        /// Answers each time with the next of its answers.
        private final class TurningService: Transport {
            private let answers: Mutex<[(status: Int, body: String)]>

            init(_ answers: [(status: Int, body: String)]) { self.answers = Mutex(answers) }

            func send(_ request: Request) async throws -> Response {
                let answer = answers.withLock { $0.removeFirst() }
                return Response(status: answer.status, body: ResponseBody(Array(answer.body.utf8)))
            }
        }

        private func identity(_ service: Service, _ token: String = "key") async -> ClientIdentity? {
            await CallbackAuthorizer(
                url: "https://auth.example/check", authorization: Secret("Bearer ours"), transport: service,
                concurrent: 1
            ).identity(of: token)
        }

        @Test("the service says who a client is, and nobody is let in without a clear answer")
        func answers() async {
            let ann = Service(body: #"{"user": "ann", "rooms": ["tasks/*"], "expires": 1000}"#)
            #expect(await identity(ann) == ClientIdentity(user: "ann", rooms: ["tasks/*"], expiry: 1000))
            #expect(await identity(Service(body: #"{"user": "bob"}"#)) == ClientIdentity(user: "bob"))
            #expect(await identity(ann, "lost") == nil)
            #expect(await identity(ann, "") == nil)
            #expect(await identity(ann, String(repeating: "a", count: 20_000)) == nil)
            for service in [
                Service(status: 401, body: ann.body), Service(status: 500), Service(body: "{"), Service(body: "{}"),
                Service(body: #"{"user": ""}"#), Service(body: #"{"user": "ann", "expires": "soon"}"#),
                Service(body: #"{"user": "ann", "expires": 1e400}"#),
                Service(status: 204, body: ann.body), Service(status: 302, body: ann.body)
            ] { #expect(await identity(service) == nil, "\(service)") }
        }

        @Test("a key that the service calls wrong is refused; where it says nothing, the client may come again")
        func unanswered() async throws {
            func ask(_ service: Service, _ token: String = "key") async throws -> ClientIdentity? {
                try await CallbackAuthorizer(
                    url: "https://auth.example/check", authorization: Secret("Bearer ours"), transport: service
                ).identity(of: token, from: "192.0.2.1")
            }
            for status in [401, 403, 404] { #expect(try await ask(Service(status: status)) == nil) }
            #expect(try await ask(Service(body: #"{"user": "ann"}"#)) == ClientIdentity(user: "ann"))
            for service in [Service(status: 500), Service(status: 503), Service(status: 302), Service(body: "{")] {
                await #expect(throws: AuthorizerBusy.self) { try await ask(service) }
            }
            await #expect(throws: AuthorizerBusy.self) { try await ask(Service(), "lost") }
        }

        @Test("why an answer cannot be used is told once until another reason or an answer comes, without the token")
        func trouble() async {
            let told = Mutex<[String]>([])
            let service = TurningService([
                (500, ""), (500, ""), (200, "{"), (200, #"{"user": ""}"#), (200, #"{"user": "ann", "expires": "x"}"#),
                (200, #"{"user": 1}"#), (401, ""), (200, #"{"user": 1}"#)
            ])
            let authorizer = CallbackAuthorizer(
                url: "https://auth.example/check?key=1", transport: service,
                log: { line in told.withLock { $0.append(line) } })
            for _ in 0..<8 { #expect(await authorizer.identity(of: "t0p-s3cret") == nil) }
            let lines = told.withLock { $0 }
            let reasons = [
                "it answered 500; ", "its answer is not JSON: ", "“user” of its answer is empty",
                "“expires” of its answer", "its answer has no text “user”", "its answer has no text “user”"
            ]
            #expect(lines.count == reasons.count, "\(lines)")
            for (line, reason) in zip(lines, reasons) {
                let place = "https://auth.example/check: does not say who clients are, so that nobody is let in: "
                #expect(line.hasPrefix(place + reason) && !line.contains("s3cret"), "\(line)")
            }
        }

        @Test("more clients than the service takes at a time wait for each other")
        func many() async {
            let authorizer = CallbackAuthorizer(
                url: "https://auth.example/check", authorization: Secret("Bearer ours"),
                transport: Service(body: #"{"user": "ann"}"#), concurrent: 2)
            let users = await withTaskGroup(of: String?.self) { group in
                for index in 0..<50 { group.addTask { await authorizer.identity(of: "key \(index)")?.user } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(users.count == 50 && users.allSatisfy { $0 == "ann" })
        }
    }

    @Suite("Events that are not remembered")
    struct PassedEventTests {
        @Test("who was away when one was addressed to it must pull, and nobody else")
        func marks() {
            var passed = PassedEvents()
            #expect(!passed.mayHaveBeenMissed(by: [.user("ann")], after: 0))
            passed.last = Offset(epoch: "e", number: 5)
            passed.note([.user("ann"), .room("r")])
            #expect(passed.mayHaveBeenMissed(by: [.user("ann")], after: 5))
            #expect(passed.mayHaveBeenMissed(by: [.user("bob"), .room("r")], after: 4))
            #expect(!passed.mayHaveBeenMissed(by: [.user("bob")], after: 4))
            #expect(!passed.mayHaveBeenMissed(by: [.user("ann")], after: 6))
            passed.note(nil)
            #expect(passed.mayHaveBeenMissed(by: [.user("bob")], after: 5))
            #expect(!passed.mayHaveBeenMissed(by: [.user("bob")], after: 6))
        }

        @Test("an event in a broker's words comes back as it was, and other words do not")
        func envelope() {
            let event = PublishedEvent(
                id: "ä", kind: .notification, audiences: [.user("u:x"), .room("tasks/1")], data: ["a": [1, nil]])
            #expect(EventEnvelope.decode(EventEnvelope.encode(event)) == event)
            for text in [
                "", "{}", #"{"v":2,"id":"a","kind":"update","to":["u:a"],"data":1}"#,
                #"{"v":1,"id":"a","kind":"other","to":["u:a"],"data":1}"#,
                #"{"v":1,"id":"a","kind":"update","to":["x:a"],"data":1}"#,
                #"{"v":1,"id":"a","kind":"update","to":["u:a"]}"#
            ] { #expect(EventEnvelope.decode(Array(text.utf8)) == nil) }
        }
    }
#endif
