import Atmosphere
import AtmosphereSource
import Testing

@Suite("What a source answers beyond the five operations")
struct SourceExtrasTests {
    // MARK: Conditions

    @Test("HEAD has the headers of GET and no body; an entity tag that is known is answered by 304")
    func conditions() throws {
        var server = SampleServer(try SampleAPI.plain(), seed: 2)
        for path in ["/notes", "/notes/1"] {
            let answer = server.send("GET", path)
            let tag = try #require(answer.headers["ETag"])
            #expect(tag.hasPrefix("\"") && answer.status == 200)
            #expect(server.send("GET", path, headers: ["If-None-Match": "\"other\", W/\(tag)"]).status == 304)
            #expect(server.send("GET", path, headers: ["If-None-Match": "\"other\""]).status == 200)
            let head = server.state.answer(
                SourceRequest(method: "HEAD", target: path), at: server.time, origin: "http://127.0.0.1:1")
            #expect(head.omitsBody && head.status == 200 && head.headers["ETag"] == tag && !head.body.isEmpty)
        }
        let tag = try #require(server.send("GET", "/notes").headers["ETag"])
        _ = server.send("PUT", "/notes/1", #"{"title":"changed"}"#)
        #expect(server.send("GET", "/notes", headers: ["If-None-Match": tag]).status == 200)
    }

    // MARK: Actions

    @Test("an action sets its arguments, from the query and the body, also where they are read-only")
    func actions() throws {
        var server = SampleServer(
            try SampleAPI.plain { notes in
                notes.readonly = ["pinned"]
                let pin = try! PathTemplate("/notes/{id}/pin")
                notes.actions = [
                    Action(name: "pin", method: "POST", path: pin, query: ["pinned"]),
                    Action(name: "archive", method: "POST", path: try! PathTemplate("/notes/archive"))
                ]
            }, seed: 1)
        let pinned = server.send("POST", "/notes/1/pin?pinned=top", #"{"color":"red"}"#)
        #expect(pinned.status == 200 && pinned["pinned"] == "top" && pinned["color"] == "red")
        #expect(server.send("GET", "/notes/1")["pinned"] == "top")
        #expect(server.send("POST", "/notes/9/pin").status == 404)
        #expect(server.send("POST", "/notes/archive").status == 204)
        #expect(server.send("GET", "/notes/1/pin").status == 405)
    }

    // MARK: Rules

    @Test("a member that is not of its declared type is refused by field")
    func types() throws {
        var server = SampleServer(
            try SampleAPI.plain { notes in
                notes.fields.types = [
                    "due": .date, "done": .boolean, "count": .integer, "price": .decimal, "at": .instant
                ]
                notes.errors.fields = [JSONPath([])]
            })
        let wrong = server.send(
            "POST", "/notes", #"{"due":"soon","done":"perhaps","count":1.5,"price":"much","at":"noon"}"#)
        #expect(wrong.status == 400)
        #expect(
            wrong.body == [
                "due": ["A valid date is required."], "done": ["A valid boolean is required."],
                "count": ["A valid integer is required."], "price": ["A valid decimal is required."],
                "at": ["A valid instant is required."]
            ])
        let right = server.send(
            "POST", "/notes",
            #"{"due":"2024-02-29","done":true,"count":7,"price":"0.10","at":"2024-02-29T12:00:00+01:00","x":null}"#)
        #expect(right.status == 201)
        #expect(server.send("PUT", "/notes/1", #"{"done":[]}"#).status == 400)
    }

    @Test("the time in since is read as the route file has it written, and in no other way")
    func since() throws {
        var server = SampleServer(
            try SampleAPI.plain { notes in
                notes.since = Since(parameter: "filter", origin: .responseDate)
                notes.since?.prefix = "changed gt "
                notes.since?.quotes = .single
                notes.since?.format = try! TimeFormat("yyyy-MM-dd HH:mm:ss")
            }, seed: 3)
        // Seeded objects are from 08:01, 08:02 and 08:03.
        let some = server.send("GET", "/notes?filter=changed%20gt%20'2024-01-01%2008:02:00'")
        #expect(some.status == 200 && some.values("$[*].id") == [2, 3])
        for other in ["2024-01-01T08:02:00Z", "changed%20gt%202024-01-01%2008:02:00", "changed%20gt%20'2024-01-01'"] {
            #expect(server.send("GET", "/notes?filter=\(other)").status == 400)
        }
    }

    // MARK: Tokens

    @Test("the token endpoint gives access tokens that end; a refresh token is used once where they rotate")
    func tokens() throws {
        var api = try SampleAPI.plain()
        api.auth = .bearer(SecretName("TOKEN"))
        var server = SampleServer(api, seed: 1) { rules in
            rules.secrets = ["TOKEN": "fixed"]
            rules.oauth = RESTSource.OAuth(clientID: "app", clientSecret: "s3cret", refreshTokens: ["first"])
            rules.oauth?.rotates = true
            rules.oauth?.lifetime = .seconds(10)
        }
        func form(_ pairs: String) -> SampleAnswer {
            server.send("POST", "/token", pairs, headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }
        let client = "client_id=app&client_secret=s3cret"
        #expect(form("grant_type=refresh_token&refresh_token=first&client_id=app").status == 401)
        let granted = form("grant_type=refresh_token&refresh_token=first&\(client)")
        #expect(granted.status == 200 && granted["expires_in"] == 10 && granted["token_type"] == "Bearer")
        let access = try #require(granted["access_token"]?.string)
        let next = try #require(granted["refresh_token"]?.string)
        #expect(server.send("GET", "/notes", headers: ["Authorization": "Bearer \(access)"]).status == 200)
        #expect(server.send("GET", "/notes", headers: ["Authorization": "Bearer fixed"]).status == 200)
        let later = form("grant_type=refresh_token&refresh_token=\(next)&\(client)")
        #expect(later.status == 200)
        let last = try #require(later["refresh_token"]?.string)
        // Ten requests later ten seconds have passed.
        for _ in 1...7 { _ = server.send("GET", "/notes") }
        #expect(server.send("GET", "/notes", headers: ["Authorization": "Bearer \(access)"]).status == 401)
        // One that comes again is somebody's copy, so nobody goes on (RFC 9700 §4.14.2).
        let used = form("grant_type=refresh_token&refresh_token=first&\(client)")
        #expect(used.status == 400 && used["error"] == "invalid_grant")
        #expect(form("grant_type=refresh_token&refresh_token=\(last)&\(client)").status == 400)
        #expect(form("grant_type=client_credentials&\(client)").status == 200)
        #expect(form("grant_type=password&\(client)")["error"] == "unsupported_grant_type")
    }

    private func oauthServer(_ change: (inout RESTSource.OAuth) -> Void) throws -> SampleServer {
        var api = try SampleAPI.plain()
        api.auth = .bearer(SecretName("TOKEN"))
        var oauth = RESTSource.OAuth(clientID: "app", clientSecret: "", refreshTokens: ["first"])
        oauth.rotates = true
        change(&oauth)
        return SampleServer(api, seed: 1) { rules in
            rules.secrets = ["TOKEN": "fixed"]
            rules.oauth = oauth
        }
    }

    @Test("a refresh token that is used twice ends everything of its sign-in, and nothing else")
    func reuse() throws {
        var server = try oauthServer { $0.refreshTokens = ["first", "other"] }
        func refresh(_ token: String) -> SampleAnswer {
            server.send("POST", "/token", "grant_type=refresh_token&refresh_token=\(token)&client_id=app")
        }
        let second = refresh("first")
        let next = try #require(second["refresh_token"]?.string)
        let access = try #require(second["access_token"]?.string)
        #expect(server.send("GET", "/notes", headers: ["Authorization": "Bearer \(access)"]).status == 200)
        #expect(refresh("first").status == 400)
        #expect(server.send("GET", "/notes", headers: ["Authorization": "Bearer \(access)"]).status == 401)
        #expect(refresh(next).status == 400)
        #expect(refresh("other").status == 200)
    }

    #if Source
        @Test("a code is good once, with the verifier behind its challenge, for its redirect URI")
        func codes() throws {
            var server = try oauthServer { $0.authorizePath = "/authorize" }
            // RFC 7636 appendix B.
            let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            func code(_ more: String = "&code_challenge=\(challenge)&code_challenge_method=S256") -> SampleAnswer {
                server.send(
                    "GET",
                    "/authorize?response_type=code&client_id=app&state=s&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F\(more)"
                )
            }
            func redeem(_ code: String, _ verifier: String, _ port: Int = 9) -> Int {
                server.send(
                    "POST", "/token",
                    "grant_type=authorization_code&client_id=app&code=\(code)&code_verifier=\(verifier)"
                        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A\(port)%2F"
                ).status
            }
            func given(_ answer: SampleAnswer) throws -> String {
                let location = try #require(answer.headers["Location"])
                #expect(
                    answer.status == 302 && location.hasPrefix("http://127.0.0.1:9/?") && location.contains("state=s"))
                return String(try #require(location.split(separator: "code=").last).prefix { $0 != "&" })
            }
            let good = try given(code())
            #expect(redeem(good, verifier) == 200)
            #expect(redeem(good, verifier) == 400, "used")
            #expect(redeem(try given(code()), "wrong") == 400)
            #expect(redeem(try given(code()), verifier, 10) == 400)
            #expect(code("").headers["Location"]?.contains("error=invalid_request") == true, "without PKCE")
            let elsewhere = server.send(
                "GET", "/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fevil.example%2F")
            #expect(elsewhere.status == 400 && elsewhere.headers["Location"] == nil)
        }
    #endif

    @Test("a device that asks too often is told to slow down")
    func devices() throws {
        var server = try oauthServer { oauth in
            oauth.devicePath = "/device"
            oauth.interval = .seconds(2)
        }
        let codes = server.send("POST", "/device", "client_id=app")
        let device = try #require(codes["device_code"]?.string)
        let user = try #require(codes["user_code"]?.string)
        #expect(codes["interval"] == 2)
        // A second passes with each request.
        func ask() -> SampleAnswer {
            server.send(
                "POST", "/token",
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=app&device_code=\(device)")
        }
        #expect(ask()["error"] == "authorization_pending")
        #expect(ask()["error"] == "slow_down")
        for _ in 1...7 { _ = server.send("GET", "/device/verify?user_code=nobody") }
        #expect(server.send("GET", "/device/verify?user_code=\(user)").status == 200)
        #expect(ask()["access_token"] != nil)
        #expect(ask()["error"] == "invalid_grant")
    }
}
