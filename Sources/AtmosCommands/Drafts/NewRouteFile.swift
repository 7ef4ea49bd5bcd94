#if Command
    internal import Atmosphere
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// The file that a draft becomes; one that is there is never overwritten.
    struct NewRouteFile {
        let path: String

        /// - Parameter config: the path that the person named; nil for the usual one.
        /// - Throws: ``CommandFailure`` where the file, or without a name any of the usual ones, is there already.
        init(_ config: String?) throws {
            path = config ?? GlobalOptions.usualNames[0]
            guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else {
                throw CommandFailure.usage("\(path): the file is written in YAML; name one that ends in .yaml")
            }
            for name in config.map({ [$0] }) ?? GlobalOptions.usualNames where access(name, F_OK) == 0 {
                throw Self.taken(name)
            }
        }

        /// - Throws: ``CommandFailure``.
        func write(_ text: String) throws {
            // Whoever made the file since is not overwritten either.
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else {
                throw errno == EEXIST ? Self.taken(path) : Self.failed(path)
            }
            defer { close(descriptor) }
            do {
                try StandardStream(descriptor: descriptor).write(text)
            } catch {
                throw Self.failed(path)
            }
        }

        private static func taken(_ path: String) -> CommandFailure {
            .usage("\(path) is there already and is not overwritten; name another with --config FILE, or remove it")
        }

        private static func failed(_ path: String) -> CommandFailure {
            CommandFailure(
                code: "output", ["\(path) cannot be written: \(String(cString: strerror(errno)))"],
                status: ExitStatus.failed)
        }
    }
#endif
