#if Command
    import Atmosphere
    import Foundation
    import Testing

    /// The built `atmos`, run in a process of its own.
    struct AtmosCommand: Sendable {
        let routeFile: URL
        var secrets = ["DJANGO_TOKEN": DjangoServer.token, "API_TOKEN": DjangoServer.token]

        struct Result: Sendable, CustomStringConvertible {
            var status: Int32
            var output: String
            var errors: String
            var description: String { "exit \(status)\n\(output)\n\(errors)" }
        }

        /// Beside the test bundle in the build folder.
        static let binary: URL = {
            var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent("atmos")
                if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
                folder = folder.deletingLastPathComponent()
            }
            return PeerServer.packageRoot.appendingPathComponent(".build/debug/atmos")
        }()

        private func launch(_ arguments: [String]) throws -> Launched {
            try Launched(
                Self.binary, [arguments[0], "-c", routeFile.path] + arguments.dropFirst(),
                environment: secrets.merging([
                    "PATH": "/usr/bin:/bin", "ATMOS_TRUST": routeFile.path
                ]) { own, _ in own },
                errors: .apart)
        }

        func run(_ arguments: [String]) async throws -> Result {
            try await onOwnThread {
                let (status, said) = try launch(arguments).end(seconds: 600)
                return Result(status: status, output: said.text, errors: said.errorText)
            }
        }

        /// Kills the command as soon as it has written its `line`-th line of the log.
        ///
        /// - Returns: the words of that line, without the object's address; nil where it ended before.
        func killAtLine(_ arguments: [String], line: Int) async throws -> String? {
            try await onOwnThread { try killBlocking(arguments, line: line) }
        }

        private func killBlocking(_ arguments: [String], line: Int) throws -> String? {
            let command = try launch(arguments)
            try command.wait(for: "\(line) lines, or its end", seconds: 600) { said in
                said.hasEnded || said.errors.count(where: { $0 == UInt8(ascii: "\n") }) >= line ? () : nil
            }
            command.kill()
            let (status, said) = try command.end(seconds: 60)
            guard status == SIGKILL else { return nil }
            let lines = said.errorText.split(separator: "\n", omittingEmptySubsequences: false)
            return lines[min(line, lines.count) - 1].split(separator: " ").filter { !$0.contains("/") }
                .joined(separator: " ")
        }
    }
#endif
