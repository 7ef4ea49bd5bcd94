#if Command
    internal import Atmosphere
    internal import Dispatch
    internal import Foundation

    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The person's editor: `$VISUAL`, or else `$EDITOR`, as a shell would run it.
    struct TextEditor {
        private let environment: [String: String]

        init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

        /// Lets the person edit a text in a file that nobody else may read, and waits for the editor's end.
        ///
        /// - Parameter name: how the file's name begins.
        /// - Returns: what the file holds then.
        /// - Throws: ``CommandFailure`` where there is no editor, it fails, or the file is no text any more.
        func edit(_ text: String, name: String) async throws -> String {
            let command = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty }
            guard let command else {
                throw CommandFailure.usage("--editor needs an editor: set VISUAL or EDITOR, for example EDITOR=vi")
            }
            let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "\(name).txt")
            try Data(text.utf8).write(to: file)
            let variables = environment
            let status = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: Self.run(command, on: file.path, variables))
                }
            }
            guard status == 0 else {
                throw Self.failure("the editor “\(command)” ended with \(status), so nothing is decided")
            }
            guard let data = try? Data(contentsOf: file), let edited = String(validating: data, as: UTF8.self) else {
                throw Self.failure("what the editor “\(command)” left is no text in UTF-8, so nothing is decided")
            }
            return edited
        }

        private static func failure(_ message: String) -> CommandFailure {
            CommandFailure(code: "editor", [message], status: ExitStatus.failed)
        }

        /// In this process's own group, so that the terminal is the editor's. An interrupt from the keyboard is the
        /// editor's too.
        private static func run(_ command: String, on path: String, _ environment: [String: String]) -> Int32 {
            let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
            defer { for (number, action) in former { signal(number, action) } }
            // `"$@"` keeps a path with spaces whole.
            let words: [String] = ["sh", "-c", "\(command) \"$@\"", "sh", path]
            let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            let variables: [UnsafeMutablePointer<CChar>?] =
                environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { for text in arguments + variables { free(text) } }
            #if canImport(Darwin)
                var attributes: posix_spawnattr_t?
            #else
                var attributes = posix_spawnattr_t()
            #endif
            guard posix_spawnattr_init(&attributes) == 0 else { return -1 }
            defer { posix_spawnattr_destroy(&attributes) }
            var defaults = sigset_t()
            sigemptyset(&defaults)
            for (number, _) in former { sigaddset(&defaults, number) }
            posix_spawnattr_setsigdefault(&attributes, &defaults)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
            var child: pid_t = 0
            guard posix_spawn(&child, "/bin/sh", nil, &attributes, arguments, variables) == 0 else { return -1 }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
            // As a shell counts it: the exit status, or 128 and the signal.
            return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        }
    }
#endif
