#if Command
    internal import ArgumentParser

    struct GatewayCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "gateway",
            abstract: "Serve the local copy to programs and pages of this machine, over HTTP.",
            discussion: """
                Everything that the other commands do, as HTTP and JSON under /v1, with what changes as server-sent \
                events; /v1/openapi.json describes it. Prints a link with a token, which lets a browser in, and runs until \
                SIGINT or SIGTERM. Programs send the token as Authorization: Bearer; --token-file keeps it for them.

                Only this machine is served, unless there is a certificate. Pages of other origins, and other names that \
                lead here, are refused.

                The link opens the pages of the folder --pages, which import /atmosphere.js, or else Studio \
                (see atmos studio).

                EXAMPLE
                  atmos gateway --token-file token
                  curl -H "Authorization: Bearer $(cat token)" \\
                    http://127.0.0.1:8770/v1/status
                """)

        @OptionGroup var global: GlobalOptions

        @OptionGroup var gateway: GatewayOptions

        func run(_ output: Output) async throws { try await serve(gateway, output, port: gateway.port ?? 8770) }
    }
#endif
