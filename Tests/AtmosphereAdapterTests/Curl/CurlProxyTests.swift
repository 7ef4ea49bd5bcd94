#if Curl
    import Atmosphere
    import AtmosphereTesting
    import AtmosphereCurl
    import Foundation
    import Testing

    /// Each in a process of its own, whose environment it may change.
    @Suite("The curl transport and the environment's proxies")
    struct CurlProxyTests {
        @Test("http_proxy gets the whole URL, and no_proxy is obeyed")
        func plain() async {
            await #expect(processExitsWith: .success) {
                let proxy = try FaultyServer { arrival in answer("200 OK", [], "proxied " + arrival.target) }
                let direct = try FaultyServer { _ in answer("200 OK", [], "direct") }
                setenv("http_proxy", proxy.url, 1)
                setenv("no_proxy", "127.0.0.1", 1)
                let transport = try CurlTransport(settings: .patient)
                let response = try await transport.send(Request(method: "GET", url: "http://name.invalid/a"))
                let text = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
                #expect(text == "proxied http://name.invalid/a")
                let other = try await transport.send(Request(method: "GET", url: direct.url))
                #expect(try await other.body.collect(upTo: 100) == Array("direct".utf8))
            }
        }

        @Test("a proxy that refuses the tunnel: cannotConnect, nothing has arrived, and it has seen no credentials")
        func tunnel() async {
            await #expect(processExitsWith: .success) {
                let proxy = try FaultyServer { _ in answer("403 Forbidden", ["X-Proxy: 1"]) }
                setenv("https_proxy", "http://user:hunter2@127.0.0.1:\(proxy.port)", 1)
                let error = await #expect(throws: TransportError.self) {
                    try await CurlTransport(settings: .patient).send(
                        Request(
                            method: "POST", url: "https://name.invalid/a?k=secret",
                            headers: ["Authorization": "Token t"], body: .bytes(Array("body".utf8))))
                }
                #expect(error?.code == .cannotConnect)
                #expect(error?.mayHaveArrived == false)
                #expect(error?.message.contains("hunter2") == false)
                let arrival = try #require(proxy.arrivals.first)
                #expect(arrival.method == "CONNECT")
                #expect(arrival.target == "name.invalid:443")
                #expect(arrival.header("Authorization") == nil)
                #expect(arrival.body.isEmpty)
            }
        }

        @Test("a proxy address that is not usable is not quoted with its password")
        func unusable() async {
            await #expect(processExitsWith: .success) {
                setenv("http_proxy", "nonsense://user:hunter2@127.0.0.1:1", 1)
                let error = await #expect(throws: TransportError.self) {
                    try await CurlTransport(settings: .patient).send(
                        Request(method: "POST", url: "http://name.invalid/"))
                }
                #expect(error?.code == .cannotConnect)
                #expect(error?.mayHaveArrived == false)
                #expect(error?.message.contains("hunter2") == false)
            }
        }
    }
#endif
