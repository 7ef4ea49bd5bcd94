#if Command
    internal import ArgumentParser
    internal import Atmosphere

    struct ManualCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "manual",
            abstract: "Print the manual page.",
            discussion: """
                Made from the same words as --help, for man(1).

                EXAMPLE
                  atmos manual | man -l -
                  atmos manual > ~/.local/share/man/man1/atmos.1
                """)

        @OptionGroup var global: GlobalOptions

        func run(_ output: Output) async throws {
            try StandardStream.output.write(try ManualPage().text)
        }
    }
#endif
