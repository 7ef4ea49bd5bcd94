#if Command
    import Atmosphere
    import AtmosphereSource
    import Foundation
    import Testing

    /// A folder of its own, in which the built command runs.
    final class Workspace: Sendable {
        let folder: URL

        /// What a command did.
        struct Run: Equatable, CustomStringConvertible {
            var status: Int32
            var output: String
            var errors: String

            init(_ status: Int32, _ output: String = "", errors: String = "") {
                self.status = status
                self.output = output
                self.errors = errors
            }

            var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
            var description: String { "status \(status)\n--- output\n\(output)--- errors\n\(errors)---" }
        }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "atmos-tests-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ text: String, to name: String) throws {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }

        func read(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }

        func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path: name).path) }

        /// Moves the store away, with all that stands beside it.
        func moveStoreAway() throws {
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("atmosphere.db") {
                try files.moveItem(at: folder.appending(path: name), to: folder.appending(path: "old-\(name)"))
            }
        }

        // MARK: Running

        /// Runs the command to its end, without a terminal.
        @discardableResult
        func atmos(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws -> Run
        {
            try await start(arguments, input: input, environment: environment).end()
        }

        /// Syncs until nothing waits and a pull has come to its end; what the faults refused for good is tried again.
        func synchronize(_ file: String) async throws {
            var last: Workspace.Run?
            for _ in 0..<60 {
                let run = try await atmos("sync", "-c", file)
                last = run
                if run.status == 0 { return }
                _ = try await atmos("retry", "--all", "-c", file)
            }
            Issue.record("sync does not come to an end: \(String(describing: last))")
        }

        /// The titles of all tasks in the store, in order.
        func titles(_ file: String) async throws -> [String] {
            let list = try await atmos("list", "tasks", "--json", "-c", file)
            let values = try Value(json: Array(list.output.utf8)).array ?? []
            return values.compactMap { $0.members?["title"]?.string }.sorted()
        }

        /// Starts the command.
        func start(
            _ arguments: [String], input: String = "", environment: [String: String] = [:]
        ) throws -> RunningCommand {
            try RunningCommand(arguments, in: self, input: input, environment: environment)
        }
    }

    /// A command that runs.
    final class RunningCommand: Sendable {
        /// Stays as long as the command needs it.
        private let workspace: Workspace
        private let process: Process
        private let ended: AsyncStream<Int32>
        private let outputFile: URL
        private let errorFile: URL

        init(_ arguments: [String], in workspace: Workspace, input: String, environment: [String: String]) throws {
            self.workspace = workspace
            let folder = workspace.folder
            let process = Process()
            process.executableURL = try Self.binary()
            process.arguments = arguments
            process.currentDirectoryURL = folder
            process.environment = [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path, "ATMOS_TRUST": "\(folder.path)/"
            ].merging(environment) { _, new in new }
            // Files never fill up as pipes do.
            let name = "run-\(UUID().uuidString)"
            outputFile = folder.appending(path: "\(name).out")
            errorFile = folder.appending(path: "\(name).err")
            let inputFile = folder.appending(path: "\(name).in")
            try Data(input.utf8).write(to: inputFile)
            for file in [outputFile, errorFile] { try Data().write(to: file) }
            let streams = try [
                FileHandle(forReadingFrom: inputFile), FileHandle(forWritingTo: outputFile),
                FileHandle(forWritingTo: errorFile)
            ]
            process.standardInput = streams[0]
            process.standardOutput = streams[1]
            process.standardError = streams[2]
            let (ended, continuation) = AsyncStream<Int32>.makeStream()
            process.terminationHandler = {
                continuation.yield($0.terminationStatus)
                continuation.finish()
            }
            self.ended = ended
            self.process = process
            try process.run()
            // A process that has ended keeps its handles, and Foundation cannot start one beside 1,300 open files.
            for stream in streams { try stream.close() }
        }

        /// Waits for the end.
        func end() async throws -> Workspace.Run {
            var status: Int32 = -1
            for await each in ended { status = each }
            return Workspace.Run(
                status, try String(contentsOf: outputFile, encoding: .utf8),
                errors: try String(contentsOf: errorFile, encoding: .utf8))
        }

        func interrupt() { process.interrupt() }
        func terminate() { process.terminate() }
        func killNow() { kill(process.processIdentifier, SIGKILL) }

        /// What it has written by now.
        var outputSoFar: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

        /// The command stands beside the test bundle.
        static func binary() throws -> URL {
            var candidates = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
            candidates += Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
                .map { $0.bundleURL.deletingLastPathComponent() }
            candidates.append(Bundle.main.bundleURL)
            let binaries = candidates.map { $0.appending(path: "atmos") }
            let found = binaries.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            return try #require(found, "there is no atmos beside the tests: \(binaries.map(\.path))")
        }
    }
#endif
