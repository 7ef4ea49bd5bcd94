#if Command
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// The limit of open files of this process, which many connections need raised.
    enum OpenFiles {
        /// What a process needs beside its connections: logs, keys, Redis, the event loops.
        static let reserve = 64

        /// Raises the limit so that as many connections fit, as far as the system lets a process do so (getrlimit(2)).
        ///
        /// - Returns: how many connections fit, if they are fewer.
        static func makeRoom(for connections: Int) -> Int? {
            var limit = rlimit()
            guard getrlimit(resource, &limit) == 0 else { return nil }
            let (needed, isTooLarge) = connections.addingReportingOverflow(reserve)
            let wanted = min(isTooLarge ? rlim_t(Int.max) : rlim_t(needed), limit.rlim_max)
            if limit.rlim_cur < wanted {
                var raised = limit
                raised.rlim_cur = wanted
                if setrlimit(resource, &raised) == 0 { limit = raised }
            }
            guard limit.rlim_cur < rlim_t(Int.max) else { return nil }
            let room = Int(limit.rlim_cur) - reserve
            return room < connections ? max(room, 1) : nil
        }

        #if canImport(Glibc)
            private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            private static let resource = RLIMIT_NOFILE
        #endif
    }
#endif
