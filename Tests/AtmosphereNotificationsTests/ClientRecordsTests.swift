import Synchronization
import Testing

@testable import AtmosphereNotifications

@Suite("What is to be kept of clients")
struct ClientRecordsTests {
    private func client(_ owner: String, _ rooms: [String], sequence: UInt64 = 1) -> RememberedClient {
        RememberedClient(user: "ann", rooms: rooms, owner: owner, sequence: sequence)
    }

    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test("however often a client changes, the latest is written once, and others keep their place")
    func latest() {
        var records = ClientRecords()
        records.put(client("1", []), pid: "a", .arrived)
        records.put(client("2", ["x"]), pid: "b", .arrived)
        for number in 0..<10_000 { records.put(client("1", ["\(number)"]), pid: "a", .changed) }
        #expect(records.count == 2)
        let batch = records.take(10)
        #expect(batch.map(\.pid) == ["a", "b"])
        #expect(batch[0].client.rooms == ["9999"] && batch[0].isArrival && batch[0].state == .here)
        #expect(records.take(10).isEmpty)
        for record in batch { #expect(records.written(record).isEmpty) }
        #expect(records.count == 0 && records.take(10).isEmpty)
    }

    @Test("what could not be written is written later, with what has changed since; who waits hears of it then")
    func retry() throws {
        var records = ClientRecords()
        let calls = Calls()
        records.put(client("1", ["a"]), pid: "p", .arrived)
        #expect(records.wait(for: "p") { calls.add("a") } == nil)
        let first = try #require(records.take(10).first)
        records.failed(first)
        let second = try #require(records.take(10).first)
        #expect(second == first)
        records.put(client("1", ["a", "b"]), pid: "p", .changed)
        #expect(records.wait(for: "p") { calls.add("b") } == nil)
        #expect(records.take(10).isEmpty, "one is written at a time")
        for done in records.written(second) { done() }
        #expect(calls.all == ["a"])
        let third = try #require(records.take(10).first)
        #expect(third.client.rooms == ["a", "b"])
        for done in records.written(third) { done() }
        #expect(calls.all == ["a", "b"])
        // Nothing waits: it is kept.
        records.wait(for: "p") { calls.add("now") }?()
        #expect(calls.all.last == "now")
    }

    @Test("what is refused is set aside, and keeps no other waiting, until it is told anew or tried again")
    func setAside() throws {
        var records = ClientRecords()
        records.put(client("1", ["a"]), pid: "bad", .arrived)
        records.put(client("1", ["a"]), pid: "good", .arrived)
        let batch = records.take(10)
        records.refused(batch[0])
        #expect(records.written(batch[1]).isEmpty)
        #expect(records.take(10).isEmpty && records.count == 1)
        records.tryAgain()
        let again = try #require(records.take(10).first)
        #expect(again.pid == "bad" && again.client.rooms == ["a"])
        records.refused(again)
        #expect(records.take(10).isEmpty)
        records.put(client("1", ["b"]), pid: "bad", .changed)
        let anew = records.take(10)
        #expect(anew.map(\.client.rooms) == [["b"]])
        records.tryAgain()
        #expect(records.take(10).isEmpty, "it is being written")
        // What has changed while it was refused is tried at once.
        records.put(client("1", ["c"]), pid: "bad", .changed)
        records.refused(anew[0])
        let last = try #require(records.take(10).first)
        #expect(last.client.rooms == ["c"])
        #expect(records.written(last).isEmpty && records.count == 0)
    }

    @Test("a client that comes back again and again has no answers of its older connections waiting")
    func older() throws {
        var records = ClientRecords()
        let calls = Calls()
        for sequence in 1...5 {
            let owner = "\(sequence)"
            records.put(client(owner, [], sequence: UInt64(sequence)), pid: "p", .arrived)
            #expect(records.wait(for: "p") { calls.add(owner) } == nil)
        }
        let record = try #require(records.take(10).first)
        for done in records.written(record) { done() }
        #expect(calls.all == ["5"])
    }

    @Test("an older connection of the same server changes nothing, and a change alone is no arrival")
    func owners() {
        var records = ClientRecords()
        records.put(client("1", ["a"]), pid: "p", .arrived)
        records.put(client("2", ["b"], sequence: 2), pid: "p", .arrived)
        records.put(client("1", []), pid: "p", .left)
        records.put(client("3", ["c"]), pid: "q", .changed)
        let batch = records.take(10)
        #expect(batch.map(\.client) == [client("2", ["b"], sequence: 2), client("3", ["c"])])
        #expect(batch.map(\.state) == [.here, .here] && batch.map(\.isArrival) == [true, false])
    }

    @Test("those who are gone take bounded memory: who was never written is dropped, others are taken back")
    func bounds() {
        var records = ClientRecords(bytes: 2000)
        records.put(client("0", ["a"], sequence: 2), pid: "known", .arrived)
        records.put(client("0", ["a"], sequence: 2), pid: "known", .left)
        records.put(client("0", ["b"]), pid: "here", .arrived)
        for number in 0..<5000 {
            records.put(client("\(number)", ["x"]), pid: "\(number)", .arrived)
            records.put(client("\(number)", ["x"]), pid: "\(number)", .left)
        }
        #expect(records.count < 10)
        let batch = records.take(10)
        #expect(batch[0].pid == "known" && batch[0].state == .forgotten && batch[0].client.rooms.isEmpty)
        #expect(batch[1].pid == "here" && batch[1].state == .here)
        #expect(batch.last?.pid == "4999" && batch.last?.state == .gone)
    }
}
