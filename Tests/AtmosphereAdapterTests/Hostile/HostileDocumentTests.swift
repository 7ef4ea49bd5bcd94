#if XML && OAuth2
    import AtmosphereTesting
    import AtmosphereXML
    import Foundation
    import Testing

    @testable import Atmosphere

    @testable import AtmosphereExchange

    @testable import AtmosphereRouting
    @testable import AtmosphereOAuth2
    @testable import AtmosphereReplay

    /// As `HostileAnswerTests`, for what adapters read.
    @Suite("Hostile documents") struct HostileDocumentTests {
        static let xml = [
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <tasks type="array"><task><id type="integer">1</id><title>a &amp; b</title><done type="boolean">true</done>\
            <due nil="true"/></task><task><id type="integer">2</id><at type="dateTime">2024-01-02T03:04:05Z</at></task></tasks>
            """,
            "<r xmlns:a='urn:a'><a:x y='1'>t</a:x><!-- c --><![CDATA[<d>]]><e/><total>9223372036854775807</total></r>",
            "<r><i><id>1</id></i><i><id>2</id><n><n><n>deep</n></n></n></i></r>"
        ]

        @Test("XML that is damaged, deep, long or full of names")
        func xmlDocuments() async {
            await #expect(processExitsWith: .success) {
                try await HostileRun.run(900, "XML") { source, number in
                    var text = source.pick(HostileDocumentTests.xml)
                    switch source.below(8) {
                    case 0: text = text.replacing("<id", with: "<id n='\(source.number())'", maxReplacements: 1)
                    case 1: text = String(repeating: "<a>", count: source.below(20_000)) + text
                    case 2: text = text.replacing("1", with: source.number())
                    case 3: text = "<r>" + (0..<3000).map { "<n\($0 &* number)/>" }.joined() + "</r>"
                    default: break
                    }
                    let bytes = source.damaged(text)
                    for items in [[JSONPath.Step.member("task")], [.member("r"), .member("i")], []] {
                        var selectors = Selectors(id: .member("id"))
                        selectors.items = JSONPath(items)
                        selectors.total = .member("total")
                        selectors.limits = JSONLimits(depth: 64, bytes: 1 << 20)
                        do { _ = try XMLExtractor().page(in: bytes, selectors) } catch is ExtractionError {}
                    }
                    do {
                        _ = try XMLConversion.json(from: bytes, limits: JSONLimits(depth: 64, bytes: 1 << 20))
                    } catch is ExtractionError {}
                }
            }
        }

        @Test("answers of token and device endpoints")
        func tokens() async {
            await #expect(processExitsWith: .success) {
                let now = Timestamp(milliseconds: 1_700_000_000_000)
                try await HostileRun.run(900, "tokens") { source, number in
                    func member(_ name: String, _ usual: String) -> String {
                        "\"\(name)\":\(source.chance(3) ? source.json() : usual)"
                    }
                    let answers = [
                        "{\(member("access_token", "\"a\"")),\(member("token_type", "\"Bearer\"")),\(member("expires_in", source.jsonNumber())),"
                            + "\(member("refresh_token", "\"r\"")),\(member("scope", "\"s\""))}",
                        "{\(member("device_code", "\"d\"")),\(member("user_code", "\"u\"")),\(member("verification_uri", "\"https://a.example\"")),"
                            + "\(member("expires_in", source.jsonNumber())),\(member("interval", source.jsonNumber()))}",
                        "{\"atmosphere-tokens\":1,\(member("for", "\"f\"")),\(member("access", "\"a\"")),\(member("obtained", source.jsonNumber())),"
                            + "\(member("expires", source.jsonNumber())),\"refused\":{\"message\":\"m\",\(member("start", source.jsonNumber())),"
                            + "\(member("end", source.jsonNumber()))}}"
                    ]
                    for answer in answers {
                        let bytes = source.chance(2) ? Array(answer.utf8) : source.damaged(answer)
                        if let token = try? TokenAnswer(bytes, from: "a.example"), let lifetime = token.lifetime {
                            try HostileRun.expect(lifetime > .zero && lifetime <= .seconds(315_360_000), "\(lifetime)")
                            _ = now.advanced(by: lifetime)
                        }
                        if let device = try? DeviceAnswer(bytes, from: "a.example") {
                            try HostileRun.expect(
                                device.interval >= .seconds(1) && device.lifetime <= .seconds(86_400),
                                "\(device.interval)")
                            _ = now.advanced(by: device.lifetime).duration(to: now.advanced(by: device.interval))
                        }
                        if let saved = SavedTokens(bytes) {
                            _ = saved.isGood(at: now)
                            _ = saved.refusal.map { ($0.holds(at: now), $0.end.secondAbove.description) }
                            try HostileRun.expect(SavedTokens(saved.bytes) != nil, "saved tokens cannot be read again")
                        }
                    }
                }
            }
        }

        @Test("cassettes")
        func cassettes() async {
            await #expect(processExitsWith: .success) {
                let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let file = folder.appending(path: "cassette.jsonl").path
                try await HostileRun.run(500, "cassettes") { source, _ in
                    let lines = """
                        {"atmosphere-cassette":1}
                        {"method":"GET","url":"https://api.example.com/v1/tasks?page=1","headers":{"A":\(source.json())},\
                        "answer":{"status":\(source.chance(2) ? source.jsonNumber() : "200"),"headers":{"B":\(source.json())},"json":\(source.json())}}
                        {"method":"GET","url":"\(source.number())","headers":{},"answer":\(source.json())}

                        """
                    try Data(source.damaged(lines)).write(to: URL(filePath: file))
                    guard
                        let transport = try? ReplayTransport(
                            path: file, matching: source.chance(2) ? .strict : .lenient)
                    else { return }
                    _ = (transport.notes, transport.remaining)
                    let request = Request(method: "GET", url: "https://api.example.com/v1/tasks?page=1")
                    do {
                        let response = try await transport.send(request)
                        _ = try await response.body.collect(upTo: 1 << 20)
                    } catch is TransportError {}
                }
            }
        }
    }
#endif
