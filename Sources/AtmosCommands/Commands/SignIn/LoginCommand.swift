#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct LoginCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "login",
            abstract: "Sign in, and keep the tokens apart from the store.",
            discussion: """
                For auth.oauth2, auth.session, and auth with ask in the place of a secret. With the grant \
                authorization_code it prints a URL, opens it in a browser where there is one, and waits up to five minutes \
                on this machine for what the browser brings. With device_code it prints a URL and a code that can be entered \
                on any device. With ask it asks for a password, a token or a key at the terminal, which does not show it, or \
                reads each from a line of standard input (--stdin), and keeps it where the server takes it: the request of \
                auth.identity tells, or one read of a list. Nothing is asked for otherwise. What is kept goes into a file \
                that only you can read, beside the store, or where auth.tokens says.

                EXAMPLE
                  atmos login
                  atmos login --no-browser -c google-tasks.yaml
                  printf '%s\\n' ada "$(pass show rpic)" | atmos login --stdin
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Print the URL, and open nothing.")
        var noBrowser = false

        @Flag(help: "Read what is asked for from standard input, a line for each.")
        var stdin = false

        func run(_ output: Output) async throws {
            let routeFile = try global.routeFile(output)
            if case .asked = routeFile.auth { return try await ask(output) }
            guard !stdin else {
                throw CommandFailure.usage(
                    "--stdin has no use here: \(routeFile.source) asks for nothing that a person types")
            }
            let signIn = try SignIn(routeFile)
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

        /// Signs in with what a person types.
        private func ask(_ output: Output) async throws {
            guard stdin || StandardStream.input.isTerminal && StandardStream.error.isTerminal else {
                throw CommandFailure.usage(
                    "there is no terminal to ask at; write what is asked for to atmos login --stdin, a line for each")
            }
            let state = try await withSynchronizer(output) { synchronizer in
                var typed = TypedAnswers(asked: !stdin)
                return try await synchronizer.signIn(answers: typed.read(synchronizer.signInQuestions)) { step in
                    if case .wait(let message) = step { output.warning(message) }
                }
            }
            if output.isJSON { return try output.json(.object(state.members)) }
            try output.lines(["signed in"] + state.lines)
            if state.verifiedBy == nil {
                try output.remark("no request tells whether the server takes it; auth.identity would")
            }
        }
    }
#endif
