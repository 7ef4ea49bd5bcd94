import AtmosphereTesting
import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereModel
@testable import AtmosphereRouting

@Suite("Weak entity tags")
struct WeakTagTests {
    private static let weak = #"W/"5""#

    @Test(
        "a weak tag goes into If-Match where a member holds it or the route file says so",
        arguments: [
            (Version.Place.field(.member("etag")), nil, true), (.field(.member("etag")), .read, false),
            (.header("ETag"), nil, false), (.header("ETag"), .send, true)
        ] as [(Version.Place, WeakVersions?, Bool)])
    func sent(place: Version.Place, weak: WeakVersions?, isSent: Bool) async throws {
        var resource = try #require(try TinyWorld.routeFile().resource("tasks"))
        resource.version = .ifMatch(place, ordered: false)
        resource.weakVersions = weak
        #expect((resource.matchable(Self.weak) == Self.weak) == isSent)
        #expect(resource.matchable(#""5""#) == #""5""#)
    }

    @Test("an update carries the weak tag of a member, and reads nothing before")
    func update() async throws {
        let world = try await TinyWorld { $0.version = .ifMatch(.field(.member("etag")), ordered: false) }
        world.server.insert("tasks", ["title": "a", "etag": .string(Self.weak)])
        try await world.synchronizer.pull()
        try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: "1"), setting: [("title", "b")])
        let preview = try await world.synchronizer.pushPreview().requests
        #expect(preview.first?.request.headers["If-Match"] == Self.weak)
        world.server.clearLog()
        try await world.synchronizer.push()
        #expect(world.server.log == [#"PATCH tasks/1/ {"title":"b"}"#])
    }

    @Test("the quotes of a weak tag are those behind its mark")
    func quotes() {
        #expect(VersionQuotes.add.applied(to: Self.weak) == Self.weak)
        #expect(VersionQuotes.remove.applied(to: Self.weak) == "5")
    }

    private func tagged(_ weak: WeakVersions?) async throws -> CheckReport {
        let world = try await TinyWorld {
            $0.version = .ifMatch(.header("ETag"), ordered: false)
            $0.weakVersions = weak
        }
        world.server.insert("tasks", ["title": "a"])
        world.server.fail(
            .init(applies: { $0.url.hasSuffix("tasks/1/") }, processes: false) {
                Response(
                    status: 200, headers: ["Content-Type": "application/json", "ETag": Self.weak],
                    body: ResponseBody(Array(#"{"id":1,"title":"a","rev":1}"#.utf8)))
            })
        return try await world.synchronizer.check()
    }

    @Test("a check says that a weak tag is not sent, and that another's change can be overwritten then")
    func check() async throws {
        let report = try await tagged(nil)
        #expect(report.resources[1].version == .compare)
        #expect(report.resources[1].notes.contains { $0.contains("write weak: send") })
        let promise = try #require(report.promises.first { $0.title == "no write undoes another client’s" })
        #expect(promise.exceptions.contains { $0.hasPrefix("tasks: a change between the read and the write") })

        let sent = try await tagged(.send)
        #expect(sent.resources[1].version == .ifMatch(.header("ETag"), ordered: false))
        #expect(!sent.resources[1].notes.contains { $0.contains("weak") })
    }
}
