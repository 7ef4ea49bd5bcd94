#if canImport(Glibc) || canImport(Musl)
    internal import Dispatch
    internal import Synchronization

    #if canImport(Glibc)
        internal import Glibc
    #else
        internal import Musl
    #endif

    /// Listens to what the kernel says of interfaces and addresses, and looks at them after each change.
    final class NetworkWatch: Sendable {
        private let source: Mutex<Source?>

        // A dispatch source may be used from any thread; Dispatch on Linux does not say so to the compiler.
        private struct Source: @unchecked Sendable {
            let source: any DispatchSourceRead
        }

        /// - Parameter tell: gets what is so now, before this returns, and each change of it.
        /// - Returns: nil where the kernel cannot be listened to.
        convenience init?(_ tell: @escaping @Sendable (Bool) -> Void) { self.init(isThere: Self.isThere, tell) }

        /// - Parameter isThere: looks at the interfaces.
        init?(isThere: @escaping @Sendable () -> Bool, _ tell: @escaping @Sendable (Bool) -> Void) {
            guard let descriptor = Self.subscribe() else { return nil }
            let now = isThere()
            let known = Mutex(now)
            tell(now)
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "SystemReachability"))
            source.setEventHandler {
                // Which change it was is not read: all are looked at alike, once for all that have piled up.
                var buffer = [UInt8](repeating: 0, count: 8_192)
                while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
                let now = isThere()
                let isNew = known.withLock { known in
                    defer { known = now }
                    return known != now
                }
                if isNew { tell(now) }
            }
            source.setCancelHandler { _ = close(descriptor) }
            self.source = Mutex(Source(source: source))
            source.resume()
        }

        deinit { end() }

        func end() { source.withLock { $0.take() }?.source.cancel() }

        /// A socket on which the kernel tells of links and addresses (rtnetlink(7)).
        private static func subscribe() -> Int32? {
            #if canImport(Glibc)
                let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            #else
                let kind = Int32(SOCK_RAW) | Int32(SOCK_CLOEXEC) | Int32(SOCK_NONBLOCK)
            #endif
            let descriptor = socket(AF_NETLINK, kind, 0)
            guard descriptor >= 0 else { return nil }
            // RTMGRP_LINK, RTMGRP_IPV4_IFADDR and RTMGRP_IPV6_IFADDR.
            var address = NetlinkAddress(groups: 0x1 | 0x10 | 0x100)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<NetlinkAddress>.size))
                }
            }
            guard status == 0 else {
                _ = close(descriptor)
                return nil
            }
            return descriptor
        }

        /// `struct sockaddr_nl` of netlink(7), which Swift's module of the C library leaves out.
        private struct NetlinkAddress {
            var family = UInt16(AF_NETLINK)
            var padding: UInt16 = 0
            var process: UInt32 = 0
            var groups: UInt32
        }

        /// Whether an interface is up and has an address that reaches further than its own link; true where that cannot be
        /// asked.
        static func isThere() -> Bool {
            var list: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&list) == 0 else { return true }
            guard let first = list else { return false }
            defer { freeifaddrs(first) }
            return sequence(first: first, next: { $0.pointee.ifa_next }).contains { entry in
                guard let address = entry.pointee.ifa_addr else { return false }
                let flags = UInt32(entry.pointee.ifa_flags)
                // IFF_UP, IFF_LOOPBACK and IFF_RUNNING of netdevice(7).
                guard flags & 0x1 != 0, flags & 0x8 == 0, flags & 0x40 != 0 else { return false }
                return Self.reachesFurther(address)
            }
        }

        /// No address of one link only (RFC 3927, RFC 4291 §2.5.6).
        static func reachesFurther(_ address: UnsafePointer<sockaddr>) -> Bool {
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 16 != 0xA9FE
                }
            case AF_INET6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin6_addr) { !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
                }
            default: false
            }
        }
    }
#endif
