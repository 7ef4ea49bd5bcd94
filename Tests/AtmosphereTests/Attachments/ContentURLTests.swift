import Testing

@testable import Atmosphere
@testable import AtmosphereExchange
@testable import AtmosphereRouting

@Suite("Where content goes")
struct ContentURLTests {
    private func url(
        _ link: String, base: String = "https://api.example/v1", origins: [String] = []
    ) throws -> ContentURL {
        try ContentURL(link, relativeTo: base + "/tasks", base: base, origins: origins)
    }

    @Test(
        "a link is resolved, and credentials go under the base alone",
        arguments: [
            ("https://api.example/v1/files/7", "https://api.example/v1/files/7", true),
            ("HTTPS://api.example/v1/files/7?a=b#c", "https://api.example/v1/files/7?a=b", true),
            ("/v1/files/7", "https://api.example/v1/files/7", true),
            ("files/7", "https://api.example/v1/files/7", true),
            ("?part=1", "https://api.example/v1/tasks?part=1", true),
            ("/storage/7", "https://api.example/storage/7", false),
            ("https://api.example/v1evil/7", "https://api.example/v1evil/7", false),
            ("https://api.example/v1/../storage", "https://api.example/storage", false),
            ("../storage/7?a=../b", "https://api.example/storage/7?a=../b", false),
            ("../../../storage/7", "https://api.example/storage/7", false),
            ("./a/./b/../7", "https://api.example/v1/a/7", true),
            ("files/..", "https://api.example/v1/", true),
            ("../v1/7", "https://api.example/v1/7", true),
            ("https://cdn.example/../a/.", "https://cdn.example/a/", false),
            ("%2e%2e/storage", "https://api.example/v1/%2e%2e/storage", false),
            ("https://api.example:8443/v1/7", "https://api.example:8443/v1/7", false),
            ("//cdn.example/7", "https://cdn.example/7", false),
            ("https://cdn.example/7?signature=x", "https://cdn.example/7?signature=x", false),
            ("https://api.example.evil/v1/7", "https://api.example.evil/v1/7", false)
        ])
    func resolved(_ link: String, _ text: String, _ isSigned: Bool) throws {
        let url = try url(link)
        #expect(url.text == text && url.isSigned == isSigned && url.isUnderBase == isSigned)
    }

    @Test("credentials go to an origin that is listed, too, and not to its neighbours")
    func listed() throws {
        let origins = ["https://uploads.example"]
        let listed = try url("https://uploads.example/7", origins: origins)
        #expect(listed.isSigned && !listed.isUnderBase)
        for other in ["https://uploads.example:8443/7", "https://uploads.example.evil/7", "https://cdn.example/7"] {
            #expect(try url(other, origins: origins).isSigned == false)
        }
    }

    @Test(
        "nothing is sent in the clear, to other schemes, or where a name stands in front of the host",
        arguments: [
            "http://cdn.example/7", "http://api.example/v1/7", "ftp://api.example/7", "file:///etc/passwd",
            "data:text/plain,x", "javascript:x", "https://api.example@cdn.example/7", "https:///7",
            "https://cdn.example\\@api.example/", "https://cdn.example/a b", "https://cdn.example/ü",
            "http://127.0.0.1/7", "http://[::1]:8000/7", "http://localhost/7", ""
        ])
    func refused(_ link: String) {
        let error = #expect(throws: SyncError.self) { try url(link) }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test("a message shows no signature")
    func signature() {
        let error = #expect(throws: SyncError.self) { try url("http://cdn.example/7?signature=hunter2#hunter2") }
        #expect(error?.message.contains("http://cdn.example/7 as") == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test("a server on this machine may name others on it, and one without TLS itself")
    func local() throws {
        let local = try url("http://127.0.0.1:9000/bucket/7", base: "http://localhost:8000/api")
        #expect(!local.isSigned)
        #expect(try url("http://intranet.example/api/7", base: "http://intranet.example/api").isSigned)
        #expect(throws: SyncError.self) { try url("http://127.0.0.1/7", base: "http://intranet.example/api") }
    }
}
