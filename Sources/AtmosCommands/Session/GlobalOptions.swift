#if Command
    internal import ArgumentParser
    internal import Atmosphere
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Options of every command.
    struct GlobalOptions: ParsableArguments {
        @Option(
            name: [.customShort("c"), .customLong("config")],
            help: ArgumentHelp(
                "The route file.",
                discussion: "Without it: atmosphere.yaml, atmosphere.yml or atmosphere.json in this folder.",
                valueName: "file"))
        var config: String?

        @Flag(name: .customLong("json"), help: "Answer in JSON, errors too.")
        var json = false

        @Flag(name: .shortAndLong, help: "Say nothing but what was asked for.")
        var quiet = false

        @Flag(name: .shortAndLong, help: "Show what is sent, merged or skipped, and why, on standard error.")
        var verbose = false

        var output: Output {
            Output(json: json, quiet: quiet, verbose: verbose, environment: ProcessInfo.processInfo.environment)
        }

        static let usualNames = ["atmosphere.yaml", "atmosphere.yml", "atmosphere.json"]

        /// The path of the route file.
        ///
        /// - Throws: ``CommandFailure`` where none is named and none is in the working directory.
        func routeFilePath() throws -> String {
            if let config { return config }
            if let name = Self.usualNames.first(where: { FileManager.default.fileExists(atPath: $0) }) { return name }
            throw CommandFailure(
                code: "routeFile",
                [
                    "there is no route file here (\(Self.usualNames.joined(separator: ", "))); name one with --config FILE"
                ],
                status: ExitStatus.usage)
        }

        /// - Throws: ``CommandFailure``, `RouteFileError`.
        func routeFile() throws -> RouteFile { try RouteFile.load(path: routeFilePath(), adapters: .linked) }
    }
#endif
