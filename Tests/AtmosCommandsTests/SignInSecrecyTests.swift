#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    @Suite("What requests are signed with is neither shown nor kept anywhere else", .timeLimit(.minutes(5)))
    struct SignInSecrecyTests {
        enum Way: String, CaseIterable {
            case authorizationCode = "authorization_code"
            case refreshToken = "refresh_token"
            case clientCredentials = "client_credentials"
            case session

            func auth(_ origin: String) -> String {
                switch self {
                case .authorizationCode: SignInAPI.oauth2(origin, rawValue, "authorize: ORIGIN/oauth/authorize")
                case .refreshToken: SignInAPI.oauth2(origin, rawValue, #"refresh: "secret:REFRESH""#)
                case .clientCredentials: SignInAPI.oauth2(origin, rawValue)
                case .session: SignInAPI.session
                }
            }
        }

        @Test("by no command, also where the server repeats it in a refusal", arguments: Way.allCases)
        func silence(_ way: Way) async throws {
            try await SignInAPI.serving(auth: way.auth) { source, workspace, browser in
                let environment = SignInAPI.secrets.merging(["BROWSER": browser]) { $1 }
                var tokens: Set<String> = []
                source.intercept = { request in
                    guard request.method == "POST", request.path == "/api/tasks/" else { return nil }
                    return .refuse(422, "no use for \(request.headers["Authorization"] ?? "")")
                }
                let commands = [
                    ["record", "login.cassette", "login"], ["record", "pull.cassette", "pull", "--verbose"],
                    ["create", "tasks", "list:=1", "title=New"], ["diff"],
                    ["push", "--verbose"], ["rejected"], ["rejected", "--json"], ["log"], ["status", "--verbose"],
                    ["explain"], ["check"], ["whoami", "--verbose"],
                    ["record", "logout.cassette", "logout", "--verbose"], ["record", "again.cassette", "pull", "--full"]
                ]
                for command in commands {
                    // A refresh, or another login, happens in the middle.
                    if command[0] == "push" { source.revokeTokens() }
                    let run = try await workspace.start(command, environment: environment).end()
                    if command == ["rejected"] {
                        #expect(run.output.contains("no use for ") && run.output.contains("[secret]"), "\(run)")
                    }
                    let kept = (try? workspace.read("atmosphere.db.tokens")).flatMap {
                        try? Value(json: Array($0.utf8)).members
                    }
                    for name in ["access", "refresh"] { if let text = kept?[name]?.string { tokens.insert(text) } }
                }
                #expect(tokens.count >= 2, "the first one and what took its place")
                let files = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
                #expect(files.count > commands.count * 2 && files.contains("atmosphere.db"))
                #expect(try workspace.read("pull.cassette").contains("/api/tasks/"))
                for file in files where !file.hasPrefix("atmosphere.db.tokens") {
                    let bytes = try Data(contentsOf: workspace.folder.appending(path: file))
                    for secret in tokens.union(SignInAPI.secrets.values) {
                        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file) holds what it must not")
                    }
                }
            }
        }
    }
#endif
