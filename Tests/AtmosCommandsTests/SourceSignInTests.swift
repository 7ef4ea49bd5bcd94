#if Command
    import Foundation
    import Testing

    @Suite("atmos source lets in whoever signs in as the route file says", .timeLimit(.minutes(5)))
    struct SourceSignInTests {
        private let secrets = SignInAPI.secrets

        @Test(
            "OAuth 2.0 with each grant, and a login request",
            arguments: ["authorization_code", "device_code", "client_credentials", "refresh_token", "session"])
        func served(_ way: String) async throws {
            func auth(_ origin: String) -> String {
                switch way {
                case "authorization_code": SignInAPI.oauth2(origin, way, "authorize: ORIGIN/oauth/authorize")
                case "device_code": SignInAPI.oauth2(origin, way, "device: ORIGIN/oauth/device")
                case "refresh_token": SignInAPI.oauth2(origin, way, #"refresh: "secret:REFRESH""#)
                case "session": SignInAPI.session
                default: SignInAPI.oauth2(origin, way)
                }
            }
            let workspace = try Workspace()
            // The source serves the paths of these URLs at any port.
            try workspace.write(
                TestAPI.routeFile(base: "http://127.0.0.1:1/api", top: auth("http://127.0.0.1:1")), to: "served.yaml")
            let source = try ServedCommand(["-c", "served.yaml", "--seed", "2"], in: workspace, environment: secrets)
            let origin = String(source.url.dropLast("/api".count))
            try workspace.write(TestAPI.routeFile(base: source.url, top: auth(origin)), to: "atmosphere.yaml")
            // Follows what it is told at once, as a browser with a person before it does in the end.
            try workspace.write(
                "#!/usr/bin/env python3\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1]).read()\n",
                to: "browser")
            let browser = workspace.folder.appending(path: "browser").path
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: browser)
            let environment = secrets.merging(["BROWSER": browser]) { $1 }
            if ["authorization_code", "device_code"].contains(way) {
                let before = try await workspace.atmos("pull", environment: environment)
                #expect(before.status == 4 && before.errors.contains("run atmos login"), "\(before)")
            }
            let login = try workspace.start(["login", "--json"], environment: environment)
            if way == "device_code" {
                var page: String?
                while page == nil {
                    await Task.yield()
                    page = login.outputSoFar.firstMatch(of: #/"complete":"([^"]+)"/#).map { String($0.output.1) }
                }
                #expect(try await URLFetch.get(try #require(page)) == 200)
            }
            let signedIn = try await login.end()
            #expect(signedIn.status == 0 && signedIn.output.contains(#""signedIn":true"#), "\(signedIn)")
            try JSONShape.hold(signedIn.lines, to: "login")
            #expect(try await workspace.atmos("pull", environment: environment).status == 0)
            let whoami = try await workspace.atmos("whoami", environment: environment)
            #expect(whoami.status == 0 && whoami.lines[0] == "demo", "\(whoami)")
            let list = try await workspace.atmos("list", "tasks", "--json", environment: environment)
            #expect(list.output.split(separator: "\"title\"").count == 3, "\(list)")
            #expect(try await workspace.atmos("logout", environment: environment) == .init(0, "signed out\n"))
            #expect(!workspace.has("atmosphere.db.tokens"))
            _ = try await source.end()
        }
    }
#endif
