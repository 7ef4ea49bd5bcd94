import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel

@Suite("the publisher of commits")
struct CommitPublisherTests {
    private func commit(_ ids: Set<String>, _ origin: CommitSet.Origin = .pull) -> CommitSet {
        CommitSet(origin: origin, objects: ["tasks": ids])
    }

    @Test("what waits is merged by origin beyond 16 commits, and into “any object” beyond 1,000")
    func merging() async {
        let publisher = CommitPublisher()
        let stream = publisher.subscribe()
        for number in 0..<10_000 { publisher.publish(commit(["\(number)"], number % 2 == 0 ? .pull : .application)) }
        publisher.publish(commit(["last"], .live))
        publisher.finish()
        var found: [CommitSet] = []
        for await commit in stream { found.append(commit) }
        #expect(found.count == 17)
        #expect(found[0] == commit(["0"]))
        #expect(found[14] == commit([]))
        #expect(found[15] == commit([], .application))
        #expect(found.last == commit(["last"], .live))
    }

    @Test("an empty set stays “any object” whatever is merged into it")
    func anyObject() {
        var merged = commit([])
        merged.merge(commit(["1"]))
        #expect(merged == commit([]))
        merged = commit(["1"])
        merged.merge(CommitSet(origin: .live, objects: ["tasks": ["2"], "lists": ["3"]]))
        #expect(merged == CommitSet(origin: .pull, objects: ["tasks": ["1", "2"], "lists": ["3"]]))
        merged.merge(commit([]))
        #expect(merged.objects["tasks"] == [])
    }

    @Test("two identifiers that are canonically equivalent become “any object”")
    func equivalentIdentifiers() {
        var merged = commit(["caf\u{E9}"])
        merged.merge(commit(["caf\u{E9}", "1"]))
        #expect(merged.objects["tasks"]?.count == 2)
        merged.merge(commit(["cafe\u{301}"]))
        #expect(merged.objects["tasks"] == [])
    }

    @Test("commits without objects are not published, and a stream that nobody keeps is forgotten")
    func forgotten() async {
        let publisher = CommitPublisher()
        #expect(publisher.isUnused)
        do {
            let stream = publisher.subscribe()
            #expect(!publisher.isUnused)
            publisher.publish(CommitSet(origin: .pull, objects: [:]))
            publisher.publish(commit(["1"]))
            var iterator = stream.makeAsyncIterator()
            #expect(await iterator.next() == commit(["1"]))
        }
        #expect(publisher.isUnused)
        publisher.finish()
        var late = publisher.subscribe().makeAsyncIterator()
        #expect(await late.next() == nil)
    }
}
