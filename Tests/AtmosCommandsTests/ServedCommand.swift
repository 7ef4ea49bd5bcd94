#if Command
    import Foundation
    import Testing

    /// `atmos source`, which runs until it is ended.
    final class ServedCommand: Sendable {
        /// Stands for the route file's base.
        let url: String
        /// What it has said first.
        let firstLine: String
        private let process: Process
        private let output: Pipe
        private let ended: AsyncStream<Void>

        /// - Parameter arguments: behind `source --port 0`.
        init(_ arguments: [String], in workspace: Workspace, environment: [String: String] = [:]) throws {
            let process = Process()
            let output = Pipe()
            process.executableURL = try RunningCommand.binary()
            process.arguments = ["source", "--port", "0"] + arguments
            process.currentDirectoryURL = workspace.folder
            process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { _, new in new }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            let (ended, end) = AsyncStream<Void>.makeStream()
            process.terminationHandler = { _ in end.finish() }
            try process.run()
            // One line; what comes at once is all of it.
            let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let line = text.prefix { !$0.isNewline }
            firstLine = String(line)
            url = try #require(line.firstMatch(of: #/http://127.0.0.1:[0-9]+[A-Za-z0-9\/]*/#), "\(text)").output
                .description
            self.process = process
            self.output = output
            self.ended = ended
        }

        /// Ends it, and returns the lines behind the first.
        func end() async throws -> [String] {
            process.terminate()
            for await _ in ended {}
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            let rest = try output.fileHandleForReading.readToEnd() ?? Data()
            return String(decoding: rest, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
#endif
