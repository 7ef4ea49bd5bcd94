#if Command
    import Atmosphere
    @testable import AtmosCommands
    import Testing

    @Suite("Messages for a slow reader")
    struct MessageQueueTests {
        private func note(_ number: Int) -> MessageEvent {
            .notification(LiveNotification(data: .number(JSONNumber(number))))
        }

        @Test("a full queue drops what comes until it was read to its end, where a gap stands for it")
        func gap() async {
            let queue = MessageQueue(limit: 3)
            for number in 0..<10 { queue.add(note(number)) }
            #expect(await queue.next() == note(0))
            // Behind what was dropped nothing may come before the gap.
            queue.add(note(10))
            for number in 1..<3 { #expect(await queue.next() == note(number)) }
            #expect(await queue.next() == .connected(.gap))
            queue.add(note(11))
            #expect(await queue.next() == note(11))
            queue.add(note(12))
            queue.finish()
            #expect(await queue.next() == note(12))
            #expect(await queue.next() == nil)
        }

        @Test("a reader that waits gets what comes, and the end")
        func waiting() async {
            let queue = MessageQueue(limit: 1)
            let reader = Task { [await queue.next(), await queue.next()] }
            queue.add(note(1))
            queue.finish()
            let read = await reader.value
            #expect(read == [note(1), nil])
        }
    }
#endif
