import Testing

@testable import Atmosphere

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
        arguments: ["https://api.example.com/v2/tasks", "/", "https://evil.example", "/v1/../admin", "/v1x/tasks"])
    func outside(link: String) {
        #expect(throws: SyncError.self) {
            try RequestTarget(link: link, base: "https://api.example.com/v1", current: RequestTarget("tasks"))
        }
    }

    @Test("setting a parameter replaces it in place")
    func set() {
        var target = RequestTarget("a?x=1&y=2")
        target.set("x", "a&b")
        target.set("z", "ü")
        #expect(target.text == "a?x=a%26b&y=2&z=%C3%BC")
    }
}
