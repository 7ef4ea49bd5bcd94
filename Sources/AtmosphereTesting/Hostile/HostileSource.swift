package import Atmosphere

/// Makes what a hostile server could write, the same for the same seed.
package struct HostileSource: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
    package mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    // MARK: Numbers and times

    package static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775806", "-9223372036854775807",
        "9223372036854775808", "18446744073709551615", "4611686018427387904", "9007199254740993", "9007199254740992",
        "4294967296", "2147483648", "-2147483649", "2147483647", "1000000000000", "0", "-0", "1", "-1", "2", "3", "10",
        "1e3", "1e18", "1e19", "-1e19", "1e308", "-1e308", "1e400", "-1e400", "1e-400", "5e-324", "1.5", "-1.5", "0.1",
        "1e999999999999999999999", "1E+2", "nan", "inf", "-inf", "+5", " 5", "5 ", "0x10", "1_000", "007", "", "-", ".",
        "１２", "9,223", "9999999999999999999999999999999999", "0.000000000000000000000000000000000001"
    ]

    package mutating func number() -> String {
        switch below(8) {
        case 0: String(Int64(bitPattern: next()))
        case 1: String(Int64(bitPattern: next()) >> Int64(below(63)))
        case 2: String(below(12))
        case 3: "\(Double(bitPattern: next()))"
        default: pick(Self.numbers)
        }
    }

    /// One that JSON can write.
    package mutating func jsonNumber() -> String {
        while true {
            let text = number()
            if JSONNumber(text) != nil { return text }
        }
    }

    package mutating func time() -> String {
        let years = ["0000", "0001", "1969", "1970", "2024", "9999", "10000", "-001", "２０２４"]
        let rest = [
            "-01-01T00:00:00Z", "-12-31T23:59:60Z", "-02-29T12:00:00.999999999Z", "-12-31T23:59:59.999999999-23:59",
            "-01-01T00:00:00+23:59", "-13-01T00:00:00Z", "-01-01", "-01-01 00:00:00", "-01-01T00:00:00.1234567890Z"
        ]
        switch below(5) {
        case 0: return pick(years) + pick(rest)
        case 1:
            return
                "\(pick(["Sun", "Thu", "xyz"])), \(pick(["01", "31", "00", "1"])) \(pick(["Jan", "Feb", "Dec", "Foo"])) "
                + "\(pick(years)) \(pick(["00:00:00", "23:59:60", "24:00:00"])) \(pick(["GMT", "UTC", "-0000"]))"
        default: return number()
        }
    }

    // MARK: Links, ranges and other fields

    package mutating func link() -> String {
        let starts = [
            "", "/", "//", "?", "#", "https://api.example.com/v1/", "http://api.example.com/v1/",
            "https://evil.example/",
            "/v1/", "/v1", "/v1/../", "tasks", "tasks?", "https:", "javascript:", "file:///", "https://api.example.com",
            "https://api.example.com:99999999999999999999/v1/", "https://user:pw@api.example.com/v1/",
            "https://[::1/v1/",
            "//api.example.com/v1/", "https://api.example.com\\@evil/v1/", "HTTPS://API.EXAMPLE.COM/v1/", "://", "../"
        ]
        let middles = [
            "", "tasks", "tasks/", "..", "../", "%2e%2e/", "%2E%2e/admin", ".%2e/", "..%2fadmin", "%2e%2e%2f", "./",
            "..;/",
            "..\\", "%5c..%5c", "tasks/%2e%2e/%2e%2e/admin", "%", "%2", "%zz", "%00", "\u{0}", "\n", "\r\nX: y", "é",
            "🧨",
            "a\u{301}", "{id}", "//", "%252e%252e/", "tasks/..%c0%af"
        ]
        var text = pick(starts)
        for _ in 0..<below(4) { text += pick(middles) }
        for _ in 0..<below(4) {
            text +=
                "\(pick(["?", "&", ";", "?"]))\(pick(["page", "offset", "cursor", "since", "limit", "", "a"]))=\(number())"
        }
        if chance(40) { text += String(repeating: pick(["a", "%2e", "/..", "&a=1"]), count: 20_000) }
        return text
    }

    package mutating func range() -> String {
        let unit = pick(["bytes", "BYTES", "bits", "", "bytes bytes", "items"])
        let ends = pick(["\(number())-\(number())", "4-\(number())", "*", "-", "4--1", number(), "4-6-8"])
        return "\(unit)\(pick([" ", "=", "  ", ""]))\(ends)\(pick(["/\(number())", "/*", "/", "", "//7"]))"
    }

    package mutating func coding() -> String {
        (0...below(4)).map { _ in
            pick([
                "gzip", "deflate", "br", "zstd", "identity", "x-gzip", "compress", "", "chunked", "none", "GZIP", "a\tb"
            ])
        }.joined(separator: pick([",", ", ", " ", ";"]))
    }

    /// Fields that a client reads, with values that it should not believe.
    package mutating func headers() -> HeaderFields {
        var headers: HeaderFields = [:]
        for _ in 0..<below(7) {
            switch below(12) {
            case 0: headers.append("Retry-After", chance(2) ? number() : time())
            case 1: headers.append("Date", time())
            case 2:
                headers.append("X-RateLimit-Remaining", number())
                headers.append("X-RateLimit-Reset", chance(2) ? number() : time())
            case 3: headers.append("Link", linkHeader())
            case 4: headers.append("X-Total", chance(2) ? number() : range())
            case 5: headers.append("Content-Range", range())
            case 6: headers.append("Content-Length", number())
            case 7:
                headers.append("ETag", pick(["\"\"", "\"", "W/", "W/\"1\"", "\"\(number())\"", "", "a b", "\u{FC}"]))
            case 8: headers.append("Backoff", number())
            case 9: headers.append("Location", link())
            case 10:
                headers.append(
                    "Content-Type", pick(["", "text/html", "application/json; charset=\u{0}", ";;;", "a/b/c"]))
            default: headers.append(pick(["X-Next", "X-Total-Count", "X-Page-Count", "Allow", "X-Cursor"]), number())
            }
        }
        return headers
    }

    private mutating func linkHeader() -> String {
        (0...below(3)).map { _ in
            let relation = pick([
                "rel=next", "rel=\"next\"", "rel=\"prev next\"", "rel", "rel=\"next", "rel=\"ne\\\"xt\"", ""
            ])
            return pick([
                "<\(link())>; \(relation)", "<\(link())", link(), "<>; rel=next", ",,,;;;",
                "<\(link())>;;;=;\(relation)"
            ])
        }.joined(separator: ",")
    }

    // MARK: Documents

    /// A value of JSON, as text; what is deep or long is so at the cost of a few bytes.
    package mutating func json(depth: Int = 0) -> String {
        switch below(depth > 4 ? 6 : 9) {
        case 0: return jsonNumber()
        case 1: return "\"\(jsonText())\""
        case 2: return pick(["null", "true", "false", "nul", "True", "undefined", "NaN"])
        case 3: return "\"\(time())\""
        case 4: return "\"\(number())\""
        case 5: return jsonNumber()
        case 6: return "[" + (0..<below(4)).map { _ in json(depth: depth + 1) }.joined(separator: ",") + "]"
        default: return object(depth: depth + 1)
        }
    }

    package mutating func object(depth: Int = 0) -> String {
        let names = [
            "id", "rev", "title", "list", "uuid", "deleted", "id", "results", "next", "", "\\u0000", "a.b", "__proto__"
        ]
        return "{" + (0..<below(6)).map { _ in "\"\(pick(names))\":\(json(depth: depth + 1))" }.joined(separator: ",")
            + "}"
    }

    private mutating func jsonText() -> String {
        let pieces = [
            "a", "\\ud800", "\\udc00\\ud800", "\\u0000", "\\\"", "\u{202E}", "🧨", "e\u{301}", "..", "../..", ".", "/",
            "%2e", "\\x", "\\"
        ]
        return (0..<below(4)).map { _ in pick(pieces) }.joined()
    }

    /// A valid document with a few bytes changed, left out, doubled or cut off.
    package mutating func damaged(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<below(4) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(6) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
            case 2:
                bytes.insert(
                    contentsOf: Array(pick(["[", "{", "\"", "}", ",", "9", "-", "e9", "\\u", "\u{FEFF}"]).utf8),
                    at: place)
            case 3: bytes = Array(bytes[..<place])
            case 4:
                bytes.insert(
                    contentsOf: Array(repeating: UInt8(ascii: pick(["[", "9", " "])), count: 40_000), at: place)
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
            }
        }
        return bytes
    }
}
