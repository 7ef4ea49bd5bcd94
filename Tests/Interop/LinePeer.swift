#if Command
    import Foundation
    import Synchronization
    import Testing

    /// A process whose lines a test reads one by one, and that it can talk to. It ends with the test.
    final class LinePeer: Sendable {
        private let process: Process
        private let input = Pipe()
        private let lines: AsyncStream<String>
        private let exit: AsyncStream<Void>
        /// Every line so far.
        private let seen = Mutex<[String]>([])

        /// - Parameter keepsErrors: standard error counts as output.
        init(
            _ program: URL, _ arguments: [String], environment: [String: String]? = nil, keepsErrors: Bool = false
        ) throws {
            process = Process()
            process.executableURL = program
            process.arguments = arguments
            if let environment {
                process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
            }
            let output = Pipe()
            process.standardInput = input
            process.standardOutput = output
            if keepsErrors { process.standardError = output }
            let (stream, continuation) = AsyncStream<String>.makeStream()
            lines = stream
            let (exit, exited) = AsyncStream<Void>.makeStream()
            self.exit = exit
            process.terminationHandler = { _ in exited.finish() }
            try process.start()
            let reader = output.fileHandleForReading
            // Blocks, so it has a thread of its own.
            Thread.detachNewThread {
                var rest: [UInt8] = []
                while let data = try? reader.read(upToCount: 1), !data.isEmpty {
                    if data.first == UInt8(ascii: "\n") {
                        continuation.yield(String(decoding: rest, as: UTF8.self))
                        rest = []
                    } else {
                        rest += data
                    }
                }
                continuation.finish()
            }
        }

        deinit { kill(process.processIdentifier, SIGKILL) }

        /// How it ended; after ``end(_:)``.
        var status: Int32 { process.terminationStatus }

        var identifier: Int32 { process.processIdentifier }

        /// The next line that holds all the words; what comes before it is passed over.
        @discardableResult
        func line(_ words: String...) async throws -> String {
            for await line in lines {
                seen.withLock { $0.append(line) }
                if words.allSatisfy(line.contains) { return line }
            }
            let all = seen.withLock { $0.suffix(20).joined(separator: "\n") }
            throw Ended(description: "it ended without a line with \(words); it said\n\(all)")
        }

        /// The next lines that hold each of these words, in whatever order they come.
        func lines(inAnyOrder words: [String]) async throws {
            var missing = words
            while !missing.isEmpty {
                let line = try await line()
                missing.removeAll(where: line.contains)
            }
        }

        /// What `ready URL/` says.
        func readyURL() async throws -> String {
            String(try await line("ready ").dropFirst("ready ".count).dropLast())
        }

        var log: [String] { seen.withLock { $0 } }

        func tell(_ word: String) async throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
            return try await line("done")
        }

        func end(_ signal: Int32) async {
            kill(process.processIdentifier, signal)
            for await _ in exit {}
        }

        struct Ended: Error, CustomStringConvertible { var description: String }
    }

    extension SocketIOPeer {
        static func lines(_ script: String, _ arguments: [String] = []) throws -> LinePeer {
            let (process, _) = try process(script, arguments)
            let program = try #require(process.executableURL)
            return try LinePeer(program, process.arguments ?? [])
        }
    }
#endif
