import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("When a push tries again")
struct PushMachineTests {
    private let first = ObjectURI(entity: "tasks", id: "1")
    private let second = ObjectURI(entity: "tasks", id: "2")

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    private func ended(_ uri: ObjectURI, _ end: LaneMachine.End) -> PushMachine.Ended {
        .init(uri: uri, place: uri, end: end, sent: [], ignored: [])
    }

    /// The times that it waits for, where one change fails and is due two seconds later, and another ends at a time.
    private func waits(secondEndsAt end: Timestamp) -> [Timestamp] {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .update)], concurrent: 2, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first, second]))
        let due = time(10_002)
        _ = machine.step(.ended([ended(first, .failed(.init(message: "busy"), retryAt: due))], now: time(10_000)))
        return machine.step(.ended([ended(second, .done)], now: end)).compactMap { effect in
            guard case .wait(let until) = effect else { return nil }
            return until
        }
    }

    @Test("what a lane leaves to another is looked at once more when that has ended, or is none of the push")
    func leftToAnother() {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .create)], concurrent: 2, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first, second]))
        func end(_ uri: ObjectURI, at place: ObjectURI, _ end: LaneMachine.End) -> [ObjectURI] {
            let lane = PushMachine.Ended(uri: uri, place: place, end: end, sent: [.create], ignored: [])
            return machine.step(.ended([lane], now: time(1))).flatMap { effect -> [ObjectURI] in
                guard case .run(let uris, _) = effect else { return [] }
                return uris
            }
        }
        let live = ObjectURI(entity: "tasks", id: "3")
        #expect(end(first, at: second, .held(.inAnotherLane)) == [])
        #expect(end(second, at: live, .held(.inAnotherLane)) == [second, live])
        #expect(end(second, at: second, .done) == [])
        #expect(end(live, at: live, .held(.synchronized)) == [])
        #expect(machine.report.created == 4)
    }

    private func runs(_ effects: [PushMachine.Effect]) -> [(uris: [ObjectURI], onDemand: Bool)] {
        effects.compactMap { effect in
            guard case .run(let uris, let onDemand) = effect else { return nil }
            return (uris, onDemand)
        }
    }

    @Test("what has failed waits for its time, also where its parent has come to the server meanwhile")
    func failedBesideParents() {
        let parent = ObjectURI(entity: "tasks", id: "3")
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .create)], concurrent: 3, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first, second, parent]))
        let failure = LaneMachine.End.failed(.init(message: "busy"), retryAt: time(2))
        let lanes = [
            ended(first, failure), ended(second, .held(.waitsForParents)),
            PushMachine.Ended(
                uri: parent, place: parent, end: .done, sent: [.create], ignored: [],
                released: [.init(uri: first, verb: .create), .init(uri: second, verb: .create)])
        ]
        #expect(runs(machine.step(.ended(lanes, now: time(1)))).map(\.uris) == [[second]])
    }

    @Test("a child whose parent has come to the server while its own lane ran is looked at again, unless it was sent")
    func releasedWhileRunning() {
        let parent = ObjectURI(entity: "tasks", id: "3")
        func runs(afterChildEnds end: LaneMachine.End) -> [[ObjectURI]] {
            var machine = PushMachine(
                levels: [.init(entity: "tasks", verb: .create)], concurrent: 2, patience: .seconds(30))
            _ = machine.step(.start)
            _ = machine.step(.loaded([parent, first]))
            let lane = PushMachine.Ended(
                uri: parent, place: parent, end: .done, sent: [.create], ignored: [],
                released: [.init(uri: first, verb: .create)])
            #expect(machine.step(.ended([lane], now: time(1))).isEmpty)
            return self.runs(machine.step(.ended([ended(first, end)], now: time(1)))).map(\.uris)
        }
        #expect(runs(afterChildEnds: .held(.waitsForParents)) == [[first]])
        #expect(runs(afterChildEnds: .done) == [])
    }

    @Test("what had failed under a temporary address stands no more once it is settled under the server's")
    func settledElsewhere() {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .create)], concurrent: 1, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first]))
        _ = machine.step(.ended([ended(first, .failed(.init(message: "busy"), retryAt: time(2)))], now: time(1)))
        #expect(machine.report.standing == [first])
        _ = machine.step(.woke)
        _ = machine.step(.loaded([first]))
        let lane = PushMachine.Ended(uri: first, place: second, end: .done, sent: [.create, .delete], ignored: [])
        _ = machine.step(.ended([lane], now: time(3)))
        #expect(machine.report.standing.isEmpty)
    }

    @Test("what is not to be tried again in a push is not, where another change is")
    func givenUp() {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .update)], concurrent: 2, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first, second]))
        let lanes = [
            ended(first, .failed(.init(message: "elsewhere"), retryAt: nil)),
            ended(second, .failed(.init(message: "busy"), retryAt: time(2)))
        ]
        _ = machine.step(.ended(lanes, now: time(1)))
        _ = machine.step(.woke)
        #expect(runs(machine.step(.loaded([first, second]))).map(\.uris) == [[second]])
        #expect(machine.report.standing == [first, second])
    }

    @Test("what has failed and is not due yet when others are tried again stays failed")
    func notDueYet() {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .update)], concurrent: 2, patience: .seconds(30))
        _ = machine.step(.start)
        _ = machine.step(.loaded([first, second]))
        let lanes = [
            ended(first, .failed(.init(message: "broken"), retryAt: time(100))),
            ended(second, .failed(.init(message: "busy"), retryAt: time(2)))
        ]
        _ = machine.step(.ended(lanes, now: time(1)))
        _ = machine.step(.woke)
        _ = machine.step(.loaded([first, second]))
        _ = machine.step(.ended([ended(first, .held(.notDue(time(100)))), ended(second, .done)], now: time(2)))
        #expect(machine.report.standing == [first])
    }

    @Test("each of many changes that fail is tried as often as one alone", arguments: [1, 12])
    func manyFailing(number: Int) {
        let uris = (0..<number).map { ObjectURI(entity: "tasks", id: String($0)) }
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .update)], concurrent: number, patience: .seconds(30))
        var (now, tries, due) = (time(1), [ObjectURI: Int](), [ObjectURI: Timestamp]())
        func run(_ uri: ObjectURI, onDemand: Bool) -> PushMachine.Ended {
            if let due = due[uri], !onDemand, due > now { return ended(uri, .held(.notDue(due))) }
            tries[uri, default: 0] += 1
            // No two are due at the same time.
            let random = Double(uris.firstIndex(of: uri) ?? 0) / Double(2 * number)
            let retryAt = now.advanced(by: Backoff.delay(attempts: tries[uri] ?? 1, random: random))
            due[uri] = retryAt
            return ended(uri, .failed(.init(message: "busy"), retryAt: retryAt))
        }
        var effects = machine.step(.start)
        while !effects.isEmpty {
            switch effects.removeFirst() {
            case .begin: effects += machine.step(.begun)
            case .load(_, let after, _): effects += machine.step(.loaded(after == nil ? uris : []))
            case .run(let uris, let onDemand):
                effects += machine.step(.ended(uris.map { run($0, onDemand: onDemand) }, now: now))
            case .wait(let until):
                now = until
                effects += machine.step(.woke)
            }
        }
        #expect(uris.map { tries[$0] } == Array(repeating: 7, count: number))
        #expect(machine.report.standing == Set(uris))
    }

    @Test("only a push that somebody asked for tries before its time what has failed", arguments: [true, false])
    func onDemand(isAsked: Bool) {
        var machine = PushMachine(
            levels: [.init(entity: "tasks", verb: .update)], concurrent: 1, patience: .seconds(30), isAsked: isAsked)
        _ = machine.step(.start)
        #expect(runs(machine.step(.loaded([first]))).map(\.onDemand) == [isAsked])
    }

    @Test("what is due soon is waited for; where the clock was set back meanwhile it goes with the next push")
    func clockSetBack() {
        #expect(waits(secondEndsAt: time(10_001)) == [time(10_002)])
        #expect(waits(secondEndsAt: time(10_001 - 3_600)) == [])
    }
}
