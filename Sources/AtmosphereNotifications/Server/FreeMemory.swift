#if Notifications
    #if canImport(Glibc)
        internal import Glibc
    #endif
    internal import NIOCore
    internal import NIOPosix
    internal import Synchronization

    /// Decides when memory that a flood has left free goes back to the system.
    ///
    /// glibc keeps what was freed below something that is still in use, until it is told to look for it (malloc_trim(3)).
    /// That takes some milliseconds, so it happens once behind each flood, and not while memory still grows.
    struct FreeMemory {
        /// A flood is what takes as many bytes at least.
        static let threshold = 16 << 20
        /// What the process has without a flood; nil before the first look.
        private var settled: Int?
        private var last = 0

        /// - Parameter resident: the bytes of memory that the process has now.
        /// - Returns: whether the allocator should be told; ``wasReturned(resident:)`` then says what came of it.
        mutating func shouldReturn(resident: Int) -> Bool {
            defer { last = resident }
            guard let settled, resident > settled else {
                settled = resident
                return false
            }
            return resident >= settled + Self.threshold && resident <= last + Self.threshold / 16
        }

        /// What is left is in use, as far as anybody can tell.
        mutating func wasReturned(resident: Int) {
            settled = resident
            last = resident
        }
    }

    #if canImport(Glibc)
        /// Looks at the process's memory now and then, and tells glibc to give back what is free.
        final class MemoryWatch: Sendable {
            private let decision = Mutex(FreeMemory())

            private static let interval = TimeAmount.seconds(10)

            /// Looks until the loop ends; on another thread, for the loop has clients to serve.
            func start(on loop: any EventLoop) {
                loop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.interval) { [self] _ in
                    NIOThreadPool.singleton.submit { _ in self.look() }
                }
            }

            private func look() {
                guard let resident = Self.resident(),
                    decision.withLock({ $0.shouldReturn(resident: resident) })
                else { return }
                Self.trim()
                if let left = Self.resident() { decision.withLock { $0.wasReturned(resident: left) } }
            }

            /// As proc(5) has it; nil where there is no such file.
            private static func resident() -> Int? {
                let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
                guard file >= 0 else { return nil }
                defer { close(file) }
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = read(file, &bytes, bytes.count)
                guard count > 0 else { return nil }
                let words = bytes[..<count].split(separator: UInt8(ascii: " "))
                guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
                return pages * sysconf(Int32(_SC_PAGESIZE))
            }

            /// Swift's Glibc module has no malloc.h.
            private static func trim() {
                guard let symbol = dlsym(nil, "malloc_trim") else { return }
                _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
            }
        }
    #endif
#endif
