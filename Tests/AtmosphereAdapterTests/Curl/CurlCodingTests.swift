#if Curl
    import Atmosphere
    import AtmosphereTesting
    import Foundation
    import Testing

    @testable import AtmosphereCurl

    @Suite("Coded bodies over libcurl", .timeLimit(.minutes(2))) struct CurlCodingTests {
        /// What the streams below stand for.
        private static let text =
            "["
            + (0..<300).map { #"{"id":\#($0),"title":"Task \#($0 * $0 % 977)","done":\#($0 % 3 != 0)}"# }.joined(
                separator: ",") + "]"
        /// Its DEFLATE, with codes of its own (RFC 1951 §3.2.7).
        private static let stream = [UInt8](
            Data(
                base64Encoded: """
                    dZrNit03DEdfpdz1LGz5O8/RXckiMBMIDS00k1XIu2egEBIfneUF8de1f5IsHfuvb49Pz4935enx+un188vj3ePPD1/+/qM8nh7P
                    //7z9vvjh89fXr4//W9WL7P60+z1v68/reKy6qlVu6xO7rLfLmf6tXGZxUjN5mXWZu513Us46ef2ZTbzpZ7LbFfZ3luGWkr6wQoh
                    Ipei3lrU3sV3w0bna65Q5OSSVGjyiyi/+55QTz556xJb/uStTAtb90FISFTf4nQRJ25xehe9A5my8wCKW5wR+brjFmcsifC41ZmS
                    MnGLM1cuTtzirJCcjludZetG5vRcnHaLc4qUsHarc0TvBnFWbofEqSGukTkrV7Ehc/rODVHPqmx5u8VpJ/JP3tr0Keu+tRlWWnpB
                    qLX0k/3WZpU8LnoggJb4vtXZK193v8U5Ixen3+Isye4+UVHFNarayFOxo6oNifJ+UINyFUeBinLAVpx1suUD4oy8UA5oI+se0GZK
                    io1bnJMH0MCJU8Q18qZucY3EaXmUDySO7M9E3kzJ7onEOfLJW5tT8z85b22mRPlEUdt5rZoDO5mH5JyIXdnyeYszdl7LJw4caSMn
                    DpzRpENEr5YH0EKrJr3NuqWJI2qvhg3Ko3yhGzj5/izUtC6FZd3ibPvkQtuQ2210iZLbC52aHJ8bNa3lIblR02zL9y3Ollq+0anl
                    ibhvaaJKOd3Im50H0J6oK/mWbzRqTdTeG21VHuX7YHLJDU9BBy9dw0EbPeWTgZMpl/vgvGmS3KejludfRKPW8rA4qGlhrpE3UqrO
                    xlSZZ+JB3uj4CXGazJ8F4jQZQAvUaTaJFeoj013pSFwxhEBrm3dIZLNlQf6UEEvkj2V5Lcggyd4KStBkIKvABOOYe4CCHYYe0Bls
                    MUSJOzb/AxWM6PLRieZyiOXCXGbecQR121C01bsJdykYhuVYq8GJ1D6KFkEwQAUw6MuyDshgKUtCc70kRsAMQrFTELVJ3JMaDEk7
                    YINmew9uENLOVHCDYd4BDna1uCc7KCI92EGzvQc8mO2Y+4nyZB/FiFokRcgPlHaCIKwhpYQEQf4nCEIz9lbBEKbVHDCEUwyNsquz
                    vQdGGMUWj5J3zD1LnkUeUEI36YESVpEEHUwm8Q6Y0KzRGGwfJENAE06zox48IewMA08YyxaPwWireySTRR6YwrCOaHBwnQbbMbke
                    WT2wwqjiHlxhdyu5IAtVWEUFWhhCDCrYwu66epIfcw+6YKEHvLCnaQ/AECGbD8AwZIKuQAynmHtChiWhtwiARPtFOmebD87Qmq0e
                    tw7WjRM0WM0DaujW4wI1LEv7TQxkRQ+0YZh70gZrM4Ebwmh0BXGYtvckDvY/MTIV9Y6ZyQIPzKEKsa+bNxC298AOx9Lu8GgS9+AO
                    S09bkIcqNyD1sObJ5oM97KOr5zWRuedoK30e8EP1G1boFHbFSpnkjrWw0RP3AQKx5C4kACDeCpZYQqYd5n7gCl6+SUZk3hdAyTbv
                    mG3t9hYAYp4m99uoeU0CP0gghH4HAESIHSbbWOa8oyeSra+sePY30Yw3dY9uXDcU70ikOgUAhDWZAQAxQqI+4Q/ine8VjOVF8N5V
                    XiyAP7RulrilOLp6dHlyiETyakGyDvwhSjP3yCUZWAMAonb5owAQU92TQMiOgj8MyxDwBy234A9DDpsAfpAABXzou5hzAFfBgwH4
                    0M0S8OFo1HdicUkl0IdjZ2JnwbNnNXzDIHcHAfrQreJ0MiJ1D52abSlkkhYz+JDBnjwE8MOxQgL80JeEKPDD8fdUvPmTXBqseGKI
                    VOqW8sAPMrAE4MOQ8TsGOzwrt6APs9tjMtS7LX+Ubxpsqg3Qh7AyBviw7FgCfGiadqQPwjGDTxuqVHvAh9OtxwJ9GAKRA/BBLhpi
                    kbdae8v3DdOeB6IPF4wai1OtNVmAD1tYWpA9HPujKHld3SObwrYU2VSk4AM+zGGBD/oQXZIZ8GGbe8CHZm/rAvThyJ1IAD4Ma3MA
                    H6qetsAPSx4dBOhD09UD5WnBB37oNlqBPiypD4AP02hSgD6EPI8IPnuQNynBZw/TDlvQB+uvwR6mFR2wh1i6eKpkD4gh0v0i8P0P
                    """, options: .ignoreUnknownCharacters)!)
        private static let gzipEnd: [UInt8] = littleEndian(0x5441F294) + littleEndian(UInt32(text.utf8.count))
        private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        private static let gzip = gzipHead + stream + gzipEnd
        private static let zlib = [0x78, 0xDA] + stream + littleEndian(UInt32(0xBA0F9FB3).byteSwapped)
        /// With extra bytes, a name, a remark and a sum of the header.
        private static let longHead: [UInt8] =
            [0x1F, 0x8B, 8, 30, 0, 0, 0, 0, 0, 3, 3, 0, 1, 0, 2] + Array("name".utf8) + [0] + Array("remark".utf8)
            + [0, 0x6E, 0xC4]
        /// "hello", in a block that is not compressed.
        private static let hello: [UInt8] =
            gzipHead + [1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8) + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
        /// Nothing, with codes that need not be written.
        private static let nothing: [UInt8] = gzipHead + [3, 0] + [0, 0, 0, 0, 0, 0, 0, 0]

        private static func littleEndian(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        struct Case: Sendable, CustomStringConvertible {
            var description: String
            var coding: String
            var body: [UInt8]
            var text: String
        }

        static let cases = [
            Case(description: "gzip", coding: "gzip", body: gzip, text: text),
            Case(description: "x-gzip", coding: "X-Gzip", body: gzip, text: text),
            Case(description: "a long header", coding: "gzip", body: longHead + stream + gzipEnd, text: text),
            Case(
                description: "several members", coding: "gzip", body: hello + nothing + gzip + hello,
                text: "hello" + text + "hello"),
            Case(description: "zlib", coding: "deflate", body: zlib, text: text),
            Case(description: "bare deflate", coding: "deflate", body: stream, text: text)
        ]

        /// Answers with the body, in so many pieces, and a length that is right.
        private func get(
            _ body: [UInt8], _ coding: String, pieces: Int = 1, limit: Int = 1 << 20
        ) async throws -> String {
            let peer = try FaultyServer { connection in
                while connection.read() != nil {
                    connection.write(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n")
                    let size = max(1, body.count / pieces)
                    var rest = body[...]
                    while !rest.isEmpty, connection.write(Array(rest.prefix(size))) { rest = rest.dropFirst(size) }
                }
            }
            defer { peer.stop() }
            let response = try await CurlTransport(settings: .patient).send(
                Request(method: "GET", url: peer.url, maximumResponseBytes: limit))
            return String(decoding: try await response.body.collect(upTo: limit), as: UTF8.self)
        }

        @Test("each form arrives whole, in one piece and in many", arguments: cases)
        func whole(example: Case) async throws {
            #expect(try await get(example.body, example.coding) == example.text)
            #expect(try await get(example.body, example.coding, pieces: 500) == example.text)
        }

        @Test("a body without its last bytes is cut, although its length is right and its text whole", arguments: cases)
        func cut(example: Case) async throws {
            for missing in [1, 4, 8, example.body.count - 1] {
                let error = await #expect(throws: TransportError.self) {
                    try await get(example.body.dropLast(missing), example.coding)
                }
                #expect(error?.code == .connectionLost && error?.mayHaveArrived == true)
                #expect(error?.message.contains("it was cut; try again") == true, "\(error?.message ?? "")")
            }
        }

        @Test("a body without any byte is empty, whatever its coding", arguments: ["gzip", "deflate"])
        func empty(coding: String) async throws { #expect(try await get([], coding) == "") }

        @Test("a wrong sum or length at the end, and what is no such coding, is told")
        func wrong() async throws {
            func error(_ body: [UInt8], _ coding: String) async -> TransportError? {
                await #expect(throws: TransportError.self) { try await get(body, coding) }
            }
            for place in [1, 5, 8] {
                var body = Self.gzip
                body[body.count - place] ^= 1
                let error = await error(body, "gzip")
                #expect(error?.code == .invalidResponse && error?.message.contains("sum at the end") == true)
            }
            var zlib = Self.zlib
            zlib[zlib.count - 1] ^= 1
            #expect(await error(zlib, "deflate")?.message.contains("sum at the end") == true)
            for body in [Array("hello".utf8), [0x1F, 0x8B, 9, 0], [0x1F, 0x8B, 8, 0xE0], Self.zlib] {
                #expect(await error(body, "gzip")?.message.contains("is not coded as its Content-Encoding") == true)
            }
            for (body, coding) in [
                (Self.gzip + [0], "gzip"), (Self.gzip + Array("\r\n".utf8), "gzip"), (Self.zlib + [0], "deflate"),
                (Self.stream + [7], "deflate")
            ] {
                #expect(await error(body, coding)?.message.contains("goes on behind the end") == true)
            }
        }

        @Test("another coding than those that were asked for is refused, with its name")
        func unknown() async throws {
            let peer = try FaultyServer { connection in
                while let arrival = connection.read() {
                    #expect(arrival.values("Accept-Encoding") == ["gzip, deflate"])
                    connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx")
                }
            }
            defer { peer.stop() }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .invalidResponse && error?.message.contains("coded with “br”") == true)
        }

        @Test("a response that is compressed on its way is refused, for nobody asked for it")
        func transfer() async throws {
            let peer = try FaultyServer { connection in
                while connection.read() != nil {
                    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
                }
            }
            defer { peer.stop() }
            let error = await #expect(throws: TransportError.self) {
                try await CurlTransport(settings: .patient).send(Request(method: "GET", url: peer.url))
            }
            #expect(error?.code == .invalidResponse && error?.message.contains("Transfer-Encoding") == true)
        }

        @Test("a coding that goes on without anything coming out ends at the limit")
        func nothingEver() async throws {
            let members = [[UInt8]](repeating: Self.nothing, count: 20_000).flatMap(\.self)
            let blocks = Self.gzipHead + [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: 100_000).flatMap(\.self)
            let name = Array(Self.longHead.prefix(3)) + [8, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 65, count: 400_000)
            for body in [members, blocks, name] {
                let error = await #expect(throws: TransportError.self) { try await get(body, "gzip", limit: 100_000) }
                #expect(error?.code == .bodyTooLarge)
            }
            #expect(try await get(members, "gzip") == "")
        }

        @Test("what refers to a place before the beginning is refused, also of a second member")
        func farBack() async throws {
            // A length of 3 from 1 byte before.
            let far: [UInt8] = [0x03, 0x02, 0x00, 0x00]
            for (body, coding) in [
                (far, "deflate"), (Self.gzipHead + far, "gzip"), (Self.hello + Self.gzipHead + far, "gzip")
            ] {
                let error = await #expect(throws: TransportError.self) { try await get(body, coding) }
                #expect(error?.message.contains("is not coded as its Content-Encoding") == true)
            }
        }
    }
#endif
