#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct LoginCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Sign in, and keep the tokens apart from the store.",
            discussion: """
                For auth.oauth2 and auth.session. With the grant authorization_code it prints a URL, opens it in a browser \
                where there is one, and waits up to five minutes on this machine for what the browser brings. With \
                device_code it prints a URL and a code that can be entered on any device. Nothing is asked for otherwise. \
                The tokens go into a file that only you can read, beside the store, or where auth.tokens says.

                EXAMPLE
                  atmos login
                  atmos login --no-browser -c google-tasks.yaml
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Print the URL, and open nothing.")
        var noBrowser = false

        func run(_ output: Output) async throws {
            let signIn = try SignIn(global.routeFile(output))
            let opens = !noBrowser
            let state = try await signIn.authenticator.signIn { step in
                switch step {
                case .open(let url):
                    if output.isJSON {
                        if let line = step.json { try output.json(line) }
                    } else {
                        try output.lines(["Sign in with a browser of this machine:", "  \(url)"])
                    }
                    if opens { _ = SignIn.openBrowser(url, isTerminal: output.width != nil) }
                case .enter(let code, let url, let complete, let until):
                    if output.isJSON {
                        if let line = step.json { try output.json(line) }
                    } else {
                        try output.lines(
                            ["Open \(url) on any device and enter the code \(code)", "  until \(until.rfc3339)"]
                                + (complete.map { ["  or open \($0)"] } ?? []))
                    }
                case .wait(let message):
                    output.warning(message)
                }
            }
            if output.isJSON { return try output.json(.object(state.members)) }
            try output.lines(["signed in"] + state.lines)
        }
    }
#endif
