/// Bytes as a reader of URLs, JSON or XML takes them, and where each of them stands in what was written.
package struct EscapedBytes {
    /// Kinds of escapes that are undone in one reading.
    private struct Escapes: OptionSet {
        let rawValue: Int

        /// `&amp;`, `&#38;` and `&#x26;`
        static let entity = Escapes(rawValue: 1)
        /// `\u0026`, `\n` and `\/`
        static let backslash = Escapes(rawValue: 2)
        /// `%26`
        static let percent = Escapes(rawValue: 4)
        /// `+` for a space, in a form.
        static let plus = Escapes(rawValue: 8)

        func begin(with byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "&"): contains(.entity)
            case UInt8(ascii: "\\"): contains(.backslash)
            case UInt8(ascii: "%"): contains(.percent)
            case UInt8(ascii: "+"): contains(.plus)
            default: false
            }
        }
    }

    /// Each kind by itself, for what is written with one may hold the mark of another; and all at once, for a text can stand
    /// in another of another kind.
    private static let readers: [Escapes] = [
        .entity, .backslash, .percent, [.percent, .plus], [.entity, .backslash, .percent],
        [.entity, .backslash, .percent, .plus]
    ]

    /// How often escapes are undone: JSON can stand in a string of JSON, and that in another.
    private static let deepest = 3

    /// Behind an escape.
    private struct Jump {
        var index: Int
        var place: Int
    }

    package let source: [UInt8]
    private var bytes: [UInt8]
    private var jumps: [Jump] = []

    /// The bytes as they are, and without the escapes of each reader, undone once and again; nil for a reading that is no
    /// other than one before it.
    package static func readings(of bytes: [UInt8]) -> [EscapedBytes?] {
        let plain = EscapedBytes(bytes)
        var readings: [EscapedBytes?] = [plain]
        for kinds in readers {
            // Without a `+` a form is what any URL is.
            let isOwn = !kinds.contains(.plus) || bytes.contains(UInt8(ascii: "+"))
            var last: EscapedBytes? = isOwn ? plain : nil
            for depth in 0..<deepest {
                // A `+` that was written with an escape is one.
                last = last?.undone(depth == 0 ? kinds : kinds.subtracting(.plus))
                let isKnown = readings.contains { $0 != nil && $0?.bytes == last?.bytes }
                readings.append(isKnown ? nil : last)
            }
        }
        return readings
    }

    private init(_ source: [UInt8]) {
        self.source = source
        bytes = source
    }

    /// The same with the escapes of some kinds undone once; nil where there is none.
    private func undone(_ kinds: Escapes) -> EscapedBytes? {
        guard bytes.contains(where: { kinds.begin(with: $0) }) else { return nil }
        var result = EscapedBytes(source)
        result.bytes = []
        result.bytes.reserveCapacity(bytes.count)
        var isChanged = false
        var index = 0
        // Of the jumps that lie before the index: how many, and how far the last one leads.
        var passed = 0
        var distance = 0
        while true {
            var isBehindEscape = false
            if index < bytes.count, kinds.begin(with: bytes[index]),
                let (meant, count) = Self.meaning(of: bytes[index...].prefix(12))
            {
                noteJumps()
                result.bytes += meant
                index += count
                isChanged = true
                isBehindEscape = true
            }
            noteJumps(isBehindEscape)
            if isBehindEscape { continue }
            guard index < bytes.count else { break }
            result.bytes.append(bytes[index])
            index += 1
        }
        return isChanged ? result : nil

        /// What leads from here to the source leads there from the result, too.
        func noteJumps(_ isBehindEscape: Bool = false) {
            let before = passed
            while passed < jumps.count, jumps[passed].index <= index {
                distance = jumps[passed].place - jumps[passed].index
                passed += 1
            }
            if isBehindEscape || passed > before {
                result.jumps.append(Jump(index: result.bytes.count, place: index + distance))
            }
        }
    }

    /// Where a pattern stands in the source, however it is written there.
    ///
    /// - Parameter isMeant: whether it counts at a place of the source.
    package func places(of pattern: [UInt8], where isMeant: (Range<Int>) -> Bool) -> [Range<Int>] {
        guard let first = pattern.first else { return [] }
        var found: [Range<Int>] = []
        var index = 0
        while index + pattern.count <= bytes.count {
            guard bytes[index] == first, bytes[index...].starts(with: pattern) else {
                index += 1
                continue
            }
            let range = place(of: index)..<place(of: index + pattern.count)
            guard isMeant(range) else {
                index += 1
                continue
            }
            found.append(range)
            index += pattern.count
        }
        return found
    }

    /// Where the byte, or what it is written as, begins in the source.
    private func place(of index: Int) -> Int {
        var (low, high) = (0, jumps.count)
        while low < high {
            let middle = (low + high) / 2
            if jumps[middle].index <= index { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return index }
        return jumps[low - 1].place + index - jumps[low - 1].index
    }

    /// What the escape at the beginning means, and how long it is.
    private static func meaning(of text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        switch text.first {
        case UInt8(ascii: "+"): ([0x20], 1)
        case UInt8(ascii: "%"): number(text.dropFirst().prefix(2), of: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "&"): entity(text)
        case UInt8(ascii: "\\"): backslash(text)
        default: nil
        }
    }

    /// One of the five names (XML 1.0 §4.6), one of HTML for what secrets are made of, or a number (§4.1).
    private static func entity(_ text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: text[..<end].dropFirst(), as: UTF8.self)
        let count = end - text.startIndex + 1
        if let character = names[name] { return (Array(character.utf8), count) }
        guard name.utf8.first == UInt8(ascii: "#"), name.utf8.count > 1 else { return nil }
        let isHexadecimal = ["x", "X"].contains(name.dropFirst().prefix(1))
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.first != UInt8(ascii: "+"), let value = UInt32(digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        return Unicode.Scalar(value).map { (Array(String($0).utf8), count) }
    }

    private static let names = [
        "amp": "&", "apos": "'", "gt": ">", "lt": "<", "quot": "\"",
        "colon": ":", "dollar": "$", "equals": "=", "excl": "!", "lowbar": "_", "num": "#", "percnt": "%",
        "period": ".", "plus": "+", "sol": "/"
    ]

    /// An escape of JSON (RFC 8259 §7); a backslash before any other character stands for that alone.
    private static func backslash(_ text: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        guard let kind = text.dropFirst().first else { return nil }
        switch kind {
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "u"):
            guard let first = number(text.dropFirst(2).prefix(4), of: 4) else { return nil }
            if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
            // The first of two surrogates.
            guard text.dropFirst(6).starts(with: #"\u"#.utf8), let second = number(text.dropFirst(8).prefix(4), of: 4)
            else { return nil }
            let pair = [UInt16(first), UInt16(second)]
            return String(validating: pair, as: UTF16.self).map { (Array($0.utf8), 12) }
        default: return kind < 0x80 ? ([kind], 2) : nil
        }
    }

    /// The value of so many hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>, of count: Int) -> UInt32? {
        guard digits.count == count else { return nil }
        return digits.reduce(0 as UInt32?) { value, digit in
            guard let value, let digit = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            return value << 4 | UInt32(digit)
        }
    }
}
