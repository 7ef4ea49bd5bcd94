#if Notifications
    import Testing

    @testable import AtmosphereNotifications

    @Suite("Newcomers of one address")
    struct NewcomersTests {
        @Test("who came first gives way first, but not who is kept, and nobody twice")
        func order() {
            var newcomers = Newcomers<Int>()
            for number in 1...4 { newcomers.insert(number) }
            newcomers.keep(1)
            newcomers.remove(3)
            #expect(newcomers.count == 3)
            #expect(newcomers.removeFirst() == 2)
            newcomers.release(1)
            // Released again without having been kept: nothing changes.
            newcomers.release(1)
            newcomers.release(9)
            newcomers.keep(9)
            #expect(newcomers.removeFirst() == 4)
            #expect(newcomers.removeFirst() == 1)
            #expect(newcomers.removeFirst() == nil)
            #expect(newcomers.count == 0)
        }

        @Test("where all are kept nobody gives way")
        func kept() {
            var newcomers = Newcomers<Int>()
            newcomers.insert(1)
            newcomers.keep(1)
            #expect(newcomers.removeFirst() == nil)
            #expect(newcomers.count == 1)
        }

        @Test("many who come and go leave nothing behind and keep their order")
        func many() {
            var newcomers = Newcomers<Int>()
            for number in 0..<10_000 {
                newcomers.insert(number)
                if number % 3 != 0 { newcomers.remove(number) }
                if number % 5 == 0 {
                    newcomers.keep(number)
                    newcomers.release(number)
                }
            }
            var seen: [Int] = []
            while let next = newcomers.removeFirst() { seen.append(next) }
            #expect(seen == Array(stride(from: 0, to: 10_000, by: 3)))
        }
    }
#endif
