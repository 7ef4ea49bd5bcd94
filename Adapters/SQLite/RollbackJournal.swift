#if SQLite
    internal import AtmosphereStore

    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #elseif canImport(Darwin)
        internal import Darwin
    #endif

    /// The journal beside a file, which SQLite plays back before anything else when it opens the file
    /// (https://www.sqlite.org/fileformat2.html#the_rollback_journal).
    enum RollbackJournal {
        /// What stands at the end of a journal that names another, of a transaction over several files.
        private static let ending: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

        /// SQLite removes the file that a journal names, wherever it stands. No store is part of such a transaction, so the
        /// journal is not the store's. From a pipe SQLite would read for ever.
        ///
        /// - Throws: ``StoreError`` `damaged`.
        static func check(besides files: [String]) throws(StoreError) {
            for file in files {
                let descriptor = open(file + "-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                guard descriptor >= 0 else { continue }
                defer { close(descriptor) }
                guard isRegular(descriptor) else {
                    throw StoreError(
                        code: .damaged,
                        message:
                            "\(file)-journal is not a regular file, and no store has such a journal; move it away, and "
                            + "find out who put it there")
                }
                guard !namesAnother(descriptor) else {
                    throw StoreError(
                        code: .damaged,
                        message:
                            "\(file)-journal names another file, which SQLite would remove when it opens \(file), and no "
                            + "store has such a journal; move it away, and find out who put it there")
                }
            }
        }

        private static func isRegular(_ descriptor: Int32) -> Bool {
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }

        private static func namesAnother(_ descriptor: Int32) -> Bool {
            let length = lseek(descriptor, 0, SEEK_END)
            guard length >= ending.count else { return false }
            var last = [UInt8](repeating: 0, count: ending.count)
            let count = last.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, length - off_t($0.count))
            }
            return count == ending.count && last == ending
        }
    }
#endif
