import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Request targets")
struct RequestTargetTests {
    @Test(
        "links are re-based: path and query under the base are kept, the host is not",
        arguments: [
            ("https://api.example.com/v1/tasks/?page=2&q=a+b", "tasks/?page=2&q=a%20b"),
            ("http://internal:8000/v1/tasks/?page=2", "tasks/?page=2"),
            ("//elsewhere/v1/tasks?page=2", "tasks?page=2"),
            ("/v1/tasks?cursor=cD0x%3D", "tasks?cursor=cD0x%3D"),
            ("?page=3", "tasks/?page=3"),
            ("more?page=3", "tasks/more?page=3")
        ])
    func rebase(link: String, target: String) throws {
        let current = RequestTarget("tasks/?page=1")
        #expect(try RequestTarget(link: link, base: "https://api.example.com/v1", current: current).text == target)
    }

    @Test(
        "a link outside the base path is refused",
        arguments: [
            "https://api.example.com/v2/tasks", "/", "https://evil.example", "/v1/../admin", "/v1x/tasks",
            "/v1/%2e%2e/admin", "/v1/%2E%2E/admin", "/v1/.%2e/admin", "%2e./admin", "/v1/a%2f..%2f..%2fadmin",
            "https://api.example.com/v1/..%2fadmin", "/v1/..;a=b/admin", "/v1/..\\admin", "/v1/%5c..%5cadmin",
            "/v1/%2e%2e/%ff", "/v1/tasks/%2e%2e?page=2"
        ])
    func outside(link: String) {
        #expect(throws: SyncError.self) {
            try RequestTarget(link: link, base: "https://api.example.com/v1", current: RequestTarget("tasks"))
        }
    }

    @Test(
        "dots that are no segment of their own, and those behind the path, lead nowhere",
        arguments: [
            "/v1/a..b", "/v1/...", "/v1/..a", "/v1/a?path=../..", "/v1/a?b=%2e%2e%2f", "/v1/a#/../", "/v1/%252e%252e/a"
        ])
    func dots(link: String) throws {
        _ = try RequestTarget(link: link, base: "https://api.example.com/v1", current: RequestTarget("tasks"))
    }

    @Test(
        "a path with an identifier of dots is refused, whatever its escapes",
        arguments: [".", "..", "../lists", "a/../b", "..\\x"])
    func identifiers(id: String) throws {
        let resource = try #require(TinyWorld.routeFile().resource("tasks"))
        var place = ObjectPlace()
        place.id = id
        let error = #expect(throws: SyncError.self) { try place.filled(resource.read.path, for: resource) }
        #expect(error?.code == .invalidRecord && error?.message.contains("RFC 3986") == true)
        // Beside other characters of the segment the dots mean nothing.
        let quoted = try PathTemplate("tasks/{id}.json")
        if [".", ".."].contains(id) { #expect(try place.filled(quoted, for: resource) == "tasks/\(id).json") }
    }

    @Test("pages whose tokens are canonically equivalent are two")
    func equivalentTokens() throws {
        let (composed, decomposed) = (RequestTarget("tasks?after=%C3%A9"), RequestTarget("tasks?after=e%CC%81"))
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        let mark = RequestTarget("tasks?after=\u{301}d")
        #expect(mark.parameter("after") == "\u{301}d" && mark.text == "tasks?after=%CC%81d")
    }

    @Test("an object with an identifier of dots holds up no other")
    func otherObjects() async throws {
        let world = try await TinyWorld { $0.deletes.byAbsence = true }
        world.server.insert("tasks", ["title": "one"])
        world.server.answer(
            "GET", with: #"{"results": [{"id": "..", "rev": 1, "title": "up"}, {"id": 1, "rev": 1, "title": "one"}]}"#)
        world.server.answer(
            "GET", with: #"{"results": [{"id": "..", "rev": 1, "title": "up"}, {"id": 1, "rev": 1, "title": "one"}]}"#)
        try await world.synchronizer.pull()
        for id in ["..", "1"] {
            try await world.synchronizer.edit(ObjectURI(entity: "tasks", id: id), setting: ["title": "mine"])
        }
        world.server.clearLog()
        let report = try await world.synchronizer.push()
        #expect(report.updated == 1)
        #expect(world.server.log.allSatisfy { !$0.contains("..") && !$0.contains("%2E") })
        #expect(world.server.rows("tasks").first?["title"] == "mine")
    }

    @Test(
        "a parameter that is left out of a link leaves the others as they are written",
        arguments: [
            ("https://a/b?k=1&s=%2b+x", "https://a/b?s=%2b+x"), ("https://a/b?k=1", "https://a/b"),
            ("https://a/b?s=2&k=1#f", "https://a/b?s=2#f"), ("https://a/b?s=1&&x", "https://a/b?s=1&&x"),
            ("https://a/b?%6B=1&s=2", "https://a/b?s=2"), ("https://a/k=1#?k=1", "https://a/k=1#?k=1")
        ])
    func leftOut(_ link: String, _ rest: String) {
        #expect(RequestTarget.link(link, without: { name, _ in name == "k" }) == rest)
    }

    @Test("setting a parameter replaces it in place")
    func set() {
        var target = RequestTarget("a?x=1&y=2")
        target.set("x", "a&b")
        target.set("z", "ü")
        #expect(target.text == "a?x=a%26b&y=2&z=%C3%BC")
    }
}
