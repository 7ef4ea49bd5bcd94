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
                valueName: "file"),
            completion: .file(extensions: ["yaml", "yml", "json"]))
        var config: String?

        @Flag(name: .customLong("json"), help: "Answer in JSON, errors too.")
        var json = false

        @Flag(name: .shortAndLong, help: "Say nothing but what was asked for.")
        var quiet = false

        @Flag(name: .shortAndLong, help: "Show what is sent, merged or skipped, and why, on standard error.")
        var verbose = false

        @Flag(
            name: .customLong("trust"),
            help: "Let the route file do what it says this once, without atmos allow; see atmos allow --help.")
        var trust = false

        var output: Output {
            Output(json: json, quiet: quiet, verbose: verbose, environment: ProcessInfo.processInfo.environment)
        }

        /// Takes over what was said to the command that runs this one.
        ///
        /// - Throws: ``CommandFailure`` where the two name different route files.
        mutating func adopt(_ outer: GlobalOptions, under name: String) throws {
            if let mine = config, let other = outer.config, mine != other {
                throw CommandFailure.usage(
                    "two route files are named: \(other) for \(name) and \(mine) behind it; name one")
            }
            config = config ?? outer.config
            json = json || outer.json
            quiet = quiet || outer.quiet
            verbose = verbose || outer.verbose
            trust = trust || outer.trust
        }

        /// The arguments with the options that stand before the command moved behind it, where the parser looks for them.
        static func behindCommand(_ arguments: [String]) -> [String] {
            var index = 0
            while index < arguments.count, let count = length(of: arguments[index]), index + count < arguments.count {
                index += count
            }
            guard index > 0, Atmos.commandNames.contains(arguments[index]) else { return arguments }
            return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
        }

        /// How many arguments an option of every command takes up; nil for anything else.
        private static func length(of argument: String) -> Int? {
            switch argument {
            case "-c", "--config": 2
            case "--json", "--quiet", "--verbose", "--trust": 1
            case _ where argument.hasPrefix("--config="): 1
            case _ where argument.hasPrefix("--"): nil
            // Short flags, also together; what follows a c is its value.
            case _ where argument.hasPrefix("-") && argument.count > 1:
                argument.dropFirst().allSatisfy { "qv".contains($0) } ? 1 : nil
            default: nil
            }
        }

        static let usualNames = ["atmosphere.yaml", "atmosphere.yml", "atmosphere.json"]

        /// The route file in the working directory; nil where there is none.
        static var usualPath: String? { usualNames.first { FileManager.default.fileExists(atPath: $0) } }

        /// The path of the route file.
        ///
        /// - Throws: ``CommandFailure`` where none is named and none is in the working directory.
        func routeFilePath() throws -> String {
            if let config { return config }
            if let name = Self.usualPath { return name }
            throw CommandFailure(
                code: "routeFile",
                [
                    "there is no route file here (\(Self.usualNames.joined(separator: ", "))); name one with --config FILE"
                ],
                status: ExitStatus.usage)
        }

        /// The route file, which a person has allowed to do what it does.
        ///
        /// - Throws: ``CommandFailure``, also `notAllowed`; `RouteFileError`.
        func routeFile(_ output: Output) throws -> RouteFile {
            let routeFile = try unaskedRouteFile()
            try routeFile.checkAllowed(trusted: trust, output)
            return routeFile
        }

        /// The route file for a command that looks at it alone: runs nothing, looks no secret up, opens no store.
        ///
        /// - Throws: ``CommandFailure``, `RouteFileError`.
        func unaskedRouteFile() throws -> RouteFile {
            try RouteFile.load(path: routeFilePath(), adapters: .linked)
        }
    }
#endif
