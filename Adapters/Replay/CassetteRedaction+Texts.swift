internal import AtmosphereExchange

/// Credentials inside texts that are no members of their own: parameters of URLs, and XML.
extension CassetteRedaction {
    /// A body of text without its secrets: JSON that may have a byte order mark, lines of JSON, markup, and what only looks
    /// like one of them.
    func document(_ text: String) -> String {
        let mark = "\u{FEFF}"
        guard let bare = text.rest(after: mark) else { return unmarked(text) }
        return mark + unmarked(String(bare))
    }

    private func unmarked(_ text: String) -> String {
        if let value = try? Value(json: Array(text.utf8)) {
            return body(value).map { String(decoding: $0.json(), as: UTF8.self) } ?? text
        }
        let first = text.utf8.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return self.text(xml(text)) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return self.text(lines.map { line(String(Substring($0))) }.joined(separator: "\n"))
    }

    /// A line of JSON, which may end with CR, or of anything else.
    private func line(_ text: String) -> String {
        guard let value = try? Value(json: Array(text.utf8)), let clean = body(value) else { return text }
        return String(decoding: clean.json(), as: UTF8.self) + (text.utf8.last == UInt8(ascii: "\r") ? "\r" : "")
    }

    /// A text without the secret parameters of the URLs in it, and without members of JSON in it that are secret.
    func text(_ text: String) -> String { members(in: parameters(in: text)) }

    /// A text without the secret parameters of the URLs in it (`https://…?X-Amz-Signature=…`), also where the URL has them
    /// behind `#`, or the text is XML, which writes `&amp;`.
    private func parameters(in text: String) -> String {
        var text = text
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        return text.withUTF8 { bytes in
            var clean: [UInt8] = []
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                clean.append(byte)
                index += 1
                guard Self.startsParameter(byte), let equals = Self.endOfName(bytes, from: index) else { continue }
                let name = String(decoding: bytes[index..<equals], as: UTF8.self)
                guard isSecretParameter(name) else { continue }
                let end = bytes[equals...].dropFirst().firstIndex(where: Self.endsParameter) ?? bytes.endIndex
                clean += bytes[index...equals]
                if end > equals + 1 { clean += Self.mark.utf8 }
                index = end
            }
            return String(decoding: clean, as: UTF8.self)
        }
    }

    private static func startsParameter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
        default: false
        }
    }

    private static func endsParameter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "`"):
            true
        default: false
        }
    }

    /// Where the `=` stands behind a name that a parameter may have; nil where there is none.
    private static func endOfName(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let end = bytes[start...].prefix(100).firstIndex { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "%"), UInt8(ascii: "["), UInt8(ascii: "]"):
                false
            default: true
            }
        }
        guard let end, end > start, bytes[end] == UInt8(ascii: "=") else { return nil }
        return end
    }

    /// XML, or HTML, without what stands in elements and attributes of secret names, at any depth.
    private func xml(_ text: String) -> String {
        var text = text
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        return text.withUTF8 { bytes in
            var clean: [UInt8] = []
            var rest = bytes[...]
            // How many elements are open in one of a secret name, with that.
            var depth = 0
            while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
                let end = Self.end(ofTag: rest[open...])
                let name = Self.name(ofTag: rest[open..<end])
                let isHidden = depth > 0 || isSecret(name)
                clean += rest[..<open]
                // A comment in a secret element may say anything.
                if !name.isEmpty || depth == 0 { clean += tag(rest[open..<end], hidesAll: isHidden) }
                rest = rest[end...]
                if name.hasPrefix("/") {
                    depth = max(0, depth - 1)
                } else if !name.isEmpty, bytes[end - 2] != UInt8(ascii: "/"), isHidden {
                    depth += 1
                }
                guard depth > 0 else { continue }
                let content = Self.content(rest)
                clean += content.allSatisfy { $0 <= 0x20 } ? Array(content) : Array(Self.mark.utf8)
                rest = rest[content.endIndex...]
            }
            return String(decoding: clean + rest, as: UTF8.self)
        }
    }

    /// The text at the beginning, with any `<![CDATA[…]]>` in it.
    private static func content(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var end = bytes.startIndex
        while end < bytes.endIndex {
            let next = bytes[end...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
            guard bytes[next...].starts(with: "<![CDATA[".utf8) else { return bytes[..<next] }
            end = bytes[next...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.endIndex
            while end < bytes.endIndex, !bytes[end...].starts(with: "]]>".utf8) { end += 1 }
            end = min(end + 3, bytes.endIndex)
        }
        return bytes
    }

    /// Behind the first `>` that stands in no value of an attribute.
    private static func end(ofTag bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let ends = [("<!--", "-->"), ("<![CDATA[", "]]>")]
        if let end = ends.first(where: { bytes.starts(with: $0.0.utf8) })?.1.utf8 {
            return bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + 3 } ?? bytes.endIndex
        }
        var quote: UInt8?
        var last: UInt8 = 0
        for (index, byte) in zip(bytes.indices, bytes.prefix(longestTag)) {
            if let open = quote {
                if byte == open { quote = nil }
            } else if last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
            if byte > 0x20 { last = byte }
        }
        // A quotation mark that nothing ends is none.
        return bytes.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.endIndex
    }

    private static let longestTag = 1 << 16

    /// Without the prefix of a name space; `/` for a closing tag, empty for a comment and the like.
    private static func name(ofTag tag: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        if tag.dropFirst().first == UInt8(ascii: "/") { return "/" }
        let name = tag.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        guard name.first != UInt8(ascii: "!"), name.first != UInt8(ascii: "?") else { return "" }
        return local(String(decoding: name, as: UTF8.self))
    }

    private static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? "" }

    /// A tag without the values of its secret attributes, or of all of them; those say no secret by which XML is read.
    private func tag(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, hidesAll: Bool) -> [UInt8] {
        var clean: [UInt8] = []
        var rest = bytes
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            // Blanks may stand on both sides.
            let quote = rest[(equals + 1)...].firstIndex { $0 > 0x20 } ?? rest.endIndex
            let before = rest[..<equals]
            let head = before[..<(before.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? before.startIndex)]
            let name = head[(head.lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? head.startIndex)...]
            let text = String(decoding: name, as: UTF8.self)
            let isOpen = ["type", "nil"].contains(Self.local(text)) || text.hasPrefix("xmlns")
            let isHidden = isSecret(Self.local(text)) || hidesAll && !isOpen
            guard quote < rest.endIndex, rest[quote] == UInt8(ascii: "\"") || rest[quote] == UInt8(ascii: "'"),
                let end = rest[quote...].dropFirst().firstIndex(of: rest[quote])
            else {
                let value = rest[quote...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
                clean += rest[..<quote]
                clean += isHidden && !value.isEmpty ? Array(Self.mark.utf8) : Array(value)
                rest = rest[value.endIndex...]
                continue
            }
            clean += rest[...quote]
            clean += isHidden ? Array(Self.mark.utf8) : Array(rest[quote...].dropFirst()[..<end])
            rest = rest[end...]
            // The closing quote.
            clean.append(rest[end])
            rest = rest[(end + 1)...]
        }
        return clean + rest
    }
}
