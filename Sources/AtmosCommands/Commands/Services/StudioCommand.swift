#if Command
    internal import ArgumentParser
    internal import AtmosphereGateway

    struct StudioCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "studio",
            abstract: "Open the local copy in a browser: look, edit, decide conflicts, correct refusals.",
            discussion: """
                Serves the local copy as atmos gateway does, and opens Studio, its page, in the browser that BROWSER names \
                or in the desktop's own. Prints the link; runs until SIGINT or SIGTERM.

                EXAMPLE
                  atmos studio -c tasks.yaml
                """)

        @OptionGroup var global: GlobalOptions

        @OptionGroup var gateway: GatewayOptions

        @Flag(help: "Print the link and open nothing.")
        var noBrowser = false

        func run(_ output: Output) async throws {
            let opens = !noBrowser
            try await serve(gateway, output, port: gateway.port ?? 0, page: "/studio/") { address in
                guard opens else { return }
                _ = SignIn.openBrowser(address.studio, isTerminal: output.width != nil)
            }
        }
    }
#endif
