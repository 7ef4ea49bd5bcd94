import Atmosphere
import AtmosphereReplay
import AtmosphereTesting
import Foundation
import Testing

@Suite("what is not written into a cassette, whatever encoding and escapes the server writes")
struct CassetteEncodingTests {
    private static let xml = """
        <users type="array"><user><id>1</id><name>Renée</name><password>sesame-1</password>\
        <access_token>sesame-2</access_token></user></users>
        """

    /// Records an answer, and replays it.
    ///
    /// - Returns: the line of the cassette, and the body that a replay gives.
    private func record(
        _ body: [UInt8], type: String?, headers: HeaderFields = [:], secrets: [String] = []
    ) async throws -> (line: String, replayed: [UInt8]) {
        let folder = try TemporaryFolder()
        var headers = headers
        headers["Content-Type"] = type
        let sent = headers
        let scripted = ScriptedTransport { _ in Response(status: 200, headers: sent, body: ResponseBody(body)) }
        let transport = try RecordingTransport(scripted, to: folder.file("c"), secrets: secrets)
        let request = Request(method: "GET", url: "https://api.example.com/tasks")
        #expect(try await transport.send(request).body.collect(upTo: .max) == body)
        try await transport.finish()
        let replay = try ReplayTransport(path: folder.file("c"))
        let replayed = try await replay.send(request).body.collect(upTo: .max)
        return (try #require(try folder.lines("c").last), replayed)
    }

    @Test(
        "members of secret names are left out of XML in any encoding, and the rest stays in it",
        arguments: [
            String.Encoding.utf8, .isoLatin1, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian
        ], [true, false])
    func encodings(_ encoding: String.Encoding, _ isMarked: Bool) async throws {
        let mark = isMarked && encoding != .isoLatin1 ? "\u{FEFF}" : ""
        let body = try #require((mark + Self.xml).data(using: encoding))
        let (_, replayed) = try await record([UInt8](body), type: "application/xml")
        let text = try #require(String(data: Data(replayed), encoding: encoding))
        let clean = Self.xml.replacing("sesame-1", with: "[secret]").replacing("sesame-2", with: "[secret]")
        // A reader may take the mark away.
        #expect([clean, mark + clean].contains { Array($0.utf8) == Array(text.utf8) }, "\(text)")
    }

    @Test(
        "members of secret names are left out of what is nearly JSON",
        arguments: [
            (
                "{\"id\":1,\"password\":\"sesame\"}\r\n{\"id\":2}\r\n",
                "{\"id\":1,\"password\":\"[secret]\"}\r\n{\"id\":2}\r\n"
            ),
            ("\u{FEFF}[{\"id\":1,\"password\":\"sesame\"}]", "\u{FEFF}[{\"id\":1,\"password\":\"[secret]\"}]"),
            ("\u{FEFF}{\"token\":\"sesame\"}\n{\"id\":2}", "\u{FEFF}{\"token\":\"[secret]\"}\n{\"id\":2}"),
            (#"{"id":1,"token":"sesame","b":"#, #"{"id":1,"token":"[secret]","b":"#),
            (#"{"id":1,"token":"sesa\"me"#, #"{"id":1,"token":"[secret]"#),
            ("{\n  \"token\" :\n  \"sesame\"\n}\n{\"b\":2", "{\n  \"token\" :\n  \"[secret]\"\n}\n{\"b\":2"),
            (
                #")]}', {"secret":{"a":["sesame",7,null,true,""],"b":{}},"id":7}"#,
                #")]}', {"secret":{"a":["[secret]","[secret]",null,true,""],"b":{}},"id":7}"#
            ),
            ("call({'pwd': 'sesame', \"id\": 7});", "call({'pwd': '[secret]', \"id\": 7});"),
            ("data: {\"api_key\": sesame }\n\n", "data: {\"api_key\": \"[secret]\" }\n\n"),
            (#"5" wide, "token":"sesame","note":"a: b""#, #"5" wide, "token":"[secret]","note":"a: b""#),
            (#"{"log":"{\"token\":\"sesa\\\"me\",\"id\":7}"#, #"{"log":"{\"token\":\"[secret]\",\"id\":7}"#),
            ("{\"log\":\"{\\\"token\\\":\\\"sesame\\\"}\"}", "{\"log\":\"{\\\"token\\\":\\\"[secret]\\\"}\"}"),
            ("ok <b><token>sesame</token></b>", "ok <b><token>[secret]</token></b>"),
            (#"{"note":"the \"color\": red","id":1}"#, #"{"note":"the \"color\": red","id":1}"#)
        ])
    func nearlyJSON(_ body: String, _ written: String) async throws {
        let (line, replayed) = try await record(Array(body.utf8), type: "application/json")
        #expect(!line.contains("sesa"), "\(line)")
        #expect(String(decoding: replayed, as: UTF8.self).utf8.elementsEqual(written.utf8), "\(line)")
    }

    @Test("the answer to who signs in may be a form")
    func form() async throws {
        let body = "access_token=\u{301}sesame&scope=a&\u{301}id=1&refresh_token=sesame"
        let (_, replayed) = try await record(
            Array(body.utf8), type: "Application/x-www-form-urlencoded; charset=utf-8")
        let written = "access_token=[secret]&scope=a&\u{301}id=1&refresh_token=[secret]"
        #expect(replayed == Array(written.utf8))
    }

    @Test(
        "what should be JSON or markup and cannot be read is left out; other bytes are kept without what is known",
        arguments: [
            ("application/json", true), ("application/problem+json; charset=x", true), ("text/xml", true),
            ("text/html", true), ("image/png", false), ("application/octet-stream", false),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", false), (nil, false)
        ] as [(String?, Bool)])
    func bytes(_ type: String?, _ isLeftOut: Bool) async throws {
        let start: [UInt8] = [0x1F, 0x8B, 0x08, 0x00, 0xFF]
        let headers: HeaderFields = ["X-Access-Token": "open-sesame-0123456789"]
        let body: [UInt8] = start + Array("<open-sesame-0123456789>".utf8) + [0x00, 0xC3]
        let (line, replayed) = try await record(body, type: type, headers: headers)
        let kept: [UInt8] = start + Array("<[secret]>".utf8) + [0x00, 0xC3]
        #expect(isLeftOut ? replayed == Array("[secret]".utf8) : replayed == kept)
        #expect(!line.contains("sesame"))
        let image: [UInt8] = start + Array("an image".utf8) + start
        if !isLeftOut { #expect(try await record(image, type: type).replayed == image) }
    }

    @Test(
        "a secret that the server repeats is left out whatever escapes it is written with",
        arguments: [
            "Tom &amp; Jerry's &lt;key&gt; +2026/é", "Tom &#38; Jerry&#39;s &#x3C;key&#x3e; &#043;2026&#x2F;&#xE9;",
            "Tom &amp; Jerry&apos;s &lt;key> +2026/é", "Tom%20%26%20Jerry%27s%20%3Ckey%3E%20%2B2026%2F%C3%A9",
            "Tom%20%26%20Jerry's%20%3ckey%3e%20%2b2026%2f%c3%a9", "Tom+%26+Jerry%27s+%3Ckey%3E+%2B2026%2F%C3%A9",
            "Tom%20&%20Jerry's%20%3Ckey%3E%20+2026/%C3%A9", #"Tom \u0026 Jerry\u0027s \u003ckey\u003E +2026\/\u00e9"#,
            "Tom & Jerry's <key> +2026/é"
        ])
    func escapes(_ form: String) async throws {
        let secret = "Tom & Jerry's <key> +2026/é"
        let (line, _) = try await record(Array("key = \(form);".utf8), type: "text/plain", secrets: [secret])
        #expect(line.contains("key = [secret];"), "\(line)")
        let wide = try #require("key = \(form);".data(using: .utf16LittleEndian))
        let (_, replayed) = try await record([UInt8](wide), type: "text/plain", secrets: [secret])
        #expect(String(data: Data(replayed), encoding: .utf16LittleEndian) == "key = [secret];")
    }

    @Test("of two secrets of which one begins with the other, the longer one is left out whole")
    func longest() async throws {
        let secrets = ["mellon-1234567890", "mellon-1234567890&more"]
        let body = "mellon-1234567890 mellon-1234567890&amp;more mellon-1234567890%26more"
        let (_, replayed) = try await record(Array(body.utf8), type: "text/plain", secrets: secrets)
        #expect(String(decoding: replayed, as: UTF8.self) == "[secret] [secret] [secret]")
    }
}
