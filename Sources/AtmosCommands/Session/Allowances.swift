#if Command
    internal import Atmosphere
    internal import AtmosphereReports
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// The route files that a person has allowed to do what they do: one small file for each in the user's configuration
    /// folder, named by what was allowed (`RouteFile.powersDigest`), with the path of the route file in it.
    struct Allowances {
        /// One route file, with the powers that it had when it was allowed.
        struct Allowance: Equatable {
            var path: String
            var digest: String
            var powers: [String]

            var value: Value {
                ["path": .string(path), "digest": .string(digest), "powers": .init(powers)]
            }
        }

        private let folder: String

        /// - Throws: ``CommandFailure`` where the environment names no folder for configuration.
        init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
            // Only paths from the root count (XDG Base Directory Specification).
            if let configuration = environment["XDG_CONFIG_HOME"], configuration.hasPrefix("/") {
                folder = "\(configuration)/atmos/allowed"
            } else if let home = environment["HOME"], home.hasPrefix("/") {
                folder = "\(home)/.config/atmos/allowed"
            } else {
                throw CommandFailure.usage(
                    "there is no place to keep what is allowed: set HOME or XDG_CONFIG_HOME, or use --trust")
            }
        }

        /// Whether the file was allowed as it is. What others may write, or own, does not count.
        func contains(_ digest: String) -> Bool { read(digest) != nil }

        /// Everything that is allowed, by path.
        func all() -> [Allowance] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.compactMap(read).sorted { ($0.path, $0.digest) < ($1.path, $1.digest) }
        }

        /// - Throws: ``CommandFailure`` where it cannot be written.
        func add(_ allowance: Allowance) throws {
            let file = "\(folder)/\(allowance.digest)"
            // A name that no reader takes for an allowance, and no other process has.
            let new = "\(folder)/.new-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
            do {
                try makeFolder()
                let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
                guard descriptor >= 0 else { throw failure }
                defer { close(descriptor) }
                try StandardStream(descriptor: descriptor).write(
                    UnseenText.escaped(allowance.value.json()) + [UInt8(ascii: "\n")])
                guard fsync(descriptor) == 0, rename(new, file) == 0 else { throw failure }
            } catch {
                unlink(new)
                throw error is CommandFailure ? error : failure
            }
        }

        /// - Returns: how many allowances of this path were removed.
        func remove(_ path: String) throws -> Int {
            let all = self.all().filter { $0.path.hasSameBytes(as: path) }
            for allowance in all where unlink("\(folder)/\(allowance.digest)") != 0 && errno != ENOENT {
                throw failure
            }
            return all.count
        }

        private func makeFolder() throws {
            do {
                // What is there already keeps its mode; each new part is its owner's alone.
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw failure
            }
            guard chmod(folder, 0o700) == 0 else { throw failure }
        }

        private func read(_ digest: String) -> Allowance? {
            guard digest.utf8.count == 64 else { return nil }
            let descriptor = open("\(folder)/\(digest)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                status.st_mode & 0o022 == 0, status.st_size < 1 << 20,
                let bytes = try? StandardStream(descriptor: descriptor).readAll(),
                let members = try? Value(json: bytes).members,
                let path = members["path"]?.string, members["digest"]?.string == digest
            else { return nil }
            return Allowance(
                path: path, digest: digest, powers: members["powers"]?.array?.compactMap(\.string) ?? [])
        }

        private var failure: CommandFailure {
            CommandFailure(
                code: "output", ["what is allowed cannot be kept in \(folder): \(String(cString: strerror(errno)))"],
                status: ExitStatus.failed)
        }
    }
#endif
