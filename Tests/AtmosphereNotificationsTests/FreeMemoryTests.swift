#if Notifications
    import Testing

    @testable import AtmosphereNotifications

    @Suite("Memory behind a flood")
    struct FreeMemoryTests {
        private static let megabyte = 1 << 20

        @Test("is given back once, when it does not grow any more")
        func flood() {
            var memory = FreeMemory()
            let looks = [50, 52, 200, 400, 80, 80, 60].map { megabytes in
                let isTime = memory.shouldReturn(resident: megabytes * Self.megabyte)
                if isTime { memory.wasReturned(resident: 60 * Self.megabyte) }
                return isTime
            }
            #expect(looks == [false, false, false, false, true, false, false])
        }

        @Test("is not asked for again where it is in use")
        func inUse() {
            var memory = FreeMemory()
            func looks(_ megabytes: Int...) -> [Bool] {
                megabytes.map { memory.shouldReturn(resident: $0 * Self.megabyte) }
            }
            #expect(looks(50, 100, 100) == [false, false, true])
            memory.wasReturned(resident: 99 * Self.megabyte)
            #expect(looks(101, 101, 101) == [false, false, false])
            #expect(looks(30, 47, 47) == [false, false, true])
        }
    }
#endif
