import Testing

@testable import Atmosphere
@testable import AtmosphereRouting

@Suite("Timestamps")
struct TimestampTests {
    @Test("a time is moved by a duration, and by no more than a number holds")
    func moving() {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        #expect(now.advanced(by: .milliseconds(-1500)).milliseconds == 1_699_999_998_500)
        #expect(now.advanced(by: .microseconds(1999)).milliseconds == 1_700_000_000_001)
        #expect(now.advanced(by: .seconds(Int64.max)) == .distantFuture)
        #expect(now.advanced(by: .seconds(Int64.min)).milliseconds == .min)
        #expect(Timestamp.distantFuture.advanced(by: .milliseconds(1)) == .distantFuture)
        #expect(Timestamp(milliseconds: .min).advanced(by: .milliseconds(-1)).milliseconds == .min)
    }

    @Test("the time between the farthest two is a duration")
    func distance() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(first.duration(to: last) == .milliseconds(Int64.max) - .milliseconds(Int64.min))
        #expect(last.duration(to: first) < .zero && first.duration(to: first) == .zero)
        #expect(Timestamp(milliseconds: 1).duration(to: Timestamp(milliseconds: 3)) == .milliseconds(2))
    }

    @Test("a kept time that lies ahead has no age; one farther ahead than anybody waits is not waited for")
    func setBack() {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        let (before, after) = (now.advanced(by: .seconds(-2)), now.advanced(by: .seconds(2)))
        #expect(before.age(at: now) == .seconds(2) && now.age(at: now) == .zero && after.age(at: now) == nil)
        #expect(after.isAwaited(at: now, atMost: .seconds(2)) && !after.isAwaited(at: now, atMost: .seconds(1)))
        #expect(!now.isAwaited(at: now, atMost: .seconds(1)) && !before.isAwaited(at: now, atMost: .seconds(9)))
        #expect(!Timestamp.distantFuture.isAwaited(at: Timestamp(milliseconds: .min), atMost: .seconds(1)))
    }

    @Test(
        "the second above a time", arguments: [(0, 0), (1, 1), (999, 1), (1000, 1), (-1, 0), (-1000, -1), (-1001, -1)])
    func seconds(milliseconds: Int64, second: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).secondAbove == Instant(seconds: second))
    }

    @Test("an instant is the millisecond below, and no farther than a number holds")
    func instants() {
        #expect(Instant(seconds: -1, nanoseconds: 999_999_999).timestamp.milliseconds == -1)
        #expect(Instant(seconds: 1, nanoseconds: 1_999_999).timestamp.milliseconds == 1001)
        #expect(Instant(seconds: .max).timestamp == .distantFuture)
        #expect(Instant(seconds: .min).timestamp.milliseconds == .min)
    }
}
