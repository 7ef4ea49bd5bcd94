#if Curl
    import AtmosphereExchange

    /// Status and header fields of the final answer.
    struct ResponseHead: Sendable {
        var status: Int
        var headers: HeaderFields
        /// How often libcurl has sent the request for it.
        var timesSent = 1

        /// The length of a body that comes as it is; nil where it is not known, or is that of a coded body.
        var bodyLength: Int? {
            guard headers["Content-Encoding"] == nil, headers["Transfer-Encoding"] == nil else { return nil }
            // Digits alone (RFC 9110 §8.6); anything else is libcurl's to refuse.
            return headers["Content-Length"].flatMap { text in
                text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ? Int(text) : nil
            }
        }

        /// The codings that libcurl undoes, in lower case, the first one applied first (RFC 9110 §8.4, RFC 9112 §7).
        ///
        /// - Parameter ofContent: whether it decodes the content; it always decodes the transfer.
        func codings(ofContent: Bool) -> [String] {
            let fields =
                (ofContent ? headers.values(of: "Content-Encoding") : []) + headers.values(of: "Transfer-Encoding")
            let plain: Set = ["", "identity", "chunked", "none"]
            return fields.flatMap { field in
                field.split(separator: ",").map { word in
                    String(word.drop { $0 == " " || $0 == "\t" }.prefix { !" \t;".contains($0) })
                }
            }.filter { !plain.contains($0.lowercased()) }
        }

        /// The body is handed over decoded, so the fields that describe its coded form do not hold any more.
        mutating func removeCoding() {
            guard headers["Content-Encoding"] != nil else { return }
            headers["Content-Encoding"] = nil
            headers["Content-Length"] = nil
        }
    }

    /// Puts a head together from the lines that libcurl hands over, one per call.
    ///
    /// Interim answers (1xx) are dropped; lines after the head are trailers, which are dropped too.
    struct ResponseHeadParser {
        enum Step {
            case more
            case complete(ResponseHead)
            /// Too many bytes of header.
            case tooLarge
        }

        /// The most bytes that all header lines of an exchange may have.
        static let limit = 300 << 10

        private var status = 0
        private var fields: [NamedText] = []
        private var size = 0
        private var isComplete = false

        mutating func consume(_ raw: UnsafeRawBufferPointer) -> Step {
            size += raw.count
            guard size <= Self.limit else { return .tooLarge }
            guard !isComplete else { return .more }

            let line = Self.trimmed(raw)
            if let status = Self.status(of: line), fields.isEmpty {
                self.status = status
                return .more
            }
            guard !raw.isEmpty, raw[0] != 0x0D, raw[0] != 0x0A else { return endOfBlock() }
            if raw[0] == 0x20 || raw[0] == 0x09 {
                // Folded over lines (RFC 9112 §5.2): one space takes the place of the break.
                if !fields.isEmpty, !line.isEmpty {
                    let glue = fields[fields.count - 1].value.isEmpty ? "" : " "
                    fields[fields.count - 1].value += glue + Self.text(line)
                }
                return .more
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return .more }
            fields.append(
                NamedText(
                    name: Self.text(Slice(base: raw, bounds: line.startIndex..<colon)),
                    value: Self.text(Self.trimmed(raw, colon + 1..<line.endIndex))))
            return .more
        }

        private mutating func endOfBlock() -> Step {
            defer { fields = [] }
            // 101 would end HTTP; it is never asked for.
            guard status >= 200 || status == 101 else { return .more }
            isComplete = true
            return .complete(ResponseHead(status: status, headers: HeaderFields(fields)))
        }

        /// `HTTP/1.1 200 OK`, `HTTP/2 200`.
        private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int? {
            guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: 0x20) else { return nil }
            let digits = line[(space + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard digits.count == 3 else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        private static func trimmed(
            _ raw: UnsafeRawBufferPointer, _ bounds: Range<Int>? = nil
        ) -> Slice<UnsafeRawBufferPointer> {
            var bounds = bounds ?? raw.startIndex..<raw.endIndex
            func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
            while let first = bounds.first, isBlank(raw[first]) { bounds = first + 1..<bounds.upperBound }
            while let last = bounds.last, isBlank(raw[last]) { bounds = bounds.lowerBound..<last }
            return Slice(base: raw, bounds: bounds)
        }

        /// Header bytes are ASCII by rule; UTF-8 and Latin-1 both occur (RFC 9110 §5.5).
        private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            // Through the storage: as a sequence it would be checked byte by byte.
            bytes.withContiguousStorageIfAvailable { String(validating: $0, as: UTF8.self) }.flatMap(\.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
#endif
