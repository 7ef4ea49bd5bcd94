#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct LogoutCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "logout",
            abstract: "Give the tokens back and forget them; the local copy stays.",
            discussion: """
                What was typed at atmos login is forgotten, too. \
                The server is told where auth.oauth2.revoke or auth.session.logout is declared. Where it cannot be told, \
                the tokens are forgotten all the same, and it ends with 4.

                EXAMPLE
                  atmos logout
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            let signIn = try SignIn(global.routeFile(output))
            let problem = try await signIn.authenticator.signOut()
            if output.isJSON { try output.json(["signedIn": false]) } else { try output.remark("signed out") }
            if let problem {
                throw CommandFailure(
                    code: "unreachable", ["the tokens are forgotten here, but the server was not told: \(problem)"],
                    status: ExitStatus.network)
            }
        }
    }
#endif
