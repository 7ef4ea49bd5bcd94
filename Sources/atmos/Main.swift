#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if Command
    import AtmosCommands

    @main struct Main {
        static func main() async {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if let status = AtmosCommandLine.answerAtOnce(arguments) { exit(status) }
            exit(await AtmosCommandLine.run(arguments))
        }
    }
#elseif Demo
    import AtmosCommands

    @main struct Main {
        static func main() async {
            exit(await AtmosCommandLine.run(Array(CommandLine.arguments.dropFirst())))
        }
    }
#else
    @main struct Main {
        static func main() {
            let message = "atmos: this build has no commands; build it with the trait Command\n"
            _ = message.withCString { write(STDERR_FILENO, $0, message.utf8.count) }
            exit(2)
        }
    }
#endif
