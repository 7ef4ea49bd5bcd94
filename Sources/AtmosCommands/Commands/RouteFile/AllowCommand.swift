#if Command
    internal import ArgumentParser
    internal import Atmosphere
    internal import AtmosphereReports

    struct AllowCommand: AtmosCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Let a route file run programs, read secrets and send them.",
            discussion: """
                Whoever writes a route file decides which secrets go where and which programs run, so such a file does \
                nothing before you have allowed it; atmos validate shows what it may do. What is allowed is what the file \
                means, at its place: a change of a comment or a mapping needs no new allowance, another server, program, \
                secret or path does. A file without such powers needs none.

                For a service or CI: --trust behind any command, or ATMOS_TRUST with the path of the route file (or of a \
                folder, with a slash at its end; several with colons between them).

                EXAMPLE
                  atmos allow
                  atmos allow tasks.yaml
                  atmos allow --list
                  atmos allow --remove tasks.yaml
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(
            help: "The route file, in place of --config.", completion: .file(extensions: ["yaml", "yml", "json"]))
        var file: String?

        @Flag(help: "Show what is allowed.")
        var list = false

        @Flag(help: "Forget what was allowed of the file.")
        var remove = false

        func validate() throws {
            if list, remove || file != nil { throw ValidationError("--list shows all files; leave the rest out") }
            if file != nil, global.config != nil { throw ValidationError("name the route file once") }
        }

        func run(_ output: Output) throws {
            let allowances = try Allowances()
            if list { return try show(allowances.all(), output) }
            var global = global
            global.config = global.config ?? file
            if remove {
                let path = try global.routeFilePath()
                // A file that has gone is forgotten by the path that it had.
                let count = try allowances.remove(FilePlace.real(path) ?? path)
                if output.isJSON { return try output.json(["file": .string(path), "removed": .init(count)]) }
                return try output.remark(count == 0 ? "\(path) was not allowed" : "\(path) is not allowed any more")
            }
            let routeFile = try global.unaskedRouteFile()
            let digest = routeFile.powersDigest
            if let digest { try allowances.add(routeFile.allowance(digest)) }
            if output.isJSON {
                return try output.json([
                    "file": .string(routeFile.source), "digest": .init(digest), "powers": routeFile.powersValue
                ])
            }
            guard digest != nil else {
                return try output.remark("\(routeFile.source) needs no allowance: \(RouteFile.noPowers)")
            }
            try output.remark("allowed \(routeFile.source), which")
            for power in routeFile.powers { try output.remark(TextWidth.oneLine("  \(power)")) }
        }

        private func show(_ all: [Allowances.Allowance], _ output: Output) throws {
            if output.isJSON { return try output.json(["allowed": .array(all.map(\.value))]) }
            for allowance in all {
                try output.line(TextWidth.oneLine(allowance.path))
                try output.lines(allowance.powers.map { TextWidth.oneLine("  \($0)") })
            }
        }
    }

    extension RouteFile {
        /// What a file may do that needs no allowance.
        static let noPowers = "it sends requests without credentials to its base, and nothing else"

        /// The powers for programs.
        var powersValue: Value {
            .array(declaredPowers.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] })
        }
    }
#endif
