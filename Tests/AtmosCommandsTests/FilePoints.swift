#if Command
    import Foundation
    import Testing

    /// Lets a command end, or fail, at a chosen one of the calls that change files of its store.
    struct FilePoints: Sendable {
        /// What happens at the point.
        enum Fault: Sendable, Hashable, CustomTestStringConvertible {
            /// SIGKILL before the call.
            case kill
            /// SIGKILL in the middle of a write; before any other call.
            case tear
            /// SIGKILL, and of the command's changes only those files and names are left that it has flushed.
            case power
            /// The same, but every second sector of what was not flushed has reached the device, and all names.
            case mix
            /// This call and all later ones fail.
            case error(Int32)

            var testDescription: String {
                switch self {
                case .kill: "killed"
                case .tear: "killed in the middle of a write"
                case .power: "without power"
                case .mix: "without power, half of the sectors written"
                case .error(let number): String(cString: strerror(number))
                }
            }

            fileprivate var text: String {
                switch self {
                case .kill: "kill"
                case .tear: "tear"
                case .power: "power"
                case .mix: "mix"
                case .error(let number): "\(number)"
                }
            }
        }

        /// What a command did, and the call at which it met the fault.
        struct Outcome {
            var run: Workspace.Run
            var point: String?

            var isKilled: Bool { run.status == SIGKILL }
        }

        private static let library: String? = {
            #if os(Linux)
                let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                let source = root.appending(path: "Fixtures/filepoints.c").path
                let library = NSTemporaryDirectory() + "filepoints-\(UUID().uuidString).so"
                for compiler in ["/usr/bin/cc", "/usr/bin/clang"] {
                    guard FileManager.default.isExecutableFile(atPath: compiler) else { continue }
                    let process = Process()
                    process.executableURL = URL(filePath: compiler)
                    process.arguments = ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
                    guard (try? process.run()) != nil else { continue }
                    process.waitUntilExit()
                    if process.terminationStatus == 0 { return library }
                }
            #endif
            return nil
        }()

        static var isAvailable: Bool { library != nil }

        let workspace: Workspace
        /// What is in the path of each file of the store, and of no other.
        let folder: String

        /// How many such calls the command makes; it runs to its end.
        func count(_ arguments: [String]) async throws -> Int {
            let outcome = try await run(arguments, .kill, at: .max)
            try #require(outcome.run.status == 0, "\(outcome.run)")
            return try #require(Int(outcome.point ?? ""))
        }

        /// Runs the command with a fault at the call of that number, from 1.
        func run(_ arguments: [String], _ fault: Fault, at point: Int) async throws -> Outcome {
            try await run(arguments, ["FILEPOINTS_AT": "\(point)", "FILEPOINTS_DO": fault.text])
        }

        /// Runs the command while no file of the store can be opened for writing.
        func run(_ arguments: [String], refusingToOpen error: Int32) async throws -> Outcome {
            try await run(arguments, ["FILEPOINTS_REFUSE": "\(error)"])
        }

        private func run(_ arguments: [String], _ settings: [String: String]) async throws -> Outcome {
            let log = workspace.folder.appending(path: "points-\(UUID().uuidString)")
            let environment = [
                "LD_PRELOAD": Self.library ?? "", "FILEPOINTS_FOLDER": "\(workspace.folder.path)/\(folder)",
                "FILEPOINTS_LOG": log.path
            ].merging(settings) { own, _ in own }
            let run = try await workspace.start(arguments, environment: environment).end()
            let lines = (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n") ?? []
            let point = lines.first.map { $0.hasPrefix("calls ") ? String($0.dropFirst("calls ".count)) : String($0) }
            return Outcome(run: run, point: point)
        }
    }
#endif
