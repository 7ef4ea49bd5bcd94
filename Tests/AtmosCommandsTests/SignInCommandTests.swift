#if Command
    import Atmosphere
    import AtmosphereDjangoREST
    import AtmosphereOAuth2
    import AtmosphereSource
    import AtmosphereYAML
    import Foundation
    import Synchronization
    import Testing

    @testable import AtmosCommands

    /// The test API behind an authorization server or a login.
    enum SignInAPI {
        static let secrets = [
            "CLIENT_SECRET": "s3cret", "API_PASSWORD": "hunter2", "REFRESH": "first-refresh", "ATMOS_USERNAME": "grace",
            "ATMOS_PASSWORD": "open sesame"
        ]
        static let identity = "identity: { path: me/, field: username }"

        static func oauth2(_ origin: String, _ grant: String, _ more: String = "") -> String {
            """
            auth:
              oauth2:
                grant: \(grant)
                token: \(origin)/oauth/token
                revoke: \(origin)/oauth/revoke
                client: { id: app, secret: "secret:CLIENT_SECRET" }
                \(more.replacing("ORIGIN", with: origin))
              \(identity)
            """
        }

        static let session = """
            auth:
              session:
                post: login/
                fields: { username: ada, password: "secret:API_PASSWORD" }
                token: { body: $.auth.token }
                send: { header: Authorization, scheme: Token }
                logout: { post: logout/ }
              \(identity)
            """

        /// - Parameter auth: from the origin of the server.
        static func serving(
            _ change: (inout RESTSource.OAuth) -> Void = { _ in }, auth: (String) -> String,
            _ body: (RESTSource, Workspace, String) async throws -> Void
        ) async throws {
            let text = TestAPI.routeFile(base: "http://127.0.0.1/api", top: auth("http://127.0.0.1"))
            let adapters: [Adapter] = [.yaml, .djangoREST, .oauth2]
            let file = try RouteFile.load(bytes: Array(text.utf8), source: "tasks.yaml", adapters: adapters)
            var options = RESTSource.Options()
            options.secrets = secrets
            options.pageSize = 5
            if case .oauth2(let settings) = file.auth {
                var oauth = RESTSource.OAuth(settings, secrets: secrets)
                change(&oauth)
                options.oauth = oauth
            }
            let source = try RESTSource(routeFile: file, options: options)
            try source.add("lists", ["title": "Home"])
            try await source.withServer { url in
                let origin = String(url.dropLast("/api".count))
                let workspace = try Workspace()
                try workspace.write(TestAPI.routeFile(base: url, top: auth(origin)), to: "atmosphere.yaml")
                // A browser that does what it is told, and no more.
                try workspace.write(
                    """
                    #!/usr/bin/env python3
                    import sys, urllib.request
                    open("page.html", "wb").write(urllib.request.urlopen(sys.argv[1]).read())
                    """, to: "browser")
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o700], ofItemAtPath: workspace.folder.appending(path: "browser").path)
                try await body(source, workspace, workspace.folder.appending(path: "browser").path)
            }
        }

        static func tokenRequests(_ source: RESTSource) -> [String] {
            source.log.filter { $0.path == "/oauth/token" }.map { entry in
                let form = String(decoding: entry.body, as: UTF8.self)
                let grant = form.split(separator: "&").first { $0.hasPrefix("grant_type=") }
                return "\(grant?.dropFirst("grant_type=".count) ?? "?") \(entry.status ?? 0)"
            }
        }
    }

    @Suite("atmos login, logout and whoami", .timeLimit(.minutes(5))) struct SignInCommandTests {
        private func tokens(_ workspace: Workspace) throws -> String { try workspace.read("atmosphere.db.tokens") }

        /// What the browser showed; it may come a moment after the command has gone on.
        private func page(_ workspace: Workspace) async throws -> String {
            while true {
                if let text = try? workspace.read("page.html"), text.contains("</html>") { return text }
                await Task.yield()
            }
        }

        @Test("with a browser: PKCE, a page to read, tokens that only the owner can read, and not in the store")
        func browser() async throws {
            try await SignInAPI.serving(
                auth: {
                    SignInAPI.oauth2(
                        $0, "authorization_code", "authorize: ORIGIN/oauth/authorize\n    scopes: [read, write]")
                }
            ) { source, workspace, browser in
                let environment = SignInAPI.secrets
                let before = try await workspace.atmos("pull", environment: environment)
                #expect(before.status == 4, "\(before)")
                #expect(before.errors.contains("nobody is signed in at 127.0.0.1; run atmos login"))
                #expect(try await workspace.atmos("whoami", environment: environment).status == 4)
                let run = try await workspace.atmos(
                    "login", environment: environment.merging(["BROWSER": browser]) { $1 })
                #expect(run.status == 0, "\(run)")
                #expect(run.lines[0] == "Sign in with a browser of this machine:")
                #expect(run.lines[1].contains("code_challenge_method=S256"))
                #expect(run.lines[2] == "signed in" && run.lines[4] == "scope read write", "\(run)")
                #expect(try await page(workspace).contains("<h1>Back to the program</h1>"))
                let path = workspace.folder.appending(path: "atmosphere.db.tokens").path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                let access = try #require(
                    try Value(json: Array(try tokens(workspace).utf8)).members?["access"]?.string)
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                for name in ["atmosphere.db", "atmosphere.db-wal", "atmosphere.db.log"] where workspace.has(name) {
                    let bytes = try Data(contentsOf: workspace.folder.appending(path: name))
                    #expect(bytes.range(of: Data(access.utf8)) == nil, "\(name)")
                }
                let whoami = try await workspace.atmos("whoami", environment: environment)
                #expect(whoami.status == 0 && whoami.lines[0] == "demo", "\(whoami)")
                let json = try await workspace.atmos("whoami", "--json", environment: environment)
                #expect(json.output.contains(#""signedIn":true,"renews":true"#))
                #expect(json.output.contains(#""identity":"demo""#))
                try JSONShape.hold(json.lines, to: "whoami")
                #expect(SignInAPI.tokenRequests(source) == ["authorization_code 200"])
                #expect(try await workspace.atmos("logout", environment: environment) == .init(0, "signed out\n"))
                #expect(!workspace.has("atmosphere.db.tokens"))
                #expect(source.log.contains { $0.path == "/oauth/revoke" && $0.status == 200 })
                #expect(try await workspace.atmos("pull", environment: environment).status == 4)
                // What the server took back is worth nothing.
                source.intercept = nil
                #expect(try await workspace.atmos("logout", environment: environment).status == 0)
            }
        }

        @Test("somebody says no")
        func denied() async throws {
            try await SignInAPI.serving(
                { $0.denies = true },
                auth: { SignInAPI.oauth2($0, "authorization_code", "authorize: ORIGIN/oauth/authorize") }
            ) { _, workspace, browser in
                let run = try await workspace.atmos(
                    "login", environment: SignInAPI.secrets.merging(["BROWSER": browser]) { $1 })
                #expect(run.status == 4 && run.errors.contains("access_denied: The user said no."), "\(run)")
                #expect(try await page(workspace).contains("<h1>Not signed in</h1>"))
                #expect(!workspace.has("atmosphere.db.tokens"))
            }
        }

        @Test("with another device, without a browser here")
        func device() async throws {
            try await SignInAPI.serving(
                { $0.interval = .seconds(1) },
                auth: { SignInAPI.oauth2($0, "device_code", "device: ORIGIN/oauth/device") }
            ) { source, workspace, _ in
                let approved = Mutex(false)
                // The person answers after the first question.
                source.intercept = { request in
                    if request.path == "/oauth/token" { approved.withLock { $0 = true } }
                    return nil
                }
                let running = try workspace.start(["login", "--json"], environment: SignInAPI.secrets)
                var complete: String?
                while complete == nil {
                    await Task.yield()
                    let line = running.outputSoFar.split(separator: "\n").first.map { Array($0.utf8) } ?? []
                    complete = (try? Value(json: line))?.members?["complete"]?.string
                }
                while !approved.withLock({ $0 }) { await Task.yield() }
                let url = try #require(complete)
                _ = try await URLFetch.get(url)
                let run = try await running.end()
                #expect(run.status == 0 && run.lines[1].hasPrefix(#"{"signedIn":true"#), "\(run)")
                try JSONShape.hold(run.lines, to: "login")
                let asked = SignInAPI.tokenRequests(source)
                #expect(asked.first == "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code 400")
                #expect(asked.last == "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code 200")
                #expect(try await workspace.atmos("whoami", environment: SignInAPI.secrets).lines.first == "demo")
            }
        }

        @Test("a login request: kept between two commands, renewed after a 401, ended by logout")
        func session() async throws {
            try await SignInAPI.serving(auth: { _ in SignInAPI.session }) { source, workspace, _ in
                let environment = SignInAPI.secrets
                func logins() -> Int { source.log.count { $0.path == "/api/login/" } }
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                #expect(logins() == 1)
                source.revokeTokens()
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                #expect(logins() == 2)
                #expect(try await workspace.atmos("whoami", environment: environment).lines.first == "demo")
                #expect(try await workspace.atmos("logout", environment: environment).status == 0)
                #expect(source.log.contains { $0.path == "/api/logout/" && $0.status == 204 })
                let wrong = environment.merging(["API_PASSWORD": "wrong"]) { $1 }
                let refused = try await workspace.atmos("pull", environment: wrong)
                #expect(refused.status == 4, "\(refused)")
                #expect(refused.errors.contains("answered 401: Unable to log in with the provided credentials."))
                #expect(!refused.errors.contains("wrong"), "the password is not shown")
                #expect(logins() == 3, "a wrong password is sent once")
                #expect(try await workspace.atmos("login", environment: environment).lines.first == "signed in")
            }
        }

        private static let asked = "auth:\n  basic: ask\n"

        @Test("what a person types: verified, kept for the owner alone, used, and forgotten by logout")
        func asked() async throws {
            try await SignInAPI.serving(auth: { _ in Self.asked + "  " + SignInAPI.identity }) { source, workspace, _ in
                let before = try await workspace.atmos("pull")
                #expect(before.status == 4 && before.errors.contains("run atmos login"), "\(before)")
                let nobody = try await workspace.atmos("login")
                #expect(nobody.status == 2 && nobody.errors.contains("no terminal to ask at"), "\(nobody)")
                let short = try await workspace.atmos("login", "--stdin", input: "grace\n")
                #expect(short.status == 2 && short.errors.contains("ended before the password"), "\(short)")
                let wrong = try await workspace.atmos("login", "--stdin", input: "grace\nsome other word\n")
                #expect(wrong.status == 4 && wrong.errors.contains("run atmos login again"), "\(wrong)")
                #expect(!"\(wrong)".contains("other word") && !workspace.has("atmosphere.db.tokens"))
                let run = try await workspace.atmos("login", "--stdin", input: "grace\nopen sesame")
                #expect(run.status == 0 && run.lines[0] == "signed in", "\(run)")
                #expect(run.lines[1].hasPrefix("verified by GET me") && run.lines[1].hasSuffix("as “demo”"), "\(run)")
                #expect(!"\(run)".contains("sesame"))
                let path = workspace.folder.appending(path: "atmosphere.db.tokens").path
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                #expect(try await workspace.atmos("pull").status == 0)
                for name in ["atmosphere.db", "atmosphere.db-wal", "atmosphere.db.log"] where workspace.has(name) {
                    let bytes = try Data(contentsOf: workspace.folder.appending(path: name))
                    #expect(bytes.range(of: Data("sesame".utf8)) == nil, "\(name)")
                }
                #expect(try await workspace.atmos("whoami").lines.first == "demo")
                // A wrong password later leaves what is kept.
                let again = try await workspace.atmos("login", "--stdin", "--json", input: "grace\nother\n")
                #expect(again.status == 4, "\(again)")
                #expect(try await workspace.atmos("pull").status == 0)
                let json = try await workspace.atmos("login", "--stdin", "--json", input: "grace\r\nopen sesame\r\n")
                #expect(json.output.contains(#""verifiedBy":"GET me"#), "\(json)")
                try JSONShape.hold(json.lines, to: "login")
                #expect(try await workspace.atmos("logout") == .init(0, "signed out\n"))
                #expect(!workspace.has("atmosphere.db.tokens"))
                #expect(try await workspace.atmos("pull").status == 4)
            }
        }

        @Test("without identity one read of a list tells whether the server takes what was typed")
        func askedWithoutIdentity() async throws {
            try await SignInAPI.serving(auth: { _ in Self.asked }) { source, workspace, _ in
                let wrong = try await workspace.atmos("login", "--stdin", input: "grace\nother\n")
                #expect(wrong.status == 4 && !workspace.has("atmosphere.db.tokens"), "\(wrong)")
                source.clearLog()
                let run = try await workspace.atmos("login", "--stdin", input: "grace\nopen sesame\n")
                #expect(run.status == 0 && run.lines[1].hasPrefix("verified by GET lists"), "\(run)")
                #expect(source.log.count == 1)
            }
        }

        @Test("where anybody may read, pulls need nobody who is signed in, and changes wait for somebody")
        func writesAlone() async throws {
            let auth = Self.asked + "  for: writes\n  " + SignInAPI.identity
            try await SignInAPI.serving(auth: { _ in auth }) { source, workspace, _ in
                #expect(try await workspace.atmos("pull").status == 0)
                #expect(try await workspace.atmos("sync").status == 0)
                #expect(source.log.allSatisfy { $0.method == "GET" && $0.status == 200 && !$0.path.hasSuffix("/me/") })
                try await workspace.atmos("create", "tasks", "list:=1", "title=Milk")
                try source.add("tasks", ["title": "Bread", "list": 1])
                let push = try await workspace.atmos("push")
                #expect(push.status == 4 && push.errors.contains("run atmos login"), "\(push)")
                let sync = try await workspace.atmos("sync")
                #expect(sync.status == 4 && sync.errors.contains("run atmos login"), "\(sync)")
                let titles = try await workspace.atmos("list", "tasks", "--json")
                #expect(titles.output.contains("Bread") && titles.output.contains("Milk"), "\(titles)")
                #expect(!source.log.contains { $0.method == "POST" })
                let wrong = try await workspace.atmos("login", "--stdin", input: "grace\nother\n")
                #expect(wrong.status == 4 && wrong.errors.contains("reads are not signed"), "\(wrong)")
                #expect(try await workspace.atmos("login", "--stdin", input: "grace\nopen sesame\n").status == 0)
                let sent = try await workspace.atmos("sync")
                #expect(sent.status == 0 && source.objects("tasks").count == 2, "\(sent)")
                #expect(try await workspace.atmos("logout").status == 0)
                #expect(try await workspace.atmos("pull").status == 0)
            }
        }

        @Test("at a terminal nothing secret is shown")
        func askedAtTerminal() async throws {
            try await SignInAPI.serving(auth: { _ in Self.asked + "  " + SignInAPI.identity }) { _, workspace, _ in
                try workspace.write(
                    """
                    import os, pty, sys, termios
                    child, terminal = pty.fork()
                    if child == 0: os.execv(sys.argv[1], [sys.argv[1], "login"])
                    shown = b""
                    def until(text):
                        global shown
                        while text not in shown: shown += os.read(terminal, 4096)
                    until(b"username: ")
                    os.write(terminal, b"grace\\n")
                    until(b"password: ")
                    # No key stops the process while the terminal shows nothing.
                    keys = termios.tcgetattr(terminal)[6]
                    assert all(keys[key] in (b"\\x00", b"\\xff") for key in (termios.VSUSP, termios.VQUIT))
                    os.write(terminal, b"open sesame\\n")
                    try:
                        while True:
                            part = os.read(terminal, 4096)
                            if not part: break
                            shown += part
                    except OSError: pass
                    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                    open("shown", "wb").write(shown)
                    sys.exit(status)
                    """, to: "terminal.py")
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = ["python3", "terminal.py", try RunningCommand.binary().path]
                process.currentDirectoryURL = workspace.folder
                process.environment = [
                    "PATH": "/usr/bin:/bin", "HOME": workspace.folder.path, "TMPDIR": workspace.folder.path,
                    "ATMOS_TRUST": "\(workspace.folder.path)/"
                ]
                let (ended, continuation) = AsyncStream<Int32>.makeStream()
                process.terminationHandler = {
                    continuation.yield($0.terminationStatus)
                    continuation.finish()
                }
                try process.run()
                var status: Int32 = -1
                for await each in ended { status = each }
                let shown = try workspace.read("shown")
                #expect(status == 0 && shown.contains("signed in") && shown.contains("grace"), "\(shown)")
                #expect(!shown.contains("sesame"))
            }
        }

        @Test("there is nothing to sign in to")
        func nothing() async throws {
            for (top, message) in [
                ("", "has no auth to sign in with"),
                ("auth: { bearer: \"secret:TOKEN\" }", "signs with secret:TOKEN: what you set")
            ] {
                let workspace = try Workspace()
                try workspace.write(TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: top), to: "atmosphere.yaml")
                let run = try await workspace.atmos("login")
                #expect(run.status == 2 && run.errors.contains(message), "\(run)")
                if top.isEmpty { continue }
                let unset = try await workspace.atmos("whoami")
                #expect(unset.status == 4 && unset.errors.contains("secret:TOKEN"), "\(unset)")
                let set = try await workspace.atmos("whoami", environment: ["TOKEN": "sesame"])
                #expect(set.status == 0 && set.lines.first == "known by a secret", "\(set)")
            }
        }

        @Test("tokens in what other programs keep")
        func commands() async throws {
            try await SignInAPI.serving(
                auth: {
                    SignInAPI.oauth2($0, "client_credentials") + "\n  tokens:\n    load: [sh, -c, cat kept]\n"
                        + "    save: [sh, -c, cat > kept]\n    remove: [rm, -f, kept]\n"
                }
            ) { source, workspace, _ in
                for _ in 1...2 {
                    let run = try await workspace.atmos("pull", environment: SignInAPI.secrets)
                    #expect(run.status == 0, "\(run)")
                }
                #expect(SignInAPI.tokenRequests(source) == ["client_credentials 200"])
                #expect(try workspace.read("kept").contains("access"))
                #expect(!workspace.has("atmosphere.db.tokens"))
                #expect(try await workspace.atmos("logout", environment: SignInAPI.secrets).status == 0)
                #expect(!workspace.has("kept"))
                let missing = try workspace.read("atmosphere.yaml")
                    .replacing("[sh, -c, cat kept]", with: "[no-such-keeper]")
                try workspace.write(missing, to: "atmosphere.yaml")
                let run = try await workspace.atmos("pull", environment: SignInAPI.secrets)
                #expect(run.status == 4 && run.errors.contains("there is no program no-such-keeper in PATH"), "\(run)")
            }
        }
    }

    @Suite("Tokens that end while work is under way", .timeLimit(.minutes(5))) struct RenewalCommandTests {
        private static let refresh = #"refresh: "secret:REFRESH""#
        private let environment = SignInAPI.secrets

        private func serving(
            _ change: (inout RESTSource.OAuth) -> Void = { _ in },
            _ body: (RESTSource, Workspace, String) async throws -> Void
        ) async throws {
            try await SignInAPI.serving(
                change, auth: { SignInAPI.oauth2($0, "refresh_token", Self.refresh) }, body)
        }

        @Test("a 401 in the middle of a pull refreshes once and goes on")
        func pull() async throws {
            try await serving { source, workspace, _ in
                for number in 1...23 { try source.add("tasks", ["title": .string("Task \(number)"), "list": 1]) }
                let pages = Mutex(0)
                source.intercept = { [weak source] request in
                    if request.path == "/api/tasks/",
                        pages.withLock({
                            $0 += 1; return $0 == 3
                        })
                    {
                        source?.revokeTokens()
                    }
                    return nil
                }
                let run = try await workspace.atmos("pull", environment: environment)
                #expect(run.status == 0, "\(run)")
                #expect(pages.withLock { $0 } == 6 && source.log.count { $0.status == 401 } == 1)
                #expect(SignInAPI.tokenRequests(source) == ["refresh_token 200", "refresh_token 200"])
                let list = try await workspace.atmos("list", "tasks", "--json", environment: environment)
                #expect(list.output.split(separator: "\"title\"").count == 24)
            }
        }

        @Test("a 401 in the middle of a push refreshes once, and every change arrives once")
        func push() async throws {
            try await serving { source, workspace, _ in
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                for number in 1...6 {
                    #expect(
                        try await workspace.atmos("create", "tasks", "list:=1", "title=New \(number)").status == 0)
                }
                let posts = Mutex(0)
                source.intercept = { [weak source] request in
                    if request.method == "POST", request.path == "/api/tasks/",
                        posts.withLock({
                            $0 += 1; return $0 == 3
                        })
                    {
                        source?.revokeTokens()
                    }
                    return nil
                }
                let run = try await workspace.atmos("push", environment: environment)
                #expect(run.status == 0 && run.output.hasPrefix("pushed: 6 created"), "\(run)")
                #expect(source.objects("tasks").count == 6)
                #expect(source.log.contains { $0.method == "POST" && $0.status == 401 })
                #expect(SignInAPI.tokenRequests(source) == ["refresh_token 200", "refresh_token 200"])
            }
        }

        @Test("two processes that are refused at the same moment send one refresh")
        func twoProcesses() async throws {
            try await serving { source, workspace, _ in
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                try workspace.write(
                    try workspace.read("atmosphere.yaml")
                        + "store: { kind: memory }\n"
                        .replacing("memory", with: "sqlite, path: other.db"), to: "other.yaml")
                let other = try workspace.read("other.yaml").replacing(
                    "auth:\n", with: "auth:\n  tokens: { file: atmosphere.db.tokens }\n")
                try workspace.write(other, to: "other.yaml")
                source.revokeTokens()
                source.clearLog()
                // Both are refused before either of them can refresh.
                let arrived = Mutex(0)
                let (both, open) = AsyncStream<Void>.makeStream()
                let waiting = Waiting(both)
                source.intercept = { request in
                    guard request.path.hasPrefix("/api/"),
                        arrived.withLock({
                            $0 += 1; return $0 <= 2
                        })
                    else {
                        return nil
                    }
                    if arrived.withLock({ $0 == 2 }) { open.finish() }
                    await waiting.wait()
                    return nil
                }
                let first = try workspace.start(["pull"], environment: environment)
                let second = try workspace.start(["pull", "-c", "other.yaml"], environment: environment)
                let runs = [try await first.end(), try await second.end()]
                #expect(runs.allSatisfy { $0.status == 0 }, "\(runs)")
                #expect(SignInAPI.tokenRequests(source) == ["refresh_token 200"])
                #expect(source.log.count { $0.status == 401 } == 2)
            }
        }

        @Test("a rotated token survives SIGKILL right after the answer was saved")
        func kill() async throws {
            try await serving { source, workspace, _ in
                let (arrived, arrive) = AsyncStream<Void>.makeStream()
                let isHeld = Mutex(true)
                let (released, release) = AsyncStream<Void>.makeStream()
                let waiting = Waiting(released)
                source.intercept = { request in
                    // The first request that is signed with the new token: by then it was saved.
                    let isFirst = isHeld.withLock { held in
                        defer { held = held && !request.path.hasPrefix("/api/") }
                        return held
                    }
                    guard request.path.hasPrefix("/api/"), isFirst else { return nil }
                    arrive.finish()
                    await waiting.wait()
                    return nil
                }
                let running = try workspace.start(["pull"], environment: environment)
                for await _ in arrived {}
                running.killNow()
                let killed = try await running.end()
                release.finish()
                #expect(killed.status == SIGKILL)
                #expect(SignInAPI.tokenRequests(source) == ["refresh_token 200"])
                source.revokeTokens()
                // The first refresh token is spent; only the saved one can go on.
                let run = try await workspace.atmos("pull", environment: environment)
                #expect(run.status == 0, "\(run)")
                #expect(SignInAPI.tokenRequests(source) == ["refresh_token 200", "refresh_token 200"])
            }
        }

        @Test("a spent refresh token, as a kill before the save leaves it, says what to do")
        func spent() async throws {
            try await serving { source, workspace, _ in
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                try FileManager.default.removeItem(at: workspace.folder.appending(path: "atmosphere.db.tokens"))
                let run = try await workspace.atmos("pull", environment: environment)
                #expect(run.status == 4, "\(run)")
                #expect(run.errors.contains("get a new one and set it as secret:REFRESH"), "\(run)")
                for secret in SignInAPI.secrets.values { #expect(!run.errors.contains(secret)) }
            }
        }

        @Test("a tokens file that others can read is refused")
        func mode() async throws {
            try await serving { _, workspace, _ in
                #expect(try await workspace.atmos("pull", environment: environment).status == 0)
                let path = workspace.folder.appending(path: "atmosphere.db.tokens").path
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
                let run = try await workspace.atmos("pull", environment: environment)
                #expect(run.status == 4 && run.errors.contains("run chmod 600"), "\(run)")
                // What cannot be read can be forgotten, and it is said that the server was not told.
                let logout = try await workspace.atmos("logout", environment: environment)
                #expect(logout.status == 4 && logout.errors.contains("the server was not told"), "\(logout)")
                #expect(!workspace.has("atmosphere.db.tokens"))
            }
        }
    }

    /// Several wait for the end of one stream.
    private actor Waiting {
        private let task: Task<Void, Never>
        init(_ stream: AsyncStream<Void>) { task = Task { for await _ in stream {} } }
        func wait() async { await task.value }
    }

    enum URLFetch {
        /// What somebody's browser would fetch.
        static func get(_ url: String) async throws -> Int {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]
            let pipe = Pipe()
            process.standardOutput = pipe
            let (ended, continuation) = AsyncStream<Void>.makeStream()
            process.terminationHandler = { _ in continuation.finish() }
            try process.run()
            for await _ in ended {}
            return Int(String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)) ?? 0
        }
    }
#endif
