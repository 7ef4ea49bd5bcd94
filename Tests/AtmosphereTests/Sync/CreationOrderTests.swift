import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("The order of creation")
struct CreationOrderTests {
    @Test("identifiers ascend with time, and within a millisecond, also where the clock is set back")
    func ascending() {
        let now: UInt64 = 1 << 47
        let uuids = OrderedUUIDs()
        var texts = (0..<5000).map { _ in uuids.next(at: now, random: .random(in: 0...UInt64.max)) }
        texts.append(uuids.next(at: now - 60_000, random: 0))
        texts.append(uuids.next(at: now + 60_000, random: .max))
        #expect(texts == texts.sorted() && Set(texts).count == texts.count)
        #expect(
            texts.allSatisfy {
                $0.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil
            })
    }

    @Test("new objects are sent in the order in which they were made")
    func sent() async throws {
        let server = TinyServer()
        var routeFile = try TinyWorld.routeFile()
        routeFile.limits.concurrent = 1
        var environment = TinyWorld.environment()
        environment.makeAscendingUUID = SyncEnvironment.live.makeAscendingUUID
        let synchronizer = try await Synchronizer(
            routeFile: routeFile, store: MemoryStore(), transport: server.transport, style: TinyWorld.TinyStyle(),
            environment: environment)
        let titles = (1...9).map { "c\($0)" }
        for title in titles { _ = try await synchronizer.save(["title": .string(title)], as: "tasks") }
        try await synchronizer.push()
        #expect(server.rows("tasks").map { $0["title"]?.string } == titles)
    }

    @Test("an Accept of the route file is sent")
    func accept() async throws {
        let world = try await TinyWorld { $0.headers = [NamedText(name: "Accept", value: "application/vnd.tiny+json")] }
        _ = try await world.synchronizer.save(["title": "a"], as: "tasks")
        let request = try #require(try await world.synchronizer.pushPreview().requests.first?.request)
        #expect(request.headers["Accept"] == "application/vnd.tiny+json")
        #expect(request.headers["Content-Type"] == "application/json")
    }
}
