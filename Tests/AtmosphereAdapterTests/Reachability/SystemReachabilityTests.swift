import AtmosphereTesting
import Foundation
import Synchronization
import Testing

@testable import AtmosphereReachability

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The system's word on the network", .timeLimit(.minutes(5))) struct SystemReachabilityTests {
    @Test("it says at once what is so now, to each who asks")
    func present() async throws {
        for _ in 1...3 {
            var changes = SystemReachability().changes().makeAsyncIterator()
            #expect(await changes.next() != nil)
        }
    }

    @Test("a sequence ends with the task that reads it")
    func ends() async throws {
        let gate = Gate()
        gate.open()
        let reader = Task {
            for await _ in SystemReachability().changes() { try? await gate.pass() }
        }
        await gate.waitForArrivals()
        reader.cancel()
        await reader.value
    }

    #if canImport(Glibc)
        @Test(
            "an address that reaches no further than its own link is no network",
            arguments: [
                ("192.168.1.7", true), ("169.254.3.4", false), ("169.253.3.4", true), ("2001:db8::1", true),
                ("fe80::1", false), ("febf::1", false), ("fec0::1", true)
            ])
        func addresses(_ text: String, _ reaches: Bool) {
            if text.contains(":") {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                inet_pton(AF_INET6, text, &address.sin6_addr)
                #expect(reachesFurther(address) == reaches)
            } else {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                inet_pton(AF_INET, text, &address.sin_addr)
                #expect(reachesFurther(address) == reaches)
            }
        }

        private func reachesFurther<Address>(_ address: Address) -> Bool {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { NetworkWatch.reachesFurther($0) }
            }
        }

        /// Runs `body` on a thread of its own in a network of its own, which holds nothing but a loopback that is down.
        private static func inEmptyNetwork<Result: Sendable>(
            _ body: @escaping @Sendable () -> Result
        ) async -> Result? {
            // unshare(2), which Swift's module of the C library leaves out, with CLONE_NEWNET.
            typealias Unshare = @convention(c) (Int32) -> Int32
            return await withCheckedContinuation { continuation in
                Thread {
                    let unshare = dlsym(nil, "unshare").map { unsafeBitCast($0, to: Unshare.self) }
                    continuation.resume(returning: unshare?(0x4000_0000) == 0 ? body() : nil)
                }.start()
            }
        }

        /// Brings the loopback up, which the kernel tells of (netdevice(7)).
        private static func bringUpLoopback() -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(descriptor) }
            // struct ifreq: 16 bytes of name, then the flags. SIOCSIFFLAGS is 0x8914, IFF_UP 1.
            var request = [UInt8](repeating: 0, count: 40)
            request.replaceSubrange(0..<2, with: Array("lo".utf8))
            request[16] = 1
            return ioctl(descriptor, 0x8914, &request) == 0
        }

        /// Needs the right to make a network namespace, which root has outside of containers.
        @Test("what the kernel tells of an interface is looked at, and told where it makes a difference")
        func kernel() async throws {
            let isThere = Mutex(false)
            let (told, tell) = AsyncStream.makeStream(of: Bool.self)
            let made = await Self.inEmptyNetwork { () -> NetworkWatch? in
                let watch = NetworkWatch(isThere: { isThere.withLock { $0 } }) { tell.yield($0) }
                isThere.withLock { $0 = true }
                return Self.bringUpLoopback() ? watch : nil
            }
            guard let made else { return print("not tested: no right to make a network namespace") }
            let watch = try #require(made)
            var changes = told.makeAsyncIterator()
            #expect(await changes.next() == false)
            #expect(await changes.next() == true)
            watch.end()
        }

        @Test("where there is nothing but the loopback, there is no network")
        func empty() async throws {
            let found = await Self.inEmptyNetwork { Self.bringUpLoopback() ? NetworkWatch.isThere() : nil }
            guard let found else { return print("not tested: no right to make a network namespace") }
            #expect(found == false)
        }
    #endif
}
