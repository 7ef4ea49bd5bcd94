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

        private func process(_ arguments: [String]) -> (process: Process, output: Pipe, errors: Pipe) {
            let process = Process()
            process.executableURL = Self.binary
            process.arguments = [arguments[0], "-c", routeFile.path] + arguments.dropFirst()
            process.environment = secrets.merging([
                "PATH": "/usr/bin:/bin", "ATMOS_TRUST": routeFile.path
            ]) { own, _ in own }
            let output = Pipe()
            let errors = Pipe()
            process.standardOutput = output
            process.standardError = errors
            process.standardInput = FileHandle.nullDevice
            return (process, output, errors)
        }

        /// A process that has ended keeps its pipes, and Foundation cannot start one beside 1,300 open files.
        private static func close(_ pipes: Pipe...) {
            for pipe in pipes {
                try? pipe.fileHandleForReading.close()
                try? pipe.fileHandleForWriting.close()
            }
        }

        func run(_ arguments: [String]) async throws -> Result {
            try await onOwnThread { try runBlocking(arguments) }
        }

        private func runBlocking(_ arguments: [String]) throws -> Result {
            let (process, output, errors) = process(arguments)
            defer { Self.close(output, errors) }
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Result(status: process.terminationStatus, output: text, errors: errorText)
        }

        /// Kills the command as soon as it has written its `line`-th line of the log.
        ///
        /// - Returns: the words of that line, without the object's address; nil where it ended before.
        func killAtLine(_ arguments: [String], line: Int) async throws -> String? {
            try await onOwnThread { try killBlocking(arguments, line: line) }
        }

        private func killBlocking(_ arguments: [String], line: Int) throws -> String? {
            let (process, output, errors) = process(arguments)
            defer { Self.close(output, errors) }
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            var text = ""
            var lines = 0
            while lines < line, let byte = try errors.fileHandleForReading.read(upToCount: 1), let first = byte.first {
                if first == UInt8(ascii: "\n") {
                    lines += 1
                    if lines < line { text = "" }
                } else {
                    text.append(Character(Unicode.Scalar(first)))
                }
            }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            guard process.terminationReason == .uncaughtSignal else { return nil }
            return text.split(separator: " ").filter { !$0.contains("/") }.joined(separator: " ")
        }
    }
#endif
